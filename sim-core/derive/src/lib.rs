//! `#[derive(New)]`: a constructor from what a request requires. It reads tokens itself, so that nothing has to be compiled
//! before it.

#![forbid(unsafe_code)]

use proc_macro::{Delimiter, TokenStream, TokenTree};

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
    for Field { name, kind, default } in fields_of(fields.stream()) {
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

/// A field of a struct.
struct Field {
    name: String,
    kind: String,
    /// The value where a request leaves the field out; `None` if it must not.
    default: Option<String>,
}

fn fields_of(stream: TokenStream) -> Vec<Field> {
    let (mut fields, mut tokens) = (Vec::new(), stream.into_iter().peekable());
    while tokens.peek().is_some() {
        let mut default = None;
        while tokens.next_if(|token| token.to_string() == "#").is_some() {
            let attribute = tokens.next().expect("an attribute follows");
            default = default.or_else(|| default_of(&attribute));
        }
        tokens.next_if(|token| token.to_string() == "pub");
        tokens.next_if(|token| matches!(token, TokenTree::Group(_)));
        let Some(name) = tokens.next() else { break };
        tokens.next().expect("a colon follows");
        let (mut kind, mut depth) = (Vec::new(), 0);
        while let Some(token) = tokens.next_if(|token| depth > 0 || token.to_string() != ",") {
            depth += match token.to_string().as_str() {
                "<" => 1,
                ">" => -1,
                _ => 0,
            };
            kind.push(token);
        }
        tokens.next();
        if kind.first().is_some_and(|first| first.to_string() == "Option") {
            default = Some("::core::option::Option::None".to_owned());
        }
        let kind = kind.into_iter().collect::<TokenStream>().to_string();
        fields.push(Field { name: name.to_string(), kind, default });
    }
    fields
}

/// What `#[serde(default)]` or `#[serde(default = "function")]` stands for, if that is the attribute.
fn default_of(attribute: &TokenTree) -> Option<String> {
    let TokenTree::Group(brackets) = attribute else { return None };
    let mut tokens = brackets.stream().into_iter();
    tokens.next().filter(|name| name.to_string() == "serde")?;
    let Some(TokenTree::Group(arguments)) = tokens.next() else { return None };
    let mut arguments = arguments.stream().into_iter().skip_while(|token| token.to_string() != "default");
    arguments.next()?;
    let given = arguments.next().filter(|token| token.to_string() == "=").and_then(|_| arguments.next());
    let function = given.map(|text| text.to_string().trim_matches('"').to_owned());
    Some(function.unwrap_or_else(|| "::core::default::Default::default".to_owned()) + "()")
}
