//! Why differences from the editions remain.

/// A part of the lines that it is about, and the reason.
pub(super) const REASONS: &[(&str, &str)] = &[
    ("is never platform", "that plan's limits are not known"),
    ("is never PROMOTING", "no operation promotes a read replica"),
    ("is never INIT_READ_REPLICA", "a replica is shown with the states that projects have"),
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
    (
        "override_active_until: required there",
        "a profile without `iso_override` has it; the documents have it optional",
    ),
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

/// The same for values of settings.
pub(super) const VALUES: &[(&str, &str)] = &[
    (" db_pool=null", "it gives the pool back to the size of the machine"),
    ("mfa_enroll_without_verify", "a factor that users can add is one that they can sign in with"),
    ("custom_smtp_missing", "emails beyond the first few need a mail server of the project"),
    (" restart_database=", "it is an order, not a setting"),
    (" features.icebergCatalog.", "a catalog is set as a whole"),
    (" features.", "both features are required in the first edition"),
    ("web3", "the documents of the first edition do not have it: it is marked in `x-sim-ignored`"),
    ("config/database/pooler", "the documents of the first edition do not have the operation"),
    ("password_required_characters", "the documents escape the same characters in another way"),
];

/// The same for answers.
pub(super) const ANSWERS: &[(&str, &str)] =
    &[("override_active_until: is missing", "a profile without `iso_override` has it")];
