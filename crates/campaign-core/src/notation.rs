//! Dice as people write them: `2d20+1d6+3`.

use crate::{DiceSpec, Refusal};

/// Reads dice and what is added to their sum. Case and white space do not matter; `d20` is one die.
///
/// The numbers are as they were written: [`check`](crate::dice::check) judges them.
pub fn parse_notation(text: &str) -> Result<(Vec<DiceSpec>, i32), Refusal> {
    let mut reader = Reader { text, at: 0 };
    let (mut specs, mut modifier) = (Vec::new(), 0_i64);
    let mut sign = reader.sign().unwrap_or(1);
    loop {
        let start = reader.skip();
        let count = reader.number()?;
        if reader.take(|c| c.eq_ignore_ascii_case(&'d')) {
            if sign < 0 {
                return Err(reader.wrong(start, "dice can be added, not taken away"));
            }
            let sides = reader.number()?;
            let sides = sides.ok_or_else(|| reader.expected("the number of sides", reader.at))?;
            specs.push(DiceSpec { sides, count: count.unwrap_or(1) });
        } else {
            let number = count.ok_or_else(|| reader.expected("dice or a number", start))?;
            // Terms have ten digits and texts fit into memory, so the sum fits 64 bits.
            modifier += sign * number;
        }
        match reader.sign() {
            Some(next) => sign = next,
            None if reader.skip() == text.len() => break,
            None => return Err(reader.expected("`+` or `-`", reader.at)),
        }
    }
    let modifier = i32::try_from(modifier)
        .map_err(|_| reader.wrong(0, "the numbers add up to more than 32 bits hold"))?;
    Ok((specs, modifier))
}

struct Reader<'a> {
    text: &'a str,
    /// In bytes, always between two characters.
    at: usize,
}

impl Reader<'_> {
    fn skip(&mut self) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.at
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> bool {
        self.skip();
        let next = self.text[self.at..].chars().next().filter(|c| wanted(*c));
        self.at += next.map_or(0, char::len_utf8);
        next.is_some()
    }

    fn sign(&mut self) -> Option<i64> {
        if self.take(|c| c == '+') { Some(1) } else { self.take(|c| c == '-').then_some(-1) }
    }

    /// Digits, if the next characters are some.
    fn number(&mut self) -> Result<Option<i64>, Refusal> {
        let start = self.skip();
        let digits = self.text[start..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Ok(None);
        }
        self.at += digits;
        let number = self.text[start..self.at].parse::<i32>();
        number
            .map(|number| Some(number.into()))
            .map_err(|_| self.wrong(start, "this number does not fit 32 bits"))
    }

    fn expected(&self, what: &str, at: usize) -> Refusal {
        match self.text[at..].chars().next() {
            Some(found) => self.wrong(at, &format!("expected {what}, found `{found}`")),
            None => self.wrong(at, &format!("expected {what}")),
        }
    }

    /// Points at the place, counted in characters from 1.
    fn wrong(&self, at: usize, why: &str) -> Refusal {
        let place = self.text[..at].chars().count() + 1;
        let text = crate::words::shown(self.text);
        Refusal::invalid(format!("cannot read the dice `{text}` at character {place}: {why}"))
            .field("dice")
            .hint("write dice like `2d20+1d6+3`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<(i64, i64)>, i32) {
        let (specs, modifier) = parse_notation(text).unwrap();
        (specs.iter().map(|spec| (spec.count, spec.sides)).collect(), modifier)
    }

    fn refused(text: &str) -> String {
        parse_notation(text).unwrap_err().to_string()
    }

    #[test]
    fn dice_are_read_as_people_write_them() {
        assert_eq!(read("2d20+1d6+3"), (vec![(2, 20), (1, 6)], 3));
        assert_eq!(read(" D12 + d12 - 4 "), (vec![(1, 12), (1, 12)], -4));
        assert_eq!(read("3-d6".replace('-', "+").as_str()), (vec![(1, 6)], 3));
        assert_eq!(read("-2"), (vec![], -2));
        assert_eq!(read("+1d6"), (vec![(1, 6)], 0));
        assert_eq!(read("0d0"), (vec![(0, 0)], 0), "judged by the engine, not by the reader");
    }

    #[test]
    fn a_mistake_is_shown_where_it_is() {
        let at = "cannot read the dice";
        assert_eq!(refused(""), format!("{at} `` at character 1: expected dice or a number"));
        assert_eq!(
            refused("2d+3"),
            format!("{at} `2d+3` at character 3: expected the number of sides, found `+`")
        );
        assert_eq!(
            refused("2d6 x"),
            format!("{at} `2d6 x` at character 5: expected `+` or `-`, found `x`")
        );
        assert_eq!(
            refused("1d6-1d4"),
            format!("{at} `1d6-1d4` at character 5: dice can be added, not taken away")
        );
        assert_eq!(
            refused("1d4294967302"),
            format!("{at} `1d4294967302` at character 3: this number does not fit 32 bits")
        );
        assert_eq!(
            refused("é"),
            format!("{at} `é` at character 1: expected dice or a number, found `é`")
        );
        assert!(refused("2147483647+1").contains("more than 32 bits hold"));
    }
}
