//! Addresses of networks and of network cards. They are stored as printed.

use std::net::IpAddr;

use super::invalid;
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;

/// An address and the length of its network's prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// The address.
    pub address: IpAddr,
    /// The bits that name the network.
    pub length: u8,
}

impl Network {
    /// Reads an `inet` or `cidr`. Parts may be missing at the end of an address of version 4 that has a length, or of a `cidr`.
    pub fn parse(type_: Type, text: &str) -> Result<Network> {
        let network = Network::read(type_ == Type::CIDR, text.trim()).ok_or_else(|| invalid(type_, text))?;
        if type_ == Type::CIDR && network.bits() & !network.mask() != 0 {
            let message = format!("invalid cidr value: \"{text}\"");
            return Err(
                SqlError::new(SqlState::INVALID_TEXT, message).detail("Value has bits set to right of mask.")
            );
        }
        Ok(network)
    }

    /// A stored value.
    pub fn stored(text: &str) -> Network {
        Network::read(false, text).unwrap_or(Network { address: IpAddr::from([0, 0, 0, 0]), length: 32 })
    }

    fn read(cidr: bool, text: &str) -> Option<Network> {
        let (address, length) = match text.split_once('/') {
            Some((address, length)) if length.bytes().all(|byte| byte.is_ascii_digit()) => {
                (address, Some(length.parse::<u8>().ok()?))
            }
            Some(_) => return None,
            None => (text, None),
        };
        let (address, given) = match address.parse::<IpAddr>() {
            Ok(address) => (address, None),
            Err(_) if cidr || length.is_some() => {
                let parts: Vec<u8> =
                    address.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
                let mut bytes = [0; 4];
                bytes.get_mut(..parts.len())?.copy_from_slice(&parts);
                (IpAddr::from(bytes), Some(implied(&parts)))
            }
            Err(_) => return None,
        };
        let full = if address.is_ipv4() { 32 } else { 128 };
        let length = length.or(given).unwrap_or(full);
        (length <= full).then_some(Network { address, length })
    }

    /// The bits of an address: 32 or 128.
    pub fn full(self) -> u8 {
        if self.address.is_ipv4() { 32 } else { 128 }
    }

    /// The address as a number.
    pub fn bits(self) -> u128 {
        match self.address {
            IpAddr::V4(address) => u32::from(address).into(),
            IpAddr::V6(address) => address.into(),
        }
    }

    /// The network's bits, as a number.
    pub fn mask(self) -> u128 {
        let all = self.all();
        all & !all.checked_shr(self.length.into()).unwrap_or(0)
    }

    /// A number with all bits of an address.
    pub fn all(self) -> u128 {
        if self.address.is_ipv4() { u32::MAX.into() } else { u128::MAX }
    }

    /// The same with another address of its version.
    #[must_use]
    pub fn with_bits(self, bits: u128) -> Network {
        let address = match self.address {
            IpAddr::V4(_) => IpAddr::from(((bits & u128::from(u32::MAX)) as u32).to_be_bytes()),
            IpAddr::V6(_) => IpAddr::from(bits.to_be_bytes()),
        };
        Network { address, ..self }
    }

    /// Whether `other` lies within it; with `equal` it may be the same network.
    pub fn contains(self, other: Network, equal: bool) -> bool {
        self.full() == other.full()
            && (self.length < other.length || equal && self.length == other.length)
            && (self.bits() ^ other.bits()) & self.mask() == 0
    }

    /// Its text.
    pub fn print(self, type_: Type) -> String {
        let shown = self.length != self.full() || type_ == Type::CIDR;
        if shown { format!("{}/{}", self.address, self.length) } else { self.address.to_string() }
    }
}

/// The length of a network that is written without one: by the class of its first byte, or by its parts.
fn implied(parts: &[u8]) -> u8 {
    let class = match parts.first() {
        Some(240..) => 32,
        Some(224..) => 8,
        Some(192..) => 24,
        Some(128..) => 16,
        _ => 8,
    };
    let written = u8::try_from(parts.len() * 8).unwrap_or(32);
    if written > class { written } else { class }
}

/// Reads the address of a network card.
pub fn parse_card(text: &str) -> Result<String> {
    let trimmed = text.trim().to_ascii_lowercase();
    let separators: Vec<char> = trimmed.chars().filter(|c| !c.is_ascii_hexdigit()).collect();
    let digits: String = trimmed.chars().filter(char::is_ascii_hexdigit).collect();
    let same = separators.windows(2).all(|pair| pair[0] == pair[1]);
    let known = separators.first().is_none_or(|first| ":-.".contains(*first));
    let counts = matches!(separators.len(), 0 | 1 | 2 | 5);
    if digits.len() != 12 || !same || !known || !counts {
        return Err(SqlError::new(
            SqlState::INVALID_TEXT,
            format!("invalid input syntax for type macaddr: \"{text}\""),
        ));
    }
    Ok((0..6).map(|at| &digits[2 * at..2 * at + 2]).collect::<Vec<_>>().join(":"))
}

/// Reads the address of a network card in its long form. One of six bytes gets two more in its middle.
pub fn parse_long_card(text: &str) -> Result<String> {
    let invalid = || {
        SqlError::new(SqlState::INVALID_TEXT, format!("invalid input syntax for type macaddr8: \"{text}\""))
    };
    let (mut digits, mut separator) = (String::new(), None);
    for c in text.trim().to_ascii_lowercase().chars() {
        match c {
            '0'..='9' | 'a'..='f' => digits.push(c),
            ':' | '-' | '.' if digits.len() % 2 == 0 && separator.is_none_or(|known| known == c) => {
                separator = Some(c);
            }
            _ => return Err(invalid()),
        }
    }
    let bytes: Vec<&str> = (0..digits.len() / 2).map(|at| &digits[2 * at..2 * at + 2]).collect();
    match (digits.len(), &bytes[..]) {
        (16, bytes) => Ok(bytes.join(":")),
        (12, [first @ .., fourth, fifth, sixth]) => {
            Ok([first.join(":").as_str(), "ff", "fe", fourth, fifth, sixth].join(":"))
        }
        _ => Err(invalid()),
    }
}
