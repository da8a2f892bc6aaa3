use super::*;

/// The bytes of hex digits, as PostgreSQL 15 sends them.
fn sent(hex: &str) -> Vec<u8> {
    unhex(hex).expect("hex digits")
}

#[test]
fn a_value_goes_to_its_binary_form_and_back() {
    for (oid, shown) in [
        (16, "t"),
        (17, "\\x00ff"),
        (20, "-9223372036854775808"),
        (23, "7"),
        (700, "1.5"),
        (1082, "2024-02-29"),
        (1082, "0044-03-15 BC"),
        (1083, "23:59:59.000001"),
        (1114, "1999-12-31 23:59:59"),
        (1184, "2024-05-05 12:00:00.25+00"),
        (1700, "0"),
        (1700, "-12345.6700"),
        (1700, "0.00012"),
        (1700, "100000000"),
        (1700, "NaN"),
        (2950, "00000000-0000-4000-8000-000000000001"),
        (3802, "{\"a\": 1}"),
        (25, "žluť"),
        (18, "x"),
        (600, "(1,2.5)"),
        (869, "::1"),
        (869, "10.0.0.1/8"),
        (650, "10.0.0.0/8"),
        (1562, "1010101011"),
        (3904, "empty"),
        (3906, "[\"1.5\",)"),
        (1266, "12:00:00.5-05:30:00"),
    ] {
        let bytes = bytes(oid, shown).unwrap_or_else(|| panic!("{shown} has a binary form"));
        let back = text(oid, &bytes, 1).unwrap_or_default();
        assert_eq!(back, shown, "{oid}");
    }
    assert_eq!(bytes(23, "7").as_deref(), Some(&[0, 0, 0, 7][..]));
    assert_eq!(bytes(1082, "2000-01-02").as_deref(), Some(&[0, 0, 0, 1][..]));
    assert_eq!(bytes(1186, "1 year 2 mons -3 days 04:05:06").map(|bytes| bytes[8..].to_vec()), {
        Some([(-3_i32).to_be_bytes(), 14_i32.to_be_bytes()].concat())
    });
}

#[test]
fn an_array_goes_to_its_binary_form_and_back() {
    let bytes = bytes(1009, "{a,NULL,\"b,\\\"c\"}").expect("it is an array of texts");
    assert_eq!(text(1009, &bytes, 1).as_deref(), Ok("{\"a\",NULL,\"b,\\\"c\"}"));
    assert_eq!(text(1007, &self::bytes(1007, "{}").expect("an array"), 1).as_deref(), Ok("{}"));
}

#[test]
fn results_have_the_bytes_that_postgresql_sends() {
    for (oid, shown, hex) in [
        (1184, "2026-01-01 01:00:07.5+01", "0002ea470b5ad0e0"),
        (1184, "2025-12-31 19:00:07.5-05", "0002ea470b5ad0e0"),
        (1184, "2026-01-01 05:30:07.5+05:30", "0002ea470b5ad0e0"),
        (
            1007,
            "{{1,2},{3,4}}",
            "0000000200000000000000170000000200000001000000020000000100000004000000010000000400000002000000040000000300000004\
00000004",
        ),
        (
            1007,
            "[5:6]={1,2}",
            "0000000100000000000000170000000200000005000000040000000100000004000000\
02",
        ),
        (
            1009,
            "{{{a,NULL}},{{\"b,c\",d}}}",
            "000000030000000100000019000000020000000100000001000000010000000200000001\
0000000161ffffffff00000003622c630000000164",
        ),
        (3904, "[1,5)", "0200000004000000010000000400000005"),
        (3906, "[1.5,)", "120000000c000200000000000100011388"),
        (
            3910,
            "[\"2025-12-31 22:00:00+00\",\"2026-01-02 00:00:00+00\")",
            "02000000080002ea455dc11800000000080002ea5b28bfc000",
        ),
        (3926, "(,)", "18"),
        (869, "1.2.3.4/8", "0208000401020304"),
        (650, "1.2.0.0/16", "0210010401020000"),
        (1560, "101", "00000003a0"),
        (1562, "1010101011", "0000000aaac0"),
        (1266, "12:00:00+02", "0000000a0eebb000ffffe3e0"),
        (1266, "12:00:00.5-05:30", "0000000a0ef3512000004d58"),
        (600, "(1,2.5)", "3ff00000000000004004000000000000"),
        (18, "", "00"),
        (1186, "-1 days -00:00:01.5", "ffffffffffe91ca0ffffffff00000000"),
        (1270, "{12:00:00+02}", "0000000100000000000004f200000001000000010000000c0000000a0eebb000ffffe3e0"),
    ] {
        assert_eq!(bytes(oid, shown), Some(sent(&hex.replace('\n', ""))), "{oid} {shown}");
    }
    assert_eq!(bytes(1184, "01/01/2026 01:00:07.5 CET"), None);
}

/// Arrays of integers: number of dimensions, flags, type, then lengths, first indexes and values.
fn array(words: &[i32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// A number: how many groups, weight, sign, scale, groups.
fn number(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

#[test]
fn parameters_are_read_as_postgresql_reads_them() {
    for (oid, bytes, shown) in [
        (1700, number(&[3, 0, 0, 2, 5, 1234, 5678]), "5.12"),
        (1700, number(&[1, 0, 0xC000, 2, 5]), "NaN"),
        (1700, number(&[1, 0xFFFF, 0, 4, 5]), "0.0005"),
        (16, vec![7], "t"),
        (1083, 86_400_000_000_i64.to_be_bytes().to_vec(), "24:00:00"),
        (1007, array(&[1, 0, 23, 2, 5, 4, 1, 4, 2]), "[5:6]={\"1\",\"2\"}"),
        (1007, array(&[2, 0, 23, 1, 1, 2, 1, 4, 1, 4, 2]), "{{\"1\",\"2\"}}"),
        (1007, array(&[1, 0, 23, 0, 1]), "{}"),
        (1007, array(&[1, 0, 23, 1, 1, -1]), "{NULL}"),
        (
            1186,
            [&(-1_500_000_i64).to_be_bytes()[..], &array(&[-3, 14])].concat(),
            "+14 mons -3 days -00:00:01.5",
        ),
        (3904, vec![0xFF], "empty"),
        (3904, vec![0x18], "(,)"),
        (1562, sent("00000003ff"), "111"),
    ] {
        assert_eq!(text(oid, &bytes, 1).as_deref(), Ok(shown), "{oid} {bytes:?}");
    }
}

#[test]
fn parameters_that_are_none_are_refused_in_the_words_of_postgresql() {
    const FORMAT: (&str, &str) = ("22P03", "incorrect binary data format in bind parameter 3");
    const SHORT: (&str, &str) = ("08P01", "insufficient data left in message");
    const EMPTY: (&str, &str) = ("08P01", "no data left in message");
    const MANY: (&str, &str) = ("54000", "array size exceeds the maximum allowed (134217727)");
    for (oid, bytes, (code, message)) in [
        (1700, number(&[1, 0, 0, 4, 7, 8]), FORMAT),
        (1700, number(&[5, 4, 0, 0, 5]), SHORT),
        (1700, number(&[60_000, 0, 0, 0, 5]), SHORT),
        (1700, vec![0], SHORT),
        (1700, number(&[1, 0, 0, 0, 65_535]), ("22P03", "invalid digit in external \"numeric\" value")),
        (1700, number(&[1, 0, 0x1234, 0, 5]), ("22P03", "invalid sign in external \"numeric\" value")),
        (1700, number(&[1, 0, 0, 0x4001, 5]), ("22P03", "invalid scale in external \"numeric\" value")),
        (1186, vec![0; 17], FORMAT),
        (1186, vec![0; 5], SHORT),
        (2950, vec![1; 20], FORMAT),
        (2950, vec![1; 2], SHORT),
        (16, vec![0, 1], FORMAT),
        (16, vec![], EMPTY),
        (18, vec![], EMPTY),
        (18, vec![97, 98], FORMAT),
        (23, vec![0; 3], SHORT),
        (23, vec![0; 5], FORMAT),
        (1082, array(&[2_147_483_646]), ("22008", "date out of range")),
        (1083, (-1_i64).to_be_bytes().to_vec(), ("22008", "time out of range")),
        (1114, (i64::MAX - 1).to_be_bytes().to_vec(), ("22008", "timestamp out of range")),
        (3802, vec![], SHORT),
        (1007, array(&[1, 0, 23, 1, 1, 4, 1, 4, 2]), FORMAT),
        (
            1007,
            array(&[1, 0, 25, 1, 1, 4, 1]),
            ("42804", "binary data has array element type 25 (text) instead of expected 23 (integer)"),
        ),
        (1007, array(&[1, 0, 23, 1, 1, -7]), ("22P03", "insufficient data left in message")),
        (1007, array(&[1, 0, 23, 3, 1, 4, 1]), SHORT),
        (1007, array(&[1, 0, 23, -1, 1]), MANY),
        (1007, array(&[1, 0, 23, i32::MAX, 1]), MANY),
        (
            1007,
            array(&[1, 0, 23, 2, i32::MAX, 4, 1, 4, 2]),
            ("54000", "array lower bound is too large: 2147483647"),
        ),
        (1007, array(&[1, 9, 23, 1, 1, 4, 1]), ("22P03", "invalid array flags")),
        (1007, array(&[-1, 0, 23]), ("22P03", "invalid number of dimensions: -1")),
        (
            1007,
            array(&[7, 0, 23]),
            ("54000", "number of array dimensions (7) exceeds the maximum allowed (6)"),
        ),
        (1007, sent("000000010000000000000017000000010000000100000003616263"), SHORT),
        (
            1007,
            sent("0000000100000000000000170000000100000001000000056162636465"),
            ("22P03", "improper binary format in array element 1"),
        ),
        (1266, sent("0000000a0eebb00000015f90"), ("22009", "time zone displacement out of range")),
        (869, sent("0908000401020304"), ("22P03", "invalid address family in external \"inet\" value")),
        (869, sent("0263000401020304"), ("22P03", "invalid bits in external \"inet\" value")),
        (869, sent("02080003010203"), ("22P03", "invalid length in external \"inet\" value")),
        (650, sent("0208010401020304"), ("22P03", "invalid external \"cidr\" value")),
        (1562, sent("00000009a0"), SHORT),
        (1562, sent("ffffffff"), ("22P03", "invalid length in external bit string")),
        (3904, sent("0161"), ("08P01", "invalid message format")),
        (3904, sent("02ffffffff0000000400000001"), SHORT),
        (25, vec![0xFF], ("22021", "invalid byte sequence for encoding \"UTF8\"")),
    ] {
        let wrong = Wrong::new(code, message);
        assert_eq!(text(oid, &bytes, 3), Err(wrong), "{oid} {bytes:?}");
    }
}
