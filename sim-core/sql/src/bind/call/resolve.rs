//! Which function or procedure of a project a call means.

use super::Given;
use crate::bind::Binder;
use crate::cast::Context;
use crate::catalog::{Argument, CallNumber, Callee, Oid, PG_CATALOG, Routine, of_element, repeated_type};
use crate::error::{Result, SqlError, SqlState};
use crate::tree::Expr;
use crate::types::Type;

/// What a call looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sought {
    Function,
    /// A procedure, whose `OUT` parameters also stand in the call.
    Procedure,
}

/// A routine, or a function of the system, with the types that it declares for the arguments of a call.
struct Fit<'c> {
    /// `None` for a function of the system.
    routine: Option<(Oid, &'c Routine)>,
    /// The place of its schema in the search path.
    path: usize,
    /// The types for the positional arguments, then those for the named ones.
    declared: Vec<Type>,
    /// Whether its last parameter collects arguments.
    collects: bool,
    /// Whether another routine takes the same arguments, with other defaults.
    ambiguous: bool,
}

impl Given {
    pub(super) fn count(&self) -> usize {
        self.positional.len() + self.named.len()
    }

    /// Refuses names of arguments that are there twice or before arguments without a name.
    pub(in crate::bind) fn check_names(&self) -> Result<()> {
        let wrong = |message| Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        if self.misplaced {
            return wrong("positional argument cannot follow named argument".to_owned());
        }
        let mut names = self.named.iter().map(|(name, _)| name).enumerate();
        let twice = names.find(|(index, name)| self.named[..*index].iter().any(|(known, _)| known == *name));
        twice.map_or(Ok(()), |(_, name)| wrong(format!("argument name \"{name}\" used more than once")))
    }

    fn types(&self) -> Vec<Type> {
        self.positional.iter().chain(self.named.iter().map(|(_, expr)| expr)).map(|expr| expr.type_).collect()
    }

    /// Takes out the arguments that stand for `OUT` parameters.
    fn without_results(&mut self, routine: &Routine) {
        let mut parameters = routine.arguments.iter().filter(|argument| argument.mode != 't');
        self.positional.retain(|_| parameters.next().is_none_or(Argument::is_input));
        self.named.retain(|(name, _)| routine.inputs().any(|input| input.name.as_ref() == Some(name)));
    }
}

impl<'a> Binder<'a> {
    /// The function of the project that a call means, and its arguments; `None` if it means none, or one of the system.
    pub(in crate::bind) fn user_routine(
        &mut self,
        schema: Option<&str>,
        called: &str,
        given: &Given,
    ) -> Result<Option<(Callee, Vec<Expr>)>> {
        match self.chosen_routine(schema, called, given, Sought::Function)? {
            Some((oid, routine)) => self.callee_of(oid, routine, given),
            None => Ok(None),
        }
    }

    /// The procedure that a call means, and its arguments without those that are only results.
    pub(super) fn user_procedure(
        &mut self,
        schema: Option<&str>,
        called: &str,
        given: &mut Given,
    ) -> Result<Option<(Callee, Vec<Expr>)>> {
        let Some((oid, routine)) = self.chosen_routine(schema, called, given, Sought::Procedure)? else {
            return Ok(None);
        };
        given.without_results(routine);
        self.callee_of(oid, routine, given)
    }

    fn callee_of(
        &mut self,
        oid: Oid,
        routine: &Routine,
        given: &Given,
    ) -> Result<Option<(Callee, Vec<Expr>)>> {
        let Some(element) = self.element_for(routine, given)? else { return Ok(None) };
        let routine = element.map_or_else(|| routine.clone(), |element| routine.of_element(element));
        let arguments = self.arguments_for(&routine, given)?;
        Ok(arguments.map(|arguments| (Callee { number: CallNumber::new(oid, element), routine }, arguments)))
    }

    fn chosen_routine(
        &self,
        schema: Option<&str>,
        called: &str,
        given: &Given,
        sought: Sought,
    ) -> Result<Option<(Oid, &'a Routine)>> {
        let schemas = match schema {
            Some(schema) => self.schema_to_use(schema)?.into_iter().collect(),
            None => self.function_path(),
        };
        let types = given.types();
        let mut fits = self.fits(&schemas, called, given, sought);
        if fits.is_empty() {
            return Ok(None);
        }
        if given.named.is_empty() && !given.variadic {
            self.add_system_fits(&mut fits, &schemas, called, &types);
        }
        let exact = fits.iter().position(|fit| fit.declared == types);
        let chosen = match exact {
            Some(exact) => vec![exact],
            None => {
                fits.retain(|fit| self.takes(&fit.declared, &types));
                let signatures: Vec<&[Type]> = fits.iter().map(|fit| &fit.declared[..]).collect();
                self.choose(&signatures, &types, |index, slot, type_| {
                    let declared = signatures[index][slot];
                    declared.is_polymorphic() || self.castable(type_, declared) == Some(Context::Implicit)
                })
            }
        };
        match chosen[..] {
            [] => Ok(None),
            [only] if !fits[only].ambiguous => Ok(fits[only].routine),
            _ => Err(self.ambiguous_call(schema, called, given, sought)),
        }
    }

    /// The routines of a name whose parameters the arguments can stand for, whatever their types.
    fn fits(&self, schemas: &[Oid], called: &str, given: &Given, sought: Sought) -> Vec<Fit<'a>> {
        let mut fits = Vec::new();
        let catalog = self.catalog;
        for (oid, routine) in catalog.routines().filter(|(_, routine)| routine.name == called) {
            let Some(path) = schemas.iter().position(|schema| *schema == routine.schema) else { continue };
            let Some((declared, collects)) = declared_for(routine, given, sought) else { continue };
            let routine = Some((oid, routine));
            add(&mut fits, Fit { routine, path, declared, collects, ambiguous: false });
        }
        fits
    }

    fn add_system_fits(&self, fits: &mut Vec<Fit<'_>>, schemas: &[Oid], called: &str, types: &[Type]) {
        for (extension, declared) in self.system_signatures(called, types) {
            let mut extensions = self.catalog.extensions();
            let schema = match extension {
                None => Some(PG_CATALOG),
                Some(name) => extensions.find(|(_, known)| known.name == name).map(|(_, known)| known.schema),
            };
            let path = schemas.iter().position(|known| Some(*known) == schema);
            // A routine that the service has added to the system's schema stands in for the function.
            let same = |fit: &Fit<'_>| fit.declared == declared && Some(fit.path) == path;
            if let Some(path) = path
                && !fits.iter().any(same)
            {
                add(fits, Fit { routine: None, path, declared, collects: false, ambiguous: false });
            }
        }
    }

    /// Whether arguments of `types` can be converted to the declared types.
    fn takes(&self, declared: &[Type], types: &[Type]) -> bool {
        let Some(element) = self.polymorphic(declared, types) else { return false };
        declared.iter().zip(types).all(|(declared, given)| {
            let wanted = element.map_or(*declared, |element| of_element(*declared, element));
            self.castable(*given, wanted) == Some(Context::Implicit) || is_placeholder(*declared)
        })
    }

    fn ambiguous_call(&self, schema: Option<&str>, called: &str, given: &Given, sought: Sought) -> SqlError {
        let word = match sought {
            Sought::Function => "function",
            Sought::Procedure => "procedure",
        };
        let call = self.signature_given(schema, called, given);
        SqlError::new(SqlState::AMBIGUOUS_FUNCTION, format!("{word} {call} is not unique")).hint(format!(
            "Could not choose a best candidate {word}. You might need to add explicit type casts."
        ))
    }

    /// A call as messages show it.
    pub(super) fn signature_given(&self, schema: Option<&str>, called: &str, given: &Given) -> String {
        let named: Vec<String> = given.named.iter().map(|(name, _)| name.clone()).collect();
        self.shown_signature(schema, called, &given.types(), &named)
    }

    /// A name with the types of arguments, of which the last ones have names.
    pub(super) fn shown_signature(
        &self,
        schema: Option<&str>,
        called: &str,
        types: &[Type],
        named: &[String],
    ) -> String {
        let mut names: Vec<String> = types.iter().map(|type_| self.catalog.type_name(*type_, -1)).collect();
        let first = names.len().saturating_sub(named.len());
        for (type_, name) in names[first..].iter_mut().zip(named) {
            *type_ = format!("{name} => {type_}");
        }
        let called = schema.map_or_else(|| called.to_owned(), |schema| format!("{schema}.{called}"));
        format!("{called}({})", names.join(", "))
    }
}

/// Whether a type stands for any type in signatures of the system's functions.
fn is_placeholder(type_: Type) -> bool {
    matches!(type_, Type::ANY | Type::AS_TEXT | Type::AS_OUTPUT | Type::AS_JSON | Type::AS_JSONB)
}

/// The types that a routine declares for the arguments of a call, and whether its last parameter collects some of them; `None` if the
/// arguments can't stand for its parameters.
fn declared_for(routine: &Routine, given: &Given, sought: Sought) -> Option<(Vec<Type>, bool)> {
    let is_given =
        |argument: &&Argument| argument.is_input() || argument.mode == 'o' && sought == Sought::Procedure;
    let parameters: Vec<&Argument> = routine.arguments.iter().filter(is_given).collect();
    let collects = !given.variadic && parameters.last().is_some_and(|last| last.mode == 'v');
    let (places, count) = (given.positional.len(), given.count());
    if collects && count >= parameters.len() && given.named.is_empty() {
        let (last, fixed) = parameters.split_last()?;
        let repeated = std::iter::repeat_n(repeated_type(last.type_), count - fixed.len());
        return Some((fixed.iter().map(|parameter| parameter.type_).chain(repeated).collect(), true));
    }
    if count > parameters.len() || collects && !given.named.is_empty() {
        return None;
    }
    let (first, rest) = parameters.split_at(places);
    let mut declared: Vec<Type> = first.iter().map(|parameter| parameter.type_).collect();
    for (name, _) in &given.named {
        let named = rest.iter().find(|parameter| parameter.name.as_ref() == Some(name))?;
        declared.push(named.type_);
    }
    let is_named =
        |parameter: &&Argument| given.named.iter().any(|(name, _)| parameter.name.as_ref() == Some(name));
    rest.iter()
        .all(|parameter| is_named(parameter) || parameter.default.is_some())
        .then_some((declared, false))
}

/// Adds a candidate. Of those with the same declared types the one that is found first in the search path hides the others.
fn add<'c>(fits: &mut Vec<Fit<'c>>, fit: Fit<'c>) {
    let Some(same) = fits.iter_mut().find(|known| known.declared == fit.declared) else {
        fits.push(fit);
        return;
    };
    match (fit.path, fit.collects).cmp(&(same.path, same.collects)) {
        std::cmp::Ordering::Less => *same = fit,
        std::cmp::Ordering::Equal => same.ambiguous = true,
        std::cmp::Ordering::Greater => {}
    }
}
