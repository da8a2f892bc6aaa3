//! Functions of `pgcrypto`: passwords, digests with keys, ciphers. Random numbers are the session's.

use aes::cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use md5::{Digest, Md5};
use rusqlite::types::Value;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};

use super::text::own;
use super::{Arguments, Form, Function};
use crate::state::State;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

const T: Type = Type::TEXT;
const B: Type = Type::BYTEA;

/// The units of work of one round of `bf`: a thousand blocks.
const BLOWFISH_ROUND: usize = 2_500;

/// The letters of salts.
const LETTERS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("crypt", &[T, T], T, crypt),
    Function::of("gen_salt", &[T, Type::INT4], T, Form::State(gen_salt)).optional(1).volatile(),
    Function::of("gen_random_bytes", &[Type::INT4], B, Form::State(random_bytes)).volatile(),
    Function::rust("hmac", &[T, T, T], B, hmac),
    Function::rust("hmac", &[B, B, T], B, hmac),
    Function::rust("encrypt", &[B, B, T], B, |a| encrypt(a, &[0; 16], 2)),
    Function::rust("decrypt", &[B, B, T], B, |a| decrypt(a, &[0; 16], 2)),
    Function::rust("encrypt_iv", &[B, B, B, T], B, |a| encrypt(a, &vector(a.bytes(2)), 3)),
    Function::rust("decrypt_iv", &[B, B, B, T], B, |a| decrypt(a, &vector(a.bytes(2)), 3)),
    Function::rust("armor", &[B], T, |a| own(armor(a.bytes(0)))),
    Function::rust("dearmor", &[T], B, |a| dearmor(a.text(0))),
    Function::of("pgp_pub_encrypt", &[T, B, T], B, Form::Unsupported).optional(1),
    Function::of("pgp_pub_decrypt", &[B, B, T, T], T, Form::Unsupported).optional(2),
    Function::of("pgp_key_id", &[B], T, Form::Unsupported),
];

fn refused(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::INVALID_PARAMETER, message.into())
}

fn crypt(a: &Arguments<'_, '_>) -> Result<Value> {
    let (password, salt) = (a.bytes(0), a.text(1));
    if salt.starts_with("$2a$") || salt.starts_with("$2x$") {
        return blowfish(a, password, salt);
    }
    match salt.strip_prefix("$1$") {
        Some(salt) => {
            // A thousand digests of the password.
            a.budget().work(1_000 * (password.len() / 8 + 20))?;
            own(md5_crypt(password, salt.split('$').next().unwrap_or("")))
        }
        None if salt.len() < 2 => Err(refused("invalid salt")),
        None => Err(SqlError::unsupported("crypt with a salt of type des or xdes")),
    }
}

fn blowfish(a: &Arguments<'_, '_>, password: &[u8], setting: &str) -> Result<Value> {
    let invalid = || refused("invalid salt");
    let (cost, salt) = setting[4..].split_once('$').ok_or_else(invalid)?;
    let rounds = cost.parse::<u32>().ok().filter(|cost| (4..=31).contains(cost)).ok_or_else(invalid)?;
    let letters = salt.get(..22).ok_or_else(invalid)?;
    let bytes: [u8; 16] = from_letters(letters).ok_or_else(invalid)?;
    a.budget().work(BLOWFISH_ROUND << rounds)?;
    // The password ends at a zero byte or after 72 bytes, its own end included.
    let mut key: Vec<u8> = password.iter().copied().take_while(|byte| *byte != 0).chain([0]).collect();
    key.truncate(72);
    let digest = bcrypt::bcrypt(rounds, bytes, &key);
    own(format!("{}{cost}${}{}", &setting[..4], to_letters(&bytes), to_letters(&digest[..23])))
}

/// Bytes in the letters of `bf`, which differ from base64's.
fn to_letters(bytes: &[u8]) -> String {
    bcrypt::BASE_64.encode(bytes)
}

/// The bytes of a salt in letters. The last letter has bits beyond them.
fn from_letters(letters: &str) -> Option<[u8; 16]> {
    const ORDER: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut bits = 0_u32;
    let mut count = 0;
    let mut bytes = Vec::new();
    for letter in letters.bytes() {
        let value = ORDER.iter().position(|known| *known == letter)?;
        bits = (bits << 6) | u32::try_from(value).ok()?;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).ok()?);
        }
    }
    bytes.try_into().ok()
}

/// The digest of passwords in `/etc/shadow` that begins with `$1$`.
fn md5_crypt(password: &[u8], salt: &str) -> String {
    let salt: String = salt.chars().take(8).collect();
    let mut digest = Md5::digest([password, salt.as_bytes(), password].concat());
    let mut begun = Md5::new();
    begun.update([password, b"$1$", salt.as_bytes()].concat());
    for at in (0..password.len()).step_by(16) {
        begun.update(&digest[..(password.len() - at).min(16)]);
    }
    let mut length = password.len();
    while length > 0 {
        begun.update(if length & 1 != 0 { &[0][..] } else { &password[..1] });
        length >>= 1;
    }
    digest = begun.finalize();
    for round in 0..1_000 {
        let mut next = Md5::new();
        next.update(if round % 2 == 1 { password } else { &digest[..] });
        if round % 3 != 0 {
            next.update(salt.as_bytes());
        }
        if round % 7 != 0 {
            next.update(password);
        }
        next.update(if round % 2 == 1 { &digest[..] } else { password });
        digest = next.finalize();
    }
    let mut text = format!("$1${salt}$");
    let mut letters = |bytes: [u8; 3], count: usize| {
        let mut bits = u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]);
        for _ in 0..count {
            text.push(char::from(LETTERS[(bits & 63) as usize]));
            bits >>= 6;
        }
    };
    for (first, second, third) in [(0, 6, 12), (1, 7, 13), (2, 8, 14), (3, 9, 15), (4, 10, 5)] {
        letters([digest[first], digest[second], digest[third]], 4);
    }
    letters([0, 0, digest[11]], 2);
    text
}

fn gen_salt(state: &mut State, a: &Arguments<'_, '_>) -> Result<Value> {
    let rounds = if a.len() > 1 { a.int(1) } else { 0 };
    let within = |least: i64, most: i64, default: i64| match rounds {
        0 => Ok(default),
        rounds if (least..=most).contains(&rounds) => Ok(rounds),
        _ => Err(refused("gen_salt: Incorrect number of rounds")),
    };
    let mut letters = |count: usize| -> String {
        (0..count).map(|_| char::from(LETTERS[(state.draw() & 63) as usize])).collect()
    };
    own(match a.text(0).to_ascii_lowercase().as_str() {
        "bf" => {
            let cost = within(4, 31, 6)?;
            let bytes = [state.draw().to_le_bytes(), state.draw().to_le_bytes()].concat();
            format!("$2a${cost:02}${}", to_letters(&bytes))
        }
        "md5" => {
            within(1_000, 1_000, 1_000)?;
            format!("$1${}", letters(8))
        }
        "des" => {
            within(25, 25, 25)?;
            letters(2)
        }
        "xdes" => {
            let rounds = within(1, 0xff_ffff, 29 * 25)?;
            if rounds % 2 == 0 {
                return Err(refused("gen_salt: Incorrect number of rounds"));
            }
            let counted = (0..4).map(|at| char::from(LETTERS[((rounds >> (6 * at)) & 63) as usize]));
            let counted: String = counted.collect();
            format!("_{counted}{}", letters(4))
        }
        _ => return Err(refused("gen_salt: Unknown salt algorithm")),
    })
}

fn random_bytes(state: &mut State, a: &Arguments<'_, '_>) -> Result<Value> {
    let length = usize::try_from(a.int(0)).ok().filter(|length| (1..=1_024).contains(length));
    let length = length.ok_or_else(|| SqlError::new(SqlState::new("39000"), "Length not in range"))?;
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        bytes.extend(state.draw().to_le_bytes());
    }
    bytes.truncate(length);
    Ok(Value::Blob(bytes))
}

fn hmac(a: &Arguments<'_, '_>) -> Result<Value> {
    keyed(a.text(2), a.bytes(1), a.bytes(0)).map(Value::Blob)
}

/// The digest of data with a key, by the name of its algorithm.
pub(super) fn keyed(algorithm: &str, key: &[u8], data: &[u8]) -> Result<Vec<u8>> {
    fn of<M: Mac + hmac::KeyInit>(key: &[u8], data: &[u8]) -> Option<Vec<u8>> {
        let mut mac = <M as hmac::KeyInit>::new_from_slice(key).ok()?;
        mac.update(data);
        Some(mac.finalize().into_bytes().to_vec())
    }
    let digest = match algorithm.to_ascii_lowercase().as_str() {
        "md5" => of::<Hmac<Md5>>(key, data),
        "sha1" => of::<Hmac<Sha1>>(key, data),
        "sha224" => of::<Hmac<Sha224>>(key, data),
        "sha256" => of::<Hmac<Sha256>>(key, data),
        "sha384" => of::<Hmac<Sha384>>(key, data),
        "sha512" => of::<Hmac<Sha512>>(key, data),
        _ => None,
    };
    digest.ok_or_else(|| refused(format!("Cannot use \"{algorithm}\": No such hash algorithm")))
}

/// The first vector of a chain, filled up with zeros.
fn vector(given: &[u8]) -> [u8; 16] {
    let mut vector = [0; 16];
    let length = given.len().min(16);
    vector[..length].copy_from_slice(&given[..length]);
    vector
}

/// A cipher with a key.
pub(super) enum Aes {
    Short(Box<aes::Aes128>),
    Middle(Box<aes::Aes192>),
    Long(Box<aes::Aes256>),
}

impl Aes {
    /// A key is filled up with zeros, and cut at 32 bytes.
    pub(super) fn with(key: &[u8]) -> Aes {
        let mut padded = [0; 32];
        let length = key.len().min(32);
        padded[..length].copy_from_slice(&key[..length]);
        let cipher = match length {
            0..=16 => aes::Aes128::new_from_slice(&padded[..16]).map(|cipher| Aes::Short(Box::new(cipher))),
            17..=24 => aes::Aes192::new_from_slice(&padded[..24]).map(|cipher| Aes::Middle(Box::new(cipher))),
            _ => aes::Aes256::new_from_slice(&padded).map(|cipher| Aes::Long(Box::new(cipher))),
        };
        cipher.expect("the key has the cipher's length")
    }

    pub(super) fn block(&self, block: [u8; 16], encrypts: bool) -> [u8; 16] {
        let mut block = Array::from(block);
        match (self, encrypts) {
            (Aes::Short(cipher), true) => cipher.encrypt_block(&mut block),
            (Aes::Short(cipher), false) => cipher.decrypt_block(&mut block),
            (Aes::Middle(cipher), true) => cipher.encrypt_block(&mut block),
            (Aes::Middle(cipher), false) => cipher.decrypt_block(&mut block),
            (Aes::Long(cipher), true) => cipher.encrypt_block(&mut block),
            (Aes::Long(cipher), false) => cipher.decrypt_block(&mut block),
        }
        block.into()
    }
}

/// How a type such as `aes-cbc/pad:pkcs` chains blocks and fills the last one.
struct Manner {
    chained: bool,
    padded: bool,
}

impl Manner {
    fn read(text: &str) -> Result<Manner> {
        let lower = text.to_ascii_lowercase();
        let (cipher, padding) = lower.split_once('/').unwrap_or((&lower, "pad:pkcs"));
        let chained = match cipher {
            "aes" | "aes-cbc" | "rijndael" => true,
            "aes-ecb" => false,
            "bf" | "bf-cbc" | "bf-ecb" | "blowfish" | "des" | "des3" | "3des" | "cast5" => {
                return Err(SqlError::unsupported(format!("the cipher {cipher}")));
            }
            _ => return Err(refused(format!("Cannot use \"{text}\": No such cipher algorithm"))),
        };
        match padding {
            "pad:pkcs" => Ok(Manner { chained, padded: true }),
            "pad:none" => Ok(Manner { chained, padded: false }),
            _ => Err(refused(format!("Cannot use \"{text}\": No such cipher algorithm"))),
        }
    }
}

/// Blocks of 16 bytes. `None` if the bytes do not fill the last one.
fn blocks(bytes: &[u8]) -> Option<Vec<[u8; 16]>> {
    bytes.chunks(16).map(|block| block.try_into().ok()).collect()
}

fn xor(left: [u8; 16], right: [u8; 16]) -> [u8; 16] {
    std::array::from_fn(|at| left[at] ^ right[at])
}

fn encrypt(a: &Arguments<'_, '_>, first: &[u8; 16], type_: usize) -> Result<Value> {
    let manner = Manner::read(a.text(type_))?;
    let cipher = Aes::with(a.bytes(1));
    let mut data = a.bytes(0).to_vec();
    a.budget().work(data.len())?;
    if manner.padded {
        let missing = 16 - data.len() % 16;
        data.resize(data.len() + missing, u8::try_from(missing).unwrap_or(16));
    }
    let mut last = *first;
    let mut out = Vec::with_capacity(data.len());
    let blocks = blocks(&data).ok_or_else(|| failed("encrypt", "Encryption failed"))?;
    for block in blocks {
        last = cipher.block(if manner.chained { xor(block, last) } else { block }, true);
        out.extend(last);
    }
    Ok(Value::Blob(out))
}

fn decrypt(a: &Arguments<'_, '_>, first: &[u8; 16], type_: usize) -> Result<Value> {
    let manner = Manner::read(a.text(type_))?;
    let cipher = Aes::with(a.bytes(1));
    a.budget().work(a.bytes(0).len())?;
    let mut last = *first;
    let mut out = Vec::with_capacity(a.bytes(0).len());
    let blocks = blocks(a.bytes(0)).ok_or_else(|| failed("decrypt", "Decryption failed"))?;
    for block in blocks {
        let plain = cipher.block(block, false);
        out.extend(if manner.chained { xor(plain, last) } else { plain });
        last = block;
    }
    if manner.padded {
        let missing = out.last().map_or(0, |last| usize::from(*last));
        let full = out.len().checked_sub(missing).filter(|_| (1..=16).contains(&missing));
        let full = full.filter(|full| out[*full..].iter().all(|byte| usize::from(*byte) == missing));
        out.truncate(full.ok_or_else(|| failed("decrypt", "Decryption failed"))?);
    }
    Ok(Value::Blob(out))
}

fn failed(verb: &str, why: &str) -> SqlError {
    SqlError::new(SqlState::new("39000"), format!("{verb} error: {why}"))
}

/// The checksum of armored texts.
fn crc24(bytes: &[u8]) -> [u8; 3] {
    let mut crc = 0x00b7_04ce_u32;
    for byte in bytes {
        crc ^= u32::from(*byte) << 16;
        for _ in 0..8 {
            crc = if crc & 0x80_0000 != 0 { (crc << 1) ^ 0x86_4cfb } else { crc << 1 };
        }
    }
    let bytes = crc.to_be_bytes();
    [bytes[1], bytes[2], bytes[3]]
}

const ARMOR: &str = "-----BEGIN PGP MESSAGE-----";
const ARMOR_END: &str = "-----END PGP MESSAGE-----";

fn armor(bytes: &[u8]) -> String {
    const LINE: usize = 76;
    let letters = STANDARD.encode(bytes);
    let mut text = format!("{ARMOR}\n\n");
    let mut rest = letters.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(LINE));
        text.push_str(line);
        text.push('\n');
        rest = after;
    }
    format!("{text}={}\n{ARMOR_END}\n", STANDARD.encode(crc24(bytes)))
}

fn dearmor(text: &str) -> Result<Value> {
    let corrupt = || SqlError::new(SqlState::new("39000"), "Corrupt ascii-armor");
    let (_, rest) = text.split_once(ARMOR).ok_or_else(corrupt)?;
    let (inner, _) = rest.split_once("-----END").ok_or_else(corrupt)?;
    let (_, body) = inner.split_once("\n\n").ok_or_else(corrupt)?;
    let (letters, sum) = body.trim_end().rsplit_once("\n=").ok_or_else(corrupt)?;
    let letters: String = letters.split_whitespace().collect();
    let bytes = STANDARD.decode(letters).map_err(|_| corrupt())?;
    let same = STANDARD.decode(sum.trim()).is_ok_and(|sum| sum == crc24(&bytes));
    if same { Ok(Value::Blob(bytes)) } else { Err(corrupt()) }
}
