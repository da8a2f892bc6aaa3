//! What can be no program.

use sim_management::function_syntax::problem;

#[test]
fn what_can_be_no_program_is_found_with_its_line() {
    for (source, text, line) in [
        ("export const = ;;; {{{", "Expected a name, got '='", 1),
        ("a();\nfunction f() {", "Expected '}', got end of file", 2),
        ("a(]", "Unexpected ']'", 1),
        ("}", "Unexpected '}'", 1),
        ("const a = 'b;\n", "Unterminated string constant", 1),
        ("const a = `b\n${c}", "Unterminated template", 2),
        ("a;\n/* b", "Unterminated block comment", 2),
        ("let;", "Expected a name, got ';'", 1),
        ("a(`${b(}`)", "Unexpected '}'", 1),
    ] {
        assert_eq!(problem(source), Some((text.to_owned(), line)), "{source}");
    }
}

#[test]
fn programs_pass() {
    for source in [
        "",
        "x",
        "#!/usr/bin/env -S deno\nimport { a } from './a.ts';\nexport default (b: Map<string, a>) => `c ${b.get(`d ${1}`)} e`;",
        "const a = /[/'\"]\\//g.test(b) ? c / d / e : i++ / 2; // it's\n",
        "let { a, b: [c] } = d; for (const e of f) { g.const = 1; if (e) return /'/; }",
        "type A = { [key: string]: B<C>[] }; const h = a as unknown as A; const j = \"it's\" + 'a \\' b';",
        "class A { #b = 1; @c() d() { return this.#b } }\nconst k = 'a\\\nb';",
        "const großes = 'ü'; const l = `\\` \\${`;",
    ] {
        assert_eq!(problem(source), None, "{source}");
    }
}

#[test]
fn where_it_is_not_sure_what_a_slash_means_nothing_is_said() {
    assert_eq!(problem("if (a) /'/.test(b)"), None);
    assert_eq!(problem("a = b\n  / '"), Some(("Unterminated string constant".to_owned(), 2)));
}
