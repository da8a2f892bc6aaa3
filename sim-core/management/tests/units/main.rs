//! Parts of the management API in themselves. They are no unit tests, because the crate would be built a second time for these.

#![forbid(unsafe_code)]

mod auth_config;
mod auth_field;
mod from_json;
mod function_body;
mod function_source;
mod function_syntax;
mod organization_project;
mod project_lifecycle;
mod project_ref;
mod saml_metadata;
mod to_schema;
