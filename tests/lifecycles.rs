//! Every arrow of every lifecycle, as `docs/lifecycles.md` has it.

use std::fmt::Write as _;

use sim_core::management::project::{Event, Status};

use crate::support::held;

#[test]
fn the_document_has_every_arrow() {
    let mut text = "# Lifecycles\n\n\
        Generated from the code by `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests lifecycles`. An event that has no \
        arrow\nin a state does not apply there: a call that asks for it is refused with 400 and changes nothing.\n"
        .to_owned();
    let arrows: Vec<_> = Status::ALL
        .into_iter()
        .flat_map(|from| Event::ALL.into_iter().map(move |event| (from, event)))
        .filter_map(|(from, event)| Some((from.as_str(), format!("{event:?}"), from.on(event)?.as_str())))
        .collect();
    section(&mut text, "Project", &arrows);
    held("docs/lifecycles.md", &text);
}

fn section(text: &mut String, name: &str, arrows: &[(&str, String, &str)]) {
    write!(text, "\n## {name}\n\n```mermaid\nstateDiagram-v2\n").expect("texts grow");
    for (from, event, to) in arrows {
        writeln!(text, "    {from} --> {to}: {event}").expect("texts grow");
    }
    text.push_str("```\n\n| State | Event | Next |\n|---|---|---|\n");
    for (from, event, to) in arrows {
        writeln!(text, "| {from} | {event} | {to} |").expect("texts grow");
    }
}

#[test]
fn no_status_is_a_dead_end_but_removed() {
    for status in Status::ALL {
        let leaves = Event::ALL.into_iter().any(|event| status.on(event).is_some());
        assert_eq!(leaves, status != Status::Removed, "{status}");
    }
}

#[test]
fn every_status_but_the_first_is_reached() {
    for status in Status::ALL {
        let mut arrows = Status::ALL.into_iter().flat_map(|from| Event::ALL.map(|event| from.on(event)));
        assert_eq!(arrows.any(|to| to == Some(status)), status != Status::Unknown, "{status}");
    }
}
