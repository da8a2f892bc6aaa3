//! Conversions between encodings of text.

use rusqlite::types::Value;

use super::Function;
use super::text::own;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

const B: Type = Type::BYTEA;
const NAME: Type = Type::NAME;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("convert", &[B, NAME, NAME], B, |a| {
        let from = named(a.text(1), "source encoding")?;
        Ok(Value::Blob(converted(a.bytes(0), from, named(a.text(2), "destination encoding")?)?))
    }),
    Function::rust("convert_to", &[Type::TEXT, NAME], B, |a| {
        let to = named(a.text(1), "destination encoding")?;
        Ok(Value::Blob(converted(a.bytes(0), Encoding::Utf8, to)?))
    }),
    Function::rust("convert_from", &[B, NAME], Type::TEXT, |a| {
        let bytes = converted(a.bytes(0), named(a.text(1), "source encoding")?, Encoding::Utf8)?;
        own(read_utf8(&bytes)?.to_owned())
    }),
    Function::rust("length", &[B, NAME], Type::INT4, |a| {
        let count = match named(a.text(1), "encoding")? {
            Encoding::Utf8 => read_utf8(a.bytes(0))?.chars().count(),
            _ => a.bytes(0).len(),
        };
        Ok(Value::Integer(count as i64))
    }),
    Function::rust("to_ascii", &[Type::TEXT], Type::TEXT, |_| {
        let message = "encoding conversion from UTF8 to ASCII not supported";
        Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message))
    }),
];

/// The encodings that can be converted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Ascii,
    Latin1,
    Latin9,
    Windows1252,
}

impl Encoding {
    const fn shown(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF8",
            Encoding::Ascii => "SQL_ASCII",
            Encoding::Latin1 => "LATIN1",
            Encoding::Latin9 => "LATIN9",
            Encoding::Windows1252 => "WIN1252",
        }
    }

    /// The character of a byte, in an encoding with one byte for each.
    fn character(self, byte: u8) -> Option<char> {
        let differing = match self {
            Encoding::Windows1252 => WINDOWS.iter().zip(0x80_u8..).find(|(_, at)| *at == byte),
            Encoding::Latin9 => LATIN9.iter().map(|(at, c)| (c, *at)).find(|(_, at)| *at == byte),
            _ => None,
        };
        differing.map_or(Some(char::from(byte)), |(character, _)| Some(*character).filter(|c| *c != '\0'))
    }

    /// The byte of a character.
    fn byte(self, character: char) -> Option<u8> {
        (0..=u8::MAX).find(|byte| self.character(*byte) == Some(character))
    }
}

/// The characters of the bytes from 0x80; zero stands for none.
const WINDOWS: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’', '“',
    '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

/// The bytes whose character is another one than in LATIN1.
const LATIN9: [(u8, char); 8] =
    [(0xa4, '€'), (0xa6, 'Š'), (0xa8, 'š'), (0xb4, 'Ž'), (0xb8, 'ž'), (0xbc, 'Œ'), (0xbd, 'œ'), (0xbe, 'Ÿ')];

/// The other encodings of PostgreSQL, without punctuation.
const OTHERS: &str = " abc alt big5 euccn eucjis2004 eucjp euckr euctw gb18030 gbk iso885910 iso885913 iso885914 iso885916 iso88592 \
    iso88593 iso88594 iso88595 iso88596 iso88597 iso88598 iso88599 johab koi8 koi8r koi8u latin10 latin2 latin3 latin4 latin5 \
    latin6 latin7 latin8 mskanji muleinternal shiftjis shiftjis2004 sjis tcvn tcvn5712 uhc vscii win win1250 win1251 win1253 \
    win1254 win1255 win1256 win1257 win1258 win866 win874 win932 win936 win949 win950 windows1250 windows1251 windows1253 \
    windows1254 windows1255 windows1256 windows1257 windows1258 windows866 windows874 windows932 windows936 windows949 windows950 ";

fn named(name: &str, what: &str) -> Result<Encoding> {
    let bare: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    Ok(match bare.to_ascii_lowercase().as_str() {
        "utf8" | "unicode" => Encoding::Utf8,
        "sqlascii" => Encoding::Ascii,
        "latin1" | "iso88591" => Encoding::Latin1,
        "latin9" | "iso885915" => Encoding::Latin9,
        "win1252" | "windows1252" => Encoding::Windows1252,
        other if OTHERS.contains(&format!(" {other} ")) => {
            return Err(SqlError::unsupported(format!("the encoding \"{name}\"")));
        }
        _ => {
            let message = format!("invalid {what} name \"{name}\"");
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
    })
}

fn hexadecimal(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
    shown.join(" ")
}

pub(super) fn read_utf8(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let rest = &bytes[error.valid_up_to()..];
        let length = error.error_len().unwrap_or(rest.len());
        let message =
            format!("invalid byte sequence for encoding \"UTF8\": {}", hexadecimal(&rest[..length]));
        SqlError::new(SqlState::new("22021"), message)
    })
}

/// The text of `bytes` in another encoding.
fn converted(bytes: &[u8], from: Encoding, to: Encoding) -> Result<Vec<u8>> {
    if from == Encoding::Utf8 {
        read_utf8(bytes)?;
    }
    if from == to || from == Encoding::Ascii || to == Encoding::Ascii {
        return Ok(bytes.to_vec());
    }
    let none = |sequence: &[u8]| {
        let message = format!(
            "character with byte sequence {} in encoding \"{}\" has no equivalent in encoding \"{}\"",
            hexadecimal(sequence),
            from.shown(),
            to.shown()
        );
        SqlError::new(SqlState::new("22P05"), message)
    };
    let characters: Vec<char> = match from {
        Encoding::Utf8 => read_utf8(bytes)?.chars().collect(),
        _ => {
            let characters = bytes.iter().map(|byte| from.character(*byte).ok_or_else(|| none(&[*byte])));
            characters.collect::<Result<_>>()?
        }
    };
    if to == Encoding::Utf8 {
        return Ok(characters.into_iter().collect::<String>().into_bytes());
    }
    let encoded =
        characters.into_iter().map(|c| to.byte(c).ok_or_else(|| none(c.encode_utf8(&mut [0; 4]).as_bytes())));
    encoded.collect()
}
