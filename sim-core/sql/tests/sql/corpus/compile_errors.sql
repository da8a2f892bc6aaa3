-- Where bodies in PL/pgSQL are wrong when they are created.

create table t(a int,b int);
--> no rows

create function f7() returns void language plpgsql as $$ begin y := 1; end $$;
--> ERROR 42601: "y" is not a known variable
--> AT 64

create function f8() returns void language plpgsql as $$
begin
  y := 1;
end $$;
--> ERROR 42601: "y" is not a known variable
--> AT 66

create function f8b() returns void
language plpgsql as $$
declare x int;
begin
  x := 1
  y := 2;
end $$;
--> ERROR 42601: syntax error at or near ":="
--> AT 93

create function f9() returns void language plpgsql as $$ begin raise notice '%'; end $$;
--> ERROR 42601: too few parameters specified for RAISE

create function f10() returns void language plpgsql as $$ begin raise notice 'x', 1; end $$;
--> ERROR 42601: too many parameters specified for RAISE

create function f12() returns void language plpgsql as $$ begin continue; end $$;
--> ERROR 42601: CONTINUE cannot be used outside a loop
--> AT 65

create function f13() returns void language plpgsql as $$ declare x int; x int; begin end $$;
--> ERROR 42601: duplicate declaration at or near "x"
--> AT 74

create function f14() returns void language plpgsql as $$ declare x constant int := 1; begin x := 2; end $$;
--> ERROR 22005: variable "x" is declared CONSTANT
--> AT 94

create function f15() returns void language plpgsql as $$ declare x int not null; begin end $$;
--> ERROR 22004: variable "x" must have a default value, since it's declared NOT NULL
--> AT 73

create function f16() returns void language plpgsql as $$ begin null; exception when nope then null; end $$;
--> ERROR 42704: unrecognized exception condition "nope"

create function f17() returns void language plpgsql as $$ begin return 1; end $$;
--> ERROR 42804: RETURN cannot have a parameter in function returning void
--> AT 72

create function f18() returns int language plpgsql as $$ begin return; end $$;
--> ERROR 42601: missing expression at or near ";"
--> AT 70

create function f19() returns int language plpgsql as $$ begin return next 1; end $$;
--> ERROR 42804: cannot use RETURN NEXT in a non-SETOF function
--> AT 64

create function f20() returns int language plpgsql as $$ begin return query select 1; end $$;
--> ERROR 42804: cannot use RETURN QUERY in a non-SETOF function
--> AT 64

create function f21() returns setof int language plpgsql as $$ begin return 1; end $$;
--> ERROR 42804: RETURN cannot have a parameter in function returning set
--> HINT: Use RETURN NEXT or RETURN QUERY.
--> AT 77

create function f22() returns void language plpgsql as $$ declare n int; begin get diagnostics n = nope; end $$;
--> ERROR 42601: unrecognized GET DIAGNOSTICS item at or near "nope"
--> AT 100

create function f23() returns void language plpgsql as $$ begin if true then null; end; end $$;
--> ERROR 42601: syntax error at or near ";"
--> AT 87

create function f24() returns void language plpgsql as $$ begin if then null; end if; end $$;
--> ERROR 42601: missing expression at or near "then"
--> AT 68

create function f25() returns void language plpgsql as $$ begin raise notice 'x' using nope = 1; end $$;
--> ERROR 42601: unrecognized RAISE statement option at or near "nope"
--> AT 88

create function f26() returns void language plpgsql as $$ begin select 1 into nope; end $$;
--> ERROR 42601: "nope" is not a known variable
--> AT 79

create function f27() returns void language plpgsql as $$ begin for i in 1..3 loop null; end loop end $$;
--> ERROR 42601: syntax error at or near "end"
--> AT 99

create function f28() returns void language plpgsql as $$ begin selec 1; end $$;
--> ERROR 42601: syntax error at or near "selec"
--> AT 65

create function f29() returns void language plpgsql as $$ begin perform 1 end; $$;
--> ERROR 42601: syntax error at end of input
--> AT 80

create function f30() returns trigger language plpgsql as $$ begin return new end if; end $$;
--> ERROR 42601: syntax error at or near "if"
--> AT 83

create function f31() returns void language plpgsql as $$ declare x nope; begin end $$;
--> ERROR 42704: type "nope" does not exist
--> AT 69

create function f32() returns void language plpgsql as $$ declare x t.nope%type; begin end $$;
--> ERROR 42601: syntax error at or near "%"
--> AT 75

create function f33() returns void language plpgsql as $$ declare x nope%rowtype; begin end $$;
--> ERROR 42P01: relation "nope" does not exist

create function f34() returns void language plpgsql as $$ begin for r in select 1 loop null; end loop; end $$;
--> ERROR 42601: loop variable of loop over rows must be a record variable or list of scalar variables
--> AT 69

create function f35() returns void language plpgsql as $$ begin foreach x in array array[1] loop null; end loop; end $$;
--> ERROR 42601: loop variable of FOREACH must be a known variable or list of variables
--> AT 73

create function f36() returns void language plpgsql as $$ begin open c for select 1; end $$;
--> ERROR 42601: "c" is not a known variable
--> AT 70

create function f37() returns void language plpgsql as $$ declare c int; begin open c for select 1; end $$;
--> ERROR 42804: variable "c" must be of type cursor or refcursor
--> AT 85

create function f39() returns void language plpgsql as $$ begin close c; end $$;
--> ERROR 42601: "c" is not a known variable
--> AT 71

create function f40() returns void language plpgsql as $$ <<a>> begin null; end b; $$;
--> ERROR 42601: end label "b" differs from block's label "a"
--> AT 81

create function f41() returns void language plpgsql as $$ begin null; $$;
--> ERROR 42601: syntax error at end of input
--> AT 71

create function f42() returns void language plpgsql as $$ null; end $$;
--> ERROR 42601: syntax error at or near "null"
--> AT 59

create function f43() returns void language plpgsql as $$ begin x = ; end $$;
--> ERROR 42601: "x" is not a known variable
--> AT 65

create function f44() returns void language plpgsql as $$ declare x int := ; begin end $$;
--> ERROR 42601: missing expression at or near ";"
--> AT 76

create function f45() returns void language plpgsql as $$ begin case when true then null; end; end $$;
--> ERROR 42601: syntax error at or near ";"
--> AT 94

create function f46() returns void language plpgsql as $$ begin insert into t values (1; end $$;
--> ERROR 42601: unexpected end of function definition at end of input
--> AT 94

create function f47() returns void language plpgsql as $$ begin update t set; end $$;
--> ERROR 42601: syntax error at end of input
--> AT 77

create function f48() returns int language plpgsql as $$ begin return select 1; end $$;
--> ERROR 42601: syntax error at or near "select"
--> AT 71

create function f49() returns int language plpgsql as $$ begin return 1 +; end $$;
--> ERROR 42601: syntax error at end of input
--> AT 74

create function f50() returns void language plpgsql as $$ begin if 1 = then null; end if; end $$;
--> ERROR 42601: syntax error at end of input
--> AT 71

create function f51() returns void language plpgsql as $$ begin execute; end $$;
--> ERROR 42601: missing expression at or near ";"
--> AT 72

create function f52() returns void language plpgsql as $$ begin raise exception using; end $$;
--> ERROR 42601: unrecognized RAISE statement option at or near ";"
--> AT 86

create function f53() returns void language plpgsql as $$ begin raise nope; end $$;
--> ERROR 42704: unrecognized exception condition "nope"

create function f54() returns void language plpgsql as $$ begin raise; end $$;
--> no rows

create function f55() returns void language plpgsql as $$ declare r record; s record; begin select 1, 2 into r, s; end $$;
--> ERROR 42601: record variable cannot be part of multiple-item INTO list
--> AT 111

create function f56() returns void language plpgsql as $$ begin while loop null; end loop; end $$;
--> ERROR 42601: missing expression at or near "loop"
--> AT 71

create function f57() returns void language plpgsql as $$ begin assert; end $$;
--> ERROR 42601: missing expression at or near ";"
--> AT 71

create function f58() returns void language plpgsql as $$ begin 'x'; end $$;
--> ERROR 42601: syntax error at or near "'x'"
--> AT 65

create function f59(a int) returns void language plpgsql as $$ declare b alias for nope; begin end $$;
--> ERROR 42704: variable "nope" does not exist
--> AT 84

create function f60(a int, a int) returns void language plpgsql as $$ begin end $$;
--> ERROR 42P13: parameter name "a" used more than once

create function f61() returns void language plpgsql as $$ begin elsif true then null; end $$;
--> ERROR 42601: syntax error at or near "elsif"
--> AT 65

create function f62() returns void language plpgsql as $$ begin if true then null; else if false then null; end if; end $$;
--> ERROR 42601: syntax error at end of input
--> AT 121

do $$ begin y := 1; end $$;
--> ERROR 42601: "y" is not a known variable
--> AT 13

do $$ begin raise notice '%'; end $$;
--> ERROR 42601: too few parameters specified for RAISE

do $$
begin
  if true then
    foo bar;
  end if;
end $$;
--> ERROR 42601: syntax error at or near "foo"
--> AT 32

create function g1() returns void language plpgsql as $$
#variable_conflict use_column
-- ö comment
declare
  v int;
begin
  for i in 1..3 loop
    v := i; for j in v..5 loop null; end loop;
    y := 'ä' || ;
  end loop;
end $$;
--> ERROR 42601: "y" is not a known variable
--> AT 196

create function g2() returns void language plpgsql as '
begin
  y := 1;
end';
--> ERROR 42601: "y" is not a known variable
--> AT 65

create procedure p1() language plpgsql as $body$
declare
  a int := 1;
begin
  if a = 1 thn
    null;
  end if;
end $body$;
--> ERROR 42601: missing "THEN" at end of SQL expression
--> AT 101

select 1; create function g5() returns void language plpgsql as $$
begin
  raise notice 'x %, %', 1;
end $$;
--> ERROR 42601: too few parameters specified for RAISE

do 'begin
y := 1; end';
--> ERROR 42601: "y" is not a known variable
--> AT 11

do language plpgsql $$ begin
  select a from t where; 
end $$;
--> ERROR 42601: syntax error at end of input
--> AT 53

create function g6() returns void as $$
begin
  insert into t (a, b) values (1, 2)
  update t set a = 1;
end;
$$ language plpgsql;
--> ERROR 42601: syntax error at or near "update"
--> AT 86

create function g7() returns void as $$
begin
  if exists (select 1 from t) then
    return;
  endif;
end;
$$ language plpgsql;
--> ERROR 42601: syntax error at or near "endif"
--> AT 96

create function g8() returns int as $$
declare
  x int = 1;
begin
  return x
end;
$$ language plpgsql;
--> ERROR 42601: syntax error at end of input
--> AT 83

create function g9() returns int as $$
declare
  x int = 1;
begin
  x := x + 1
  return x;
end;
$$ language plpgsql;
--> ERROR 42601: syntax error at or near "x"
--> AT 89

create function g10() returns int as $$
begin
  for r in select * from t loop
    raise notice '%', r;
  end loop;
  return 1;
end;
$$ language plpgsql;
--> ERROR 42601: loop variable of loop over rows must be a record variable or list of scalar variables
--> AT 53

create function g11() returns trigger as $$
begin
  new.x := 1
  return new;
end;
$$ language plpgsql;
--> ERROR 42601: syntax error at or near "new"
--> AT 73

create function g12() returns int as $$
declare
  c cursor for select * from t;
begin
  open c for select 1;
end;
$$ language plpgsql;
--> ERROR 42601: syntax error at or near "for"
--> AT 96

create function g13() returns int as $$
begin
  return (select 1 from);
end;
$$ language plpgsql;
--> ERROR 42601: syntax error at or near ")"
--> AT 70

create function g14() returns int as $$
begin
  raise exception 'x' using errcode = 'foo', nope = 1;
end;
$$ language plpgsql;
--> ERROR 42601: unrecognized RAISE statement option at or near "nope"
--> AT 92

create function g15() returns int as $$
begin
  begin
    null;
  exception
    when unique_violation or nope then null;
  end;
end;
$$ language plpgsql;
--> ERROR 42704: unrecognized exception condition "nope"

create function g16() returns int as $$
declare x zzz.tt%type; begin end $$ language plpgsql;
--> ERROR 42601: syntax error at or near "%"
--> AT 57

create function g17() returns int as $$
declare x nope%rowtype; begin end $$ language plpgsql;
--> ERROR 42P01: relation "nope" does not exist

create function g18() returns int as $$
declare x int; y integr; begin end $$ language plpgsql;
--> ERROR 42704: type "integr" does not exist
--> AT 58

create function g20() returns int as $$
declare c refcursor; begin open c for select 1; close c; return 1; end $$ language plpgsql;
--> no rows

create function g21() returns int as $$
begin
  case 1 when 2 then null end case;
end $$ language plpgsql;
--> ERROR 42601: syntax error at or near "end"
--> AT 73

create function g22() returns int as $$
begin
  select count(*) into strict n from t;
end $$ language plpgsql;
--> ERROR 42601: "n" is not a known variable
--> AT 77

create function g24() returns int as $$
declare n int;
begin
  return n;
$$ language plpgsql;
--> ERROR 42601: syntax error at end of input
--> AT 74

create function g25() returns int as $$
declare n int;
begin
  n = 1;
  return n;
end
$$ language plpgsql;
--> no rows

create function g26() returns int as $$
begin
  return jsonb_build_object('a', 1;
end
$$ language plpgsql;
--> ERROR 42601: mismatched parentheses at or near ";"
--> AT 81

create function g27() returns int as $$
begin
  perform f(1));
end
$$ language plpgsql;
--> ERROR 42601: mismatched parentheses at or near ")"
--> AT 61

create function g29() returns int as $$
begin
  insert into t values (1, 2) returning a into nope;
end
$$ language plpgsql;
--> ERROR 42601: "nope" is not a known variable
--> AT 94

create function g30() returns int as $$
begin
  execute 'select 1' into nope;
end
$$ language plpgsql;
--> ERROR 42601: "nope" is not a known variable
--> AT 73

create function g31() returns int as $$
begin
  execute 'select 1' using 1 into;
end
$$ language plpgsql;
--> ERROR 42601: syntax error at or near ";"
--> AT 80

create function g32() returns setof int as $$
begin
  return query;
end
$$ language plpgsql;
--> ERROR 42601: missing SQL statement at or near ";"
--> AT 67

create function g34() returns int as $$
begin
  get diagnostics = row_count;
end
$$ language plpgsql;
--> ERROR 42601: syntax error at or near "="
--> AT 65

create function g35() returns int as $$
begin
  get stacked diagnostics x = message_text;
end
$$ language plpgsql;
--> ERROR 42601: "x" is not a known variable
--> AT 73

create function g36() returns int as $$
declare t text;
begin
  get diagnostics t = message_text;
end
$$ language plpgsql;
--> ERROR 42601: diagnostics item MESSAGE_TEXT is not allowed in GET CURRENT DIAGNOSTICS
--> AT 65

create function g38() returns int as $$
begin
  print 'x';
end
$$ language plpgsql;
--> ERROR 42601: syntax error at or near "print"
--> AT 49

create function g39() returns int as $$
begin
  nope.x := 1;
end
$$ language plpgsql;
--> ERROR 42601: "nope.x" is not a known variable
--> AT 49
