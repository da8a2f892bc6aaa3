//! Reading the bytes of a parameter, with PostgreSQL's words for what is wrong with them.

/// Why bytes are no value of their type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Wrong {
    pub(in super::super) code: &'static str,
    pub(in super::super) message: String,
}

impl Wrong {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Wrong {
        Wrong { code, message: message.into() }
    }

    pub(super) fn short() -> Wrong {
        Wrong::new("08P01", "insufficient data left in message")
    }

    pub(super) fn not_utf8() -> Wrong {
        Wrong::new("22021", "invalid byte sequence for encoding \"UTF8\"")
    }
}

/// The bytes that are left of a value.
pub(super) struct Reader<'b>(pub(super) &'b [u8]);

impl<'b> Reader<'b> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'b [u8], Wrong> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(Wrong::short)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn rest(&mut self) -> &'b [u8] {
        std::mem::take(&mut self.0)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Wrong> {
        self.take(N)?.try_into().map_err(|_| Wrong::short())
    }

    pub(super) fn byte(&mut self) -> Result<u8, Wrong> {
        let [byte] = self.array().map_err(|short| Wrong::new(short.code, "no data left in message"))?;
        Ok(byte)
    }

    pub(super) fn word(&mut self) -> Result<u16, Wrong> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn int(&mut self) -> Result<i32, Wrong> {
        self.array().map(i32::from_be_bytes)
    }

    pub(super) fn long(&mut self) -> Result<i64, Wrong> {
        self.array().map(i64::from_be_bytes)
    }

    pub(super) fn float(&mut self) -> Result<f64, Wrong> {
        self.array().map(f64::from_be_bytes)
    }

    pub(super) fn real(&mut self) -> Result<f32, Wrong> {
        self.array().map(f32::from_be_bytes)
    }

    pub(super) fn utf8(&mut self) -> Result<String, Wrong> {
        String::from_utf8(self.rest().to_vec()).map_err(|_| Wrong::not_utf8())
    }
}
