//! `stuntdouble profile`: a template of a profile, and the check of one.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use sim_core::profile_file;

use crate::{Failure, files, say};

/// One of the two; without either the template.
#[derive(Args)]
#[group(multiple = false)]
pub(crate) struct Arguments {
    /// Print a file with every setting, and every token with the names that have it; the default
    #[arg(long)]
    template: bool,
    /// Check that servers can run with this TOML file
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

/// Prints the template, or checks the file.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Some(file) = &arguments.check else {
        say(profile_file::template().trim_end());
        return Ok(ExitCode::SUCCESS);
    };
    let wrong = |why: String| Failure(format!("--check {}: {why}", file.display()));
    let text = files::settings(file).map_err(wrong)?;
    let profile = profile_file::check(&text).map_err(|error| wrong(error.message))?;
    say(&format!("{}: good, with {} names", file.display(), profile.names.len()));
    Ok(ExitCode::SUCCESS)
}
