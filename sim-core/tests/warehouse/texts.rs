//! Texts of queries in themselves: their parameters, and how deep and long they may be.

use sim_core::sql::warehouse::{Dialect, Relation, Request, Resolver, Target, parameters, translate};

#[test]
fn parameters_are_listed_once_in_the_order_of_their_use() {
    let text = "select @b as x, '@text' as y, `@name` as z from t where a = @a or @b = '' -- @comment";
    assert_eq!(parameters(text, Dialect::Warehouse), Ok(vec!["b".to_owned(), "a".to_owned()]));
    let refused = parameters("drop table t", Dialect::Warehouse).map_err(|refusal| refusal.message);
    assert_eq!(refused, Err("Only SELECT queries allowed".to_owned()));
}

#[test]
fn deep_and_long_texts_are_refused_or_read_but_never_exhaust_the_stack() {
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("abs(", "1", ")"),
        ("case when true then ", "1", " end"),
        ("(select ", "1", ")"),
        ("[", "1", "]"),
        ("not ", "true", ""),
        ("- ", "1", ""),
        ("", "1", " + 1"),
        ("", "true", " or true"),
        ("if(true, ", "1", ", 2)"),
        ("(select x from (select ", "1", " as x))"),
    ] {
        for depth in [10, 40, 200, 5_000] {
            let text = format!("select {}{inner}{}", open.repeat(depth), close.repeat(depth));
            let request = Request {
                text: &text,
                dialect: Dialect::Warehouse,
                consumer: None,
                target: Target::Sqlite,
                max_rows: None,
            };
            let done = translate(&request, &Nothing);
            assert!(depth > 10 || done.is_ok(), "{open}{inner}{close}: {done:?}");
        }
    }
}

fn refused(text: &str, dialect: Dialect) -> Option<String> {
    let target = Target::Sqlite;
    let request = Request { text, dialect, consumer: None, target, max_rows: None };
    translate(&request, &Nothing).err().map(|refusal| refusal.message)
}

#[test]
fn what_is_nested_too_deep_has_one_reason_in_every_dialect() {
    let too_deep = Some("a query nested as deep as this one is not supported".to_owned());
    for dialect in [Dialect::Warehouse, Dialect::Postgres, Dialect::Columnar] {
        for (open, inner, close) in [
            ("(", "1", ")"),
            ("abs(", "1", ")"),
            ("coalesce(", "1", ")"),
            ("case when true then ", "1", " end"),
            ("case when false then 2 else ", "1", " end"),
            ("case 1 when 1 then ", "1", " end"),
            ("(select ", "1", ")"),
            ("exists(select ", "1", ")"),
            ("[", "1", "]"),
            ("not ", "true", ""),
            ("- ", "1", ""),
            ("-(", "1", ")"),
            ("cast(", "1", " as int)"),
            ("", "1", " + 1"),
            ("", "1", " * 1"),
            ("", "'a'", " || 'a'"),
            ("", "1", " is null"),
            ("(true or (true and ", "true", "))"),
            ("(select x from (select ", "1", " as x))"),
        ] {
            for depth in [70, 300, 900] {
                let text = format!("select {}{inner}{} as x", open.repeat(depth), close.repeat(depth));
                let said = refused(&text, dialect);
                let is_chain = said.as_deref().is_some_and(|said| said.ends_with("too long a chain"));
                assert!(said == too_deep || (is_chain && depth > 70), "{dialect:?} {text:.40}: {said:?}");
            }
        }
    }
}

#[test]
fn arguments_that_are_written_twice_do_not_double_without_end() {
    let text = format!("select {}1{} as x", "toJSONString((".repeat(22), ", 2))".repeat(22));
    let said = refused(&text, Dialect::Columnar);
    assert_eq!(said.as_deref(), Some("a query that repeats itself so often is not supported"));
}

#[test]
fn long_chains_in_brackets_count_together() {
    for dialect in [Dialect::Warehouse, Dialect::Postgres, Dialect::Columnar] {
        let chain = " + 1".repeat(900);
        let text = format!("select {}1{chain}{} as x", "(".repeat(30), format!("){chain}").repeat(30));
        let said = refused(&text, dialect).unwrap_or_default();
        assert!(said.ends_with("too long a chain"), "{dialect:?}: {said}");
        let terms = "(a = 1 or b = 2)".to_owned() + &" and (a = 1 or b = 2)".repeat(150);
        let text = format!("select 1 as n from (select 1 as a, 2 as b) as t where {terms}");
        assert_eq!(refused(&text, dialect), None, "{dialect:?}");
    }
}

struct Nothing;

impl Resolver for Nothing {
    fn relation(&self, _: &str) -> Option<Relation> {
        None
    }
}
