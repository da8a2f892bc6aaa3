//! `#[derive(New)]`: a constructor from what a request requires. `#[derive(FromJson)]`: a shorter `Deserialize`. `#[derive(ToSchema)]`:
//! a shorter `JsonSchema`. They read tokens themselves, so that nothing has to be compiled before them.

#![forbid(unsafe_code)]

mod fields;
mod from_json;
mod to_schema;

use proc_macro::{Delimiter, TokenStream, TokenTree};

use self::fields::{Field, fields_of};

/// Types that a literal has by itself: `5` is an `i64` where one is wanted, but turns into none.
const PLAIN: &[&str] = &["bool", "f64", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize"];

/// Derives `new`, whose arguments are the fields that are required: not an `Option`, and without a default of serde. Each
/// takes whatever turns into its type. The other fields are as they are when a request leaves them out.
///
/// For structs with named fields, and at most with parameters that are types without bounds, as `<P>`. To set other fields, complete a literal by it:
/// `CreateProject { region: Some(region), ..CreateProject::new("a-password", "demo", "acme") }`.
#[proc_macro_derive(New)]
pub fn new(item: TokenStream) -> TokenStream {
    let mut tokens = item.into_iter().skip_while(|token| token.to_string() != "struct").skip(1);
    let name = tokens.next().expect("a struct has a name");
    let mut generics = String::new();
    let fields = loop {
        match tokens.next() {
            Some(TokenTree::Group(fields)) if fields.delimiter() == Delimiter::Brace => break fields,
            Some(TokenTree::Punct(part)) => generics.push(part.as_char()),
            Some(TokenTree::Ident(part)) => generics += &part.to_string(),
            _ => panic!("New is for structs with named fields"),
        }
    };
    let (mut parameters, mut values) = (String::new(), String::new());
    for Field { name, kind, default, .. } in fields_of(&fields) {
        match default {
            Some(default) => values += &format!("{name}: {default},"),
            None if PLAIN.contains(&kind.as_str()) => {
                parameters += &format!("{name}: {kind},");
                values += &format!("{name},");
            }
            None => {
                parameters += &format!("{name}: impl Into<{kind}>,");
                values += &format!("{name}: {name}.into(),");
            }
        }
    }
    let doc = "/// Makes it from the fields that are required. The others are as if a request left them out.";
    let code = format!(
        "#[automatically_derived] impl{generics} {name}{generics} {{
             {doc}\n #[inline] #[must_use] pub fn new({parameters}) -> Self {{ Self {{ {values} }} }}
         }}"
    );
    code.parse().expect("it is made of what the compiler has read")
}

/// Derives serde's `Deserialize` with a tenth of the code, for structs with named fields and enums without values. It knows the
/// attributes `rename`, `rename_all`, `default`, `deserialize_with`, `deny_unknown_fields` and `skip`, with the same meaning and the
/// same messages. Fields are read as JSON values first, so they can't borrow, a struct is no list, and of several fields with another
/// type the first of the struct is named instead of the first of the text.
#[proc_macro_derive(FromJson, attributes(serde))]
pub fn from_json(item: TokenStream) -> TokenStream {
    from_json::derive(item)
}

/// Derives schemars' `JsonSchema` with a tenth of the code. The schema is the same, except that `flatten` is for structs and maps alone.
/// Parameters are types without bounds, and no `Option`. It knows of serde the attributes `rename`, `rename_all`, `default`, `deny_unknown_fields`,
/// `flatten`, `skip`, `skip_serializing_if`, `tag`, `transparent` and `untagged`, and of schemars `rename` and `inline` on types, `with`, `schema_with`,
/// `length`, `range`, `regex` and `inner` on fields, `extend` and `transform`.
#[proc_macro_derive(ToSchema, attributes(serde, schemars))]
pub fn to_schema(item: TokenStream) -> TokenStream {
    to_schema::derive(item)
}
