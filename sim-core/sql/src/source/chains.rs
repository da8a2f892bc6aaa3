//! Chains in texts, such as `a or b or c`: a tree is as deep as its text has links.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{Source, is_word};
use crate::error::{Result, SqlError, SqlState};

/// The most tokens in a row without a comma or bracket.
pub(crate) const CHAIN_MAX: usize = 4_000;

/// The most set operations in a row.
const QUERIES_MAX: usize = 2_000;

/// The keywords of set operations.
const SETS: [&str; 3] = ["union", "intersect", "except"];

/// Counts of tokens in a row without brackets.
#[derive(Default)]
pub(crate) struct Chain {
    /// The number of tokens since the last comma.
    pub(crate) length: usize,
    /// The longest chain in a bracket since the last comma: the tree may be as deep as both together.
    pub(crate) inside: usize,
    /// The longest before the last comma.
    before: usize,
    queries: usize,
}

impl Chain {
    /// The longest so far, with what its brackets contain.
    pub(crate) fn longest(&self) -> usize {
        self.before.max(self.length + self.inside)
    }

    /// Goes on after a comma.
    pub(crate) fn end_item(&mut self) {
        self.before = self.longest();
        (self.length, self.inside) = (0, 0);
    }
}

impl Source {
    /// Refuses long chains of operators and queries. Dropping the tree of a longer one could exhaust the stack.
    pub(super) fn check_chains(&self, tokens: &[TokenWithSpan]) -> Result<()> {
        let mut chains = vec![Chain::default()];
        for token in tokens {
            let last = chains.len() - 1;
            let chain = &mut chains[last];
            match &token.token {
                Token::RParen | Token::RBracket if last > 0 => {
                    let depth = chain.longest();
                    chains.pop();
                    let around = &mut chains[last - 1];
                    around.inside = around.inside.max(depth);
                }
                Token::Comma => chain.end_item(),
                Token::SemiColon => *chain = Chain::default(),
                Token::Whitespace(_) => {}
                opening => {
                    chain.length += 1;
                    chain.queries += usize::from(SETS.iter().any(|word| is_word(token, word)));
                    if chain.length + chain.inside > CHAIN_MAX || chain.queries > QUERIES_MAX {
                        return Err(SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded"));
                    }
                    if matches!(opening, Token::LParen | Token::LBracket) {
                        chains.push(Chain::default());
                    }
                }
            }
        }
        Ok(())
    }
}
