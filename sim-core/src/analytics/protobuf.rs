//! Just enough of the protocol buffers' wire format to read what is inside a message by number.

use serde_json::Value;

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrong(pub &'static str);

const SHORT: Wrong = Wrong("it ends too early");

/// A message: its fields, in order. What is there twice counts by its last, as the format wants.
pub(super) struct Message<'a>(Vec<(u64, Field<'a>)>);

#[derive(Clone, Copy)]
enum Field<'a> {
    Varint(u64),
    Fixed64(u64),
    Fixed32(u32),
    Bytes(&'a [u8]),
}

impl<'a> Message<'a> {
    pub(super) fn read(mut bytes: &'a [u8]) -> Result<Message<'a>, Wrong> {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes)?;
            let field = match key & 7 {
                0 => Field::Varint(varint(&mut bytes)?),
                1 => Field::Fixed64(u64::from_le_bytes(array(&mut bytes)?)),
                2 => {
                    let length = usize::try_from(varint(&mut bytes)?).map_err(|_| SHORT)?;
                    Field::Bytes(take(&mut bytes, length)?)
                }
                5 => Field::Fixed32(u32::from_le_bytes(array(&mut bytes)?)),
                _ => return Err(Wrong("a field has no known type")),
            };
            fields.push((key >> 3, field));
        }
        Ok(Message(fields))
    }

    fn all(&self, number: u64) -> impl Iterator<Item = Field<'a>> {
        self.0.iter().filter(move |(one, _)| *one == number).map(|(_, field)| *field)
    }

    fn last(&self, number: u64) -> Option<Field<'a>> {
        self.all(number).last()
    }

    pub(super) fn has(&self, number: u64) -> bool {
        self.last(number).is_some()
    }

    /// A whole number of any width; 0 where there is none.
    pub(super) fn number(&self, number: u64) -> u64 {
        match self.last(number) {
            Some(Field::Varint(value) | Field::Fixed64(value)) => value,
            Some(Field::Fixed32(value)) => value.into(),
            Some(Field::Bytes(_)) | None => 0,
        }
    }

    pub(super) fn fixed(&self, number: u64) -> Option<u64> {
        match self.last(number) {
            Some(Field::Fixed64(bits)) => Some(bits),
            _ => None,
        }
    }

    pub(super) fn double(&self, number: u64) -> Option<f64> {
        self.fixed(number).map(f64::from_bits)
    }

    pub(super) fn bytes(&self, number: u64) -> Result<&'a [u8], Wrong> {
        match self.last(number) {
            Some(Field::Bytes(bytes)) => Ok(bytes),
            None => Ok(&[]),
            Some(_) => Err(Wrong("a field has another type than it should")),
        }
    }

    pub(super) fn text(&self, number: u64) -> Result<&'a str, Wrong> {
        std::str::from_utf8(self.bytes(number)?).map_err(|_| Wrong("a text is no UTF-8"))
    }

    pub(super) fn messages(&self, number: u64) -> Result<Vec<Message<'a>>, Wrong> {
        let read = |field| match field {
            Field::Bytes(bytes) => Message::read(bytes),
            _ => Err(Wrong("a field has another type than it should")),
        };
        self.all(number).map(read).collect()
    }

    /// A list of eight-byte numbers, packed or not.
    pub(super) fn fixed_list(&self, number: u64) -> Result<Vec<u64>, Wrong> {
        let mut list = Vec::new();
        for field in self.all(number) {
            match field {
                Field::Fixed64(bits) => list.push(bits),
                Field::Bytes(mut packed) => {
                    while !packed.is_empty() {
                        list.push(u64::from_le_bytes(array(&mut packed)?));
                    }
                }
                Field::Varint(_) | Field::Fixed32(_) => {
                    return Err(Wrong("a field has another type than it should"));
                }
            }
        }
        Ok(list)
    }

    pub(super) fn doubles(&self, number: u64) -> Result<Vec<Value>, Wrong> {
        Ok(self.fixed_list(number)?.into_iter().map(|bits| f64::from_bits(bits).into()).collect())
    }
}

fn varint(bytes: &mut &[u8]) -> Result<u64, Wrong> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let [byte] = array(bytes)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(Wrong("a number is too long"))
}

fn array<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], Wrong> {
    Ok(take(bytes, N)?.try_into().expect("as many bytes as asked for"))
}

fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Result<&'a [u8], Wrong> {
    let (taken, rest) = bytes.split_at_checked(length).ok_or(SHORT)?;
    *bytes = rest;
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wire_type_is_read() {
        let bytes =
            [0x08, 0x96, 0x01, 0x12, 0x02, b'h', b'i', 0x19, 1, 0, 0, 0, 0, 0, 0, 0, 0x25, 2, 0, 0, 0];
        let message = Message::read(&bytes).expect("a message");
        assert_eq!((message.number(1), message.text(2), message.fixed(3)), (150, Ok("hi"), Some(1)));
        assert_eq!((message.number(4), message.number(9), message.has(9)), (2, 0, false));
    }

    #[test]
    fn what_is_no_message_says_why() {
        let rows: [(&[u8], Wrong); 5] = [
            (&[0x08], SHORT),
            (&[0x12, 0x05, b'x'], SHORT),
            (&[0x0b], Wrong("a field has no known type")),
            (&[0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255], Wrong("a number is too long")),
            (&[0x12, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1], SHORT),
        ];
        for (bytes, wrong) in rows {
            assert_eq!(Message::read(bytes).err(), Some(wrong), "{bytes:?}");
        }
    }
}
