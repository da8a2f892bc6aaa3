//! Metadata of identity providers.

use sim_management::saml_metadata::entity_id;

#[test]
fn the_entity_id_is_that_of_the_descriptor() {
    let good = [
        ("plain", r#"<EntityDescriptor entityID="a"></EntityDescriptor>"#),
        (
            "declaration, comment, blanks",
            "<?xml version=\"1.0\"?>\n<!-- x --><EntityDescriptor entityID='a'/>\n",
        ),
        (
            "prefix",
            r#"<md:EntityDescriptor xmlns:md="urn:x" entityID="a"><md:X y="&amp;">&#65;</md:X></md:EntityDescriptor>"#,
        ),
        (
            "group",
            r#"<EntitiesDescriptor><EntityDescriptor entityID="a"/><EntityDescriptor entityID="b"/></EntitiesDescriptor>"#,
        ),
        ("reference in the id", r#"<EntityDescriptor entityID="&#x61;"/>"#),
    ];
    for (case, document) in good {
        assert_eq!(entity_id(document).as_deref(), Ok("a"), "{case}");
    }
}

#[test]
fn groups_within_groups_take_time_in_proportion_to_their_number() {
    let document = "<EntitiesDescriptor>".repeat(200_000);
    let text = "Invalid XML, the element EntitiesDescriptor is not closed";
    assert_eq!(entity_id(&document).expect_err("it is not closed"), text);
    let closed =
        format!("{document}<EntityDescriptor entityID=\"a\"/>{}", "</EntitiesDescriptor>".repeat(200_000));
    assert_eq!(entity_id(&closed).as_deref(), Ok("a"));
}

#[test]
fn invalid_metadata_is_refused() {
    let bad = [
        ("nothing", "", "Invalid XML, there is no element"),
        ("text", "hello", "Invalid XML, there is text outside the root element"),
        ("other element", "<html/>", "Expected an EntityDescriptor, received html"),
        ("no id", "<EntityDescriptor/>", "The EntityDescriptor has no entityID"),
        ("empty id", r#"<EntityDescriptor entityID=""/>"#, "The EntityDescriptor has no entityID"),
        (
            "id elsewhere",
            r#"<EntityDescriptor><X entityID="a"/></EntityDescriptor>"#,
            "The EntityDescriptor has no entityID",
        ),
        (
            "descriptor elsewhere",
            r#"<X><EntityDescriptor entityID="a"/></X>"#,
            "Expected an EntityDescriptor, received X",
        ),
        (
            "not closed",
            r#"<EntityDescriptor entityID="a">"#,
            "Invalid XML, the element EntityDescriptor is not closed",
        ),
        (
            "two roots",
            r#"<EntityDescriptor entityID="a"/><X/>"#,
            "Invalid XML, there is a second root element",
        ),
        (
            "entity",
            r#"<EntityDescriptor entityID="a">&x;</EntityDescriptor>"#,
            "Invalid XML, there is no entity x",
        ),
        (
            "document type",
            r#"<!DOCTYPE x [<!ENTITY x "a">]><EntityDescriptor entityID="a"/>"#,
            "Invalid XML, a document type declaration is not accepted",
        ),
    ];
    for (case, document, text) in bad {
        assert_eq!(entity_id(document).expect_err(case), text, "{case}");
    }
    for document in [
        r#"<EntityDescriptor entityID="a"></X>"#,
        r#"<EntityDescriptor entityID="a" entityID="b"/>"#,
        r#"<EntityDescriptor entityID=a/>"#,
        r#"<EntityDescriptor entityID="&x;"/>"#,
        "<EntityDescriptor",
    ] {
        assert!(entity_id(document).expect_err(document).starts_with("Invalid XML, "), "{document}");
    }
}
