//! Forms of Unicode texts.

use unicode_normalization::UnicodeNormalization as _;

use super::text::{own, truth};
use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

const TT: &[Type] = &[Type::TEXT, Type::TEXT];

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("normalize", TT, Type::TEXT, |a| own(normalized(a)?)).optional(1),
    Function::rust("is_normalized", TT, Type::BOOL, |a| truth(normalized(a)? == a.text(0))).optional(1),
];

fn normalized(a: &Arguments<'_, '_>) -> Result<String> {
    a.budget().work(a.text(0).len())?;
    let text = a.text(0).chars();
    Ok(match if a.is_null(1) { "NFC".to_owned() } else { a.text(1).to_uppercase() }.as_str() {
        "NFC" => text.nfc().collect(),
        "NFD" => text.nfd().collect(),
        "NFKC" => text.nfkc().collect(),
        "NFKD" => text.nfkd().collect(),
        _ => {
            let message = format!("invalid normalization form: {}", a.text(1));
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
    })
}
