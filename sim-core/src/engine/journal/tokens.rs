//! Finds tokens in texts that the journal shows, by their digest or their form, and masks them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;
use sim_base::identity::{self, Digest};
use sim_base::manner::Manner;
use sim_base::profile::Profile;
use sim_base::schema::MASK;
use sim_base::world::World;

/// A token has at least this length.
const SHORTEST: usize = 6;

/// Up to this number of tokens, a text is searched for each token first, and its words are checked only afterwards.
const FEW: usize = 8;

/// The beginning of every JSON web token.
const WEB_TOKEN: &str = "eyJ";

/// The least number of characters after the prefix of a token.
const AFTER_PREFIX: usize = 16;

/// The tokens of a world, and the form of its tokens.
pub(crate) struct Tokens<'a> {
    prefixes: [Cow<'a, str>; 2],
    /// Tokens whose text is known.
    texts: BTreeSet<&'a str>,
    /// Whether a token has this digest.
    is_digest: Box<dyn Fn(&Digest) -> bool + 'a>,
}

impl<'a> Tokens<'a> {
    /// The tokens of a world. `is_digest` says whether a digest belongs to one of them.
    pub(crate) fn of(
        profile: &'a Profile,
        world: &'a World,
        is_digest: impl Fn(&Digest) -> bool + 'a,
    ) -> Tokens<'a> {
        let prefixes =
            [profile.token_prefix.as_str().into(), format!("{}secret_", profile.api_key_prefix).into()];
        let tenant =
            world.single_tenant.iter().flat_map(|one| [&one.private_token, &one.public_token]).flatten();
        let texts = world.users.iter().flat_map(|user| &user.tokens).chain(tenant).map(String::as_str);
        let texts = texts.filter(|text| text.len() >= SHORTEST).collect();
        Tokens { prefixes, texts, is_digest: Box::new(is_digest) }
    }

    /// Masks tokens in path and query. The service may define further places for tokens in a path.
    pub(crate) fn in_target_of<'t>(&self, manner: &Manner, target: &'t str) -> Cow<'t, str> {
        match manner.shown(target) {
            Cow::Borrowed(target) => self.masked_in_target(target),
            Cow::Owned(target) => Cow::Owned(self.masked_in_target(&target).into_owned()),
        }
    }

    /// Masks tokens in path and query, encoded ones too.
    pub(crate) fn masked_in_target<'t>(&self, target: &'t str) -> Cow<'t, str> {
        mask(
            target,
            |sign| !matches!(sign, '/' | '?' | '&' | '=' | '#' | ';' | ','),
            |word| {
                let decoded = percent_decode_str(word).decode_utf8_lossy();
                self.is_shaped(&decoded) || self.is_known(&decoded)
            },
        )
    }

    /// Masks tokens in a short text.
    pub(crate) fn masked_in_words<'t>(&self, text: &'t str) -> Cow<'t, str> {
        mask(text, is_part, |word| self.is_shaped(word) || self.is_known(word))
    }

    /// Masks tokens in a body: words of a token's form, and tokens whose text is known. Digests are not compared here,
    /// because that would take too long.
    pub(crate) fn masked_in_body<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let has = |part: &str| !part.is_empty() && text.contains(part);
        let may_have = self.texts.len() > FEW
            || self.texts.iter().any(|text| has(text))
            || self.prefixes.iter().any(|prefix| has(prefix))
            || has(WEB_TOKEN);
        match may_have {
            true => mask(text, is_part, |word| self.is_shaped(word) || self.texts.contains(word)),
            false => Cow::Borrowed(text),
        }
    }

    fn is_known(&self, word: &str) -> bool {
        self.texts.contains(word) || (self.is_digest)(&identity::digest(word))
    }

    /// Whether a word has the form of a token: a prefix and enough characters, or a JSON web token.
    fn is_shaped(&self, word: &str) -> bool {
        let has_prefix = |prefix: &Cow<'_, str>| {
            !prefix.is_empty()
                && word.strip_prefix(&**prefix).is_some_and(|rest| {
                    rest.len() >= AFTER_PREFIX
                        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                })
        };
        self.prefixes.iter().any(has_prefix) || is_web_token(word)
    }
}

/// Whether a word is three parts in base64, of which the first is an object that names an algorithm.
fn is_web_token(word: &str) -> bool {
    let mut parts = word.split('.');
    let is_base64 = |part: &str| {
        part.len() >= 10
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    word.starts_with(WEB_TOKEN)
        && parts.by_ref().take(3).filter(|part| is_base64(part)).count() == 3
        && parts.next().is_none()
}

fn is_part(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '.' | '~' | '+')
}

/// Masks each word that is a token. A word is a run of characters for which `is_part` is true.
fn mask(text: &str, is_part: impl Fn(char) -> bool, is_token: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let mut masked = String::new();
    let mut done = 0;
    let mut rest = text;
    while let Some(start) = rest.find(&is_part) {
        let word = &rest[start..];
        let word = &word[..word.find(|sign| !is_part(sign)).unwrap_or(word.len())];
        let at = text.len() - rest.len() + start;
        // A token at the end of a sentence has a full stop behind it.
        let bare = word.trim_end_matches('.');
        if bare.len() >= SHORTEST && is_token(bare) {
            masked.push_str(&text[done..at]);
            masked.push_str(MASK);
            done = at + bare.len();
        }
        rest = &rest[start + word.len()..];
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    masked.push_str(&text[done..]);
    Cow::Owned(masked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> [String; 3] {
        let (profile, world) = (Profile::default(), World::default());
        let digests = BTreeSet::from([identity::digest("s3cret-token")]);
        let tokens = Tokens::of(&profile, &world, |digest| digests.contains(digest));
        [tokens.masked_in_target(text), tokens.masked_in_words(text), tokens.masked_in_body(text)]
            .map(Cow::into_owned)
    }

    #[test]
    fn tokens_are_masked_everywhere() {
        let pat = format!("pat_{}", "0123456789".repeat(4));
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2lnbmF0dXJlLWhlcmU";
        let rows = [
            ("/v1/projects?api_key=s3cret-token".to_owned(), "/v1/projects?api_key=•••"),
            ("/v1/projects?a=b&anything=s3cret%2Dtoken&c=d".to_owned(), "/v1/projects?a=b&anything=•••&c=d"),
            ("/v1/s3cret-token/x".to_owned(), "/v1/•••/x"),
            (format!("/v1/x?token={pat}"), "/v1/x?token=•••"),
            (format!("/v1/{jwt}"), "/v1/•••"),
            ("/v1/key_secret_0123456789abcdef?x".to_owned(), "/v1/•••?x"),
            ("/v1/projects/abcdefghijklmnopqrst".to_owned(), "/v1/projects/abcdefghijklmnopqrst"),
            ("/v1/pat_short".to_owned(), "/v1/pat_short"),
        ];
        for (target, expected) in rows {
            assert_eq!(shown(&target)[0], expected, "{target}");
        }
        let text = format!("token {pat}. Or \"{jwt}\", or s3cret-token.");
        assert_eq!(shown(&text)[1], "token •••. Or \"•••\", or •••.");
        assert_eq!(shown(&text)[2], "token •••. Or \"•••\", or s3cret-token.");
    }
}
