//! What webhooks of the management API deliver, as a receiver on this machine gets it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::management::project::CreateProject;
use sim_core::management::v2::document::Given;
use sim_core::management::v2::webhooks::endpoint::{
    CreateEndpoint, CreateOrganizationEndpoint, EndpointKind, NewEndpoint, Subscription,
};
use sim_core::management::v2::webhooks::event::EventType;
use sim_core::management::v2::webhooks::place::OfOrganization;
use sim_http::Server;

use crate::client::{PATIENCE, get, post};
use crate::posts::{Receiver, answer};

fn endpoint(url: &str) -> CreateOrganizationEndpoint {
    let attributes = NewEndpoint {
        url: url.to_owned(),
        description: None,
        enabled: None,
        event_types: vec![Subscription { r#type: EventType::ProjectCreated }],
        custom_headers: Some([("x-key".to_owned(), "k".into())].into()),
        signing_secret: "a secret of tests".into(),
    };
    let data = Given { r#type: EndpointKind::It, attributes };
    CreateEndpoint { place: OfOrganization { slug: "acme".to_owned() }, data }
}

/// The posts of the world, once `count` of them have an answer.
fn answered(server: &Server, count: usize) -> Vec<Value> {
    let until = Instant::now() + PATIENCE;
    loop {
        let posts = get(server, "/_sim/webhooks/posts").json();
        let posts = posts.as_array().expect("a list").clone();
        if posts.iter().filter(|one| one["status"] != "pending").count() >= count {
            return posts;
        }
        assert!(Instant::now() < until, "{posts:?} have too few answers");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn an_event_is_posted_signed_and_again_until_it_is_taken() {
    let receiver = Receiver::start(|number| if number == 0 { answer(500, "no") } else { answer(200, "ok") });
    let mut sim = Simulator::builder().build();
    sim.call(endpoint(&receiver.url)).expect("a good call");
    let server = Server::spawn(sim);
    server.sim().call(CreateProject::named("shop", "acme")).expect("a good call");
    let first = receiver.next();
    let event: Value = serde_json::from_str(&first.body).expect("it is JSON");
    assert_eq!(
        (&event["type"], &event["payload"]["organization_slug"]),
        (&json!("v1.project.created"), &json!("acme"))
    );
    for header in [
        "x-key: k",
        "webhook-id: ",
        "webhook-timestamp: ",
        "webhook-signature: v1,",
        "content-type: application/json",
    ] {
        assert!(first.head.contains(&format!("\r\n{header}")), "{header}: {}", first.head);
    }
    assert_eq!(answered(&server, 1)[0]["status"], "failure");
    assert_eq!(post(&server, "/_sim/clock/advance", r#"{"ms":5000}"#).status, 200);
    assert_eq!(receiver.next().body, first.body);
    let posts = answered(&server, 2);
    assert_eq!((posts.len(), &posts[1]["status"]), (2, &json!("success")));
}

#[test]
fn nothing_is_posted_to_the_simulator_itself() {
    let server = Server::spawn(Simulator::builder().build());
    let hook = format!("http://{}/_sim/reset", server.addr());
    let body = json!({ "data": { "type": "endpoint", "attributes": {
        "url": hook, "event_types": [{ "type": "*" }], "signing_secret": "12345678",
    } } });
    let refused = post(&server, "/v2/organizations/acme/webhooks/endpoints", &body.to_string());
    assert_eq!(refused.status, 403, "{}", refused.json());
    // Who gets past the check by another name is refused when it is posted.
    server.sim().call(endpoint(&hook)).expect("a good call");
    server.sim().call(CreateProject::named("shop", "acme")).expect("a good call");
    let posts = answered(&server, 1);
    assert_eq!(posts[0]["status"], "failure");
}
