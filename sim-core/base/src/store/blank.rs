//! A blank image made in advance. Running a schema takes milliseconds, which every process that makes a world would
//! spend again. The image is used only if it was made from the same schema. It saves time and changes nothing else.

use std::hash::Hasher as _;

use twox_hash::XxHash64;

use super::pages::{PAGE_SIZE, Pages};

/// Bytes before the pages: the digest of the schema.
const DIGEST: usize = 8;

/// An image, after the digest of the schema it was made from.
pub(super) fn pack(schema: &[&str], image: &Pages) -> Vec<u8> {
    let pages = (0..image.count()).map(|index| image.page(index).unwrap_or([0; PAGE_SIZE]));
    digest(schema).into_iter().chain(pages.flatten()).collect()
}

/// The image, unless it was made from another schema.
pub(super) fn unpack(schema: &[&str], packed: &'static [u8]) -> Option<Pages> {
    let (pages, []) = packed.strip_prefix(&digest(schema))?.as_chunks() else { return None };
    Some(Pages::over(pages))
}

/// The digest of a schema. Newer algorithms first detect the processor's features, which takes longer than all of this.
pub(super) fn digest(schema: &[&str]) -> [u8; DIGEST] {
    let mut hasher = XxHash64::with_seed(0);
    schema.iter().for_each(|part| hasher.write(part.as_bytes()));
    hasher.finish().to_be_bytes()
}
