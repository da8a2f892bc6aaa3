//! The states of projects.

use sim_management::project_lifecycle::{Event, Status};

#[test]
fn events_that_end_work_happen_in_one_state() {
    let ends = |event: &Event| {
        ["Accept", "Finish", "Fail"].iter().any(|word| format!("{event:?}").starts_with(word))
    };
    for event in Event::ALL.into_iter().filter(ends) {
        assert!(event.only_in().is_some(), "{event:?}");
    }
    assert_eq!(Event::FinishPause.only_in(), Some(Status::Pausing));
    assert_eq!(Event::Pause.only_in(), None);
}

#[test]
fn every_stored_name_is_the_wire_name() {
    for status in Status::ALL {
        assert_eq!(serde_json::to_value(status).expect("it is a text"), status.as_str());
    }
}
