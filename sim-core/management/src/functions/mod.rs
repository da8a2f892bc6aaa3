//! Edge functions: `/v1/projects/{ref}/functions`.

use sim_base::Section;

pub mod function;
pub mod function_body;
pub mod function_bulk;
pub mod function_deploy;
pub mod function_source;
pub mod function_syntax;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Functions",
    resources: &[
        function::RESOURCE,
        function_body::RESOURCE,
        function_bulk::RESOURCE,
        function_deploy::RESOURCE,
    ],
    views: &[function::VIEWS],
};
