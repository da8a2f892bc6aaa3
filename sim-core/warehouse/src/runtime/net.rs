//! Functions of URLs and of network addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use regex::Regex;
use rusqlite::Result;
use rusqlite::types::Value;

use super::{Arguments, Function, fail, optional, or_fail};

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_net_host", call: |a| optional(host(a.text(0)).map(str::to_owned)) },
    Function { name: "wh_ip", call: ip },
    Function { name: "wh_ip_text", call: ip_text },
    Function { name: "wh_ip_trunc", call: truncated },
];

static HOST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:[A-Za-z][A-Za-z0-9+.-]*://|//)?(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:\s]+)")
        .expect("the pattern is a good one")
});

fn host(url: &str) -> Option<&str> {
    HOST.captures(url)?.get(1).map(|host| host.as_str())
}

fn ip(a: &Arguments<'_, '_>) -> Result<Value> {
    let text = a.text(0);
    let found = text.parse::<IpAddr>().ok().map(|address| match address {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    });
    or_fail(found, a.safe(1), || format!("Invalid IP address: {text}"))
}

fn ip_text(a: &Arguments<'_, '_>) -> Result<Value> {
    match a.bytes(0).len() {
        4 => Ok(<[u8; 4]>::try_from(a.bytes(0))
            .map(Ipv4Addr::from)
            .map_or(Value::Null, |ip| ip.to_string().into())),
        16 => Ok(<[u8; 16]>::try_from(a.bytes(0))
            .map(Ipv6Addr::from)
            .map_or(Value::Null, |ip| ip.to_string().into())),
        length => fail(format!("{length} bytes are no IP address")),
    }
}

/// The network of an address.
fn truncated(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut bytes = a.bytes(0).to_vec();
    let Some(bits) = usize::try_from(a.int(1)).ok().filter(|bits| *bits <= bytes.len() * 8) else {
        return fail(format!("an IP address of {} bytes has no prefix of {} bits", bytes.len(), a.int(1)));
    };
    for (index, byte) in bytes.iter_mut().enumerate() {
        let kept = bits.saturating_sub(index * 8).min(8) as u32;
        *byte &= u8::try_from(0xff00_u32 >> kept & 0xff).unwrap_or(0);
    }
    Ok(bytes.into())
}
