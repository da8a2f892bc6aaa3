//! Limits on texts that no quota of the service bounds: those of control calls, notebooks, webhooks and log drains. A world that
//! keeps them all would fill the memory of the process, with all its worlds.

use sim_base::{Cx, Error, Kind};

/// The longest text of a single value, in characters.
pub(crate) const LONGEST: usize = 4 << 20;

/// The bytes that a world keeps of all of them together.
const MOST: i64 = 64 << 20;

/// What a row takes besides its texts.
const ROW: i64 = 200;

/// The tables, and the bytes of their texts.
const TABLES: [(&str, &str); 12] = [
    ("document", "octet_length(url) + octet_length(text)"),
    ("dns", "octet_length(name) + octet_length(records)"),
    ("vault_value", "octet_length(name) + octet_length(sealed)"),
    ("snippet", "octet_length(name) + octet_length(description) + octet_length(sql)"),
    ("branch_seed", "octet_length(sql)"),
    ("upgrade_plan", "ifnull(octet_length(obstacles), 0)"),
    ("vcs_connection", "octet_length(repository) + octet_length(workdir)"),
    ("oauth_app", "octet_length(name) + octet_length(redirect_uris)"),
    ("user", "octet_length(name) + octet_length(email)"),
    ("notebook", "octet_length(cells) + ifnull(octet_length(description), 0)"),
    (
        "webhook_endpoint",
        "octet_length(url) + octet_length(event_types) + ifnull(octet_length(custom_headers), 0)",
    ),
    ("log_drain", "octet_length(name) + ifnull(octet_length(description), 0) + octet_length(config)"),
];

/// Refuses what was just stored if the world keeps too much; the refusal takes it back.
pub(crate) fn require_room(cx: &Cx<'_>) -> Result<(), Error> {
    let sums = TABLES.map(|(table, bytes)| format!("SELECT sum({bytes} + {ROW}) AS bytes FROM {table}"));
    let sql = format!("SELECT ifnull(sum(bytes), 0) FROM ({})", sums.join(" UNION ALL "));
    let kept: i64 = cx.db.one(&sql, (), |row| row.get(0));
    if kept <= MOST {
        return Ok(());
    }
    let text = format!("its texts would take {kept} bytes, a world keeps at most {MOST}");
    Err(Error::new(Kind::TooLarge, "world_keeps_too_much", text))
}
