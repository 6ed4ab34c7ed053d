//! The kinds of binary numbers in mesh files, of either byte order.

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Kind {
    /// Bytes of a number.
    pub fn size(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::I64 | Kind::U64 | Kind::F64 => 8,
        }
    }

    /// The bits of a number, which has at most eight bytes.
    fn bits(bytes: &[u8], big_endian: bool) -> u64 {
        let push = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
        if big_endian { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) }
    }

    /// A whole number. Those beyond `i64` become the largest, numbers with a point are cut.
    pub fn whole(self, bytes: &[u8], big_endian: bool) -> i64 {
        let bits = Kind::bits(bytes, big_endian);
        match self {
            Kind::I8 => i64::from(bits as i8),
            Kind::I16 => i64::from(bits as i16),
            Kind::I32 => i64::from(bits as i32),
            Kind::I64 => bits as i64,
            Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 => i64::try_from(bits).unwrap_or(i64::MAX),
            Kind::F32 | Kind::F64 => self.number(bytes, big_endian) as i64,
        }
    }

    /// Any number.
    pub fn number(self, bytes: &[u8], big_endian: bool) -> f64 {
        let bits = Kind::bits(bytes, big_endian);
        match self {
            Kind::F32 => f64::from(f32::from_bits(bits as u32)),
            Kind::F64 => f64::from_bits(bits),
            Kind::U64 => bits as f64,
            _ => self.whole(bytes, big_endian) as f64,
        }
    }

    /// All numbers of an array; what is left over at its end is dropped.
    pub fn numbers(self, bytes: &[u8], big_endian: bool) -> Vec<f64> {
        bytes.chunks_exact(self.size()).map(|word| self.number(word, big_endian)).collect()
    }

    /// All whole numbers of an array.
    pub fn wholes(self, bytes: &[u8], big_endian: bool) -> Vec<i64> {
        bytes.chunks_exact(self.size()).map(|word| self.whole(word, big_endian)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_either_byte_order_are_read() {
        for (kind, little, value) in [
            (Kind::I8, &[0xfe][..], -2.0),
            (Kind::U8, &[0xfe], 254.0),
            (Kind::I16, &[0x00, 0x80], -32768.0),
            (Kind::U16, &[0x01, 0x80], 32769.0),
            (Kind::I32, &[0xff, 0xff, 0xff, 0xff], -1.0),
            (Kind::U32, &[0xff, 0xff, 0xff, 0xff], 4294967295.0),
            (Kind::F32, &1.5f32.to_le_bytes(), 1.5),
            (Kind::F64, &(-0.1f64).to_le_bytes(), -0.1),
            (Kind::U64, &u64::MAX.to_le_bytes(), u64::MAX as f64),
        ] {
            let big: Vec<u8> = little.iter().rev().copied().collect();
            assert_eq!((kind.number(little, false), kind.number(&big, true)), (value, value), "{kind:?}");
        }
        assert_eq!(Kind::U64.whole(&[0xff; 8], false), i64::MAX);
    }
}
