//! The engine is a list of layers; each uses only layers above it in the list.

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

/// The files of a folder and of those in it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the layer is a folder");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    paths.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}
