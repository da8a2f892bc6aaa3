//! SAML 2.0 metadata: an identity provider's description of itself, as XML. Parsed only far enough to
//! validate it and to find its owner.

use std::borrow::Cow;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// The entity id in a metadata document: that of its one `EntityDescriptor`, or of the first in `EntitiesDescriptor`.
///
/// `Err` describes the defect of the document. A document type declaration is refused, so no entity is ever
/// expanded.
///
/// ```
/// use sim_core::management::saml_metadata::entity_id;
///
/// let metadata = r#"<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example"/>"#;
/// assert_eq!(entity_id(metadata).as_deref(), Ok("https://idp.example"));
/// assert_eq!(entity_id("<EntityDescriptor>").unwrap_err(), "Invalid XML, the element EntityDescriptor is not closed");
/// ```
pub fn entity_id(document: &str) -> Result<String, String> {
    let mut reader = Reader::from_str(document);
    let mut scan = Scan::default();
    loop {
        match reader.read_event().map_err(|error| invalid(&error))? {
            Event::Start(element) => {
                scan.enter(&element)?;
                scan.open(element.local_name().as_ref());
            }
            Event::Empty(element) => scan.enter(&element)?,
            Event::End(_) => scan.close(),
            Event::DocType(_) => {
                return Err("Invalid XML, a document type declaration is not accepted".to_owned());
            }
            Event::Text(text) if scan.open.is_empty() && !text.xml10_content().trim().is_empty() => {
                return Err("Invalid XML, there is text outside the root element".to_owned());
            }
            Event::CData(_) if scan.open.is_empty() => {
                return Err("Invalid XML, there is text outside the root element".to_owned());
            }
            Event::GeneralRef(name) => {
                let known = ["amp", "lt", "gt", "quot", "apos"].contains(&&*name)
                    || matches!(name.resolve_char_ref(), Ok(Some(_)));
                if !known || scan.open.is_empty() {
                    return Err(format!("Invalid XML, there is no entity {}", &*name));
                }
            }
            Event::Eof => return scan.end(),
            Event::Text(_) | Event::CData(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
}

/// An element of several descriptors.
const GROUP: &str = "EntitiesDescriptor";

/// The position in a document, and what was found so far.
#[derive(Default)]
struct Scan {
    open: Vec<String>,
    /// How many of those that are open are no groups.
    others: usize,
    root: Option<String>,
    descriptors: usize,
    entity_id: Option<String>,
}

impl Scan {
    fn enter(&mut self, element: &BytesStart<'_>) -> Result<(), String> {
        let mut entity_id = None;
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|error| invalid(&error))?;
            let value: Cow<'_, str> =
                attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| invalid(&error))?;
            if attribute.key.as_ref() == "entityID" {
                entity_id = Some(value.into_owned());
            }
        }
        let name = element.local_name();
        let name = name.as_ref();
        if self.open.is_empty() {
            if self.root.is_some() {
                return Err("Invalid XML, there is a second root element".to_owned());
            }
            self.root = Some(name.to_owned());
        }
        if name == "EntityDescriptor" && self.others == 0 {
            self.descriptors += 1;
            if self.descriptors == 1 {
                self.entity_id = entity_id;
            }
        }
        Ok(())
    }

    fn open(&mut self, name: &str) {
        self.others += usize::from(name != GROUP);
        self.open.push(name.to_owned());
    }

    fn close(&mut self) {
        self.others -= usize::from(self.open.pop().is_some_and(|name| name != GROUP));
    }

    fn end(self) -> Result<String, String> {
        if let Some(open) = self.open.last() {
            return Err(format!("Invalid XML, the element {open} is not closed"));
        }
        match (self.root, self.descriptors) {
            (None, _) => return Err("Invalid XML, there is no element".to_owned()),
            (Some(root), 0) => return Err(format!("Expected an EntityDescriptor, received {root}")),
            _ => {}
        }
        let entity_id = self.entity_id.filter(|id| !id.is_empty());
        entity_id.ok_or_else(|| "The EntityDescriptor has no entityID".to_owned())
    }
}

fn invalid(error: &dyn std::fmt::Display) -> String {
    format!("Invalid XML, {error}")
}
