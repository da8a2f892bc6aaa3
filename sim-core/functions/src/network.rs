//! Functions on addresses of networks and of network cards.

use rusqlite::types::Value;

use super::text::{own, truth};
use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::network::Network;

const INET: Type = Type::INET;
const CIDR: Type = Type::CIDR;
const I: &[Type] = &[INET];
const II: &[Type] = &[INET, INET];
const MAC: Type = Type::MACADDR;
const LONG: Type = Type::MACADDR8;

const fn test(name: &'static str, call: fn(&Arguments<'_, '_>) -> Result<Value>) -> Function {
    Function::rust(name, II, Type::BOOL, call)
}

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("host", I, Type::TEXT, |a| own(net(a, 0).address.to_string())),
    Function::rust("text", I, Type::TEXT, |a| own(net(a, 0).print(CIDR))),
    Function::rust("abbrev", I, Type::TEXT, |a| own(net(a, 0).print(INET))),
    Function::rust("abbrev", &[CIDR], Type::TEXT, |a| own(abbreviated(net(a, 0)))),
    Function::rust("broadcast", I, INET, |a| {
        let of = net(a, 0);
        inet(of.with_bits(of.bits() | (of.all() & !of.mask())))
    }),
    Function::rust("family", I, Type::INT4, |a| {
        Ok(Value::Integer(if net(a, 0).full() == 32 { 4 } else { 6 }))
    }),
    Function::rust("hostmask", I, INET, |a| {
        let of = net(a, 0);
        inet(Network { length: of.full(), ..of.with_bits(of.all() & !of.mask()) })
    }),
    Function::rust("netmask", I, INET, |a| {
        let of = net(a, 0);
        inet(Network { length: of.full(), ..of.with_bits(of.mask()) })
    }),
    Function::rust("network", I, CIDR, |a| {
        let of = net(a, 0);
        own(of.with_bits(of.bits() & of.mask()).print(CIDR))
    }),
    Function::rust("masklen", I, Type::INT4, |a| Ok(Value::Integer(net(a, 0).length.into()))),
    Function::rust("set_masklen", &[INET, Type::INT4], INET, |a| inet(with_length(net(a, 0), a.int(1))?)),
    Function::rust("set_masklen", &[CIDR, Type::INT4], CIDR, |a| {
        let of = with_length(net(a, 0), a.int(1))?;
        own(of.with_bits(of.bits() & of.mask()).print(CIDR))
    }),
    Function::rust("inet_same_family", II, Type::BOOL, |a| truth(net(a, 0).full() == net(a, 1).full())),
    Function::rust("inet_merge", II, CIDR, merge),
    test("<<", |a| truth(net(a, 1).contains(net(a, 0), false))),
    test("<<=", |a| truth(net(a, 1).contains(net(a, 0), true))),
    test(">>", |a| truth(net(a, 0).contains(net(a, 1), false))),
    test(">>=", |a| truth(net(a, 0).contains(net(a, 1), true))),
    test("&&", |a| truth(net(a, 0).contains(net(a, 1), true) || net(a, 1).contains(net(a, 0), true))),
    Function::rust("~", I, INET, |a| inet(net(a, 0).with_bits(net(a, 0).all() & !net(a, 0).bits()))),
    Function::rust("&", II, INET, |a| joined(a, "AND", |left, right| left & right)),
    Function::rust("|", II, INET, |a| joined(a, "OR", |left, right| left | right)),
    Function::rust("+", &[INET, Type::INT8], INET, |a| moved(net(a, 0), a.int(1).into())),
    Function::rust("+", &[Type::INT8, INET], INET, |a| moved(net(a, 1), a.int(0).into())),
    Function::rust("-", &[INET, Type::INT8], INET, |a| moved(net(a, 0), -i128::from(a.int(1)))),
    Function::rust("-", II, Type::INT8, |a| {
        let (left, right) = (net(a, 0), net(a, 1));
        same_family(left, right, "subtract inet values of different sizes")?;
        let difference = i64::try_from(left.bits().wrapping_sub(right.bits()) as i128);
        difference.map(Value::Integer).map_err(|_| out_of_range())
    }),
    Function::rust("trunc", &[MAC], MAC, |a| own(format!("{}:00:00:00", a.text(0).get(..8).unwrap_or("")))),
    Function::rust("~", &[MAC], MAC, |a| card(!bits(a.text(0)))),
    Function::rust("&", &[MAC, MAC], MAC, |a| card(bits(a.text(0)) & bits(a.text(1)))),
    Function::rust("|", &[MAC, MAC], MAC, |a| card(bits(a.text(0)) | bits(a.text(1)))),
    Function::rust("trunc", &[LONG], LONG, |a| long_card(bits(a.text(0)) & !0xff_ffff_ffff)),
    Function::rust("~", &[LONG], LONG, |a| long_card(!bits(a.text(0)))),
    Function::rust("&", &[LONG, LONG], LONG, |a| long_card(bits(a.text(0)) & bits(a.text(1)))),
    Function::rust("|", &[LONG, LONG], LONG, |a| long_card(bits(a.text(0)) | bits(a.text(1)))),
    Function::rust("macaddr8_set7bit", &[LONG], LONG, |a| long_card(bits(a.text(0)) | 2 << 56)),
];

fn net(a: &Arguments<'_, '_>, index: usize) -> Network {
    Network::stored(a.text(index))
}

fn inet(network: Network) -> Result<Value> {
    own(network.print(INET))
}

fn out_of_range() -> SqlError {
    SqlError::new(SqlState::OUT_OF_RANGE, "result is out of range")
}

fn same_family(left: Network, right: Network, what: &str) -> Result<()> {
    if left.full() == right.full() {
        return Ok(());
    }
    Err(SqlError::new(SqlState::INVALID_PARAMETER, format!("cannot {what}")))
}

fn with_length(network: Network, length: i64) -> Result<Network> {
    let full = network.full();
    let length =
        if length == -1 { Some(full) } else { u8::try_from(length).ok().filter(|length| *length <= full) };
    let length = length.ok_or_else(|| SqlError::new(SqlState::INVALID_PARAMETER, "invalid mask length"))?;
    Ok(Network { length, ..network })
}

fn joined(a: &Arguments<'_, '_>, word: &str, join: fn(u128, u128) -> u128) -> Result<Value> {
    let (left, right) = (net(a, 0), net(a, 1));
    same_family(left, right, &format!("{word} inet values of different sizes"))?;
    let length = left.length.max(right.length);
    inet(Network { length, ..left.with_bits(join(left.bits(), right.bits())) })
}

fn moved(network: Network, by: i128) -> Result<Value> {
    let bits = network.bits().checked_add_signed(by).filter(|bits| *bits <= network.all());
    inet(network.with_bits(bits.ok_or_else(out_of_range)?))
}

/// The smallest network with both.
fn merge(a: &Arguments<'_, '_>) -> Result<Value> {
    let (left, right) = (net(a, 0), net(a, 1));
    same_family(left, right, "merge addresses from different families")?;
    let differing = 128 - (left.bits() ^ right.bits()).leading_zeros() as u8;
    let length = left.length.min(right.length).min(left.full() - differing);
    let merged = Network { length, ..left };
    own(merged.with_bits(merged.bits() & merged.mask()).print(CIDR))
}

/// A network without the bytes that its length does not reach.
fn abbreviated(network: Network) -> String {
    if network.full() == 128 {
        return network.print(CIDR);
    }
    let address = network.address.to_string();
    let parts = usize::from(network.length.div_ceil(8)).max(1);
    let parts: Vec<&str> = address.split('.').take(parts).collect();
    format!("{}/{}", parts.join("."), network.length)
}

fn bits(card: &str) -> u64 {
    card.split(':').fold(0, |bits, byte| (bits << 8) | u64::from_str_radix(byte, 16).unwrap_or(0))
}

fn card(bits: u64) -> Result<Value> {
    let bytes: Vec<String> = bits.to_be_bytes()[2..].iter().map(|byte| format!("{byte:02x}")).collect();
    own(bytes.join(":"))
}

fn long_card(bits: u64) -> Result<Value> {
    let bytes: Vec<String> = bits.to_be_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    own(bytes.join(":"))
}

/// The short form of the long address of a network card.
pub fn short_card(long: &str) -> Result<Value> {
    match long.split_once(":ff:fe:") {
        Some((first, last)) if first.len() == 8 => own(format!("{first}:{last}")),
        _ => Err(SqlError::new(SqlState::OUT_OF_RANGE, "macaddr8 data out of range to convert to macaddr").hint(
            "Only addresses that have FF and FE as values in the 4th and 5th bytes from the left, for example xx:xx:xx:ff:fe:xx:xx:xx, are eligible to be converted from macaddr8 to macaddr.",
        )),
    }
}
