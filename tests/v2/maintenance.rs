//! `/v2/organizations/{slug}/maintenance/windows`.

use serde_json::{Value, json};
use sim_fixtures::scenario;

use crate::support::{both, seconds};

#[test]
fn windows_open_once_a_week() {
    both(scenario::active_project, |api| {
        let windows = |api: &mut dyn sim_fixtures::Api| -> Value {
            api.get("/v2/organizations/acme/maintenance/windows").json()["data"][0]["attributes"].clone()
        };
        let before = windows(api);
        let first = before["next_windows"][0].clone();
        assert_eq!(before["window"], json!({ "day": "sun", "start_utc": "02:00", "duration_minutes": 60 }));
        assert_eq!(
            (&before["current_window"], &first["start_at"]),
            (&Value::Null, &json!("2026-01-04T02:00:00Z"))
        );
        // A world begins on the first of January, a Thursday.
        api.advance(seconds(3 * 86_400 + 2 * 3600 + 60));
        let inside = windows(api);
        assert_eq!(inside["current_window"], first);
        assert_eq!(inside["next_windows"][0], before["next_windows"][1]);
    });
}
