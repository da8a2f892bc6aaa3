//! Why differences from the editions remain.

use std::collections::BTreeSet;
use std::path::Path;

use sim_core::Edition;

use crate::support::held;

/// A part of the lines that it is about, and the reason.
pub(super) const REASONS: &[(&str, &str)] = &[
    ("is never platform", "that plan's limits are not known"),
    ("is never PROMOTING", "no operation promotes a read replica"),
    ("is never CLOUD_A", "one provider has all regions, and a profile spells its name"),
    ("private_jwk.ext: is an enum there", "its only value is `true`"),
    ("authorize status: 204", "browsers are sent on, with 303, as clients of this operation expect"),
    ("project-claim status: 204", "browsers are sent on, with 303"),
    ("is never 13, 14", "nobody upgrades to them"),
    ("max_replication_slots: ", "the bounds are those of PostgreSQL"),
    ("max_wal_senders: ", "the bounds are those of PostgreSQL"),
    ("body.attributes.iops: maximum", "the bound is that of the provider of disks"),
    ("body.attributes.size_gb: maximum", "the bound is that of the provider of disks"),
    ("body.attributes.throughput_mibps: maximum", "the bound is that of the provider of disks"),
    ("functions/deploy body.file: required there", "a function that is there keeps its files without any"),
    ("attribute_mapping.keys: required there", "it was observed without, where no mapping was given"),
    ("answer.status: required there", "the documents show restrictions without, until they are set"),
    ("there is no such operation", "the documents of the first edition do not have it"),
    (
        "body.read_only: missing",
        "the documents of the first edition do not have it; it is taken all the same",
    ),
    ("network-bans body.identifier: missing", "the documents of the first edition do not have it"),
    ("query.slug: missing", "the documents of the first edition do not have it"),
    ("web3", "the documents of the first edition do not have it"),
    ("password_required_characters", "the documents escape the same characters in another way"),
];

/// Reads which lines of a kind (`values`, `answers` or `round-trips`) may remain: a part of each, and the reason.
fn exceptions(kind: &str) -> Vec<(String, String)> {
    let text = read("exceptions.txt");
    let section = text.split("\n[").find_map(|section| section.strip_prefix(&format!("{kind}]\n")));
    let lines = section.unwrap_or_default().lines().filter(|line| !line.is_empty());
    let pair = |line: &str| {
        let (part, reason) = line.split_once(" → ").unwrap_or_else(|| panic!("it has no reason: {line}"));
        (part.to_owned(), reason.to_owned())
    };
    lines.map(pair).collect()
}

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance").join(file);
    std::fs::read_to_string(path).expect("the file is there")
}

/// Holds the lines that an edition leaves of a kind; each must have a reason.
pub(super) fn written_down(kind: &str, edition: Edition, lines: &BTreeSet<String>) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    held(&format!("tests/conformance/{kind}-{edition}.txt"), &text);
    unexplained(kind, lines);
}

/// Fails for lines that have no reason.
pub(super) fn unexplained(kind: &str, lines: &BTreeSet<String>) {
    let exceptions = exceptions(kind);
    let has_none = |line: &&String| !exceptions.iter().any(|(part, _)| line.contains(part));
    let silent: Vec<_> = lines.iter().filter(has_none).collect();
    assert!(silent.is_empty(), "they have no reason in exceptions.txt: {silent:#?}");
}

#[test]
fn every_exception_is_needed() {
    for kind in ["values", "answers", "round-trips", "effects"] {
        let is_there = |edition: &Edition| kind != "effects" || *edition == Edition::V2026_11;
        let editions = Edition::ALL.into_iter().filter(is_there);
        let lines: String = editions.map(|edition| read(&format!("{kind}-{edition}.txt"))).collect();
        let idle: Vec<_> = exceptions(kind).into_iter().filter(|(part, _)| !lines.contains(part)).collect();
        assert!(idle.is_empty(), "{kind}: no line has them: {idle:#?}");
    }
}
