//! `stuntdouble completions` and `man`: what a shell and `man` show, made from the declaration of the command line.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::{Cli, Failure, say};

const NAME: &str = "stuntdouble";

/// Prints the completions for a shell.
pub(crate) fn completions(shell: Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), NAME, &mut script);
    say(String::from_utf8_lossy(&script).trim_end());
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page of the program, or writes a page for it and each of its commands to a folder.
pub(crate) fn man(folder: Option<PathBuf>) -> Result<ExitCode, Failure> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command())
            .render(&mut page)
            .map_err(|error| unwritten(Path::new("-"), &error))?;
        say(String::from_utf8_lossy(&page).trim_end());
        return Ok(ExitCode::SUCCESS);
    };
    std::fs::create_dir_all(&folder).map_err(|error| unwritten(&folder, &error))?;
    clap_mangen::generate_to(Cli::command(), &folder).map_err(|error| unwritten(&folder, &error))?;
    Ok(ExitCode::SUCCESS)
}

fn unwritten(folder: &Path, error: &std::io::Error) -> Failure {
    Failure(format!("--folder {}: {error}", folder.display()))
}
