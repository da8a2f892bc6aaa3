//! Messages of protocol buffers. A field of one is declared with its kind and tag, as `sum: Option<f64> = optional double(5)`; the
//! kinds are modules of `prost::encoding`. Fields stand in the order of their tags, in which they are written.

use bytes::{Buf, BufMut};
use prost::DecodeError;
use prost::encoding::{DecodeContext, WireType};

/// Declares messages. The type of a field is an `Option` if it is `optional` or `one_of` several, and a `Vec` if it is `repeated` or
/// `packed`.
macro_rules! messages {
    ($(
        $(#[$of_message:meta])*
        $vis:vis struct $message:ident {
            $($(#[$of_field:meta])* $field_vis:vis $field:ident: $type:ty = $($kind:ident)+ ($($tag:tt)+),)*
        }
    )*) => {$(
        $(#[$of_message])*
        #[derive(Default)]
        $vis struct $message {
            $($(#[$of_field])* $field_vis $field: $type,)*
        }

        impl prost::Message for $message {
            fn encode_raw(&self, buffer: &mut impl bytes::BufMut) {
                $(encode!(&self.$field, buffer, $($kind)+ ($($tag)+));)*
            }

            fn merge_field(
                &mut self,
                tag: u32,
                wire: prost::encoding::WireType,
                buffer: &mut impl bytes::Buf,
                context: prost::encoding::DecodeContext,
            ) -> Result<(), prost::DecodeError> {
                let (field, merged) = match tag {
                    $($($tag)+ => {
                        let merged = merge!(&mut self.$field, tag, (wire, buffer, context), $($kind)+);
                        (stringify!($field), merged)
                    })*
                    _ => return prost::encoding::skip_field(wire, tag, buffer, context),
                };
                merged.map_err(|mut error| {
                    error.push(stringify!($message), field);
                    error
                })
            }

            fn encoded_len(&self) -> usize {
                0 $(+ encoded_len!(&self.$field, $($kind)+ ($($tag)+)))*
            }

            fn clear(&mut self) {
                *self = Self::default();
            }
        }
    )*};
}

macro_rules! encode {
    ($field:expr, $buffer:ident, one_of $tags:tt) => {
        if let Some(value) = $field {
            $crate::ingestion::otlp::wire::OneOf::encode(value, $buffer);
        }
    };
    ($field:expr, $buffer:ident, $kind:ident($tag:literal)) => {
        if !$crate::ingestion::otlp::wire::is_default($field) {
            prost::encoding::$kind::encode($tag, $field, $buffer);
        }
    };
    ($field:expr, $buffer:ident, packed $kind:ident($tag:literal)) => {
        prost::encoding::$kind::encode_packed($tag, $field, $buffer)
    };
    ($field:expr, $buffer:ident, $optional_or_repeated:ident $kind:ident($tag:literal)) => {
        for value in $field.iter() {
            prost::encoding::$kind::encode($tag, value, $buffer);
        }
    };
}

macro_rules! encoded_len {
    ($field:expr, one_of $tags:tt) => {
        $field.as_ref().map_or(0, $crate::ingestion::otlp::wire::OneOf::encoded_len)
    };
    ($field:expr, $kind:ident($tag:literal)) => {
        if $crate::ingestion::otlp::wire::is_default($field) {
            0
        } else {
            prost::encoding::$kind::encoded_len($tag, $field)
        }
    };
    ($field:expr, packed $kind:ident($tag:literal)) => {
        prost::encoding::$kind::encoded_len_packed($tag, $field)
    };
    ($field:expr, $optional_or_repeated:ident $kind:ident($tag:literal)) => {
        $field.iter().map(|value| prost::encoding::$kind::encoded_len($tag, value)).sum::<usize>()
    };
}

macro_rules! merge {
    ($field:expr, $tag:ident, ($wire:ident, $buffer:ident, $context:ident), one_of) => {
        $crate::ingestion::otlp::wire::OneOf::merge($field, $tag, $wire, $buffer, $context)
    };
    ($field:expr, $tag:ident, ($wire:ident, $buffer:ident, $context:ident), $kind:ident) => {
        prost::encoding::$kind::merge($wire, $field, $buffer, $context)
    };
    ($field:expr, $tag:ident, ($wire:ident, $buffer:ident, $context:ident), optional $kind:ident) => {
        prost::encoding::$kind::merge($wire, $field.get_or_insert_default(), $buffer, $context)
    };
    ($field:expr, $tag:ident, ($wire:ident, $buffer:ident, $context:ident), $repeated:ident $kind:ident) => {
        prost::encoding::$kind::merge_repeated($wire, $field, $buffer, $context)
    };
}

/// Declares what a field of a message is one of.
macro_rules! one_of {
    ($vis:vis enum $name:ident {
        $($variant:ident($type:ty) = $kind:ident($tag:literal),)*
    }) => {
        $vis enum $name {
            $($variant($type),)*
        }

        impl $crate::ingestion::otlp::wire::OneOf for $name {
            fn encode(&self, buffer: &mut impl bytes::BufMut) {
                match self {
                    $($name::$variant(value) => prost::encoding::$kind::encode($tag, value, buffer),)*
                }
            }

            fn merge(
                field: &mut Option<$name>,
                tag: u32,
                wire: prost::encoding::WireType,
                buffer: &mut impl bytes::Buf,
                context: prost::encoding::DecodeContext,
            ) -> Result<(), prost::DecodeError> {
                match (tag, field) {
                    $(($tag, Some($name::$variant(value))) => {
                        prost::encoding::$kind::merge(wire, value, buffer, context)
                    })*
                    $(($tag, field) => {
                        let mut value = <$type>::default();
                        prost::encoding::$kind::merge(wire, &mut value, buffer, context)?;
                        *field = Some($name::$variant(value));
                        Ok(())
                    })*
                    _ => unreachable!("the field has no other tag"),
                }
            }

            fn encoded_len(&self) -> usize {
                match self {
                    $($name::$variant(value) => prost::encoding::$kind::encoded_len($tag, value),)*
                }
            }
        }
    };
}

/// What a field is one of; each has a tag of its own.
pub(super) trait OneOf: Sized {
    fn encode(&self, buffer: &mut impl BufMut);

    /// Reads the one with that tag. If it is the one that the field has, it is merged into that.
    fn merge(
        field: &mut Option<Self>,
        tag: u32,
        wire: WireType,
        buffer: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError>;

    fn encoded_len(&self) -> usize;
}

/// Whether a value is the one that is not written.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use prost::Message as _;

    messages! {
        pub(super) struct Node {
            pub name: String = string(1),
            pub child: Option<Box<Node>> = optional message(2),
            pub sizes: Vec<u64> = packed fixed64(3),
            pub steps: Vec<i32> = packed sint32(4),
            pub sum: Option<f64> = optional double(5),
            pub value: Option<Value> = one_of(6..=8),
            pub others: Vec<Node> = repeated message(9),
        }
    }

    one_of! {
        pub(super) enum Value {
            Flag(bool) = bool(6),
            Node(Box<Node>) = message(7),
            Text(String) = string(8),
        }
    }

    /// The bytes of the message that these bytes are read as.
    fn again(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let node = Node::decode(bytes).map_err(|error| error.to_string())?;
        let written = node.encode_to_vec();
        assert_eq!(written.len(), node.encoded_len());
        Ok(written)
    }

    #[test]
    fn fields_are_written_in_the_order_of_their_tags() {
        let double = [0x29, 0, 0, 0, 0, 0, 0, 0, 0];
        let bytes = [&[0x0a, 1, b'a', 0x12, 2, 0x0a, 0, 0x22, 2, 1, 2][..], &double, &[0x30, 0]].concat();
        let written = [&[0x0a, 1, b'a', 0x12, 0, 0x22, 2, 1, 2][..], &double, &[0x30, 0]].concat();
        // An empty text is not written; a number that may be missing and one of several are, also if they are zero.
        assert_eq!(again(&bytes), Ok(written.clone()));
        let turned = [&[0x30, 0][..], &double, &[0x22, 2, 1, 2, 0x12, 0, 0x0a, 1, b'a']].concat();
        assert_eq!(again(&turned), Ok(written));
    }

    #[test]
    fn numbers_may_be_packed_or_not() {
        let (one, two) = ([1, 0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0]);
        let packed = [&[0x1a, 16][..], &one, &two].concat();
        assert_eq!(again(&[&[0x19][..], &one, &[0x19], &two].concat()), Ok(packed.clone()));
        assert_eq!(again(&[&[0x19][..], &one, &[0x1a, 8], &two].concat()), Ok(packed));
        assert_eq!(again(&[0x20, 1, 0x22, 1, 2, 0x20, 3]), Ok(vec![0x22, 3, 1, 2, 3]));
    }

    #[test]
    fn what_comes_twice_is_merged_or_replaced() {
        assert_eq!(again(&[0x0a, 1, b'a', 0x0a, 1, b'b']), Ok(vec![0x0a, 1, b'b']));
        let merged = |tag| vec![tag, 6, 0x0a, 1, b'a', 0x22, 1, 2];
        for tag in [0x12, 0x3a] {
            assert_eq!(again(&[tag, 3, 0x0a, 1, b'a', tag, 3, 0x22, 1, 2]), Ok(merged(tag)));
        }
        assert_eq!(again(&[0x30, 1, 0x3a, 0, 0x42, 1, b'a']), Ok(vec![0x42, 1, b'a']));
        assert_eq!(again(&[0x4a, 0, 0x4a, 0]), Ok(vec![0x4a, 0, 0x4a, 0]));
    }

    #[test]
    fn unknown_fields_are_passed_over() {
        let unknown =
            [0x50, 1, 0x59, 1, 2, 3, 4, 5, 6, 7, 8, 0x62, 1, b'a', 0x6b, 0x50, 1, 0x6c, 0x75, 1, 2, 3, 4];
        assert_eq!(again(&[&unknown[..], &[0x0a, 1, b'a'], &unknown].concat()), Ok(vec![0x0a, 1, b'a']));
    }

    #[test]
    fn what_is_no_message_is_refused_with_its_place() {
        for (bytes, error) in [
            (&[0x08, 1][..], "Node.name: invalid wire type: Varint (expected LengthDelimited)"),
            (
                &[0x12, 2, 0x10, 0],
                "Node.child: Node.child: invalid wire type: Varint (expected LengthDelimited)",
            ),
            (&[0x32, 0], "Node.value: invalid wire type: LengthDelimited (expected Varint)"),
            (
                &[0x4a, 3, 0x0a, 1, 0xff],
                "Node.name: Node.others: invalid string value: data is not UTF-8 encoded",
            ),
            (&[0x0a, 9, b'a'], "Node.name: buffer underflow"),
            (&[0x1a, 7, 1, 2, 3, 4, 5, 6, 7], "Node.sizes: buffer underflow"),
            (&[0x54], "unexpected end group tag"),
        ] {
            assert_eq!(again(bytes), Err(format!("failed to decode Protobuf message: {error}")));
        }
    }

    #[test]
    fn nesting_is_limited() {
        let nested = |depth| {
            (0..depth).fold(Vec::new(), |inner: Vec<u8>, _| {
                let mut outer = vec![0x12];
                prost::encoding::encode_varint(inner.len() as u64, &mut outer);
                [outer, inner].concat()
            })
        };
        assert_eq!(again(&nested(100)), Ok(nested(100)));
        assert!(again(&nested(101)).is_err_and(|error| error.ends_with(": recursion limit reached")));
    }
}
