//! `/_sim/dns/{name}`.

use insta::assert_snapshot;
use serde_json::json;
use sim_fixtures::scenario;

use crate::support::both;

#[test]
fn dns_records_are_those_last_set() {
    both(scenario::fresh, |api| {
        let records = json!({ "cname": "x.test", "caa": ["ca.test"] });
        assert_snapshot!(api.put("/_sim/dns/App.example.com.", records), @r#"200 {"cname":"x.test","txt":[],"caa":["ca.test"]}"#);
        assert_snapshot!(api.get("/_sim/dns/app.example.com"), @r#"200 {"cname":"x.test","txt":[],"caa":["ca.test"]}"#);
        assert_snapshot!(api.get("/_sim/dns/other"), @r#"200 {"txt":[],"caa":[]}"#);
    });
}

#[test]
fn a_text_that_is_no_name_has_no_records() {
    both(scenario::fresh, |api| {
        for name in ["my%20app.example.com", "app..example.com", "https:%2F%2Fapp.example.com"] {
            let reply = api.put(&format!("/_sim/dns/{name}"), json!({ "cname": "x.test" }));
            assert_eq!((reply.status, reply.reason()), (400, "invalid_path.name"), "{name}: {reply}");
        }
    });
}
