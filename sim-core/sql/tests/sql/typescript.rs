//! The TypeScript types of three schemas. `.ci/typescript` compiles them together with a program that uses them.

use std::env;
use std::fs;

use super::answer::Answer;
use super::corpus::directory;
use super::embedded::Database;

const SCHEMAS: [(&str, &[&str]); 3] =
    [("shop", &["public"]), ("chat", &["public", "private"]), ("saas", &["public", "no_such_schema"])];

#[test]
fn typescript_types_are_those_of_the_schema() {
    for (name, included) in SCHEMAS {
        let path = directory().join("typescript").join(name);
        let mut database = Database::fresh();
        if let Answer::Refusal(refusal) =
            database.run(&fs::read_to_string(path.with_extension("sql")).unwrap())
        {
            panic!("{name}: {refusal}");
        }
        let types = database.typescript(included);
        if env::var("CORPUS_BLESS").is_ok() {
            fs::write(path.with_extension("ts"), &types).unwrap();
        }
        assert_eq!(types, fs::read_to_string(path.with_extension("ts")).unwrap(), "{name}");
    }
}

#[test]
fn an_empty_schema_has_placeholders() {
    let types = Database::fresh().typescript(&["public"]);
    assert_eq!(types.matches("[_ in never]: never").count(), 5, "{types}");
}
