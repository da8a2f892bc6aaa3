//! The configuration of auth as an object.

use sim_core::Simulator;
use sim_core::management::auth_config::{AuthConfig, GetAuthConfig};
use sim_core::management::project::CreateProject;

#[test]
fn a_configuration_is_the_same_object_by_every_way() {
    let mut sim = Simulator::builder().build();
    let project = sim.call(CreateProject::named("shop", "acme")).expect("the name is new").id;
    let config = sim.call(GetAuthConfig { r#ref: project }).expect("the project is there");
    let bytes = serde_json::to_vec(&config).expect("it is plain data");
    assert_eq!(serde_json::from_slice::<AuthConfig>(&bytes).expect("it is a configuration"), config);
    let value = serde_json::to_value(&config).expect("it is plain data");
    assert_eq!(serde_json::from_value::<AuthConfig>(value).expect("it is a configuration"), config);
    assert_eq!(config.field("jwt_exp"), 3600);
}
