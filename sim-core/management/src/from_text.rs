//! Types around a text are made of any text: the call that uses an invalid one refuses it.

/// Lets a type around a text be made of texts, and of a reference to itself.
macro_rules! from_text {
    ($kind:ident) => {
        impl From<&str> for $kind {
            /// Accepts any text; the call that uses it refuses an invalid one.
            fn from(text: &str) -> $kind {
                $kind(text.to_owned())
            }
        }

        impl From<String> for $kind {
            /// Accepts any text; the call that uses it refuses an invalid one.
            fn from(text: String) -> $kind {
                $kind(text)
            }
        }

        impl From<&String> for $kind {
            /// Accepts any text; the call that uses it refuses an invalid one.
            fn from(text: &String) -> $kind {
                $kind(text.clone())
            }
        }

        impl From<&$kind> for $kind {
            fn from(other: &$kind) -> $kind {
                other.clone()
            }
        }
    };
}
pub(crate) use from_text;
