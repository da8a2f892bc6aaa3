//! `/v1/branches/{branch_id}/diff`.

use http::Method;
use serde_json::{Value, json};
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{Steps as _, refused};
use crate::support::on_both_engines;

use super::projects::branches::{at, dev, own_ref};

/// Runs SQL in a project's database.
fn run(api: &mut dyn Api, project: &str, sql: &str) {
    let reply = api.post(&format!("/v1/projects/{project}/database/query"), json!({ "query": sql }));
    assert_eq!(reply.status, 201, "{sql}: {reply}");
}

fn diff(api: &mut dyn Api, branch: &Value) -> String {
    let reply = api.get(&format!("{}/diff", at(branch)));
    let content_type = if reply.body.is_empty() { "" } else { "text/plain; charset=utf-8" };
    assert_eq!((reply.status, reply.header("content-type")), (200, content_type), "{reply}");
    String::from_utf8(reply.body.to_vec()).expect("it is a text")
}

/// A branch that is up.
fn branch(api: &mut dyn Api) -> Value {
    let branch = dev(api);
    api.after(60);
    branch
}

#[test]
fn a_branch_like_its_parent_differs_in_nothing() {
    on_both_engines(scenario::active_project, |api| {
        let branch = branch(api);
        assert_eq!(diff(api, &branch), "");
        let sql = "create table note (id int primary key)";
        run(api, &own_ref(&branch), sql);
        let parent = api.project();
        run(api, &parent, sql);
        assert_eq!(diff(api, &branch), "");
    });
}

#[test]
fn the_diff_creates_objects_that_only_the_branch_has() {
    on_both_engines(scenario::active_project, |api| {
        let branch = branch(api);
        let sql = "create table note (id int primary key, body text not null default 'x')";
        run(api, &own_ref(&branch), sql);
        let expected = "create table public.note (\n    id integer not null,\n    body text default 'x'::text not null\n);\n\n\
                        alter table public.note add constraint note_pkey PRIMARY KEY (id);\n\n";
        assert_eq!(diff(api, &branch), expected);
    });
}

/// Schema changes; each lists the state before and after, both in SQL.
const CHANGES: [(&str, &str); 12] = [
    ("create table a (id int)", "drop table a"),
    ("create table a (id int, b text default 'x')", "alter table a drop column b"),
    ("create table a (id int)", "alter table a alter id type bigint, alter id set default 7, alter id set not null"),
    ("create table a (id int not null default 7)", "alter table a alter id drop not null, alter id drop default"),
    (
        "create table a (id bigint generated always as identity primary key, u int unique)",
        "create table b (a bigint references a (id) on delete cascade, check (a > 0)); create index on b (a);
         alter table a drop constraint a_u_key",
    ),
    ("create table a (id serial)", "create table b (id serial); drop table a"),
    (
        "create table a (id int)",
        "create type mood as enum ('sad', 'it''s, so so'); alter table a add mood mood default 'sad'",
    ),
    ("create type mood as enum ('b', 'd')", "alter type mood add value 'a' before 'b'; alter type mood add value 'c' after 'b'"),
    (
        "create table a (id int); create view v as select id from a",
        "drop view v; create view v as select id + 1 as id from a; create materialized view m as select 1 as one",
    ),
    (
        "create function f(x int) returns int language sql as 'select x'; create function g() returns int language sql as 'select 1'",
        "create or replace function f(x int) returns int language sql as 'select x + 1'; drop function g();
         create function h(y text default 'z') returns text language sql stable as 'select y'",
    ),
    (
        "create table a (id int, who uuid); alter table a enable row level security;
         create policy mine on a for select to anon using (who is null)",
        "drop policy mine on a; create policy mine on a for update to anon, authenticated using (id > 1) with check (id > 2);
         create table b (id int); alter table b enable row level security",
    ),
    ("create table a (id int)", "create schema other; create table other.\"A b\" (\"C d\" int[]); alter table a rename to c"),
];

#[test]
fn the_difference_run_on_the_parent_leaves_none() {
    for (before, change) in CHANGES {
        on_both_engines(scenario::active_project, |api| {
            let parent = api.project();
            let branch = branch(api);
            run(api, &parent, before);
            run(api, &own_ref(&branch), before);
            assert_eq!(diff(api, &branch), "", "{before}");
            run(api, &own_ref(&branch), change);
            let sql = diff(api, &branch);
            assert_ne!(sql, "", "{change}");
            run(api, &parent, &sql);
            assert_eq!(diff(api, &branch), "", "{change}: {sql}");
        });
    }
}

#[test]
fn only_the_schemas_asked_for_are_compared() {
    on_both_engines(scenario::active_project, |api| {
        let branch = branch(api);
        run(
            api,
            &own_ref(&branch),
            "create schema other; create table other.a (id int); create table b (id int)",
        );
        let of = |api: &mut dyn Api, list: &str| {
            String::from_utf8(api.get(&format!("{}/diff?included_schemas={list}", at(&branch))).body.to_vec())
                .expect("it is a text")
        };
        let (public, other) = (of(api, "public"), of(api, "other"));
        assert!(public.contains("public.b") && !public.contains("other"), "{public}");
        assert!(other.contains("create schema other") && !other.contains("public"), "{other}");
        assert_eq!(of(api, "nowhere"), "");
        assert_eq!(of(api, "public,other").len(), public.len() + other.len());
    });
}

#[test]
fn a_diff_takes_a_developer_a_branch_and_both_databases() {
    on_both_engines(scenario::active_project, |api| {
        let branch = branch(api);
        let path = format!("{}/diff", at(&branch));
        assert_eq!(api.send(Call::get(&path).token("token-of-reader")).reason(), "role_too_low");
        assert_eq!(api.send(Call::get(&path).token("token-of-developer")).status, 200);
        let unknown = api.get("/v1/branches/00000000-0000-4000-8000-000000000000/diff");
        refused(&unknown, 404, "branch_not_found", "Branch not found");
        api.control(Method::POST, &format!("/v1/projects/{}/pause", own_ref(&branch)), json!({}));
        assert_eq!((api.get(&path).status, api.get(&path).reason()), (544, "service_unreachable"));
    });
}

#[test]
fn a_parent_that_is_not_reached_is_said_in_the_words_of_the_call() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        api.after(60);
        api.act("/v1/projects/{ref}/pause");
        api.after(600);
        let reply = api.get(&format!("{}/diff", at(&branch)));
        let text = "Failed to diff database branch: Connection terminated due to connection timeout";
        refused(&reply, 544, "service_unreachable", text);
    });
}
