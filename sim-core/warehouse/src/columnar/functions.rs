//! The functions of the columnar dialect that are written with another name or form, by name and number of arguments.

/// A function's name in lower case, its number of arguments, and what it is written as.
type Form = (&'static str, usize, &'static str);

#[rustfmt::skip]
pub(super) static FORMS: &[Form] = &[
    ("tostring", 1, "cast({0} as string)"),
    ("tobool", 1, "cast({0} as bool)"),
    ("todatetime", 1, "cast({0} as timestamp)"),
    ("todatetime64", 2, "cast({0} as timestamp)"),
    ("todatetimeornull", 1, "safe_cast({0} as timestamp)"),
    ("todatetime64ornull", 2, "safe_cast({0} as timestamp)"),
    ("parsedatetimebesteffort", 1, "cast({0} as timestamp)"),
    ("parsedatetimebesteffortornull", 1, "safe_cast({0} as timestamp)"),
    ("parsedatetime64besteffort", 1, "cast({0} as timestamp)"),
    ("parsedatetime64besteffort", 2, "cast({0} as timestamp)"),
    ("parsedatetime64besteffortornull", 1, "safe_cast({0} as timestamp)"),
    ("todate", 1, "date({0})"),

    ("now", 0, "current_timestamp()"),
    ("now64", 0, "current_timestamp()"),
    ("now64", 1, "current_timestamp()"),
    ("today", 0, "timestamp_trunc(current_timestamp(), day)"),
    ("yesterday", 0, "timestamp_sub(timestamp_trunc(current_timestamp(), day), interval 1 day)"),
    ("tostartofsecond", 1, "timestamp_trunc({0}, second)"),
    ("tostartofminute", 1, "timestamp_trunc({0}, minute)"),
    ("tostartoffiveminutes", 1, "timestamp_seconds(div(unix_seconds({0}), 300) * 300)"),
    ("tostartoffiveminute", 1, "timestamp_seconds(div(unix_seconds({0}), 300) * 300)"),
    ("tostartoftenminutes", 1, "timestamp_seconds(div(unix_seconds({0}), 600) * 600)"),
    ("tostartoffifteenminutes", 1, "timestamp_seconds(div(unix_seconds({0}), 900) * 900)"),
    ("tostartofhour", 1, "timestamp_trunc({0}, hour)"),
    ("tostartofday", 1, "timestamp_trunc({0}, day)"),
    ("tostartofmonth", 1, "timestamp_trunc({0}, month)"),
    ("tostartofquarter", 1, "timestamp_trunc({0}, quarter)"),
    ("tostartofyear", 1, "timestamp_trunc({0}, year)"),
    ("tomonday", 1, "timestamp_trunc({0}, isoweek)"),
    ("tosecond", 1, "extract(second from {0})"),
    ("tominute", 1, "extract(minute from {0})"),
    ("tohour", 1, "extract(hour from {0})"),
    ("todayofmonth", 1, "extract(day from {0})"),
    ("todayofyear", 1, "extract(dayofyear from {0})"),
    ("todayofweek", 1, "(mod(extract(dayofweek from {0}) + 5, 7) + 1)"),
    ("tomonth", 1, "extract(month from {0})"),
    ("toyear", 1, "extract(year from {0})"),
    ("tounixtimestamp", 1, "unix_seconds({0})"),
    ("tounixtimestamp64milli", 1, "unix_millis({0})"),
    ("tounixtimestamp64micro", 1, "unix_micros({0})"),
    ("fromunixtimestamp", 1, "timestamp_seconds({0})"),
    ("fromunixtimestamp64milli", 1, "timestamp_millis({0})"),
    ("fromunixtimestamp64micro", 1, "timestamp_micros({0})"),

    ("lowerutf8", 1, "lower({0})"),
    ("upperutf8", 1, "upper({0})"),
    ("lengthutf8", 1, "length({0})"),
    ("empty", 1, "({0} = '')"),
    ("notempty", 1, "({0} <> '')"),
    ("position", 2, "strpos({0}, {1})"),
    ("locate", 2, "strpos({0}, {1})"),
    ("positioncaseinsensitive", 2, "strpos(lower({0}), lower({1}))"),
    ("startswith", 2, "starts_with({0}, {1})"),
    ("endswith", 2, "ends_with({0}, {1})"),
    ("match", 2, "regexp_contains({0}, {1})"),
    ("like", 2, "({0} like {1})"),
    ("notlike", 2, "({0} not like {1})"),
    ("ilike", 2, "(lower({0}) like lower({1}))"),
    ("notilike", 2, "(lower({0}) not like lower({1}))"),
    ("replaceall", 3, "replace({0}, {1}, {2})"),
    ("replaceregexpall", 3, "regexp_replace({0}, {1}, {2})"),
    ("extractall", 2, "regexp_extract_all({0}, {1})"),
    ("splitbychar", 2, "split({1}, {0})"),
    ("splitbystring", 2, "split({1}, {0})"),
    ("substring", 2, "substr({0}, {1})"),
    ("substring", 3, "substr({0}, {1}, {2})"),
    ("arraystringconcat", 1, "array_to_string({0}, '')"),
    ("arraystringconcat", 2, "array_to_string({0}, {1})"),

    ("if", 3, "if({0}, {1}, {2})"),
    ("isnull", 1, "({0} is null)"),
    ("isnotnull", 1, "({0} is not null)"),
    ("assumenotnull", 1, "{0}"),
    ("tonullable", 1, "{0}"),
    ("not", 1, "(not {0})"),
    ("equals", 2, "({0} = {1})"),
    ("notequals", 2, "({0} <> {1})"),
    ("less", 2, "({0} < {1})"),
    ("greater", 2, "({0} > {1})"),
    ("lessorequals", 2, "({0} <= {1})"),
    ("greaterorequals", 2, "({0} >= {1})"),
    ("plus", 2, "({0} + {1})"),
    ("minus", 2, "({0} - {1})"),
    ("multiply", 2, "({0} * {1})"),
    ("divide", 2, "({0} / {1})"),
    ("intdiv", 2, "div({0}, {1})"),
    ("modulo", 2, "mod({0}, {1})"),

    ("mapkeys", 1, "map_keys({0})"),
    ("mapvalues", 1, "map_values({0})"),
    ("mapcontains", 2, "({1} in unnest(map_keys({0})))"),
    ("has", 2, "({1} in unnest({0}))"),

    ("count", 0, "count(*)"),
    ("countif", 1, "countif({0})"),
    ("uniq", 1, "count(distinct {0})"),
    ("uniqexact", 1, "count(distinct {0})"),
    ("uniqcombined", 1, "count(distinct {0})"),
    ("uniqhll12", 1, "count(distinct {0})"),
    ("any", 1, "any_value({0})"),
    ("anylast", 1, "any_value({0})"),
    ("argmax", 2, "max_by({0}, {1})"),
    ("argmin", 2, "min_by({0}, {1})"),
    ("grouparray", 1, "array_agg({0} ignore nulls)"),
    ("groupuniqarray", 1, "array_agg(distinct {0} ignore nulls)"),
    ("median", 1, "percentile_of(array_agg(cast({0} as float64) ignore nulls), 0.5)"),
    ("stddevpop", 1, "stddev_pop({0})"),
    ("stddevsamp", 1, "stddev_samp({0})"),
    ("varpop", 1, "var_pop({0})"),
    ("varsamp", 1, "var_samp({0})"),
];

/// Functions that have the same name and meaning in the warehouse.
#[rustfmt::skip]
pub(super) const SAME: [&str; 37] = [
    "abs", "ascii", "avg", "ceil", "coalesce", "concat", "count", "dense_rank", "exp", "first_value", "floor", "greatest",
    "ifnull", "lag", "last_value", "lead", "least", "length", "ln", "log10", "lower", "ltrim", "max", "min", "mod", "nullif",
    "pow", "rank", "repeat", "reverse", "round", "row_number", "rtrim", "sqrt", "sum", "trim", "upper",
];

/// Aggregates that have a form with a condition: `sumIf(x, condition)`.
#[rustfmt::skip]
pub(super) const CONDITIONAL: [&str; 13] = [
    "any", "anylast", "avg", "grouparray", "groupuniqarray", "max", "median", "min", "quantile", "sum", "uniq", "uniqexact",
    "uniqcombined",
];

/// Functions that make a list.
pub(super) const LISTS: [&str; 7] =
    ["extractall", "grouparray", "groupuniqarray", "mapkeys", "mapvalues", "splitbychar", "splitbystring"];
