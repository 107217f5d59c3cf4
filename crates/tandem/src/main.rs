//! The program `tandem`.

fn main() {}
