-- What CREATE FUNCTION and CREATE PROCEDURE refuse.

create function x1(a int, a text) returns int language sql as 'select 1';
--> ERROR 42P13: parameter name "a" used more than once

create function x2(a int, out a text) returns text language sql as $$ select 'x' $$;
--> no rows

create function x2p(a int, out a text) returns text language plpgsql as $$ begin end $$;
--> ERROR 42P13: parameter name "a" used more than once

create function x2t(a int) returns table (a int) language sql as 'select 1';
--> no rows

create function x2tp(a int) returns table (a int) language plpgsql as $$ begin end $$;
--> ERROR 42P13: parameter name "a" used more than once

create function x3(out a int, out a text) language sql as $$ select 1, 'x' $$;
--> ERROR 42P13: parameter name "a" used more than once

create function x4(a int default 1, b int) returns int language sql as 'select 1';
--> ERROR 42P13: input parameters after one with a default value must also have defaults

create function x4o(a int default 1, out b int) returns int language sql as 'select 1';
--> no rows

create function x5(variadic a int[], b int) returns int language sql as 'select 1';
--> ERROR 42P13: VARIADIC parameter must be the last input parameter

create function x6(variadic a int) returns int language sql as 'select 1';
--> ERROR 42P13: VARIADIC parameter must be an array

create function x7(out a int default 1) language sql as 'select 1';
--> ERROR 42P13: only input parameters can have default values

create procedure x8(a int, inout b int default 5, out c text) language plpgsql as $$ begin end $$;
--> ERROR 42P13: procedure OUT parameters cannot appear after one with a default value

create function x9() returns int language plv8 as 'select 1';
--> ERROR 42704: language "plv8" does not exist

create function x10() returns int language nope as 'select 1';
--> ERROR 42704: language "nope" does not exist

create function x11() returns int language plpython3u as 'select 1';
--> ERROR 42704: language "plpython3u" does not exist

create function x13() returns int language sql as 'select 1, 2';
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Final statement must return exactly one column.

create function x14(a record) returns int language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot have arguments of type record

create function x15() returns int language plpgsql as $$ declare v geographyx; begin return 1; end $$;
--> ERROR 42704: type "geographyx" does not exist
--> AT 68

create function x15b() returns int language plpgsql as $$ declare v nope.thing; begin return 1; end $$;
--> ERROR 3F000: schema "nope" does not exist
--> AT 69

create function x15d() returns int language plpgsql as $$ declare v nope%rowtype; begin return 1; end $$;
--> ERROR 42P01: relation "nope" does not exist

create table tt (a int);
--> no rows

do $$ declare v geographyx; begin end $$;
--> ERROR 42704: type "geographyx" does not exist
--> AT 17

create function x16() returns int language sql as $$ insert into missing values (1); select 1 $$;
--> ERROR 42P01: relation "missing" does not exist
--> AT 66

create function x17() returns int language sql as $$ create table zzz (a int); insert into zzz values (1); select 1 $$;
--> ERROR 42P01: relation "zzz" does not exist
--> AT 92

create function x18() returns trigger language sql as $$ select 1 $$;
--> ERROR 42P13: SQL functions cannot return type trigger

create function x19(a trigger) returns int language plpgsql as $$ begin return 1; end $$;
--> ERROR 0A000: PL/pgSQL functions cannot accept type trigger

create function x20() returns cstring language plpgsql as $$ begin return 1; end $$;
--> ERROR 0A000: PL/pgSQL functions cannot return type cstring

create function x21() returns void language plpgsql as $$ begin return 1; end $$;
--> ERROR 42804: RETURN cannot have a parameter in function returning void
--> AT 72

do $$ begin return 1; end $$;
--> ERROR 42804: RETURN cannot have a parameter in function returning void
--> AT 20

create function x22() returns int language plpgsql as $$ begin return; end $$;
--> ERROR 42601: missing expression at or near ";"
--> AT 70

create function x23(out a int) language plpgsql as $$ begin return 1; end $$;
--> ERROR 42804: RETURN cannot have a parameter in function with OUT parameters
--> AT 68

create function x24() returns setof int language plpgsql as $$ begin return 1; end $$;
--> ERROR 42804: RETURN cannot have a parameter in function returning set
--> HINT: Use RETURN NEXT or RETURN QUERY.
--> AT 77

create function x25() returns int language plpgsql as $$ begin return next 1; end $$;
--> ERROR 42804: cannot use RETURN NEXT in a non-SETOF function
--> AT 64

create function x26() returns int language plpgsql as $$ begin return query select 1; end $$;
--> ERROR 42804: cannot use RETURN QUERY in a non-SETOF function
--> AT 64

create function x27() returns int language plpgsql as $$ begin exit; return 1; end $$;
--> ERROR 42601: EXIT cannot be used outside a loop, unless it has a label
--> AT 64

create function x28() returns int language plpgsql as $$ begin continue; end $$;
--> ERROR 42601: CONTINUE cannot be used outside a loop
--> AT 64

create function x29() returns int language plpgsql as $$ begin loop exit nolabel; end loop; end $$;
--> ERROR 42601: there is no label "nolabel" attached to any block or loop enclosing this statement
--> AT 74

create function x30() returns int language plpgsql as $$ declare a int; a text; begin end $$;
--> ERROR 42601: duplicate declaration at or near "a"
--> AT 73

create function x31() returns int language plpgsql as $$ begin nov := 1; return 1; end $$;
--> ERROR 42601: "nov" is not a known variable
--> AT 64

create function x32() returns int language plpgsql as $$ declare c constant int := 1; begin c := 2; return 1; end $$;
--> ERROR 22005: variable "c" is declared CONSTANT
--> AT 93

create function x33() returns int language plpgsql as $$ begin raise notice 'a % b'; return 1; end $$;
--> ERROR 42601: too few parameters specified for RAISE

create function x34() returns int language plpgsql as $$ begin raise notice 'a', 1; return 1; end $$;
--> ERROR 42601: too many parameters specified for RAISE

create function x35() returns int language plpgsql as $$ declare c int not null; begin return 1; end $$;
--> ERROR 22004: variable "c" must have a default value, since it's declared NOT NULL
--> AT 72

create function x36() returns int language plpgsql as $$ begin select 1 into nov; return 1; end $$;
--> ERROR 42601: "nov" is not a known variable
--> AT 78

create function x37() returns setof int language plpgsql as $$ begin return next; end $$;
--> ERROR 42601: missing expression at or near ";"
--> AT 81

create function x38(out a int) returns setof int language plpgsql as $$ begin return next 1; end $$;
--> ERROR 42804: RETURN NEXT cannot have a parameter in function with OUT parameters
--> AT 91

create function x40() returns int language plpgsql as $$ begin get diagnostics nov = row_count; return 1; end $$;
--> ERROR 42601: "nov" is not a known variable
--> AT 80

create function x41() returns int language plpgsql as $$ begin open nocur; return 1; end $$;
--> ERROR 42601: "nocur" is not a known variable
--> AT 69

create function x42() returns int language plpgsql as $$ begin for i in select 1 loop end loop; return 1; end $$;
--> ERROR 42601: loop variable of loop over rows must be a record variable or list of scalar variables
--> AT 68

create function x44() returns int language plpgsql as $$ begin perform (; end $$;
--> ERROR 42601: mismatched parentheses at or near ";"
--> AT 73

create function x45() returns int as 'select 1';
--> ERROR 42P13: no language specified

create function x46() returns nosuch language sql as 'select 1';
--> ERROR 42704: type "nosuch" does not exist

create function x47(a nosuch) returns int language sql as 'select 1';
--> ERROR 42704: type nosuch does not exist

create function x48() returns int language sql language sql as 'select 1';
--> ERROR 42601: conflicting or redundant options
--> AT 48

create function x49() returns int language sql immutable stable as 'select 1';
--> ERROR 42601: conflicting or redundant options
--> AT 58

create function x50() language sql as 'select 1';
--> ERROR 42P13: function result type must be specified

create function x51(out a int) returns text language sql as $$ select 'a' $$;
--> ERROR 42P13: function result type must be integer because of OUT parameters

create function x52(out a int, out b int) returns int language sql as $$ select 1 $$;
--> ERROR 42P13: function result type must be record because of OUT parameters

create function x53(a int) returns table(b int) language sql as $$ select 1, 2 $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Final statement must return exactly one column.

create function x54() returns int language sql as $$ $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.

create function x55() returns int language sql as $$ select 'x'::text $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Actual return type is text.

create function x56() returns int language sql as $$ select $1 $$;
--> ERROR 42P02: there is no parameter $1
--> AT 61

create function x57() returns int language sql;
--> ERROR 42P13: no function body specified

create function x58() returns int language sql as 'select 1' as 'select 2';
--> ERROR 42601: conflicting or redundant options
--> AT 62

create procedure x59() returns int language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int"
--> AT 32

create procedure x60() language sql immutable as 'select 1';
--> ERROR 42P13: invalid attribute in procedure definition
--> AT 37

create procedure x61() language sql strict as 'select 1';
--> ERROR 42P13: invalid attribute in procedure definition
--> AT 37

create function x62(setof int) returns int language sql as 'select 1';
--> ERROR 42P13: functions cannot accept set arguments

create function x63() returns int language sql cost 0 as 'select 1';
--> ERROR 22023: COST must be positive

create function x64() returns int language sql set nosuchparam = 1 as 'select 1';
--> ERROR 42704: unrecognized configuration parameter "nosuchparam"

create function x65() returns int language plpgsql begin atomic select 1; end;
--> ERROR 42P13: inline SQL function body only valid for language SQL

create function x66() returns int language sql return 1;
--> no rows

create function x67(a int) returns int return a + 1;
--> no rows

create function x68(a int default a + 1) returns int language sql as 'select 1';
--> ERROR 42703: column "a" does not exist
--> AT 35

create function x69(a int default 'x') returns int language sql as 'select 1';
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 35

create function x70(a int default (select 1)) returns int language sql as 'select 1';
--> ERROR 0A000: cannot use subquery in DEFAULT expression
--> AT 35

create function x71(a int default 1, b int default 2) returns int language sql as 'select a + b'; select x71(), x71(5), x71(b => 7);
--> {"x71":8}
