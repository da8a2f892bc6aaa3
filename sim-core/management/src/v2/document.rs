//! The shapes of requests and answers of `/v2`, which follow JSON:API: documents whose `data` is a resource, or a list
//! of resources page by page.

use serde::Serialize;
use sim_base::{Error, FromJson, ToSchema};

/// A document with one resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "{T}Document")]
pub struct One<T> {
    /// The resource.
    pub data: T,
}

impl<T> One<T> {
    /// The document about `data`.
    pub const fn of(data: T) -> One<T> {
        One { data }
    }
}

/// A document with all resources of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "{T}List")]
pub struct Many<T> {
    /// The resources.
    pub data: Vec<T>,
}

/// A page of resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "{T}Page")]
pub struct Page<T> {
    /// The resources.
    pub data: Vec<T>,
    /// Links to other pages.
    pub links: Links,
}

/// Paths of other pages, with their queries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Links {
    /// The first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub first: Option<String>,
    /// The last page, if pages are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub last: Option<String>,
    /// The page after this one.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub next: Option<String>,
    /// The page before this one.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub prev: Option<String>,
}

/// A resource: its type, its identifier and its attributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "{A}Object")]
pub struct Object<K, A> {
    /// Its identifier, which is unique in its type.
    pub id: String,
    /// Its type.
    pub r#type: K,
    /// Its attributes.
    pub attributes: A,
}

impl<K: Default, A> Object<K, A> {
    /// The resource with that identifier.
    pub fn new(id: impl Into<String>, attributes: A) -> Object<K, A> {
        Object { id: id.into(), r#type: K::default(), attributes }
    }
}

/// A resource in a request, or one without an identifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "{A}Item")]
pub struct Given<K, A> {
    /// Its type.
    pub r#type: K,
    /// Its attributes.
    pub attributes: A,
}

impl<K: Default, A> From<A> for Given<K, A> {
    fn from(attributes: A) -> Given<K, A> {
        Given::new(attributes)
    }
}

impl<K: Default, A> Given<K, A> {
    /// The resource with these attributes.
    pub fn new(attributes: A) -> Given<K, A> {
        Given { r#type: K::default(), attributes }
    }
}

/// Declares the type of a resource, an enum with one member.
macro_rules! kind {
    ($(#[doc = $doc:literal] $kind:ident = $name:literal;)+) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, sim_base::ToSchema)]
        #[schemars(inline)]
        pub enum $kind {
            #[doc = $doc]
            #[default]
            #[serde(rename = $name)]
            It,
        }
    )+};
}
pub(crate) use kind;

/// The maximum and default number of resources on a page.
pub(crate) const PAGE: u32 = 100;

/// The names of a cursor's parameters in queries.
pub(crate) const PAGING: [&str; 3] = ["page[after]", "page[before]", "page[size]"];

/// The requested page: the items after or before an item, and their number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked<'a> {
    pub after: Option<&'a str>,
    pub before: Option<&'a str>,
    pub size: Option<u32>,
}

impl<'a> Asked<'a> {
    pub(crate) fn of(after: Option<&'a String>, before: Option<&'a String>, size: Option<u32>) -> Asked<'a> {
        Asked { after: after.map(String::as_str), before: before.map(String::as_str), size }
    }

    pub(crate) fn size(&self) -> usize {
        self.size.unwrap_or(PAGE) as usize
    }

    /// The page among `all` items, each identified by `id`. `target` is the path, `filters` the rest of the query.
    pub(crate) fn of_all<T>(
        &self,
        all: Vec<T>,
        id: impl Fn(&T) -> String,
        target: &str,
        filters: &[(&str, Option<&str>)],
    ) -> Result<Page<T>, Error> {
        self.of_those_left(all, id, |_, _| None, target, filters)
    }

    /// The same, where `gone` knows the place that an item had which is not among them any more.
    pub(crate) fn of_those_left<T>(
        &self,
        mut all: Vec<T>,
        id: impl Fn(&T) -> String,
        gone: impl Fn(&[T], &str) -> Option<usize>,
        target: &str,
        filters: &[(&str, Option<&str>)],
    ) -> Result<Page<T>, Error> {
        // The place, and that of the next item.
        let place = |cursor: &str| match all.iter().position(|one| id(one) == cursor) {
            Some(place) => Ok((place, place + 1)),
            None => gone(&all, cursor).map(|place| (place, place)).ok_or_else(|| unknown(cursor)),
        };
        let start = self.after.map(place).transpose()?.map_or(0, |(_, next)| next);
        let end = self.before.map(place).transpose()?.map_or(all.len(), |(place, _)| place).max(start);
        // A page before an item also has the items nearest to it.
        let (from, to) = match (self.before, self.after) {
            (Some(_), None) => (end.saturating_sub(self.size()), end),
            _ => (start, end.min(start + self.size())),
        };
        let (has_before, has_after) = (from > 0, to < all.len());
        all.truncate(to);
        let data = all.split_off(from);
        let links = self.links(target, filters, Ends::of(&data, id).filtered(has_before, has_after));
        Ok(Page { data, links })
    }

    /// The links of a page with these ends.
    pub(crate) fn links(&self, target: &str, filters: &[(&str, Option<&str>)], ends: Ends) -> Links {
        let link = |cursor: Option<(&str, String)>| {
            let mut query = form_urlencoded::Serializer::new(String::new());
            for (name, value) in filters.iter().filter_map(|(name, value)| Some((name, (*value)?))) {
                query.append_pair(name, value);
            }
            if let Some(size) = self.size {
                query.append_pair("page[size]", &size.to_string());
            }
            if let Some((name, value)) = &cursor {
                query.append_pair(name, value);
            }
            let query = query.finish();
            if query.is_empty() { target.to_owned() } else { format!("{target}?{query}") }
        };
        Links {
            first: Some(link(None)),
            last: None,
            next: ends.last.map(|last| link(Some(("page[after]", last)))),
            prev: ends.first.map(|first| link(Some(("page[before]", first)))),
        }
    }
}

/// The first and last items of a page, if there are other items beyond them.
pub(crate) struct Ends {
    pub first: Option<String>,
    pub last: Option<String>,
}

impl Ends {
    pub(crate) fn of<T>(page: &[T], id: impl Fn(&T) -> String) -> Ends {
        Ends { first: page.first().map(&id), last: page.last().map(id) }
    }

    pub(crate) fn filtered(self, has_before: bool, has_after: bool) -> Ends {
        Ends { first: self.first.filter(|_| has_before), last: self.last.filter(|_| has_after) }
    }
}

/// Refuses a cursor that is not from any page, or whose item was deleted.
pub(crate) fn unknown(cursor: &str) -> Error {
    let text = "page: the cursor is unknown; take one from the links of a page";
    Error::invalid("pagination_cursor_invalid", text).because("cursor", cursor, None)
}
