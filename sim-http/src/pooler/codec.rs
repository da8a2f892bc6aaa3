//! Values of parameters and results, in the format that the client asks for.

use sim_core::management::connection::{ColumnShape, DatabaseError};

use super::binary;
use super::messages::format_of;

/// The value of parameter `place` as text; the first one is 1.
pub(super) fn parameter(
    value: Vec<u8>,
    format: i16,
    type_oid: u32,
    place: usize,
) -> Result<String, Box<DatabaseError>> {
    let text = match format {
        0 => String::from_utf8(value)
            .map_err(|_| error("22021", "invalid byte sequence for encoding \"UTF8\""))?,
        1 => binary::text(type_oid, &value, place).map_err(|wrong| error(wrong.code, &wrong.message))?,
        other => return Err(unknown_format(other)),
    };
    match text.contains('\0') {
        true => Err(error("22021", "invalid byte sequence for encoding \"UTF8\": 0x00")),
        false => Ok(text),
    }
}

/// A row in the formats that the client asks for.
pub(super) fn row(
    row: &[Option<String>],
    columns: &[ColumnShape],
    formats: &[i16],
) -> Result<Vec<Option<Vec<u8>>>, Box<DatabaseError>> {
    let value = |(at, value): (usize, &Option<String>)| {
        let Some(text) = value else { return Ok(None) };
        match format_of(formats, at) {
            0 => return Ok(Some(text.clone().into_bytes())),
            1 => {}
            other => return Err(unknown_format(other)),
        }
        let type_oid = columns.get(at).map_or(0, |column| column.type_oid);
        let bytes = binary::bytes(type_oid, text);
        bytes.map(Some).ok_or_else(|| {
            let text = format!("no binary output function available for the type with OID {type_oid}");
            error("0A000", &text)
        })
    };
    row.iter().enumerate().map(value).collect()
}

fn unknown_format(format: i16) -> Box<DatabaseError> {
    error("22023", &format!("unsupported format code: {format}"))
}

/// An error of the protocol.
pub(super) fn error(code: &str, message: &str) -> Box<DatabaseError> {
    Box::new(DatabaseError { code: code.to_owned(), message: message.to_owned(), ..DatabaseError::default() })
}
