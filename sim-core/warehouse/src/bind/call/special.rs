//! Functions that depend on the types of their arguments, or on the words of the query.

use crate::Target;
use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// Binds a call with bound arguments.
    pub(in crate::bind) fn special(&mut self, name: &str, arguments: &[Expr]) -> Result<Expr, Refusal> {
        match (name, arguments) {
            ("if", [condition, yes, no]) => {
                let condition = self.coerced(condition, &Type::Bool)?;
                let given = [yes.clone(), no.clone()];
                let (type_, results) = self.unified(&given, "IF")?;
                let shape = Expr::shape_of(&given);
                Ok(Expr { shape, ..self.choice(&[condition], &results, true, type_) })
            }
            ("coalesce", [_, ..]) | ("ifnull", [_, _]) => {
                let (type_, unified) = self.unified(arguments, name)?;
                let template = if unified.len() == 1 { "{0}" } else { "coalesce({*})" };
                let shape = Expr::shape_of(arguments);
                Ok(Expr { shape, ..Expr::filled(template, &unified, type_) })
            }
            ("nullif", [left, right]) => {
                let first = left;
                let (left, right) = self.comparable(first, right, "nullif")?;
                if first.type_ == Type::Dynamic || first.type_ == left.type_ {
                    let sql = format!("nullif({}, {})", self.grouped_operand(&left), right.sql);
                    return Ok(Expr::of(sql, left.type_.clone(), [&left, &right]));
                }
                first.once(|first| {
                    let (left, right) = self.comparable(first, &right, "nullif")?;
                    let same = self.equal(&left, &right);
                    let sql = format!("(CASE WHEN {} THEN NULL ELSE {} END)", same.sql, first.sql);
                    Ok(Expr::of(sql, first.type_.clone(), [&same, first]))
                })
            }
            ("greatest" | "least", [_, ..]) => self.extreme(name, arguments),
            ("concat", [_, ..]) => self.concatenated(arguments),
            ("array_concat", [_, ..]) => self.lists(arguments),
            ("format", [_, ..]) => self.formatted_text(arguments),
            ("array_first" | "array_last", [list]) => {
                let Type::Array(of) = &list.type_ else { return Err(no_signature(name, arguments)) };
                let (zero, one) = (self.target.integer(0), self.target.integer(1));
                let length = self.target.pick("json_array_length({0})", "jsonb_array_length({0})::bigint");
                let place = if name == "array_first" { zero } else { format!("{length} - {one}") };
                let no = self.target.boolean(false);
                let json = Expr::filled(&format!("wh_at({{0}}, {place}, {no})"), arguments, Type::Dynamic);
                Ok(json.with(self.target.unpacked(of, &json.sql), (**of).clone()))
            }
            ("parse_numeric" | "parse_bignumeric", [text]) if text.type_ == Type::String => {
                // Its digits may have commas, and its sign may be separate from them or after them.
                let text = Expr::filled("wh_numeric_text({0})", std::slice::from_ref(text), Type::String);
                self.cast(&text, &Type::Number, false)
            }
            ("zeroifnull" | "nullifzero", [value]) => {
                let zero =
                    Expr { origin: Origin::Integer(0), ..Expr::new(self.target.integer(0), Type::Int64) };
                let known = if name == "zeroifnull" { "coalesce" } else { "nullif" };
                self.special(known, &[value.clone(), zero])
            }
            ("normalize", [text, form @ ..]) if form.len() < 2 => {
                let form = match form {
                    [] => "NFC",
                    [Expr { origin: Origin::Text(form), .. }]
                        if matches!(form.as_str(), "NFC" | "NFD" | "NFKC" | "NFKD") =>
                    {
                        form
                    }
                    _ => return Err(Refusal::invalid("NORMALIZE takes NFC, NFD, NFKC or NFKD")),
                };
                let template = format!("wh_normalize({{0}}, '{form}')");
                let text = self.coerced(text, &Type::String)?;
                Ok(Expr::filled(&template, &[text], Type::String))
            }
            ("code_points_to_bytes", [list]) => {
                let text = self.function("code_points_to_string", std::slice::from_ref(list))?;
                Ok(Expr::filled(
                    self.target.pick("wh_latin_bytes({0})", "convert_to({0}, 'LATIN1')"),
                    &[text],
                    Type::Bytes,
                ))
            }
            ("to_code_points", [bytes]) if bytes.type_ == Type::Bytes => {
                Err(Refusal::unsupported("TO_CODE_POINTS of BYTES"))
            }
            ("edit_distance", [_, _, most]) if !matches!(most.type_, Type::Null) => {
                let whole = self.function(name, &arguments[..2])?;
                let most = self.coerced(most, &Type::Int64)?;
                self.extreme("least", &[whole, most])
            }
            ("is_inf", [value]) => {
                let value = self.coerced(value, &Type::Float64)?;
                let template = self.target.pick("(abs({0}) = 9e999)", "(abs({0}) = 'Infinity'::float8)");
                Ok(Expr::filled(template, &[value], Type::Bool))
            }
            ("is_nan", [value]) => {
                let value = self.coerced(value, &Type::Float64)?;
                let template = self.target.pick("({0} <> {0})", "({0} = 'NaN'::float8)");
                Ok(Expr::filled(template, &[value], Type::Bool))
            }
            _ => self.json_call(name, arguments),
        }
    }

    /// The greatest or least value; null if any argument is null.
    fn extreme(&mut self, name: &str, arguments: &[Expr]) -> Result<Expr, Refusal> {
        let (type_, unified) = self.unified(arguments, name)?;
        if type_.is_json() {
            return Err(no_signature(name, arguments));
        }
        let ordered: Vec<String> =
            unified.iter().map(|expr| self.target.ordered(&expr.type_, &expr.sql)).collect();
        let list = ordered.join(", ");
        let sql = match (self.target, name, unified.len()) {
            (_, _, 1) => unified[0].sql.clone(),
            (Target::Sqlite, "greatest", _) => format!("max({list})"),
            (Target::Sqlite, _, _) => format!("min({list})"),
            (Target::Postgres, ..) => {
                let slots = (0..unified.len()).map(|index| format!("{{{index}}}"));
                let slots: Vec<String> =
                    slots.zip(&unified).map(|(slot, expr)| self.target.ordered(&expr.type_, &slot)).collect();
                let nulls = (0..unified.len()).map(|index| format!("{{{index}}} IS NULL"));
                let nulls = nulls.collect::<Vec<_>>().join(" OR ");
                let list = slots.join(", ");
                let template = format!("(CASE WHEN {nulls} THEN NULL ELSE {name}({list}) END)");
                return Ok(Expr::filled(&template, &unified, type_));
            }
        };
        Ok(Expr::of(sql, type_, &unified))
    }
}
