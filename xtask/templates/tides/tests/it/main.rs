//! Tides from outside, one module for each subject.

mod surfaces;
