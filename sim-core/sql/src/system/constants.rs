//! Columns of `pg_catalog` that have one value in all rows here, and relations that have no rows: they are about what only a
//! server has, and tools ask for them.

use super::System;
use crate::types::Type as T;

/// A column, and its value in SQLite's SQL.
type Constant = (&'static str, T, &'static str);

/// The columns of a relation that have one value.
pub(super) fn of(name: &str) -> &'static [Constant] {
    COLUMNS.iter().find(|(relation, _)| *relation == name).map_or(&[], |(_, columns)| *columns)
}

const COLUMNS: &[(&str, &[Constant])] = &[
    ("pg_am", &[("amhandler", T::REGPROC, "0")]),
    (
        "pg_attribute",
        &[
            // `p`, as types of a fixed length have it, so that no dump sets the storage of a column.
            ("attstorage", T::QCHAR, "'p'"),
            ("attalign", T::QCHAR, "'i'"),
            ("attbyval", T::BOOL, "0"),
            ("attcacheoff", T::INT4, "-1"),
            ("attcompression", T::QCHAR, "''"),
            ("atthasmissing", T::BOOL, "0"),
            ("attinhcount", T::INT4, "0"),
            ("attoptions", TEXTS, "NULL"),
            ("attfdwoptions", TEXTS, "NULL"),
            ("attmissingval", TEXTS, "NULL"),
        ],
    ),
    (
        "pg_class",
        &[
            ("relfilenode", T::OID, "0"),
            ("relallvisible", T::INT4, "0"),
            ("reltoastrelid", T::OID, "0"),
            ("relisshared", T::BOOL, "0"),
            ("relhassubclass", T::BOOL, "0"),
            ("relrewrite", T::OID, "0"),
            ("relfrozenxid", T::OID, "0"),
            ("relminmxid", T::OID, "0"),
        ],
    ),
    (
        "pg_collation",
        &[
            ("collowner", T::OID, "10"),
            ("collprovider", T::QCHAR, "'c'"),
            ("collisdeterministic", T::BOOL, "1"),
            ("collencoding", T::INT4, "-1"),
            ("collcollate", T::TEXT, "'C'"),
            ("collctype", T::TEXT, "'C'"),
            ("colliculocale", T::TEXT, "NULL"),
            ("collversion", T::TEXT, "NULL"),
        ],
    ),
    ("pg_constraint", &[("coninhcount", T::INT4, "0"), ("connoinherit", T::BOOL, "0")]),
    (
        "pg_database",
        &[
            ("datlocprovider", T::QCHAR, "'c'"),
            ("datconnlimit", T::INT4, "-1"),
            ("datfrozenxid", T::OID, "0"),
            ("datminmxid", T::OID, "0"),
            ("dattablespace", T::OID, "1663"),
            ("daticulocale", T::TEXT, "NULL"),
            ("datcollversion", T::TEXT, "NULL"),
            ("datacl", super::pg::ACL, "NULL"),
        ],
    ),
    ("pg_extension", &[("extconfig", OIDS, "NULL"), ("extcondition", TEXTS, "NULL")]),
    ("pg_index", &[("indnullsnotdistinct", T::BOOL, "0"), ("indisreplident", T::BOOL, "0")]),
    ("pg_inherits", &[("inhdetachpending", T::BOOL, "0")]),
    (
        "pg_language",
        &[
            ("lanowner", T::OID, "10"),
            ("lanispl", T::BOOL, "(cells->>1 = 'plpgsql')"),
            ("lanplcallfoid", T::OID, "0"),
            ("laninline", T::OID, "0"),
            ("lanvalidator", T::OID, "0"),
            ("lanacl", super::pg::ACL, "NULL"),
        ],
    ),
    (
        "pg_proc",
        &[
            ("prosupport", T::REGPROC, "0"),
            ("protrftypes", OIDS, "NULL"),
            ("probin", T::TEXT, "NULL"),
            ("prosqlbody", T::NODE_TREE, "NULL"),
        ],
    ),
    (
        "pg_range",
        &[
            ("rngmultitypid", T::OID, "0"),
            ("rngcollation", T::OID, "0"),
            ("rngsubopc", T::OID, "0"),
            ("rngcanonical", T::REGPROC, "0"),
            ("rngsubdiff", T::REGPROC, "0"),
        ],
    ),
    ("pg_statistic_ext", &[("stxstattarget", T::INT4, "-1"), ("stxexprs", T::NODE_TREE, "NULL")]),
    (
        "pg_tablespace",
        &[("spcowner", T::OID, "10"), ("spcacl", super::pg::ACL, "NULL"), ("spcoptions", TEXTS, "NULL")],
    ),
    (
        "pg_timezone_names",
        &[
            ("abbrev", T::TEXT, "pg_Zone_abbreviation_text(cells->>0)"),
            ("utc_offset", T::INTERVAL, "pg_Zone_offset_text(cells->>0)"),
            ("is_dst", T::BOOL, "pg_Zone_is_dst_text(cells->>0)"),
        ],
    ),
    ("pg_trigger", &[("tgconstrindid", T::OID, "0"), ("tgparentid", T::OID, "0")]),
    (
        "pg_type",
        &[
            ("typstorage", T::QCHAR, "'p'"),
            ("typalign", T::QCHAR, "'i'"),
            ("typbyval", T::BOOL, "0"),
            ("typacl", super::pg::ACL, "NULL"),
            ("typdefaultbin", T::NODE_TREE, "NULL"),
            ("typinput", T::REGPROC, "0"),
            ("typoutput", T::REGPROC, "0"),
            ("typreceive", T::REGPROC, "0"),
            ("typsend", T::REGPROC, "0"),
            ("typmodin", T::REGPROC, "0"),
            ("typmodout", T::REGPROC, "0"),
            ("typanalyze", T::REGPROC, "0"),
            ("typsubscript", T::REGPROC, "0"),
        ],
    ),
];

const TEXTS: T = T(1009);
const OIDS: T = T(1028);

/// A relation without rows.
const fn empty(name: &'static str, columns: &'static [(&'static str, T)]) -> System {
    System { name, columns, rows: |_, _| Vec::new() }
}

/// The relations without rows.
pub(super) fn relations() -> Vec<System> {
    vec![
        empty(
            "pg_amop",
            &[
                ("oid", T::OID),
                ("amopfamily", T::OID),
                ("amoplefttype", T::OID),
                ("amoprighttype", T::OID),
                ("amopstrategy", T::INT2),
                ("amoppurpose", T::QCHAR),
                ("amopopr", T::OID),
                ("amopmethod", T::OID),
                ("amopsortfamily", T::OID),
            ],
        ),
        empty(
            "pg_amproc",
            &[
                ("oid", T::OID),
                ("amprocfamily", T::OID),
                ("amproclefttype", T::OID),
                ("amprocrighttype", T::OID),
                ("amprocnum", T::INT2),
                ("amproc", T::REGPROC),
            ],
        ),
        empty(
            "pg_cast",
            &[
                ("oid", T::OID),
                ("castsource", T::OID),
                ("casttarget", T::OID),
                ("castfunc", T::OID),
                ("castcontext", T::QCHAR),
                ("castmethod", T::QCHAR),
            ],
        ),
        empty(
            "pg_conversion",
            &[
                ("oid", T::OID),
                ("conname", T::NAME),
                ("connamespace", T::OID),
                ("conowner", T::OID),
                ("conforencoding", T::INT4),
                ("contoencoding", T::INT4),
                ("conproc", T::REGPROC),
                ("condefault", T::BOOL),
            ],
        ),
        System {
            name: "pg_db_role_setting",
            columns: &[("setdatabase", T::OID), ("setrole", T::OID), ("setconfig", TEXTS)],
            rows: super::pg::session_starts,
        },
        empty(
            "pg_init_privs",
            &[
                ("objoid", T::OID),
                ("classoid", T::OID),
                ("objsubid", T::INT4),
                ("privtype", T::QCHAR),
                ("initprivs", super::pg::ACL),
            ],
        ),
        empty(
            "pg_opclass",
            &[
                ("oid", T::OID),
                ("opcmethod", T::OID),
                ("opcname", T::NAME),
                ("opcnamespace", T::OID),
                ("opcowner", T::OID),
                ("opcfamily", T::OID),
                ("opcintype", T::OID),
                ("opcdefault", T::BOOL),
                ("opckeytype", T::OID),
            ],
        ),
        empty(
            "pg_operator",
            &[
                ("oid", T::OID),
                ("oprname", T::NAME),
                ("oprnamespace", T::OID),
                ("oprowner", T::OID),
                ("oprkind", T::QCHAR),
                ("oprcanmerge", T::BOOL),
                ("oprcanhash", T::BOOL),
                ("oprleft", T::OID),
                ("oprright", T::OID),
                ("oprresult", T::OID),
                ("oprcom", T::OID),
                ("oprnegate", T::OID),
                ("oprcode", T::REGPROC),
                ("oprrest", T::REGPROC),
                ("oprjoin", T::REGPROC),
            ],
        ),
        empty(
            "pg_opfamily",
            &[
                ("oid", T::OID),
                ("opfmethod", T::OID),
                ("opfname", T::NAME),
                ("opfnamespace", T::OID),
                ("opfowner", T::OID),
            ],
        ),
        empty("pg_publication_namespace", &[("oid", T::OID), ("pnpubid", T::OID), ("pnnspid", T::OID)]),
        empty(
            "pg_seclabels",
            &[
                ("objoid", T::OID),
                ("classoid", T::OID),
                ("objsubid", T::INT4),
                ("objtype", T::TEXT),
                ("objnamespace", T::OID),
                ("objname", T::TEXT),
                ("provider", T::TEXT),
                ("label", T::TEXT),
            ],
        ),
        empty(
            "pg_subscription",
            &[
                ("oid", T::OID),
                ("subdbid", T::OID),
                ("subname", T::NAME),
                ("subowner", T::OID),
                ("subenabled", T::BOOL),
                ("subbinary", T::BOOL),
                ("substream", T::BOOL),
                ("subtwophasestate", T::QCHAR),
                ("subdisableonerr", T::BOOL),
                ("subconninfo", T::TEXT),
                ("subslotname", T::NAME),
                ("subsynccommit", T::TEXT),
                ("subpublications", TEXTS),
            ],
        ),
        empty("pg_subscription_rel", &[("srsubid", T::OID), ("srrelid", T::OID), ("srsubstate", T::QCHAR)]),
        empty(
            "pg_transform",
            &[
                ("oid", T::OID),
                ("trftype", T::OID),
                ("trflang", T::OID),
                ("trffromsql", T::REGPROC),
                ("trftosql", T::REGPROC),
            ],
        ),
        empty(
            "pg_ts_dict",
            &[
                ("oid", T::OID),
                ("dictname", T::NAME),
                ("dictnamespace", T::OID),
                ("dictowner", T::OID),
                ("dicttemplate", T::OID),
                ("dictinitoption", T::TEXT),
            ],
        ),
        empty(
            "pg_ts_parser",
            &[
                ("oid", T::OID),
                ("prsname", T::NAME),
                ("prsnamespace", T::OID),
                ("prsstart", T::REGPROC),
                ("prstoken", T::REGPROC),
                ("prsend", T::REGPROC),
                ("prsheadline", T::REGPROC),
                ("prslextype", T::REGPROC),
            ],
        ),
        empty(
            "pg_ts_template",
            &[
                ("oid", T::OID),
                ("tmplname", T::NAME),
                ("tmplnamespace", T::OID),
                ("tmplinit", T::REGPROC),
                ("tmpllexize", T::REGPROC),
            ],
        ),
    ]
}
