//! The pages at `/dashboard`, as a browser gets them.

use sim_core::Simulator;
use sim_http::{Dashboard, Server};

use crate::client::{call_with, get, spawn};

#[test]
fn pages_come_from_the_server_and_may_load_nothing_else() {
    let server = spawn();
    let page = get(&server, "/dashboard");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'self';"), "{policy}");
    assert_eq!(
        get(&server, "/dashboard/app.js").header("content-type"),
        Some("text/javascript; charset=utf-8")
    );
    assert_eq!(get(&server, "/dashboard/nothing.js").status, 404);
    assert_eq!(call_with(&server, "POST", "/dashboard", &[], "").status, 405);
    assert_eq!(server.sim().calls(), 0);
}

#[test]
fn files_in_a_browsers_cache_are_not_sent_again() {
    let server = spawn();
    let tag = get(&server, "/dashboard/style.css").header("etag").expect("a tag").to_owned();
    let again = |tag: &str| call_with(&server, "GET", "/dashboard/style.css", &[("if-none-match", tag)], "");
    assert_eq!((again(&tag).status, again(&tag).body.as_str()), (304, ""));
    assert_eq!(again("\"another\"").status, 200);
}

#[test]
fn who_opens_it_decides_who_gets_in() {
    let elsewhere =
        |server: &Server| call_with(server, "GET", "/dashboard", &[("host", "elsewhere.test")], "").status;
    assert_eq!(elsewhere(&spawn()), 403);
    let with = |dashboard| {
        let named = Server::builder().allow_host("elsewhere.test".parse().expect("a name"));
        let spawned = named.dashboard(dashboard).spawn(Simulator::builder().build());
        spawned.expect("a port and a thread are to be had")
    };
    assert_eq!(elsewhere(&with(Dashboard::Anywhere)), 200);
    let off = with(Dashboard::Off);
    assert_eq!((get(&off, "/dashboard").status, get(&off, "/dashboard").reason()), (404, "unknown_path"));
}
