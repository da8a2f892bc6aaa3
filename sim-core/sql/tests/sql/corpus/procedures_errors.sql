-- Bodies in PL/pgSQL are parsed when they are created.

create function f() returns int language plpgsql as $$ begin retrun 1; end $$;
--> ERROR 42601: syntax error at or near "retrun"
--> AT 62

create function f() returns int language plpgsql as $$ begin return 1 end $$;
--> ERROR 42601: syntax error at end of input
--> AT 75

create function f() returns int language plpgsql as $$ begin if true then return 1; end $$;
--> ERROR 42601: syntax error at end of input
--> AT 89

create function f() returns int language plpgsql as $$ begin x := 1; return 1; end $$;
--> ERROR 42601: "x" is not a known variable
--> AT 62

create function f() returns int language plpgsql as $$ declare x int begin return 1; end $$;
--> ERROR 42601: syntax error at or near "begin"
--> AT 70

create function f() returns int language plpgsql as $$ declare x int; x text; begin return 1; end $$;
--> ERROR 42601: duplicate declaration at or near "x"
--> AT 71

create function f() returns int language plpgsql as $$ declare x int not null; begin return x; end $$;
--> ERROR 22004: variable "x" must have a default value, since it's declared NOT NULL
--> AT 70

create function f() returns int language plpgsql as $$ begin exit; return 1; end $$;
--> ERROR 42601: EXIT cannot be used outside a loop, unless it has a label
--> AT 62

create function f() returns int language plpgsql as $$ begin continue; return 1; end $$;
--> ERROR 42601: CONTINUE cannot be used outside a loop
--> AT 62

create function f() returns int language plpgsql as $$ begin loop exit nowhere; end loop; return 1; end $$;
--> ERROR 42601: there is no label "nowhere" attached to any block or loop enclosing this statement
--> AT 72

create function f() returns int language plpgsql as $$ <<a>> begin return 1; end b $$;
--> ERROR 42601: end label "b" differs from block's label "a"
--> AT 82

create function f() returns int language plpgsql as $$ begin return 1; end b $$;
--> ERROR 42601: end label "b" specified for unlabeled block
--> AT 76

create function f() returns int language plpgsql as $$ begin raise exception 'a % b'; end $$;
--> ERROR 42601: too few parameters specified for RAISE

create function f() returns int language plpgsql as $$ begin raise exception 'a b', 1; end $$;
--> ERROR 42601: too many parameters specified for RAISE

create function f() returns int language plpgsql as $$ begin raise no_such_condition; end $$;
--> ERROR 42704: unrecognized exception condition "no_such_condition"

create function f() returns int language plpgsql as $$ begin return 1; exception when no_such_condition then return 2; end $$;
--> ERROR 42704: unrecognized exception condition "no_such_condition"

create function f() returns int language plpgsql as $$ begin return 1; exception when sqlstate '123' then return 2; end $$;
--> ERROR 42601: invalid SQLSTATE code at or near "'123'"
--> AT 96

create function f() returns int language plpgsql as $$ begin select 1 into x; return 1; end $$;
--> ERROR 42601: "x" is not a known variable
--> AT 76

create function f() returns int language plpgsql as $$ declare x int; begin select 1 into x into x; return 1; end $$;
--> ERROR 42601: INTO specified more than once at or near "into"
--> AT 93

create function f() returns int language plpgsql as $$ begin for x in select 1 loop null; end loop; return 1; end $$;
--> ERROR 42601: loop variable of loop over rows must be a record variable or list of scalar variables
--> AT 66

create function f() returns int language plpgsql as $$ begin if then return 1; end if; return 1; end $$;
--> ERROR 42601: missing expression at or near "then"
--> AT 65

create function f() returns int language plpgsql as $$ begin while true return 1; end loop; end $$;
--> ERROR 42601: missing "LOOP" at end of SQL expression
--> AT 81

create function empty() returns int language plpgsql as $$ declare x int; begin x := ; return 1; end $$;
--> no rows

create function f() returns int language plpgsql as $$ begin return (1; end $$;
--> ERROR 42601: mismatched parentheses at or near ";"
--> AT 71

create function f() returns int language plpgsql as $$ declare x int; begin get diagnostics x = nothing_known; return 1; end $$;
--> ERROR 42601: unrecognized GET DIAGNOSTICS item at or near "nothing_known"
--> AT 97

create function f() returns int language plpgsql as $$ declare x int; begin get diagnostics x = message_text; return 1; end $$;
--> ERROR 42601: diagnostics item MESSAGE_TEXT is not allowed in GET CURRENT DIAGNOSTICS
--> AT 77

create function f() returns int language plpgsql as 'select 1';
--> ERROR 42601: syntax error at or near "select"
--> AT 54

create function f() returns int language plpgsql as '';
--> ERROR 42601: syntax error at end of input
--> AT 54

create function f() returns int language plpgsql as $$ begin return 1; end; $$;
--> no rows

create or replace function f() returns text language plpgsql as $$ begin return 1; end; $$;
--> ERROR 42P13: cannot change return type of existing function
--> HINT: Use DROP FUNCTION f() first.

do $$ begin end if; end $$;
--> ERROR 42601: syntax error at or near "if"
--> AT 17

do $$ declare begin frobnicate; end $$;
--> ERROR 42601: syntax error at or near "frobnicate"
--> AT 21

do $$ begin raise notice 'x' using colour = 'red'; end $$;
--> ERROR 42601: unrecognized RAISE statement option at or near "colour"
--> AT 36

do $$ begin case 1 end case; end $$;
--> ERROR 42601: missing "WHEN" at end of SQL expression
--> AT 28

do $$ #variable_conflict never
begin end $$;
--> ERROR 42601: syntax error at or near "never"
--> AT 26
