//! Privileges and the entries of their lists, as `pg_class.relacl` and its siblings have them.

/// The letters of all privileges, in PostgreSQL's order.
pub const LETTERS: &str = "arwdDxtXUCTc";

/// The words of these letters.
const WORDS: [&str; 12] = [
    "INSERT",
    "SELECT",
    "UPDATE",
    "DELETE",
    "TRUNCATE",
    "REFERENCES",
    "TRIGGER",
    "EXECUTE",
    "USAGE",
    "CREATE",
    "TEMPORARY",
    "CONNECT",
];

/// The letter of a privilege's word.
pub fn letter(word: &str) -> Option<char> {
    let word = if word == "TEMP" { "TEMPORARY" } else { word };
    WORDS.iter().position(|known| *known == word).and_then(|at| LETTERS.chars().nth(at))
}

/// The word of a privilege's letter.
pub fn word(letter: char) -> &'static str {
    LETTERS.find(letter).map_or("", |at| WORDS[at])
}

/// Grantor, grantee and letters of an entry's text; the grantee is empty for everybody.
pub(crate) fn read(entry: &str) -> Option<(String, String, String)> {
    let (grantee, rest) = read_name(entry);
    let (letters, grantor) = rest.strip_prefix('=')?.split_once('/')?;
    Some((read_name(grantor).0, grantee, letters.to_owned()))
}

/// The name at the start of a text, and the rest.
fn read_name(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find('=').unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let (mut name, mut rest) = (String::new(), quoted);
    while let Some((before, after)) = rest.split_once('"') {
        name.push_str(before);
        rest = after;
        match rest.strip_prefix('"') {
            Some(after) => {
                name.push('"');
                rest = after;
            }
            None => break,
        }
    }
    (name, rest)
}
