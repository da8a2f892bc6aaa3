//! Messages of OpenPGP with a password, as `pgp_sym_encrypt` of `pgcrypto` writes and reads them: RFC 4880, with AES only and
//! without compression.

use md5::{Digest, Md5};
use rusqlite::types::Value;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};
use sim_values::budget::Budget;

use super::crypto::Aes;
use super::encoding::read_utf8;
use super::text::own;
use super::{Arguments, Form, Function};
use crate::state::State;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

const T: Type = Type::TEXT;
const B: Type = Type::BYTEA;
const BLOCK: usize = 16;

/// The tags of packets.
const KEY_OF_PASSWORD: u8 = 3;
const COMPRESSED: u8 = 8;
const ENCRYPTED: u8 = 9;
const MARKER: u8 = 10;
const LITERAL: u8 = 11;
const ENCRYPTED_WITH_DIGEST: u8 = 18;

/// The packet with the digest of a message: its tag and length, then a digest by SHA-1.
const DIGEST_HEAD: [u8; 2] = [0xd3, 20];
const DIGEST: usize = 22;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::of("pgp_sym_encrypt", &[T, T, T], B, Form::State(|state, a| encrypted(state, a, b't')))
        .optional(1)
        .volatile(),
    Function::of("pgp_sym_encrypt_bytea", &[B, T, T], B, Form::State(|state, a| encrypted(state, a, b'b')))
        .optional(1)
        .volatile(),
    Function::rust("pgp_sym_decrypt", &[B, T, T], T, |a| {
        let (kind, data) = decrypted(a)?;
        if kind == b'b' {
            return Err(failed("Not text data"));
        }
        own(read_utf8(&data)?.to_owned())
    })
    .optional(1),
    Function::rust("pgp_sym_decrypt_bytea", &[B, T, T], B, |a| Ok(Value::Blob(decrypted(a)?.1))).optional(1),
];

fn failed(message: &str) -> SqlError {
    SqlError::new(SqlState::new("39000"), message)
}

fn wrong() -> SqlError {
    failed("Wrong key or corrupt data")
}

/// How a message is made.
struct Options {
    cipher: u8,
    key_cipher: Option<u8>,
    mode: u8,
    digest: u8,
    count: Option<usize>,
    unicode: bool,
    session_key: bool,
}

impl Options {
    fn read(text: &str) -> Result<Options> {
        let mut options = Options {
            cipher: 7,
            key_cipher: None,
            mode: 3,
            digest: 2,
            count: None,
            unicode: false,
            session_key: false,
        };
        for part in text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| failed("Illegal argument to function"))?;
            let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase());
            let number = || value.parse::<usize>().unwrap_or(0);
            match name.as_str() {
                "cipher-algo" => options.cipher = cipher_named(&value)?,
                "s2k-cipher-algo" => options.key_cipher = Some(cipher_named(&value)?),
                "s2k-digest-algo" => options.digest = digest_named(&value)?,
                "s2k-mode" if ["0", "1", "3"].contains(&value.as_str()) => options.mode = number() as u8,
                "s2k-count" if (1024..=65_011_712).contains(&number()) => options.count = Some(number()),
                "unicode-mode" => options.unicode = number() != 0,
                "sess-key" => options.session_key = number() != 0,
                "compress-algo" if number() == 0 => {}
                "compress-level" | "convert-crlf" | "disable-mdc" if number() == 0 => {}
                "compress-algo" | "compress-level" | "convert-crlf" | "disable-mdc" => {
                    return Err(SqlError::unsupported(format!("the option {name}={value} of a PGP message")));
                }
                // What decryption tells of the message is not compared with what is expected.
                name if name.starts_with("expect-") => {
                    return Err(SqlError::unsupported(format!("the option {name} of a PGP message")));
                }
                _ => return Err(failed("Illegal argument to function")),
            }
        }
        Ok(options)
    }
}

fn cipher_named(name: &str) -> Result<u8> {
    match name {
        "aes" | "aes128" => Ok(7),
        "aes192" => Ok(8),
        "aes256" => Ok(9),
        "bf" | "blowfish" | "3des" | "cast5" => {
            Err(SqlError::unsupported(format!("the cipher {name} in a PGP message")))
        }
        _ => Err(failed("Unsupported cipher algorithm")),
    }
}

fn digest_named(name: &str) -> Result<u8> {
    match name {
        "md5" => Ok(1),
        "sha1" | "sha-1" => Ok(2),
        "sha256" => Ok(8),
        "sha384" => Ok(9),
        "sha512" => Ok(10),
        "sha224" => Ok(11),
        _ => Err(failed("Unsupported digest algorithm")),
    }
}

/// A key with the cipher that it is for.
struct Key {
    cipher: u8,
    bytes: Vec<u8>,
}

impl Key {
    fn length(cipher: u8) -> Result<usize> {
        match cipher {
            7 => Ok(16),
            8 => Ok(24),
            9 => Ok(32),
            1..=4 | 10 => Err(SqlError::unsupported("this cipher in a PGP message")),
            _ => Err(wrong()),
        }
    }

    /// Encrypts or decrypts with feedback of the encrypted text, from the vector `feedback` on.
    fn feedback(&self, mut feedback: [u8; BLOCK], data: &[u8], encrypts: bool) -> Vec<u8> {
        let cipher = Aes::with(&self.bytes);
        let mut out = Vec::with_capacity(data.len());
        for part in data.chunks(BLOCK) {
            feedback = cipher.block(feedback, true);
            let changed: Vec<u8> = part.iter().zip(feedback).map(|(byte, mask)| byte ^ mask).collect();
            let encrypted = if encrypts { &changed[..] } else { part };
            feedback[..encrypted.len()].copy_from_slice(encrypted);
            out.extend(changed);
        }
        out
    }
}

/// How a key follows from a password.
struct FromPassword {
    mode: u8,
    digest: u8,
    salt: [u8; 8],
    /// The coded number of bytes that go into the digest.
    count: u8,
}

impl FromPassword {
    fn key(&self, password: &[u8], cipher: u8, budget: &Budget) -> Result<Key> {
        let length = Key::length(cipher)?;
        let salted = [if self.mode == 0 { &[][..] } else { &self.salt[..] }, password].concat();
        let count = match self.mode {
            3 => {
                ((16 + usize::from(self.count & 15)) << (usize::from(self.count >> 4) + 6)).max(salted.len())
            }
            _ => salted.len(),
        };
        budget.work(count / 4 + 100)?;
        let input: Vec<u8> = salted.iter().copied().cycle().take(count).collect();
        let mut bytes = Vec::new();
        let mut zeros = Vec::new();
        while bytes.len() < length {
            bytes.extend(self.digest_of(&[&zeros[..], &input].concat())?);
            zeros.push(0);
        }
        bytes.truncate(length);
        Ok(Key { cipher, bytes })
    }

    fn digest_of(&self, data: &[u8]) -> Result<Vec<u8>> {
        Ok(match self.digest {
            1 => Md5::digest(data).to_vec(),
            2 => Sha1::digest(data).to_vec(),
            8 => Sha256::digest(data).to_vec(),
            9 => Sha384::digest(data).to_vec(),
            10 => Sha512::digest(data).to_vec(),
            11 => Sha224::digest(data).to_vec(),
            _ => return Err(wrong()),
        })
    }
}

/// A packet with its length in the newer form.
fn packet(tag: u8, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut out = vec![0xc0 | tag];
    match length {
        0..192 => out.push(length as u8),
        192..8_384 => out.extend([((length - 192) >> 8) as u8 + 192, (length - 192) as u8]),
        _ => {
            out.push(255);
            out.extend((length as u32).to_be_bytes());
        }
    }
    out.extend(body);
    out
}

fn encrypted(state: &mut State, a: &Arguments<'_, '_>, kind: u8) -> Result<Value> {
    let options = Options::read(a.text(2))?;
    let (data, password) = (a.bytes(0), a.bytes(1));
    a.budget().work(data.len())?;
    let random = |state: &mut State, count: usize| -> Vec<u8> {
        std::iter::repeat_with(|| state.draw().to_le_bytes()).flatten().take(count).collect()
    };
    let mut salt = [0; 8];
    salt.copy_from_slice(&random(state, 8));
    let count = match options.count {
        None => 96 + (random(state, 1)[0] & 31),
        Some(wanted) => {
            let coded =
                |count: &u8| ((16 + usize::from(count & 15)) << (usize::from(count >> 4) + 6)) >= wanted;
            (0..=255).find(coded).unwrap_or(255)
        }
    };
    let from = FromPassword { mode: options.mode, digest: options.digest, salt, count };
    let key_cipher =
        if options.session_key { options.key_cipher.unwrap_or(options.cipher) } else { options.cipher };
    let mut key = from.key(password, key_cipher, a.budget())?;
    let mut head = vec![4, key_cipher, options.mode, options.digest];
    if options.mode != 0 {
        head.extend(salt);
    }
    if options.mode == 3 {
        head.push(count);
    }
    if options.session_key {
        let own = Key { cipher: options.cipher, bytes: random(state, Key::length(options.cipher)?) };
        head.extend(key.feedback([0; BLOCK], &[&[own.cipher], &own.bytes[..]].concat(), true));
        key = own;
    }
    let kind = if kind == b't' && options.unicode { b'u' } else { kind };
    let seconds = u32::try_from(state.now / 1_000_000).unwrap_or(0);
    let literal = [&[kind, 0][..], &seconds.to_be_bytes(), data].concat();
    let mut plain = random(state, BLOCK);
    plain.extend_from_within(BLOCK - 2..);
    plain.extend(packet(LITERAL, &literal));
    plain.extend(DIGEST_HEAD);
    let digest = Sha1::digest(&plain);
    plain.extend(digest);
    let body = [vec![1], key.feedback([0; BLOCK], &plain, true)].concat();
    let message = [packet(KEY_OF_PASSWORD, &head), packet(ENCRYPTED_WITH_DIGEST, &body)].concat();
    Ok(Value::Blob(message))
}

/// The first packet: its tag, its content, and what follows it.
fn unpacked(data: &[u8]) -> Result<(u8, Vec<u8>, &[u8])> {
    let (&head, mut rest) = data.split_first().ok_or_else(wrong)?;
    if head & 0x80 == 0 {
        return Err(wrong());
    }
    let mut body = Vec::new();
    if head & 0x40 == 0 {
        let (tag, kind) = ((head >> 2) & 15, head & 3);
        let bytes = [1, 2, 4, 0][usize::from(kind)];
        let (number, after) = rest.split_at_checked(bytes).ok_or_else(wrong)?;
        let length = number.iter().fold(0, |length, byte| (length << 8) | usize::from(*byte));
        let length = if kind == 3 { after.len() } else { length };
        let (content, after) = after.split_at_checked(length).ok_or_else(wrong)?;
        return Ok((tag, content.to_vec(), after));
    }
    loop {
        let (&first, after) = rest.split_first().ok_or_else(wrong)?;
        let (length, after, is_last) = match first {
            0..192 => (usize::from(first), after, true),
            192..224 => {
                let (&second, after) = after.split_first().ok_or_else(wrong)?;
                (((usize::from(first) - 192) << 8) + usize::from(second) + 192, after, true)
            }
            224..255 => (1 << (first & 31), after, false),
            255 => {
                let (number, after) = after.split_at_checked(4).ok_or_else(wrong)?;
                (number.iter().fold(0, |length, byte| (length << 8) | usize::from(*byte)), after, true)
            }
        };
        let (content, after) = after.split_at_checked(length).ok_or_else(wrong)?;
        body.extend(content);
        rest = after;
        if is_last {
            return Ok((head & 0x3f, body, rest));
        }
    }
}

/// The kind of the message and its content.
fn decrypted(a: &Arguments<'_, '_>) -> Result<(u8, Vec<u8>)> {
    Options::read(a.text(2))?;
    let mut rest = a.bytes(0);
    a.budget().work(rest.len())?;
    let mut key = None;
    while !rest.is_empty() {
        let (tag, body, after) = unpacked(rest)?;
        rest = after;
        match (tag, &key) {
            (KEY_OF_PASSWORD, None) => key = Some(key_of(&body, a.bytes(1), a.budget())?),
            (MARKER, _) => {}
            (ENCRYPTED_WITH_DIGEST, Some(key)) => return literal(&with_digest(key, &body)?),
            (ENCRYPTED, Some(key)) => return literal(&without_digest(key, &body)?),
            _ => return Err(wrong()),
        }
    }
    Err(wrong())
}

/// The key of a message, by its packet about the password.
fn key_of(body: &[u8], password: &[u8], budget: &Budget) -> Result<Key> {
    let [4, cipher, mode, digest, rest @ ..] = body else { return Err(wrong()) };
    let (mut salt, mut rest) = ([0; 8], rest);
    if matches!(mode, 1 | 3) {
        let (given, after) = rest.split_first_chunk::<8>().ok_or_else(wrong)?;
        (salt, rest) = (*given, after);
    }
    let mut count = 0;
    if *mode == 3 {
        let (given, after) = rest.split_first().ok_or_else(wrong)?;
        (count, rest) = (*given, after);
    }
    let key = FromPassword { mode: *mode, digest: *digest, salt, count }.key(password, *cipher, budget)?;
    if rest.is_empty() {
        return Ok(key);
    }
    let own = key.feedback([0; BLOCK], rest, false);
    let (&cipher, bytes) = own.split_first().ok_or_else(wrong)?;
    if !matches!(cipher, 7..=9) || Key::length(cipher)? != bytes.len() {
        return Err(wrong());
    }
    Ok(Key { cipher, bytes: bytes.to_vec() })
}

/// The packets in one with a digest, which tells whether the key is right.
fn with_digest(key: &Key, body: &[u8]) -> Result<Vec<u8>> {
    let [1, data @ ..] = body else { return Err(wrong()) };
    let plain = key.feedback([0; BLOCK], data, false);
    if plain.len() < BLOCK + 2 + DIGEST || plain[BLOCK - 2..BLOCK] != plain[BLOCK..BLOCK + 2] {
        return Err(wrong());
    }
    let (content, digest) = plain.split_at(plain.len() - 20);
    if Sha1::digest(content)[..] != *digest || !content.ends_with(&DIGEST_HEAD) {
        return Err(wrong());
    }
    Ok(content[BLOCK + 2..content.len() - 2].to_vec())
}

/// The packets in one without a digest, whose feedback begins again after the first bytes.
fn without_digest(key: &Key, body: &[u8]) -> Result<Vec<u8>> {
    let (head, data) = body.split_at_checked(BLOCK + 2).ok_or_else(wrong)?;
    let plain = key.feedback([0; BLOCK], head, false);
    if plain[BLOCK - 2..BLOCK] != plain[BLOCK..] {
        return Err(wrong());
    }
    let mut again = [0; BLOCK];
    again.copy_from_slice(&head[2..]);
    Ok(key.feedback(again, data, false))
}

/// The content of a literal packet, with the letter of its kind.
fn literal(packets: &[u8]) -> Result<(u8, Vec<u8>)> {
    let (tag, body, _) = unpacked(packets)?;
    match (tag, &body[..]) {
        (COMPRESSED, _) => Err(SqlError::unsupported("a compressed PGP message")),
        (LITERAL, [kind, name, rest @ ..]) => {
            let content = rest.get(usize::from(*name) + 4..).ok_or_else(wrong)?;
            Ok((*kind, content.to_vec()))
        }
        _ => Err(wrong()),
    }
}
