//! What the project is built from, and what it does not allow itself.

use std::path::{Path, PathBuf};

use sim_fixtures::fuzz::TARGETS;

/// The one module in which C is spoken.
const AUDITED: &str = "sim-core/src/engine/store/vfs.rs";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All sources below `folder`, as paths from the root.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let path = path.strip_prefix(root()).expect("it is below the root");
            found.push(path.to_str().expect("a name").replace('\\', "/"));
        }
    }
}

/// The packages of the workspace.
fn members() -> Vec<String> {
    let manifest: toml::Table = text("Cargo.toml").parse().expect("it is TOML");
    let members = manifest["workspace"]["members"].as_array().expect("a list");
    members.iter().map(|member| member.as_str().expect("a path").to_owned()).collect()
}

#[test]
fn unsafe_code_is_in_one_module() {
    let mut all = Vec::new();
    members().iter().for_each(|member| sources(&root().join(member), &mut all));
    let words =
        ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern", "allow(unsafe_code", "expect(unsafe_code"];
    let speaks = |path: &String| {
        let code = text(path);
        // The words are above.
        !path.ends_with("tests/supply.rs") && words.iter().any(|word| code.contains(word))
    };
    let found: Vec<_> = all.into_iter().filter(speaks).collect();
    assert_eq!(found, [AUDITED]);
    assert!(text("Cargo.toml").contains("unsafe_code = \"deny\""));
}

#[test]
fn every_package_but_the_core_forbids_unsafe_code() {
    let mut roots = Vec::new();
    members().iter().for_each(|member| sources(&root().join(member), &mut roots));
    let is_root = |path: &&String| {
        let depth = path.matches('/').count();
        let name = path.rsplit('/').next().unwrap_or_default();
        ["lib.rs", "main.rs"].contains(&name) && depth <= 2 && !path.starts_with("sim-core/")
    };
    let roots: Vec<_> = roots.iter().filter(is_root).collect();
    assert!(roots.len() >= 6, "{roots:?}");
    for path in roots {
        assert!(text(path).contains("#![forbid(unsafe_code)]"), "{path} allows it");
    }
}

#[test]
fn every_package_states_the_oldest_toolchain() {
    for member in members() {
        assert!(text(&format!("{member}/Cargo.toml")).contains("rust-version.workspace = true"), "{member}");
    }
    let manifest: toml::Table = text("Cargo.toml").parse().expect("it is TOML");
    let stated = manifest["workspace"]["package"]["rust-version"].as_str().expect("a version");
    assert!(
        text("docs/reliability.md").contains(&format!("Rust {stated}")),
        "{stated} is not in docs/reliability.md"
    );
}

#[test]
fn every_fuzz_target_has_a_program_and_a_corpus() {
    for target in TARGETS {
        let name = target.name;
        assert!(text("fuzz/Cargo.toml").contains(&format!("name = \"{name}\"")), "{name}");
        assert!(text(&format!("fuzz/fuzz_targets/{name}.rs")).contains(&format!("fuzz::{name}(data)")));
        assert!(root().join("fuzz/corpus").join(name).is_dir(), "{name}");
    }
}
