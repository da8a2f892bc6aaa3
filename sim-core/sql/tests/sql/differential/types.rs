//! The types of generated columns and expressions, with literals that are often equal.

use super::tape::Tape;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Int,
    Text,
    Bool,
    Num,
    Big,
    Float,
    Date,
    Stamp,
    Instant,
    Span,
    Json,
    Ints,
    Texts,
    Mood,
    Uuid,
    Range,
    Days,
    Bytes,
    Time,
    Pair,
}

pub(super) const ALL: &[Ty] = &[
    Ty::Int,
    Ty::Text,
    Ty::Bool,
    Ty::Num,
    Ty::Big,
    Ty::Float,
    Ty::Date,
    Ty::Stamp,
    Ty::Instant,
    Ty::Span,
    Ty::Json,
    Ty::Ints,
    Ty::Texts,
    Ty::Mood,
    Ty::Uuid,
    Ty::Range,
    Ty::Days,
    Ty::Bytes,
    Ty::Time,
    Ty::Pair,
];

impl Ty {
    /// Its name in a column definition.
    pub(super) fn column(self, tape: &mut Tape<'_>) -> &'static str {
        match self {
            Ty::Int => tape.word(&["int", "smallint", "integer", "whole"]),
            Ty::Text => tape.word(&["text", "varchar(20)", "varchar", "char(6)", "brief"]),
            Ty::Num => tape.word(&["numeric", "numeric(8,2)", "numeric(10)"]),
            Ty::Float => tape.word(&["float8", "double precision", "real"]),
            other => other.name(),
        }
    }

    /// Its name in a cast.
    pub(super) fn name(self) -> &'static str {
        match self {
            Ty::Int => "int",
            Ty::Text => "text",
            Ty::Bool => "boolean",
            Ty::Num => "numeric",
            Ty::Big => "bigint",
            Ty::Float => "float8",
            Ty::Date => "date",
            Ty::Stamp => "timestamp",
            Ty::Instant => "timestamptz",
            Ty::Span => "interval",
            Ty::Json => "jsonb",
            Ty::Ints => "int[]",
            Ty::Texts => "text[]",
            Ty::Mood => "mood",
            Ty::Uuid => "uuid",
            Ty::Range => "int4range",
            Ty::Days => "daterange",
            Ty::Bytes => "bytea",
            Ty::Time => "time",
            Ty::Pair => "pair",
        }
    }

    /// A value in a row of `VALUES`.
    pub(super) fn value(self, tape: &mut Tape<'_>) -> String {
        let quoted = |tape: &mut Tape<'_>, texts: &[&'static str]| format!("'{}'", tape.word(texts));
        match self {
            Ty::Int => tape.word(&["0", "1", "2", "3", "-1", "5", "10", "42", "100"]).to_owned(),
            Ty::Big => tape.word(&["0", "1", "2", "-7", "5000000000", "42", "9007199254740993"]).to_owned(),
            Ty::Num => tape.word(&["0", "1.50", "-2.25", "10", "3.1415", "100.00", "0.1"]).to_owned(),
            Ty::Float => tape.word(&["0", "0.5", "-1.25", "2", "100.75", "3.5"]).to_owned(),
            Ty::Bool => tape.word(&["true", "false"]).to_owned(),
            Ty::Text => quoted(
                tape,
                &["a", "b", "abc", "Hello World", "", " pad ", "ÄÖ", "x_y%", "42", "it''s", "zeta b"],
            ),
            Ty::Date => quoted(tape, &["2024-02-29", "2024-01-01", "1999-12-31", "2023-06-15"]),
            Ty::Stamp => quoted(
                tape,
                &[
                    "2024-02-29 12:30:00",
                    "2024-01-01 00:00:00",
                    "1999-12-31 23:59:59.5",
                    "2023-06-15 08:09:10.123456",
                ],
            ),
            Ty::Instant => quoted(
                tape,
                &[
                    "2024-02-29 12:30:00+00",
                    "2024-01-01 00:00:00+02",
                    "1999-12-31 23:59:59.5Z",
                    "2023-06-15T08:09:10-05:30",
                ],
            ),
            Ty::Span => quoted(
                tape,
                &[
                    "1 day",
                    "2 hours 30 minutes",
                    "1 mon",
                    "-3 days",
                    "1 year 2 mons",
                    "00:00:01.5",
                    "36 hours",
                    "P1DT2H",
                ],
            ),
            Ty::Json => quoted(
                tape,
                &[
                    "{}",
                    "{\"a\": 1}",
                    "{\"a\": {\"b\": [1, 2]}, \"k\": \"v\"}",
                    "[1, 2, 3]",
                    "null",
                    "\"s\"",
                    "12.50",
                    "{\"k\": null, \"n\": 2}",
                    "true",
                    "[{\"k\": \"a\"}, {\"k\": \"b\"}]",
                ],
            ),
            Ty::Ints => quoted(tape, &["{}", "{1,2,3}", "{2,NULL,5}", "{42}"]),
            Ty::Texts => quoted(tape, &["{}", "{a,b}", "{\"x y\",NULL,\"q\\\"r\"}", "{abc}"]),
            Ty::Mood => quoted(tape, &["sad", "ok", "happy"]),
            Ty::Uuid => quoted(
                tape,
                &["11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-22222222222a"],
            ),
            Ty::Range => quoted(tape, &["[1,5)", "empty", "[3,)", "(,2]", "[0,0]", "(1,42)"]),
            Ty::Days => quoted(
                tape,
                &[
                    "[2024-01-01,2024-03-01)",
                    "empty",
                    "[2023-06-15,)",
                    "(,1999-12-31]",
                    "[2024-02-29,2024-02-29]",
                ],
            ),
            Ty::Bytes => quoted(tape, &["\\x", "\\x61", "\\x00ff10", "abc", "a\\\\b\\001"]),
            Ty::Time => quoted(tape, &["00:00", "10:30:00", "23:59:59.5", "08:09:10.123456", "12:30 PM"]),
            Ty::Pair => quoted(tape, &["(1,a)", "(,)", "(2,\"x y\")", "(-1,\"\")", "(42,)"]),
        }
    }

    /// A value in an expression, of this type in any context.
    pub(super) fn literal(self, tape: &mut Tape<'_>) -> String {
        match self {
            Ty::Int | Ty::Bool => self.value(tape),
            Ty::Text if tape.once_in(3) => self.value(tape),
            Ty::Big | Ty::Num | Ty::Float => format!("({})::{}", self.value(tape), self.name()),
            _ => format!("{}::{}", self.value(tape), self.name()),
        }
    }
}
