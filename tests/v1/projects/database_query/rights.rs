//! Roles, policies, privileges and read-only queries.

use http::Method;
use serde_json::json;
use sim_core::Role;
use sim_fixtures::{Call, scenario};

use super::{ACCOUNTS, BUCKETS, QUERY, TYPES, ask, fails, one_project, rows};
use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::{both, on_both_engines};

#[test]
fn policies_decide_what_a_role_sees_and_writes() {
    on_both_engines(one_project, |api| {
        rows(
            api,
            "create table note (id int primary key, owner uuid default auth.uid(), body text);
         alter table note enable row level security;
         create policy own on note for all to authenticated using (auth.uid() = owner);
         insert into note values (1, '00000000-0000-0000-0000-000000000001', 'a'), (2, null, 'b')",
        );
        let by = |user: u8, query: &str| {
            let claims =
                json!({ "sub": format!("00000000-0000-0000-0000-{user:012}"), "role": "authenticated" });
            format!("set local role authenticated; set local request.jwt.claims = '{claims}'; {query}")
        };
        assert_eq!(rows(api, &by(1, "select id from note")), json!([{ "id": 1 }]));
        assert_eq!(rows(api, &by(2, "insert into note (id) values (3) returning id")), json!([{ "id": 3 }]));
        assert_eq!(rows(api, &by(2, "update note set body = 'c' returning id")), json!([{ "id": 3 }]));
        let refusal =
            "ERROR:  42501: new row violates row-level security policy for table \"note\"\n".to_owned();
        fails(api, &by(2, "insert into note values (4, null, 'd')"), &refusal);
        assert_eq!(rows(api, "set role anon; select count(*) from note"), json!([{ "count": 0 }]));
        // Each call is a session of its own.
        assert_eq!(
            rows(api, "select count(*), current_user from note"),
            json!([{ "count": 3, "current_user": "postgres" }])
        );
    });
}

#[test]
fn privileges_are_granted_and_taken() {
    on_both_engines(one_project, |api| {
        rows(api, "create table item (id int, name text); insert into item values (1, 'a')");
        let told =
        "select has_table_privilege('anon', 'item', 'select') as may, relacl::text like '%anon=%' as shown
                from pg_class where relname = 'item'";
        assert_eq!(rows(api, told), json!([{ "may": true, "shown": true }]));
        rows(api, "revoke all on item from anon");
        assert_eq!(rows(api, told), json!([{ "may": false, "shown": false }]));
        let read = "set role anon; select id from item";
        fails(api, read, "ERROR:  42501: permission denied for table item\n");
        rows(api, "grant select (id) on item to anon");
        assert_eq!(rows(api, read), json!([{ "id": 1 }]));
        fails(
            api,
            "set role anon; select name from item",
            "ERROR:  42501: permission denied for table item\n",
        );
    });
}

#[test]
fn read_only_mode_refuses_writes_until_it_ends() {
    on_both_engines(one_project, |api| {
        rows(api, ACCOUNTS);
        api.control(Method::PUT, "/_sim/projects/{ref}/read-only", json!({ "enabled": true }));
        let insert = "insert into account (name) values ('ann')";
        for (statement, verb) in [
            (insert, "INSERT"),
            ("create table other (id int)", "CREATE TABLE"),
            ("delete from account", "DELETE"),
        ] {
            let text = format!(
                "Failed to run sql query: ERROR:  25006: cannot execute {verb} in a read-only transaction\n"
            );
            refused(&ask(api, statement), 400, "read_only", &text);
        }
        assert_eq!(rows(api, "select * from account"), json!([]));
        api.post("/v1/projects/{ref}/readonly/temporary-disable", json!({}));
        assert_eq!(rows(api, insert), json!([]));
        api.after(15 * 60);
        assert_eq!(ask(api, insert).reason(), "read_only");
    });
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::post(QUERY).json(json!({ "query": "select 1" })), Role::Developer),
        (Call::get(TYPES), Role::ReadOnly),
        (Call::get(BUCKETS), Role::ReadOnly),
    ]);
}

#[test]
fn a_read_only_query_may_not_write() {
    on_both_engines(scenario::active_project, |api| {
        let write = "create table made (id int)";
        let calls = [
            (QUERY, json!({ "query": write, "read_only": true })),
            ("/v1/projects/{ref}/database/query/read-only", json!({ "query": write })),
        ];
        for (path, body) in calls {
            let reply = api.post(path, body);
            assert_eq!((reply.status, reply.reason()), (400, "read_only_query"), "{reply}");
            let text = "ERROR:  25006: cannot execute CREATE TABLE in a read-only transaction";
            assert!(reply.to_string().contains(text), "{reply}");
        }
        let body = json!({ "query": "select $1::int as one", "parameters": [1] });
        let by_reader = Call::post("/v1/projects/{ref}/database/query/read-only").json(body);
        assert_eq!(api.send(by_reader.token("token-of-reader")).to_string(), r#"201 [{"one":1}]"#);
    });
}

#[test]
fn a_projects_role_is_not_a_superuser() {
    both(one_project, |api| {
        for (query, message) in [
            (
                "drop schema pg_catalog cascade",
                "2BP01: cannot drop schema pg_catalog because it is required by the database system",
            ),
            ("drop schema information_schema", "42501: must be owner of schema information_schema"),
            ("drop role postgres", "55006: current user cannot be dropped"),
            ("create extension dblink", "42501: permission denied to create extension \"dblink\""),
            (
                "create function f() returns int leakproof language sql as 'select 1'",
                "42501: only superuser can define a leakproof function",
            ),
            (
                "create function f() returns int language c as 'a', 'b'",
                "42501: permission denied for language c",
            ),
            ("load 'a'", "58P01: could not access file \"$libdir/plugins/a\": No such file or directory"),
        ] {
            let reply = ask(api, query);
            let expected = format!("Failed to run sql query: ERROR:  {message}\n");
            assert!(
                reply.json()["message"].as_str().is_some_and(|text| text.starts_with(&expected)),
                "{reply}"
            );
        }
        let locked = json!({ "query": "select * from storage.buckets for update" });
        let reply = api.post("/v1/projects/{ref}/database/query/read-only", locked);
        assert_eq!((reply.status, reply.reason()), (400, "read_only_query"), "{reply}");
    });
}
