//! Completions and manual pages.

use crate::cli::stuntdouble;

fn printed(arguments: &[&str]) -> String {
    let output = stuntdouble(arguments).output().expect("the binary runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("deterministic") && script.contains("seed-schema"), "{shell}: {script}");
    }
}

#[test]
fn the_program_and_each_command_have_a_manual_page() {
    let page = printed(&["man"]);
    assert!(page.contains(".TH stuntdouble 1") && page.contains("stuntdouble\\-serve(1)"), "{page}");

    let folder =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("man-{}", std::process::id()));
    assert_eq!(printed(&["man", "--folder", folder.to_str().expect("a name")]), "");
    for name in ["stuntdouble", "stuntdouble-serve", "stuntdouble-analytics-serve", "stuntdouble-man"] {
        assert!(folder.join(format!("{name}.1")).exists(), "{name}");
    }
    let serve = std::fs::read_to_string(folder.join("stuntdouble-serve.1")).expect("it is there");
    assert!(serve.contains("\\-\\-deterministic"), "{serve}");
    std::fs::remove_dir_all(folder).expect("it can be removed");
}
