//! Queries over events, stored and ad hoc: `/api/endpoints`, `/api/query`.

use sim_base::Section;

pub mod cached_result;
pub mod endpoint;
pub mod endpoint_query;
pub(crate) mod execute;
pub(crate) mod lql;
pub(crate) mod lql_sql;
mod lql_time;
mod lql_words;
pub mod query;
pub(crate) mod redact;
pub(crate) mod source_search;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Queries",
    resources: &[endpoint::RESOURCE, endpoint_query::RESOURCE, cached_result::RESOURCE, query::RESOURCE],
    views: &[endpoint::VIEWS, cached_result::VIEWS],
};
