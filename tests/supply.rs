//! Checks of the project's dependencies, and of things that its code must not use.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sim_fixtures::fuzz::TARGETS;

/// The module that calls C, the part of it that has a file of its own, and the module that C calls.
const AUDITED: [&str; 3] =
    ["sim-c/src/boundary.rs", "sim-core/base/src/store/vfs.rs", "sim-core/base/src/store/vfs/scratch.rs"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All source files below `folder`, as paths from the root.
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
fn unsafe_code_is_in_the_audited_modules() {
    let mut all = Vec::new();
    members().iter().for_each(|member| sources(&root().join(member), &mut all));
    // A package may be inside another package's folder.
    all.sort();
    all.dedup();
    let words =
        ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern", "allow(unsafe_code", "expect(unsafe_code"];
    let speaks = |path: &String| {
        let code = text(path);
        // The words are listed above.
        !path.ends_with("tests/supply.rs") && words.iter().any(|word| code.contains(word))
    };
    let found: BTreeSet<_> = all.into_iter().filter(speaks).collect();
    assert_eq!(found, BTreeSet::from(AUDITED.map(str::to_owned)));
    assert!(text("Cargo.toml").contains("unsafe_code = \"deny\""));
}

#[test]
fn packages_without_an_audited_module_forbid_unsafe_code() {
    let files = ["lib.rs", "main.rs", "src/lib.rs", "src/main.rs"];
    let packages = members().into_iter().filter(|member| member != "sim-core/base" && member != "sim-c");
    let roots = packages.flat_map(|member| files.map(|file| format!("{member}/{file}")));
    let roots: Vec<_> = roots.filter(|path| root().join(path).exists()).collect();
    assert!(roots.len() >= 12, "{roots:?}");
    for path in roots {
        assert!(text(&path).contains("#![forbid(unsafe_code)]"), "{path} allows it");
    }
}

#[test]
fn the_client_depends_on_no_package_of_the_simulator() {
    let manifest: toml::Table = text("sim-client/Cargo.toml").parse().expect("it is TOML");
    let names: Vec<_> = manifest["dependencies"].as_table().expect("a table").keys().collect();
    assert_eq!(names, ["http", "jiff", "percent-encoding", "rustls", "serde", "serde_json", "ureq"]);
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
fn the_lowest_versions_that_are_allowed_are_those_that_are_tested() {
    let manifest: toml::Table = text("Cargo.toml").parse().expect("it is TOML");
    let lock: toml::Table = text("Cargo.lock").parse().expect("it is TOML");
    let locked = lock["package"].as_array().expect("a list");
    let is_locked = |name: &str, version: &str| {
        let is_it = |package: &toml::Value| {
            // The part after a plus is not part of the version.
            let locked = package["version"].as_str().and_then(|version| version.split('+').next());
            package["name"].as_str() == Some(name) && locked == Some(version)
        };
        locked.iter().any(is_it)
    };
    for (name, stated) in manifest["workspace"]["dependencies"].as_table().expect("a table") {
        let version = stated.get("version").unwrap_or(stated).as_str();
        let Some(version) = version.filter(|_| stated.get("path").is_none()) else { continue };
        // Of a range, `.ci/lowest` tests the lowest version.
        if !version.starts_with(">=") {
            assert!(
                is_locked(name, version),
                "{name} {version} differs from Cargo.lock, so it is not tested"
            );
        }
    }
}

#[test]
fn one_range_is_allowed_and_its_ends_are_tested() {
    let manifest: toml::Table = text("Cargo.toml").parse().expect("it is TOML");
    let lock: toml::Table = text("Cargo.lock").parse().expect("it is TOML");
    let all = manifest["workspace"]["dependencies"].as_table().expect("a table");
    let range = |stated: &toml::Value| {
        let version = stated.get("version").unwrap_or(stated).as_str();
        version.filter(|version| version.starts_with(">=")).map(str::to_owned)
    };
    let ranges: Vec<_> = all.iter().filter_map(|(name, stated)| Some((name, range(stated)?))).collect();
    let [(name, range)] = &ranges[..] else { panic!("{ranges:?}") };
    assert_eq!(*name, "rusqlite", "`.ci/lowest` knows no other");
    let minor = |version: &str| version.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    let end = range.split('<').nth(1).and_then(minor).expect("it has an end");
    let is_it = |package: &&toml::Value| package["name"].as_str() == Some(name);
    let locked = lock["package"].as_array().expect("a list").iter().find(is_it).expect("it is locked");
    assert_eq!(locked["version"].as_str().and_then(minor), Some(end - 1), "Cargo.lock has the highest");
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
