//! The guide, the help, and messages about wrong arguments.

use super::{refusal, said};
use crate::cli::stuntdouble;
use crate::client::{get, spawn};

#[test]
fn a_url_that_is_no_servers_is_refused_with_the_right_one() {
    let server = spawn();
    let bare = server.url().strip_prefix("http://").expect("no TLS");
    let path = format!("{}/v1/projects", server.url());
    for url in [bare, &*path] {
        let error = refusal(url, &["state"]);
        let meant = format!(
            "; did you mean {}?\nnote: the value is that of the variable STUNTDOUBLE_URL\n",
            server.url()
        );
        assert!(error.ends_with(&meant), "{error}");
    }
    assert!(refusal("ftp://localhost", &["state"]).contains("must be the URL of a server"));
    assert!(refusal("localhost", &["guide"]).contains("must be a URL, as in http://127.0.0.1:8787"));
    // TLS without the certificate of its authority, or without TLS.
    let error = refusal(&format!("https://{bare}"), &["state"]);
    assert!(error.contains("no server answers") && error.contains("--ca names the file"), "{error}");
}

#[test]
fn commands_say_when_no_server_is_there() {
    let gone = spawn().url().to_owned();
    let error = refusal(&gone, &["state"]);
    assert!(error.contains(&gone) && error.contains("start one with `stuntdouble serve`"), "{error}");
}

/// Each `curl` line of the guide, run in order against a server.
#[test]
#[cfg(unix)]
fn the_guide_can_be_followed() {
    let server = spawn();
    let served = get(&server, "/llms.txt");
    assert_eq!(served.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(said(&server, &["guide"]).trim_end(), served.body.trim_end());
    let commands: Vec<&str> = served.body.lines().filter(|line| line.starts_with("    curl ")).collect();
    assert_eq!(commands.len(), 10, "{}", served.body);
    for command in commands {
        let command = command.replace(" --json ", " -H 'content-type: application/json' --data ");
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("{command} -sS")])
            .env("TOKEN", server.token())
            .output()
            .expect("sh runs");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stdout));
    }
    for line in ["- POST /_sim/clock/advance: ", "- PUT /_sim/outcomes/{work}: ", "- POST /_sim/worlds: "] {
        assert!(served.body.contains(line), "{line}");
    }
}

#[test]
fn help_lists_every_command_in_a_group() {
    let help = stuntdouble(&["--help"]).output().expect("the binary runs");
    let help = String::from_utf8(help.stdout).expect("text");
    for group in ["Run a server:", "Drive a running server:", "Test a client:", "Examples:", "Exit codes:"] {
        assert!(help.contains(group), "{group} is not in {help}");
    }
    assert!(!help.contains("Other:\n"), "{help}");
}

#[test]
fn help_fits_on_a_terminal_and_shows_no_values_of_variables() {
    for command in
        ["serve", "exec", "sweep", "lens", "tools", "shrink", "replay", "journal", "fault", "openapi"]
    {
        for flag in ["-h", "--help"] {
            let mut command = stuntdouble(&[command, flag]);
            let command = command.env_remove("COLUMNS").env("STUNTDOUBLE_TOKEN", "not-to-be-shown");
            let help = String::from_utf8(command.output().expect("the binary runs").stdout).expect("text");
            assert!(!help.contains("not-to-be-shown"), "{help}");
            let examples = help.find("\nExample").unwrap_or(help.len());
            for line in help[..examples].lines() {
                assert!(line.chars().count() <= 100, "{line}");
            }
        }
    }
}

#[test]
fn mistyped_names_get_a_suggestion() {
    for (arguments, hint) in [
        (&["advnce", "1s"][..], "'advance'"),
        (&["serve", "--sed", "1"], "'--seed'"),
        (&["serve", "--pace", "instnt"], "'instant'"),
        (&["serve", "--scenario", "pausd-project"], "did you mean `paused-project`?"),
        (&["fault", "ad", "503"], "'add'"),
        (&["serve", "--log", "jsn"], "did you mean `json`?"),
        (&["serve", "--engine", "postgre=postgres://localhost"], "did you mean `postgres`?"),
        (&["serve", "--rate-limit", "spc"], "did you mean `spec`?"),
        (&["sweep", "--effects", "lost_anser", "--", "true"], "did you mean `lost_answer`?"),
        (&["plans", "--operations", "v1-get-projct"], "did you mean `v1-get-project`?"),
    ] {
        let output = stuntdouble(arguments).output().expect("the binary runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(hint), "{arguments:?}: {error}");
    }
}
