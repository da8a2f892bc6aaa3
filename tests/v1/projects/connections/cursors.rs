//! Cursors in and between transactions.

use serde_json::{Value, json};

use super::{one_project, open, outcome, run, value};
use crate::support::both;

#[test]
fn cursors_last_until_the_end_of_their_transaction() {
    both(one_project, |api| {
        let (one, two) = (open(api), open(api));
        run(api, one, "create table t as select generate_series(1, 9) as n");
        for (query, expected) in [
            ("declare c cursor for select n from t", "25P01, I"),
            ("declare c cursor for select n from t; fetch 2 c", "DECLARE CURSOR, FETCH 2, I"),
            ("fetch c", "34000, I"),
            ("begin; declare c cursor for select n from t order by n", "BEGIN, DECLARE CURSOR, T"),
            ("savepoint s", "SAVEPOINT, T"),
            ("declare d cursor with hold for select n from t order by n", "DECLARE CURSOR, T"),
            ("move 3 c", "MOVE 3, T"),
            ("fetch c; fetch nosuch", "FETCH 1, 34000, E"),
            ("rollback to s", "ROLLBACK, T"),
            ("fetch d", "34000, E"),
            ("rollback to s", "ROLLBACK, T"),
            ("fetch all c", "FETCH 5, T"),
            ("declare h cursor with hold for select n from t order by n", "DECLARE CURSOR, T"),
            ("commit", "COMMIT, I"),
            ("fetch c", "34000, I"),
            ("fetch 2 h", "FETCH 2, I"),
            ("begin", "BEGIN, T"),
            ("fetch 2 h", "FETCH 2, T"),
            ("rollback", "ROLLBACK, I"),
            ("fetch all h", "FETCH 5, I"),
            ("begin; close h", "BEGIN, CLOSE CURSOR, T"),
            ("rollback", "ROLLBACK, I"),
            ("fetch h", "34000, I"),
            (
                "declare h cursor with hold for select 1; declare i cursor with hold for select 2",
                "DECLARE CURSOR, DECLARE CURSOR, I",
            ),
            ("close all", "CLOSE CURSOR ALL, I"),
            ("declare h cursor with hold for select 1", "DECLARE CURSOR, I"),
            ("discard all", "DISCARD ALL, I"),
            ("select * from pg_cursors", "SELECT 0, I"),
        ] {
            assert_eq!(outcome(api, one, query), expected, "{query}");
        }
        run(api, one, "declare h cursor with hold for select 1");
        assert_eq!(value(api, two, "select count(*) from pg_cursors"), "0");
        assert_eq!(value(api, one, "select name from pg_cursors"), "h");
    });
}

#[test]
fn rows_of_cursors_stay_between_the_calls_of_a_connection() {
    both(one_project, |api| {
        let one = open(api);
        run(
            api,
            one,
            "create table t as select n, n / 4.0::float8 as f, decode(lpad(to_hex(n), 4, '0'), 'hex') as b
                 from generate_series(1, 1000) n;
             create function rest(c refcursor) returns bigint language plpgsql as $$
                 declare r record; s bigint := 0;
                 begin loop fetch c into r; exit when not found; s := s + r.n; end loop; return s; end $$;
             create function opened() returns refcursor language plpgsql as $$
                 declare c refcursor; begin open c for select n from t order by n; return c; end $$",
        );
        run(
            api,
            one,
            "begin; declare c scroll cursor for select n, f, b, null from t order by n; delete from t where n > 500",
        );
        for (query, expected) in [
            ("fetch 1 c", json!([["1", "0.25", "\\x0001", null]])),
            ("move 255 c", Value::Null),
            ("fetch 2 c", json!([["257", "64.25", "\\x0101", null], ["258", "64.5", "\\x0102", null]])),
            ("fetch prior c", json!([["257", "64.25", "\\x0101", null]])),
            ("fetch relative -1 c", json!([["256", "64", "\\x0100", null]])),
            ("fetch last c", json!([["1000", "250", "\\x03e8", null]])),
            ("move absolute 990 c", Value::Null),
            ("select rest('c')", json!([["9955"]])),
            ("fetch c", Value::Null),
        ] {
            assert_eq!(run(api, one, query)["results"][0]["rows"], expected, "{query}");
        }
        assert_eq!(
            run(api, one, "fetch backward all c")["results"][0]["rows"].as_array().map(Vec::len),
            Some(1000)
        );
        let name = value(api, one, "select opened()");
        assert_eq!(name, "<unnamed portal 1>");
        assert_eq!(value(api, one, "fetch absolute 300 from \"<unnamed portal 1>\""), "300");
    });
}

#[test]
fn a_row_that_a_cursor_stands_on_changes_though_others_have_written() {
    both(one_project, |api| {
        let (one, two) = (open(api), open(api));
        run(
            api,
            one,
            "create table t (n int primary key, who text); insert into t select generate_series(1, 5)",
        );
        run(api, one, "begin; declare c cursor for select n from t order by n for update");
        run(api, one, "move 2 c");
        assert_eq!(outcome(api, one, "update t set who = 'one' where current of c"), "UPDATE 1, T");
        run(api, one, "move 1 c");
        assert_eq!(outcome(api, one, "delete from t where current of c"), "DELETE 1, T");
        run(api, one, "close c");
        run(api, two, "insert into t values (6, 'two')");
        assert_eq!(outcome(api, one, "commit"), "COMMIT, I");
        let all = "select string_agg(n || coalesce(who, ''), ',' order by n) from t";
        assert_eq!(value(api, two, all), "1,2one,4,5,6two");
    });
}
