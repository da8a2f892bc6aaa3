//! Messages about wrong usage, beyond those of the parser of arguments.

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use sim_core::engine::near;

/// What the parser says of a value, and plain words for it.
const PLAIN: [(&str, &str); 5] = [
    ("invalid digit found in string", "must be a whole number"),
    ("cannot parse integer from empty string", "must be a whole number"),
    ("number too large to fit in target type", "is too large"),
    ("number too small to fit in target type", "is too small"),
    ("value was not a boolean", "must be true or false"),
];

/// How a usage line shows the flags of a running server.
const VARIABLE_FLAGS: [&str; 3] = ["--url <URL> ", "--world <NAME> ", "--ca <FILE> "];

/// How the names of this program's variables begin.
const PREFIX: &str = "STUNTDOUBLE_";

/// A variable that `exec` sets, and whose name is part of that of an option.
const POOLER: &str = "STUNTDOUBLE_POOLER";

/// Prints help, version or error, and ends the program.
pub(crate) fn exit(program: &Command, error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    let styled = error.render();
    let text = if std::io::stderr().is_terminal() { styled.ansi().to_string() } else { styled.to_string() };
    // A value from a variable counts as given, so the usage would show its flag as required.
    let unseen = VARIABLE_FLAGS.iter().filter(|shown| !is_given(shown.split(' ').next().unwrap_or_default()));
    let text = unseen.fold(text, |text, shown| text.replace(shown, ""));
    let text = PLAIN.iter().fold(text, |text, (theirs, ours)| text.replace(theirs, ours));
    let from =
        variable_of(program, error).map(|name| format!("note: the value is that of the variable {name}\n"));
    let _ = write!(std::io::stderr(), "{text}{}", from.unwrap_or_default());
    std::process::exit(error.exit_code());
}

/// The variable that a wrong value came from, if it is not that of a flag.
fn variable_of(program: &Command, error: &clap::Error) -> Option<String> {
    if !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
        return None;
    }
    let Some(ContextValue::String(shown)) = error.get(ContextKind::InvalidArg) else { return None };
    let flag = shown.split([' ', '=', '[']).next().filter(|flag| flag.starts_with("--"))?;
    let found = arguments(program).find(|argument| argument.get_long() == flag.get(2..))?;
    let variable = found.get_env().filter(|_| !is_given(flag))?;
    Some(variable.to_string_lossy().into_owned())
}

/// Whether a flag is on the command line. What follows `--` is another program's.
fn is_given(flag: &str) -> bool {
    let ours = std::env::args().take_while(|given| given != "--");
    ours.into_iter().any(|given| given.split('=').next() == Some(flag))
}

/// Where the value of the flag comes from that a failure begins with, if it is not on the command line: a line to add.
pub(crate) fn note(program: &Command, failure: &str) -> Option<String> {
    let name = failure.strip_prefix("--")?.split([' ', ':', '=']).next()?;
    let command = std::env::args().nth(1).and_then(|name| program.find_subcommand(name))?;
    let found = arguments(command).find(|argument| argument.get_long() == Some(name))?;
    if is_given(&format!("--{name}")) {
        return None;
    }
    let variable = found.get_env().filter(|variable| std::env::var_os(variable).is_some());
    if let Some(variable) = variable {
        return Some(format!("note: the value is that of the variable {}", variable.to_string_lossy()));
    }
    let file = config()?;
    let settings: toml::Table = crate::files::settings(&file).ok()?.parse().ok()?;
    let line = || format!("note: the value is that of `{name}` in {}", file.display());
    settings.contains_key(name).then(line)
}

/// The settings file.
fn config() -> Option<PathBuf> {
    let mut given = std::env::args_os().take_while(|given| given != "--");
    while let Some(argument) = given.next() {
        if argument == "--config" {
            return given.next().map(PathBuf::from);
        }
        if let Some(file) = argument.to_str().and_then(|text| text.strip_prefix("--config=")) {
            return Some(file.into());
        }
    }
    std::env::var_os("STUNTDOUBLE_CONFIG").map(PathBuf::from)
}

/// The program whose options take negative numbers, so that these are refused as values, not as unknown flags. Its help
/// names the variables of options without their values, which may be secret.
pub(crate) fn settled(command: Command) -> Command {
    let settle = |argument: Arg| {
        let takes_value = argument.get_action().takes_values() && !argument.is_positional();
        let argument = argument.hide_env_values(true);
        if takes_value { argument.allow_negative_numbers(true) } else { argument }
    };
    command.mut_args(settle).mut_subcommands(settled)
}

/// Warns of a variable whose name is nearly that of an option. It has no effect.
pub(crate) fn warn_of_variables(program: &Command) {
    let known: Vec<String> = arguments(program)
        .filter_map(|argument| Some(argument.get_env()?.to_string_lossy().into_owned()))
        .filter(|name| name.starts_with(PREFIX))
        .chain([POOLER.to_owned()])
        .collect();
    let given = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for name in given.filter(|name| name.starts_with(PREFIX) && !known.contains(name)) {
        if let Some(meant) = nearest(&name, &known) {
            eprintln!("warning: {name}: has no effect; did you mean `{meant}`?");
        }
    }
}

/// The known variable with nearly this name. The common beginning does not count.
fn nearest<'k>(name: &str, known: &'k [String]) -> Option<&'k str> {
    let own = |name: &'k String| &name[PREFIX.len()..];
    let found = near::nearest(&name[PREFIX.len()..], known.iter().map(own))?;
    known.iter().find(|name| own(name) == found).map(String::as_str)
}

/// The arguments of all commands.
fn arguments(program: &Command) -> Box<dyn Iterator<Item = &Arg> + '_> {
    Box::new(program.get_arguments().chain(program.get_subcommands().flat_map(arguments)))
}
