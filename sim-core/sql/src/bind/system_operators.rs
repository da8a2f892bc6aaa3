//! The operators that PostgreSQL has. The engine has most of them: an error about one that is not here is PostgreSQL's as well.

use super::Binder;
use crate::cast::Context;
use crate::types::Type;

/// The operators by their symbols: the types of their operands, 0 on the left of one before its operand.
const OPERATORS: &str = include_str!("../system/pg_operator.txt");

impl Binder<'_> {
    /// Whether PostgreSQL has an operator of this symbol for one or two operands of these types.
    pub(crate) fn system_has_operator(&self, symbol: &str, operands: &[Type]) -> bool {
        let Some((_, types)) =
            OPERATORS.lines().filter_map(|line| line.split_once('\t')).find(|(known, _)| *known == symbol)
        else {
            return false;
        };
        let types: Vec<u32> = types.split(' ').filter_map(|type_| type_.parse().ok()).collect();
        types.chunks(2).any(|pair| {
            let declared: Vec<Type> =
                pair.iter().filter(|type_| **type_ != 0).map(|type_| Type(*type_)).collect();
            declared.len() == operands.len() && self.takes_operands(&declared, operands)
        })
    }

    fn takes_operands(&self, declared: &[Type], given: &[Type]) -> bool {
        let takes = |(declared, given): (&Type, &Type)| match *declared {
            _ if *given == Type::UNKNOWN => true,
            Type::ANYARRAY | Type::ANYCOMPATIBLEARRAY => self.catalog.base_type(*given).element().is_some(),
            Type::RECORD => *given == Type::RECORD || self.catalog.attributes(*given).is_some(),
            declared if declared.is_polymorphic() => true,
            declared => self.castable(*given, declared) == Some(Context::Implicit),
        };
        declared.iter().zip(given).all(takes) && self.polymorphic(declared, given).is_some()
    }
}
