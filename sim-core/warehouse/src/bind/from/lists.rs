//! Lists, objects and the results of functions as tables.

use sqlparser::ast::{self, TableAlias};

use super::Factor;
use crate::bind::Binder;
use crate::bind::expr::Expr;
use crate::bind::scope::{Kind, Range, Scope};
use crate::parse_postgres::ROWS_FROM;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// The elements of a list, one row for each. An object is a list of one.
    pub(in crate::bind) fn elements(
        &mut self,
        array: &Expr,
        name: String,
        offset: Option<&str>,
    ) -> Result<Factor, Refusal> {
        let (element, list) = match &array.type_ {
            Type::Array(element) if **element != Type::Dynamic => ((**element).clone(), array.sql.clone()),
            Type::Dynamic | Type::Array(_) => (Type::Dynamic, self.list_of(&array.sql)),
            Type::Null => (Type::Dynamic, self.list_of(&self.target.null(&Type::Dynamic))),
            other => {
                return Err(Refusal::invalid(format!(
                    "Values referenced in UNNEST must be arrays. UNNEST contains expression of type {other}"
                )));
            }
        };
        let alias = self.fresh('s');
        let sql = self.target.pick(
            format!("json_each({list}) AS {alias}"),
            format!("jsonb_array_elements({list}) WITH ORDINALITY AS {alias}(value, number)"),
        );
        let value = format!("{alias}.value");
        let value = self.target.pick(value.clone(), self.element_value(&element, &value));
        let shape = array.shape.clone();
        let value = Expr { loose: Some(name.clone()), shape, ..Expr::new(value, element) };
        let mut ranges = vec![Range { name, kind: Kind::Value(value) }];
        if let Some(offset) = offset {
            let sql = self.target.pick(format!("{alias}.key"), format!("({alias}.number - 1)"));
            let number = Expr { loose: Some(offset.to_owned()), ..Expr::new(sql, Type::Int64) };
            let columns = vec![(offset.to_owned(), number)];
            ranges.push(Range { name: String::new(), kind: Kind::Columns { columns, body: None } });
        }
        Ok(Factor { sql, ranges, merged: Vec::new(), lateral: true })
    }

    /// A function of PostgreSQL's dialect that gives rows.
    pub(super) fn rows_of_function(
        &mut self,
        name: &str,
        given: &[ast::FunctionArg],
        alias: Option<&TableAlias>,
        with_ordinality: bool,
        scope: &Scope<'_>,
    ) -> Result<Factor, Refusal> {
        let name = name.to_lowercase();
        let name = crate::bind::postgres::of_jsonb(&name).unwrap_or(name);
        match (name.as_str(), with_ordinality, given) {
            (ROWS_FROM, _, functions) if !functions.is_empty() => {
                let mut lists = Vec::new();
                let mut names = Vec::new();
                for function in functions {
                    let (own, list) = self.list_of_rows_from(function, scope)?;
                    names.push(own);
                    lists.push(list);
                }
                let only = if let [only] = names.as_slice() { only.as_str() } else { "" };
                if alias.is_none() && names.len() > 1 {
                    return Err(Refusal::unsupported("ROWS FROM of several functions without a name"));
                }
                if alias.is_some_and(|alias| alias.columns.len() < names.len() && names.len() > 1) {
                    return Err(Refusal::unsupported("ROWS FROM with fewer names than functions"));
                }
                self.sets_in_from(lists, only, alias, with_ordinality)
            }
            ("jsonb_each" | "jsonb_each_text", false, [json]) => self.members(&name, json, alias, scope),
            (
                "jsonb_to_record" | "jsonb_to_recordset" | "json_to_record" | "json_to_recordset",
                false,
                [json],
            ) => self.records(&name, json, alias, scope),
            _ => {
                let list = self.list_in_from(&name, given, scope)?;
                self.sets_in_from(vec![list], &name, alias, with_ordinality)
            }
        }
    }

    /// A function in `ROWS FROM (…)`: its name and the list of its rows.
    fn list_of_rows_from(
        &mut self,
        function: &ast::FunctionArg,
        scope: &Scope<'_>,
    ) -> Result<(String, Expr), Refusal> {
        let ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(ast::Expr::Function(call))) = function
        else {
            return Err(Refusal::unsupported("ROWS FROM of what is no function"));
        };
        let name = call.name.to_string().to_lowercase();
        let name = crate::bind::postgres::of_jsonb(&name).unwrap_or(name);
        let given = match &call.args {
            ast::FunctionArguments::List(list) => list.args.as_slice(),
            _ => &[],
        };
        let list = match (name.as_str(), given) {
            ("unnest", [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(array))]) => {
                self.array_in_from(array, scope)?
            }
            _ => self.list_in_from(&name, given, scope)?,
        };
        Ok((name, list))
    }

    /// `jsonb_each(json)`: a row for each member of an object, with its key and its value.
    fn members(
        &mut self,
        name: &str,
        given: &ast::FunctionArg,
        alias: Option<&TableAlias>,
        scope: &Scope<'_>,
    ) -> Result<Factor, Refusal> {
        let ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(json)) = given else {
            return Err(crate::bind::call::unknown_table_function(name));
        };
        let json = self.expr(json, scope)?.plain("FROM")?;
        if json.type_ != Type::Dynamic {
            return Err(crate::bind::value::no_signature(name, &[json]));
        }
        let pair = [Type::String, Type::Dynamic].map(|type_| (String::new(), type_));
        let pairs = Type::Array(Box::new(Type::Struct(pair.to_vec())));
        let list = Expr::filled("wh_map_entries({0})", &[json], pairs);
        let mut names = ["key".to_owned(), "value".to_owned()];
        for (name, given) in names.iter_mut().zip(alias.iter().flat_map(|alias| &alias.columns)) {
            name.clone_from(&given.name.value);
        }
        let mut factor = self.elements(&list, name.to_owned(), None)?;
        for range in &mut factor.ranges {
            let Kind::Value(member) = &range.kind else { continue };
            let key = self.tuple_element(member, 1)?;
            let value = self.tuple_element(member, 2)?;
            let value = if !name.ends_with("text") { value } else { self.coerced(&value, &Type::String)? };
            let columns = names.iter().cloned().zip([key, value]);
            let columns = columns.map(|(name, value)| (name.clone(), Expr { loose: Some(name), ..value }));
            *range = Range {
                name: alias.map_or(name, |alias| &alias.name.value).to_owned(),
                kind: Kind::Columns { columns: columns.collect(), body: None },
            };
        }
        Ok(factor)
    }

    /// The elements of a list as the only column of `t(x)`.
    pub(in crate::bind) fn elements_as(
        &mut self,
        list: &Expr,
        alias: &TableAlias,
    ) -> Result<Factor, Refusal> {
        let column = alias.columns[0].name.value.clone();
        let mut factor = self.elements(list, column.clone(), None)?;
        for range in &mut factor.ranges {
            if let Kind::Value(value) = &range.kind {
                let columns = vec![(column.clone(), value.clone())];
                *range =
                    Range { name: alias.name.value.clone(), kind: Kind::Columns { columns, body: None } };
            }
        }
        Ok(factor)
    }

    /// The elements of a value from an event, as a list for the target's own functions.
    pub(in crate::bind) fn list_of(&self, json: &str) -> String {
        format!("{}({json})", self.target.pick("wh_elements", "wh_list"))
    }

    /// An element that PostgreSQL has unnested. Lists of events have no nulls.
    fn element_value(&self, type_: &Type, json: &str) -> String {
        if *type_ == Type::Dynamic { json.to_owned() } else { self.target.unpacked(type_, json) }
    }
}
