//! Values, types and refusals of SQL, in PostgreSQL's words: what every engine and dialect of the simulator shares.
//!
//! It knows no statement: [`value`] has values and their texts, [`types`] the types, [`error`] the refusals, [`pattern`] and
//! [`regular`] text patterns, [`jsonpath`] paths in documents, [`decimal`] exact arithmetic,
//! [`number_template`] templates of numbers, [`zone`] and [`calendar`] time zones
//! and names, [`call`] what a call of SQL is limited to and answers, [`budget`] what is left of these limits, and [`attached`] what
//! belongs to a connection.

#![forbid(unsafe_code)]

pub mod across;
pub mod attached;
mod backtracking;
pub mod budget;
pub mod calendar;
pub mod call;
#[cfg(feature = "decimal")]
pub mod decimal;
pub mod error;
#[cfg(feature = "decimal")]
pub mod jsonpath;
#[cfg(feature = "decimal")]
pub mod number_template;
pub mod pattern;
pub mod regular;
pub mod types;
pub mod value;
pub mod zone;
