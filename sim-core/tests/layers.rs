//! The engine is a list of layers; each uses only layers above it in the list. And operations have constructors.

#![forbid(unsafe_code)]

use std::fs;
use std::path::{Path, PathBuf};

/// From the lowest layer to the highest.
const LAYERS: [&str; 5] = ["service", "journal", "fault", "pipeline", "simulator"];

#[test]
fn a_layer_of_the_engine_names_only_layers_above_it() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine");
    let mut files = 0;
    for (depth, layer) in LAYERS.iter().enumerate() {
        for file in sources(&engine.join(layer)) {
            let text = fs::read_to_string(&file).expect("it can be read");
            files += 1;
            for below in &LAYERS[depth + 1..] {
                let name = format!("engine::{below}");
                assert!(!text.contains(&name), "{} names {name}", file.display());
            }
        }
    }
    assert!(files > 20, "only {files} files were found");
}

#[test]
fn every_operation_has_a_constructor() {
    let mut operations = 0;
    for service in ["management/src", "analytics/src", "src/engine"] {
        let files = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(service));
        for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs")) {
            let text = fs::read_to_string(file).expect("it can be read");
            for rest in text.split(" Operation for ").skip(1) {
                let name = rest.split([' ', '<']).next().expect("a name follows");
                let fields = [" {", "<P> {"]
                    .iter()
                    .find_map(|open| text.split_once(&format!("pub struct {name}{open}")));
                // Around a value it is a constructor itself.
                let Some((before, _)) = fields else {
                    assert!(text.contains(&format!("pub struct {name}(pub ")), "{name} is no struct");
                    continue;
                };
                let (_, attributes) = before.rsplit_once("#[derive(").expect("it derives traits");
                let derives = attributes.split(')').next().is_some_and(|list| list.contains("New"));
                let by_hand = text.contains(&format!("impl {name} {{")) && text.contains("pub fn new(");
                assert!(derives || by_hand, "{name} in {}: derive New", file.display());
                operations += 1;
            }
        }
    }
    assert!(operations > 300, "only {operations} operations were found");
}

/// The files of a folder and of those in it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the layer is a folder");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    paths.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}
