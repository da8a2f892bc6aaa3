//! Types are identified by object identifiers, as in PostgreSQL: they are cheap to copy, and catalog queries
//! show them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::value::{order, range};

/// A type. User-defined ones have even identifiers from [`FIRST_USER`] on; the array type of each is the next odd one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Type(pub u32);

/// The first identifier given to an object of the user.
pub const FIRST_USER: u32 = 16384;

/// A type and its modifier (length, precision), as a column has it. -1: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modified {
    /// The type.
    pub base: Type,
    /// As PostgreSQL packs it: `varchar(n)` n + 4, `numeric(p, s)` (p << 16 | s) + 4, `timestamp(p)` p.
    pub modifier: i32,
}

/// A type that exists from the start.
#[derive(Debug)]
pub struct Builtin {
    /// Its identifier.
    pub id: Type,
    /// Its name in the catalog: `int4`.
    pub name: &'static str,
    /// Its name in messages: `integer`.
    pub display: &'static str,
    /// Its array type; 0 if there is none.
    pub array: u32,
    /// N numbers, S strings, B booleans, D dates and times, T intervals, U others, I networks, P pseudo-types.
    pub category: char,
    /// Whether it is preferred in its category when nothing else decides.
    pub preferred: bool,
    /// Its size in bytes; -1 when it varies.
    pub length: i16,
}

macro_rules! builtins {
    ($($constant:ident = $id:literal, $array:literal, $name:literal, $display:literal, $category:literal, $preferred:literal, $length:literal;)*) => {
        impl Type {
            $(#[doc = concat!("`", $display, "`")] pub const $constant: Type = Type($id);)*
        }

        /// Every type that exists from the start.
        pub static BUILTINS: &[Builtin] = &[$(Builtin {
            id: Type($id), name: $name, display: $display, array: $array,
            category: $category, preferred: $preferred, length: $length,
        }),*];
    };
}

builtins! {
    BOOL = 16, 1000, "bool", "boolean", 'B', true, 1;
    BYTEA = 17, 1001, "bytea", "bytea", 'U', false, -1;
    QCHAR = 18, 1002, "char", "\"char\"", 'Z', false, 1;
    NAME = 19, 1003, "name", "name", 'S', false, 64;
    INT8 = 20, 1016, "int8", "bigint", 'N', false, 8;
    INT2 = 21, 1005, "int2", "smallint", 'N', false, 2;
    INT2VECTOR = 22, 1006, "int2vector", "int2vector", 'A', false, -1;
    INT4 = 23, 1007, "int4", "integer", 'N', false, 4;
    REGPROC = 24, 1008, "regproc", "regproc", 'N', false, 4;
    TEXT = 25, 1009, "text", "text", 'S', true, -1;
    OID = 26, 1028, "oid", "oid", 'N', true, 4;
    TID = 27, 1010, "tid", "tid", 'U', false, 6;
    OIDVECTOR = 30, 1013, "oidvector", "oidvector", 'A', false, -1;
    JSON = 114, 199, "json", "json", 'U', false, -1;
    XML = 142, 143, "xml", "xml", 'U', false, -1;
    NODE_TREE = 194, 0, "pg_node_tree", "pg_node_tree", 'Z', false, -1;
    POINT = 600, 1017, "point", "point", 'G', false, 16;
    LSEG = 601, 1018, "lseg", "lseg", 'G', false, 32;
    PATH = 602, 1019, "path", "path", 'G', false, -1;
    BOX = 603, 1020, "box", "box", 'G', false, 32;
    POLYGON = 604, 1027, "polygon", "polygon", 'G', false, -1;
    LINE = 628, 629, "line", "line", 'G', false, 24;
    CIRCLE = 718, 719, "circle", "circle", 'G', false, 24;
    FLOAT4 = 700, 1021, "float4", "real", 'N', false, 4;
    FLOAT8 = 701, 1022, "float8", "double precision", 'N', true, 8;
    UNKNOWN = 705, 0, "unknown", "unknown", 'X', false, -2;
    MACADDR8 = 774, 775, "macaddr8", "macaddr8", 'U', false, 8;
    MONEY = 790, 791, "money", "money", 'N', false, 8;
    MACADDR = 829, 1040, "macaddr", "macaddr", 'U', false, 6;
    INET = 869, 1041, "inet", "inet", 'I', true, -1;
    CIDR = 650, 651, "cidr", "cidr", 'I', false, -1;
    BPCHAR = 1042, 1014, "bpchar", "character", 'S', false, -1;
    VARCHAR = 1043, 1015, "varchar", "character varying", 'S', false, -1;
    DATE = 1082, 1182, "date", "date", 'D', false, 4;
    TIME = 1083, 1183, "time", "time without time zone", 'D', false, 8;
    TIMESTAMP = 1114, 1115, "timestamp", "timestamp without time zone", 'D', false, 8;
    TIMESTAMPTZ = 1184, 1185, "timestamptz", "timestamp with time zone", 'D', true, 8;
    INTERVAL = 1186, 1187, "interval", "interval", 'T', true, 16;
    TIMETZ = 1266, 1270, "timetz", "time with time zone", 'D', false, 12;
    BIT = 1560, 1561, "bit", "bit", 'V', false, -1;
    VARBIT = 1562, 1563, "varbit", "bit varying", 'V', true, -1;
    NUMERIC = 1700, 1231, "numeric", "numeric", 'N', false, -1;
    REFCURSOR = 1790, 2201, "refcursor", "refcursor", 'U', false, -1;
    REGPROCEDURE = 2202, 2207, "regprocedure", "regprocedure", 'N', false, 4;
    REGCLASS = 2205, 2210, "regclass", "regclass", 'N', false, 4;
    REGTYPE = 2206, 2211, "regtype", "regtype", 'N', false, 4;
    RECORD = 2249, 2287, "record", "record", 'P', false, -1;
    CSTRING = 2275, 1263, "cstring", "cstring", 'P', false, -2;
    ANY = 2276, 0, "any", "\"any\"", 'P', false, 4;
    ANYARRAY = 2277, 0, "anyarray", "anyarray", 'P', false, -1;
    VOID = 2278, 0, "void", "void", 'P', false, 4;
    INDEX_AM_HANDLER = 325, 0, "index_am_handler", "index_am_handler", 'P', false, 4;
    TRIGGER = 2279, 0, "trigger", "trigger", 'P', false, 4;
    INTERNAL = 2281, 0, "internal", "internal", 'P', false, 8;
    ANYELEMENT = 2283, 0, "anyelement", "anyelement", 'P', false, 4;
    ANYNONARRAY = 2776, 0, "anynonarray", "anynonarray", 'P', false, 4;
    UUID = 2950, 2951, "uuid", "uuid", 'U', false, 16;
    ANYENUM = 3500, 0, "anyenum", "anyenum", 'P', false, 4;
    TSVECTOR = 3614, 3643, "tsvector", "tsvector", 'U', false, -1;
    TSQUERY = 3615, 3645, "tsquery", "tsquery", 'U', false, -1;
    REGCONFIG = 3734, 3735, "regconfig", "regconfig", 'N', false, 4;
    JSONB = 3802, 3807, "jsonb", "jsonb", 'U', false, -1;
    EVENT_TRIGGER = 3838, 0, "event_trigger", "event_trigger", 'P', false, 4;
    INT4RANGE = 3904, 3905, "int4range", "int4range", 'R', false, -1;
    NUMRANGE = 3906, 3907, "numrange", "numrange", 'R', false, -1;
    TSRANGE = 3908, 3909, "tsrange", "tsrange", 'R', false, -1;
    TSTZRANGE = 3910, 3911, "tstzrange", "tstzrange", 'R', false, -1;
    DATERANGE = 3912, 3913, "daterange", "daterange", 'R', false, -1;
    INT8RANGE = 3926, 3927, "int8range", "int8range", 'R', false, -1;
    INT4MULTIRANGE = 4451, 6150, "int4multirange", "int4multirange", 'R', false, -1;
    NUMMULTIRANGE = 4532, 6151, "nummultirange", "nummultirange", 'R', false, -1;
    TSMULTIRANGE = 4533, 6152, "tsmultirange", "tsmultirange", 'R', false, -1;
    TSTZMULTIRANGE = 4534, 6153, "tstzmultirange", "tstzmultirange", 'R', false, -1;
    DATEMULTIRANGE = 4535, 6155, "datemultirange", "datemultirange", 'R', false, -1;
    INT8MULTIRANGE = 4536, 6157, "int8multirange", "int8multirange", 'R', false, -1;
    TXID_SNAPSHOT = 2970, 2949, "txid_snapshot", "txid_snapshot", 'U', false, -1;
    PG_SNAPSHOT = 5038, 5039, "pg_snapshot", "pg_snapshot", 'U', false, -1;
    XID8 = 5069, 271, "xid8", "xid8", 'U', false, 8;
    JSONPATH = 4072, 4073, "jsonpath", "jsonpath", 'U', false, -1;
    REGNAMESPACE = 4089, 4090, "regnamespace", "regnamespace", 'N', false, 4;
    REGDICTIONARY = 3769, 3770, "regdictionary", "regdictionary", 'N', false, 4;
    REGCOLLATION = 4191, 4192, "regcollation", "regcollation", 'N', false, 4;
    REGROLE = 4096, 4097, "regrole", "regrole", 'N', false, 4;
    ANYCOMPATIBLE = 5077, 0, "anycompatible", "anycompatible", 'P', false, 4;
    ANYCOMPATIBLEARRAY = 5078, 0, "anycompatiblearray", "anycompatiblearray", 'P', false, -1;
    ANYCOMPATIBLENONARRAY = 5079, 0, "anycompatiblenonarray", "anycompatiblenonarray", 'P', false, 4;
    ANYCOMPATIBLERANGE = 5080, 0, "anycompatiblerange", "anycompatiblerange", 'P', false, -1;
    ANYCOMPATIBLEMULTIRANGE = 4538, 0, "anycompatiblemultirange", "anycompatiblemultirange", 'P', false, -1;
    ANYRANGE = 3831, 0, "anyrange", "anyrange", 'P', false, -1;
    ANYMULTIRANGE = 4537, 0, "anymultirange", "anymultirange", 'P', false, -1;
    VECTOR = 9000, 9001, "vector", "vector", 'U', false, -1;
    HALFVEC = 9004, 9005, "halfvec", "halfvec", 'U', false, -1;
    CITEXT = 9002, 9003, "citext", "citext", 'S', false, -1;
    GEOMETRY = 9006, 9007, "geometry", "geometry", 'U', false, -1;
    GEOGRAPHY = 9008, 9009, "geography", "geography", 'U', false, -1;
    BOX2D = 9018, 9019, "box2d", "box2d", 'U', false, 65;
    HSTORE = 9010, 9011, "hstore", "hstore", 'U', false, -1;
    CUBE = 9020, 9021, "cube", "cube", 'U', false, -1;
    LTREE = 9022, 9023, "ltree", "ltree", 'U', false, -1;
    LQUERY = 9024, 9025, "lquery", "lquery", 'U', false, -1;
    LTXTQUERY = 9026, 9027, "ltxtquery", "ltxtquery", 'U', false, -1;
    QUERY_INT = 9028, 9029, "query_int", "query_int", 'U', false, -1;
    GTRGM = 9030, 9031, "gtrgm", "gtrgm", 'U', false, -1;
    GHSTORE = 9032, 9033, "ghstore", "ghstore", 'U', false, -1;
    INTBIG_GKEY = 9034, 9035, "intbig_gkey", "intbig_gkey", 'U', false, -1;
    LTREE_GIST = 9036, 9037, "ltree_gist", "ltree_gist", 'U', false, -1;
    GBTREEKEY2 = 9038, 9039, "gbtreekey2", "gbtreekey2", 'U', false, 2;
    GBTREEKEY4 = 9040, 9041, "gbtreekey4", "gbtreekey4", 'U', false, 4;
    GBTREEKEY8 = 9042, 9043, "gbtreekey8", "gbtreekey8", 'U', false, 8;
    GBTREEKEY16 = 9044, 9045, "gbtreekey16", "gbtreekey16", 'U', false, 16;
    GBTREEKEY32 = 9046, 9047, "gbtreekey32", "gbtreekey32", 'U', false, 32;
    GBTREEKEY_VAR = 9048, 9049, "gbtreekey_var", "gbtreekey_var", 'U', false, -1;
    SPARSEVEC = 9050, 9051, "sparsevec", "sparsevec", 'U', false, -1;
    RANGE_OF_TIME = 9100, 9101, "range of time", "range of time", 'R', false, -1;
    RANGE_OF_FLOAT8 = 9104, 9105, "range of float8", "range of float8", 'R', false, -1;
    RANGE_OF_TEXT = 9108, 9109, "range of text", "range of text", 'R', false, -1;
    RANGE_OF_NUMERIC = 9112, 9113, "range of numeric", "range of numeric", 'R', false, -1;
    RANGE_OF_TIMESTAMP = 9116, 9117, "range of timestamp", "range of timestamp", 'R', false, -1;
    RANGE_OF_TIMESTAMPTZ = 9120, 9121, "range of timestamptz", "range of timestamptz", 'R', false, -1;
    RANGES_OF_TIME = 9102, 9103, "ranges of time", "ranges of time", 'R', false, -1;
    RANGES_OF_FLOAT8 = 9106, 9107, "ranges of float8", "ranges of float8", 'R', false, -1;
    RANGES_OF_TEXT = 9110, 9111, "ranges of text", "ranges of text", 'R', false, -1;
    RANGES_OF_NUMERIC = 9114, 9115, "ranges of numeric", "ranges of numeric", 'R', false, -1;
    RANGES_OF_TIMESTAMP = 9118, 9119, "ranges of timestamp", "ranges of timestamp", 'R', false, -1;
    RANGES_OF_TIMESTAMPTZ = 9122, 9123, "ranges of timestamptz", "ranges of timestamptz", 'R', false, -1;
    AS_TEXT = 9990, 0, "as_text", "\"any\"", 'P', false, -1;
    AS_OUTPUT = 9993, 0, "as_output", "\"any\"", 'P', false, -1;
    AS_JSON = 9991, 0, "as_json", "\"any\"", 'P', false, -1;
    AS_JSONB = 9992, 0, "as_jsonb", "\"any\"", 'P', false, -1;
}

/// Other spellings of types, in lower case and with single blanks.
const SYNONYMS: &[(&str, Type)] = &[
    ("int", Type::INT4),
    ("integer", Type::INT4),
    ("smallint", Type::INT2),
    ("bigint", Type::INT8),
    ("real", Type::FLOAT4),
    ("float", Type::FLOAT8),
    ("double precision", Type::FLOAT8),
    ("decimal", Type::NUMERIC),
    ("dec", Type::NUMERIC),
    ("boolean", Type::BOOL),
    ("character", Type::BPCHAR),
    ("char", Type::BPCHAR),
    ("nchar", Type::BPCHAR),
    ("character varying", Type::VARCHAR),
    ("char varying", Type::VARCHAR),
    ("bit varying", Type::VARBIT),
    ("time without time zone", Type::TIME),
    ("time with time zone", Type::TIMETZ),
    ("timestamp without time zone", Type::TIMESTAMP),
    ("timestamp with time zone", Type::TIMESTAMPTZ),
];

impl Type {
    /// Arrays of `geometry`.
    pub const GEOMETRY_ARRAY: Type = Type(9007);

    /// The extension that the type belongs to. The type exists once the extension is created.
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Type::CITEXT => Some("citext"),
            Type::CUBE => Some("cube"),
            Type::HSTORE | Type::GHSTORE => Some("hstore"),
            Type::QUERY_INT | Type::INTBIG_GKEY => Some("intarray"),
            Type::LTREE | Type::LQUERY | Type::LTXTQUERY | Type::LTREE_GIST => Some("ltree"),
            Type::VECTOR | Type::HALFVEC | Type::SPARSEVEC => Some("vector"),
            Type::GTRGM => Some("pg_trgm"),
            Type(9038..=9048) => Some("btree_gist"),
            Type::GEOMETRY | Type::GEOGRAPHY | Type::BOX2D => Some("postgis"),
            _ => None,
        }
    }

    /// Whether it is a figure on a plane.
    pub fn is_figure(self) -> bool {
        matches!(
            self,
            Type::POINT | Type::LSEG | Type::PATH | Type::BOX | Type::POLYGON | Type::LINE | Type::CIRCLE
        )
    }

    /// The built-in type of this name (`int4`, `integer`).
    pub fn named(name: &str) -> Option<Type> {
        let synonym = SYNONYMS.iter().find(|(synonym, _)| *synonym == name).map(|(_, found)| *found);
        synonym.or_else(|| {
            let element = name.strip_prefix('_').unwrap_or(name);
            let found = BUILTINS.iter().find(|builtin| builtin.name == element && builtin.id.is_named())?;
            if element.len() == name.len() { Some(found.id) } else { found.id.array() }
        })
    }

    /// The properties of a built-in type.
    pub fn builtin(self) -> Option<&'static Builtin> {
        static BY_ID: LazyLock<BTreeMap<u32, &Builtin>> =
            LazyLock::new(|| BUILTINS.iter().rev().map(|builtin| (builtin.id.0, builtin)).collect());
        BY_ID.get(&self.0).copied()
    }

    /// Whether statements can name it. Nobody can name what stands under the ranges that users create, nor placeholders.
    fn is_named(self) -> bool {
        self.0 < 9990 && !self.is_under_ranges()
    }

    /// Whether it is the type that stands under ranges that users create, as the base type stands under a domain.
    pub fn is_under_ranges(self) -> bool {
        (9100..=9123).contains(&self.0)
    }

    /// Whether a user created it (or its element).
    pub fn is_user(self) -> bool {
        self.0 >= FIRST_USER
    }

    /// The type of arrays of it.
    pub fn array(self) -> Option<Type> {
        if self.is_user() {
            return self.0.is_multiple_of(2).then_some(Type(self.0 + 1));
        }
        self.builtin().filter(|builtin| builtin.array != 0).map(|builtin| Type(builtin.array))
    }

    /// The type of its elements, if it is an array type.
    pub fn element(self) -> Option<Type> {
        if self.is_user() {
            return (self.0 % 2 == 1).then_some(Type(self.0 - 1));
        }
        match self {
            Type::OIDVECTOR => return Some(Type::OID),
            Type::INT2VECTOR => return Some(Type::INT2),
            _ => {}
        }
        static ELEMENTS: LazyLock<BTreeMap<u32, Type>> = LazyLock::new(|| {
            let arrays = BUILTINS.iter().rev().filter(|builtin| builtin.array != 0);
            arrays.map(|builtin| (builtin.array, builtin.id)).collect()
        });
        ELEMENTS.get(&self.0).copied()
    }

    /// Its category, as overload resolution groups types. All user-defined types that are not arrays are in
    /// U.
    pub fn category(self) -> char {
        match self.builtin() {
            Some(builtin) => builtin.category,
            None if self.element().is_some() => 'A',
            None => 'U',
        }
    }

    /// Whether it is preferred in its category when nothing else decides.
    pub fn is_preferred(self) -> bool {
        self.builtin().is_some_and(|builtin| builtin.preferred)
    }

    /// Whether it is a placeholder in signatures, for a type that the call decides.
    pub fn is_polymorphic(self) -> bool {
        self.is_simple_placeholder() || self.is_compatible_placeholder()
    }

    /// Whether all placeholders of its kind in a signature stand for one type, or what is made of it.
    pub fn is_simple_placeholder(self) -> bool {
        matches!(
            self,
            Type::ANYARRAY
                | Type::ANYELEMENT
                | Type::ANYNONARRAY
                | Type::ANYENUM
                | Type::ANYRANGE
                | Type::ANYMULTIRANGE
        )
    }

    /// Whether those of its kind stand for a type to which all arguments can be converted.
    pub fn is_compatible_placeholder(self) -> bool {
        matches!(
            self,
            Type::ANYCOMPATIBLE
                | Type::ANYCOMPATIBLEARRAY
                | Type::ANYCOMPATIBLENONARRAY
                | Type::ANYCOMPATIBLERANGE
                | Type::ANYCOMPATIBLEMULTIRANGE
        )
    }

    /// Whether no column can have it.
    pub fn is_pseudo(self) -> bool {
        self.category() == 'P' || self == Type::UNKNOWN
    }

    /// Whether it is a text type.
    pub fn is_string(self) -> bool {
        matches!(self, Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::CITEXT | Type::QCHAR)
    }

    /// Whether the engine does not parse its values.
    pub fn is_opaque(self) -> bool {
        self == Type::XML || self.is_key_of_index()
    }

    /// Whether it is what an index of an extension keeps of a value. No text is one.
    fn is_key_of_index(self) -> bool {
        matches!(self, Type(9030..=9048)) && self.builtin().is_some()
    }

    /// Whether it is a whole number.
    pub fn is_integer(self) -> bool {
        matches!(self, Type::INT2 | Type::INT4 | Type::INT8)
    }

    /// Whether it is a floating-point number.
    pub fn is_float(self) -> bool {
        matches!(self, Type::FLOAT4 | Type::FLOAT8)
    }

    /// Whether it is an object identifier that prints as a name.
    pub fn is_reg(self) -> bool {
        matches!(
            self,
            Type::REGCLASS
                | Type::REGTYPE
                | Type::REGPROC
                | Type::REGPROCEDURE
                | Type::REGNAMESPACE
                | Type::REGROLE
                | Type::REGDICTIONARY
                | Type::REGCOLLATION
        )
    }

    /// The SQLite collation by which its values compare; `None` for SQLite's own order of its representation.
    pub fn collation(self) -> Option<&'static str> {
        if let Some(kind) = range::kind(self) {
            return Some(kind.collation());
        }
        match self {
            Type::NUMERIC => Some("pg_numeric"),
            Type::INTERVAL => Some("pg_interval"),
            Type::JSONB => Some("pg_jsonb"),
            Type::BPCHAR => Some(order::PADDED),
            Type::CITEXT => Some("pg_citext"),
            Type::INET | Type::CIDR => Some("pg_inet"),
            Type::TIMETZ => Some("pg_timetz"),
            Type::VECTOR | Type::HALFVEC | Type::SPARSEVEC => Some("pg_vector"),
            Type::TSVECTOR => Some("pg_tsvector"),
            Type::HSTORE => Some("pg_hstore"),
            Type::RECORD => Some(order::ARRAY),
            _ => self.element().map(|element| order::of_arrays(element.collation())),
        }
    }

    /// Without a modifier.
    pub fn plain(self) -> Modified {
        Modified { base: self, modifier: -1 }
    }
}
