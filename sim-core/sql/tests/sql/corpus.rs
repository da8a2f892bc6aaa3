//! The files of the corpus.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

const MARK: &str = "-->";

/// One file: one database.
pub(crate) struct File {
    path: PathBuf,
    blocks: Vec<Block>,
}

enum Block {
    Remark(String),
    Case(Case),
}

/// One call and its result.
pub(crate) struct Case {
    pub(crate) statement: String,
    pub(crate) expected: String,
}

impl File {
    /// Every file, by name; while a file is being written, only those that `CORPUS_FILES` names: `merge,rules`.
    pub(crate) fn all() -> Vec<File> {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(directory().join("corpus")).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let only = env::var("CORPUS_FILES").ok();
        let named =
            |file: &File| only.as_ref().is_none_or(|only| only.split(',').any(|name| name == file.name()));
        paths.into_iter().map(File::load).filter(named).collect()
    }

    fn load(path: PathBuf) -> File {
        let text = fs::read_to_string(&path).unwrap();
        let blocks =
            text.split("\n\n").map(str::trim).filter(|block| !block.is_empty()).map(Block::parse).collect();
        File { path, blocks }
    }

    /// The file's name without its extension.
    pub(crate) fn name(&self) -> &str {
        self.path.file_stem().unwrap().to_str().unwrap()
    }

    pub(crate) fn cases(&self) -> impl Iterator<Item = &Case> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Case(case) => Some(case),
            Block::Remark(_) => None,
        })
    }

    pub(crate) fn cases_mut(&mut self) -> impl Iterator<Item = &mut Case> {
        self.blocks.iter_mut().filter_map(|block| match block {
            Block::Case(case) => Some(case),
            Block::Remark(_) => None,
        })
    }

    /// Writes the file with its results.
    pub(crate) fn save(&self) {
        let blocks: Vec<String> = self.blocks.iter().map(Block::print).collect();
        fs::write(&self.path, blocks.join("\n\n") + "\n").unwrap();
    }
}

impl Case {
    /// The statement on one line, for lists.
    pub(crate) fn title(&self) -> String {
        const LENGTH: usize = 160;
        let line = self.statement.split_whitespace().collect::<Vec<_>>().join(" ");
        line.chars().take(LENGTH).collect()
    }
}

impl Block {
    fn parse(text: &str) -> Block {
        if text.lines().all(|line| line.starts_with("--") && !line.starts_with(MARK)) {
            return Block::Remark(text.to_owned());
        }
        let (answer, statement): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with(MARK));
        let answer: Vec<&str> =
            answer.iter().map(|line| line.trim_start_matches(MARK).trim_start()).collect();
        assert!(!statement.is_empty(), "an answer without a statement: {text}");
        Block::Case(Case { statement: statement.join("\n"), expected: answer.join("\n") })
    }

    fn print(&self) -> String {
        match self {
            Block::Remark(text) => text.clone(),
            Block::Case(Case { statement, expected }) => {
                let answer: Vec<String> = expected.lines().map(|line| format!("{MARK} {line}")).collect();
                format!("{statement}\n{}", answer.join("\n"))
            }
        }
    }
}

/// The folder of the corpus; the Postgres engine is compared with it too.
pub(crate) fn directory() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found =
        folders.find_map(|folder| Some(folder.join("sim-core/sql/tests/sql")).filter(|path| path.is_dir()));
    found.expect("the workspace has it")
}
