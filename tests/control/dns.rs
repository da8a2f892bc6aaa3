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
