//! `/v1/projects/{ref}/functions/{function_slug}/body`: the uploaded content of a function, byte for byte.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use sim_base::operations;
use sim_base::{
    Blob, Cx, Error, File, FromJson, Kind, MULTIPART, Meta, New, Operation, Payload, Resource, Scope,
    ToSchema, get, hex, multipart_of,
};

use crate::function::{self, Slug, Stored};
use crate::project::{self, ProjectRef};

operations![GetFunctionBody];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

/// Equal contents share one row, which is deleted with the last file that uses it. A bundle is a file without
/// a path.
const TABLES: &str = "
    CREATE TABLE function_content (digest TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
    CREATE TABLE function_upload (
        id INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        slug TEXT NOT NULL,
        version INTEGER NOT NULL,
        function TEXT NOT NULL,
        UNIQUE (project, slug, version)
    ) STRICT;
    CREATE TABLE function_file (
        upload INTEGER NOT NULL REFERENCES function_upload ON DELETE CASCADE,
        path TEXT NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (upload, path)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX function_file_by_digest ON function_file (digest);
    CREATE TRIGGER function_content_unused AFTER DELETE ON function_file
    WHEN NOT EXISTS (SELECT 1 FROM function_file WHERE digest = OLD.digest)
    BEGIN
        DELETE FROM function_content WHERE digest = OLD.digest;
    END;
";

/// The content type of a bundle.
const BUNDLE: &str = "application/octet-stream";

/// The content of a function: its files, or one bundle of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct FunctionBody {
    /// The metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<BodyMetadata>,
    /// The files, with their paths.
    #[serde(default)]
    pub files: Vec<File>,
    /// The bundle, instead of metadata and files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle: Option<Blob>,
}

/// The metadata.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct BodyMetadata {
    /// The function's entry point.
    pub deno2_entrypoint_path: String,
}

/// Get the files of a function.
///
/// With `accept: multipart/form-data` the answer is a form of its files; a function uploaded as a bundle has the bundle as its
/// only file. Otherwise the answer is a bundle.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetFunctionBody {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The function's slug.
    pub function_slug: Slug,
    /// Accepted content types.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accept: Option<String>,
}

impl Operation for GetFunctionBody {
    type Output = FunctionBody;
    const META: Meta = Meta {
        headers: &["accept"],
        scope: Some(Scope("edge_functions:read")),
        produces: &["multipart/form-data", BUNDLE],
        also: &[500],
        failure: "Failed to retrieve function body with given slug",
        ..get("v1-get-a-function-body", "/v1/projects/{ref}/functions/{function_slug}/body")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<FunctionBody, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let function = function::load(cx, &project, &self.function_slug.0)?;
        let wants_form = self.accept.is_some_and(|types| types.contains("multipart/form-data"));
        Ok(match sources(cx, function.key(), function.version) {
            Sources::Bundle(bytes) if wants_form => FunctionBody::form_of(bytes),
            Sources::Bundle(bytes) => FunctionBody::bundle(bytes),
            Sources::Files(files) if wants_form => FunctionBody::form(&function, files),
            Sources::Files(files) => FunctionBody::bundle(eszip(&function, &files)),
        })
    }

    fn payload(output: &FunctionBody) -> Payload {
        match &output.bundle {
            Some(bundle) => Payload::bytes(BUNDLE, bundle.0.clone()),
            None => {
                let metadata = output.metadata.as_ref().map(|metadata| json!(metadata));
                Payload::bytes(MULTIPART, multipart_of(metadata.as_ref(), &output.files))
            }
        }
    }
}

impl FunctionBody {
    fn bundle(bytes: Vec<u8>) -> FunctionBody {
        FunctionBody { metadata: None, files: Vec::new(), bundle: Some(Blob(bytes)) }
    }

    fn form_of(bundle: Vec<u8>) -> FunctionBody {
        let file = File { name: "bundle.eszip".to_owned(), content: Blob(bundle) };
        FunctionBody { metadata: None, files: vec![file], bundle: None }
    }

    fn form(function: &Stored, files: Vec<File>) -> FunctionBody {
        let below_source = |path: &str| format!("source/{}", path.trim_start_matches("./"));
        let files = files.into_iter().map(|file| File { name: below_source(&file.name), ..file }).collect();
        let metadata = BodyMetadata { deno2_entrypoint_path: below_source(path_of(&function.entrypoint)) };
        FunctionBody { metadata: Some(metadata), files, bundle: None }
    }
}

/// The path of the file at an address: the part after the folder of its version, or else its name.
pub(crate) fn path_of(address: &str) -> &str {
    match address.split_once("://") {
        None => address,
        Some((_, rest)) => match rest.split_once("/source/") {
            Some((_, path)) => path,
            None => rest.rsplit('/').next().unwrap_or(rest),
        },
    }
}

/// A minimal bundle, version 2 of its format: a header that lists the files, then their contents, each part
/// followed by its SHA-256. Numbers have 32 bits, big-endian.
fn eszip(function: &Stored, files: &[File]) -> Vec<u8> {
    const MODULE: u8 = 0;
    const JAVASCRIPT: u8 = 0;
    let number = |length: usize| u32::try_from(length).expect("uploads are limited").to_be_bytes();
    let (mut header, mut sources) = (Vec::new(), Vec::new());
    for File { name, content: Blob(content) } in files {
        let specifier = function.folder() + name.trim_start_matches("./");
        header.extend(number(specifier.len()));
        header.extend(specifier.as_bytes());
        header.push(MODULE);
        // An empty file has no position among the contents.
        header.extend(number(if content.is_empty() { 0 } else { sources.len() }));
        header.extend(number(content.len()));
        header.extend([0; 8]);
        header.push(JAVASCRIPT);
        if !content.is_empty() {
            sources.extend(content);
            sources.extend(Sha256::digest(content));
        }
    }
    let digest = Sha256::digest(&header);
    [b"ESZIP_V2", &number(header.len())[..], &header, &digest, &number(sources.len()), &sources, &[0; 4]]
        .concat()
}

/// The uploaded content of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sources {
    /// A bundle, in any format.
    Bundle(Vec<u8>),
    /// Files, by path.
    Files(Vec<File>),
}

impl Sources {
    fn parts(&self) -> BTreeMap<&str, &[u8]> {
        match self {
            Sources::Bundle(bytes) => BTreeMap::from([("", &bytes[..])]),
            Sources::Files(files) => {
                files.iter().map(|file| (file.name.as_str(), &file.content.0[..])).collect()
            }
        }
    }
}

/// Refuses content larger than a function may be.
pub(crate) fn require_size(cx: &Cx<'_>, sources: &Sources) -> Result<(), Error> {
    let size: u64 = sources.parts().values().map(|content| content.len() as u64).sum();
    let limit = cx.policy.function_bytes;
    if size <= limit {
        return Ok(());
    }
    Err(Error::new(Kind::TooLarge, "function_too_large", "The function size exceeds the allowable limit")
        .because("bytes", size, None)
        .because("allowed bytes", limit, None))
}

/// Stores `sources` for a version in place of its earlier ones.
pub(crate) fn store(cx: &Cx<'_>, key: (&str, &str), function: &str, version: i64, sources: &Sources) {
    let (project, slug) = key;
    let same = "DELETE FROM function_upload WHERE project = ?1 AND slug = ?2 AND version = ?3";
    cx.db.run(same, (project, slug, version));
    let insert = "INSERT INTO function_upload (project, slug, version, function) VALUES (?1, ?2, ?3, ?4)";
    let upload = cx.db.insert(insert, (project, slug, version, function));
    for (path, content) in sources.parts() {
        let digest = hex(&Sha256::digest(content));
        cx.db.run("INSERT OR IGNORE INTO function_content VALUES (?1, ?2)", (&digest, content));
        cx.db.run("INSERT INTO function_file VALUES (?1, ?2, ?3)", (upload, path, &digest));
    }
}

/// Makes the upload for version `to` run in place of that of version `from`; if there is none, `from`'s
/// stays. Bundles for later versions are kept.
pub(crate) fn settle(cx: &Cx<'_>, (project, slug): (&str, &str), from: Option<i64>, to: i64) {
    if let Some(from) = from {
        let carry = "UPDATE OR IGNORE function_upload SET version = ?4
                     WHERE project = ?1 AND slug = ?2 AND version = ?3";
        cx.db.run(carry, (project, slug, from, to));
    }
    let spent = "DELETE FROM function_upload
                 WHERE project = ?1 AND slug = ?2 AND (version < ?4 OR (version = ?3 AND ?3 <> ?4))";
    cx.db.run(spent, (project, slug, from, to));
}

/// The uploaded content of a version; no files if there is none.
pub(crate) fn sources(cx: &Cx<'_>, (project, slug): (&str, &str), version: i64) -> Sources {
    let sql = "SELECT f.path, c.content FROM function_upload u JOIN function_file f ON f.upload = u.id
               JOIN function_content c ON c.digest = f.digest
               WHERE u.project = ?1 AND u.slug = ?2 AND u.version = ?3 ORDER BY f.path";
    let mut files = cx
        .db
        .all(sql, (project, slug, version), |row| Ok(File { name: row.get(0)?, content: Blob(row.get(1)?) }));
    match &mut files[..] {
        [File { name, content }] if name.is_empty() => Sources::Bundle(std::mem::take(&mut content.0)),
        _ => Sources::Files(files),
    }
}

/// SHA-256 of the bundle of a function's version, in hex; `None` if nothing was uploaded for it.
pub(crate) fn bundle_sha256(cx: &Cx<'_>, function: &Stored) -> Option<String> {
    let bundle = match sources(cx, function.key(), function.version) {
        Sources::Bundle(bytes) => bytes,
        Sources::Files(files) if files.is_empty() => return None,
        Sources::Files(files) => eszip(function, &files),
    };
    Some(hex(&Sha256::digest(bundle)))
}

/// The id of the function for which a bundle was made before the function existed.
pub(crate) fn bundled_for(cx: &Cx<'_>, key: (&str, &str)) -> Option<String> {
    let sql = "SELECT function FROM function_upload WHERE project = ?1 AND slug = ?2 LIMIT 1";
    cx.db.maybe(sql, key, |row| row.get(0))
}

/// Deletes all uploads of a function.
pub(crate) fn remove(cx: &Cx<'_>, key: (&str, &str)) {
    cx.db.run("DELETE FROM function_upload WHERE project = ?1 AND slug = ?2", key);
}
