-- What functions return: rows of one column, rows as values, rows in variables; and where errors say that they came up.

create table p2t (i int); insert into p2t values (1),(2);
--> no rows

create function rs() returns setof p2t language sql as 'select * from p2t'; select rs();
--> {"rs":"(1)"}
--> {"rs":"(2)"}

select (rs()).i;
--> {"i":1}
--> {"i":2}

select * from rs();
--> {"i":1}
--> {"i":2}

select rs from rs();
--> {"rs":"(1)"}
--> {"rs":"(2)"}

create function rs1() returns p2t language sql as 'select * from p2t limit 1'; select rs1();
--> {"rs1":"(1)"}

select (rs1()).i;
--> {"i":1}

create function rp() returns setof p2t language plpgsql as 'begin return query select * from p2t; end'; select rp();
--> {"rp":"(1)"}
--> {"rp":"(2)"}

select (rp()).*;
--> {"i":1}
--> {"i":2}

create function rn() returns setof p2t language plpgsql as 'declare r p2t; begin for r in select * from p2t loop return next r; end loop; end'; select rn();
--> {"rn":"(1)"}
--> {"rn":"(2)"}

create function rt() returns table (i int) language sql as 'select i from p2t'; select rt();
--> {"rt":1}
--> {"rt":2}

create function ro(out a p2t) language sql as 'select row(7)::p2t'; select ro();
--> {"ro":"(7)"}

select (ro()).i;
--> {"i":7}

do $$ declare r record; begin r := row(1); raise notice '%', r; end $$;
--> no rows

do $$ declare r record; begin r := row(null); raise notice '% %', r, r is null; end $$;
--> no rows

do $$ declare r record; begin r := row(1); raise notice '%', r.f1; end $$;
--> no rows

do $$ declare r record; begin r := row(1); raise notice '%', r.zz; end $$;
--> ERROR 42703: record "r" has no field "zz"

do $$ declare r record; begin r := row(row(1,2), 3); raise notice '%', r; end $$;
--> no rows

do $$ declare r p2t; begin r := row(5); raise notice '% %', r, r.i; end $$;
--> no rows

do $$ declare r p2t; begin r := (select t from p2t t limit 1); raise notice '% %', r, r.i; end $$;
--> no rows

do $$ declare r record; begin r := (select t from p2t t limit 1); raise notice '% %', r, r.i; end $$;
--> no rows

do $$ declare r record; begin select * into r from p2t limit 1; raise notice '% %', r, r.i; end $$;
--> no rows

create type st as (a smallint, b smallint);
--> no rows

create function h3(text) returns st language sql strict as $$ with s(v) as (select (split_part($1,'.',1), split_part($1,'.',2))::st) select s.v from s $$;
--> no rows

select h3('1.2'), h3(null);
--> {"h3":null}

select (h3('1.2')).b;
--> {"b":2}

create function h4(text) returns st language sql as $$ select (split_part($1,'.',1), split_part($1,'.',2))::st $$;
--> no rows

select h4('1.2');
--> {"h4":"(1,2)"}

create function rr() returns setof st language plpgsql as $$ begin return query select (8::smallint,9::smallint)::st; end $$; select * from rr();
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Returned type st does not match expected type smallint in column 1.

create function rr2() returns setof st language plpgsql as $$ begin return query select 8::smallint,9::smallint; end $$; select * from rr2();
--> {"a":8,"b":9}

create function rr3() returns setof st language plpgsql as $$ begin return query select 8::smallint; end $$; select * from rr3();
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Number of returned columns (1) does not match expected column count (2).

create function rr4() returns setof st language plpgsql as $$ begin return query select 8, 9; end $$; select * from rr4();
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Returned type integer does not match expected type smallint in column 1.

create function rr5() returns setof st language plpgsql as $$ begin return query select 8::smallint, 9::smallint, 10; end $$; select * from rr5();
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Number of returned columns (3) does not match expected column count (2).

create function rr7() returns setof p2t language plpgsql as $$ begin return query select t from p2t t; end $$; select * from rr7();
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Returned type p2t does not match expected type integer in column 1.

create function sf2(a int) returns int language sql as $$ select 1; select a/0 $$; select sf2(1);
--> ERROR 22012: division by zero

create function sf3(a int) returns int language plpgsql as $$ begin return sf2(a); end $$; select sf3(1);
--> ERROR 42883: function sf2(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

do $$ begin perform sf3(1); exception when others then declare c text; begin get stacked diagnostics c = pg_exception_context; raise notice '%', c; end; end $$;
--> no rows

create function ctx() returns text language plpgsql as $$ declare c text; begin get diagnostics c = pg_context; return c; end $$; select ctx();
--> {"ctx":"PL/pgSQL function ctx() line 1 at GET DIAGNOSTICS"}

create function ctx2(a int, b text) returns text language plpgsql as $$ declare c text; begin perform 1/a; return 'x'; exception when others then get stacked diagnostics c = pg_exception_context; return c; end $$; select ctx2(0, 'x');
--> {"ctx2":"SQL statement \"SELECT 1/a\"\nPL/pgSQL function ctx2(integer,text) line 1 at PERFORM"}

do $$ begin begin perform 1/0; exception when division_by_zero then perform 1; raise; end; end $$;
--> ERROR 22012: division by zero

create function exj() returns json language plpgsql as $$ begin return 'Seq Scan'::text; exception when others then raise notice '%', sqlerrm; return null; end $$; select exj();
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "Seq" is invalid.

create function trc() returns trigger language plpgsql as $$ declare c text; begin begin perform 1/0; exception when others then get stacked diagnostics c = pg_exception_context; raise notice '%', c; end; return new; end $$;
--> no rows

create trigger t before insert on p2t for each row execute function trc(); insert into p2t values (9);
--> no rows

create function req2() returns setof int language plpgsql as $$ begin return query execute 'select 1::text'; end $$; select * from req2();
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Returned type text does not match expected type integer in column 1.

create function at(a int) returns int language sql begin atomic select a + 1; end; select at(1);
--> {"at":2}

create function at2(a int) returns int language sql return a + 1; select at2(1);
--> {"at2":2}

create function at3(a int) returns int language sql begin atomic select 5; select a + 1; end; select at3(1);
--> {"at3":2}

create procedure at4(a int) language sql begin atomic insert into p2t values (a); end; call at4(44);
--> no rows

create function req() returns setof int language plpgsql as $$ begin return query execute 'create table zz()'; end $$; select * from req();
--> ERROR 42601: CREATE TABLE query does not return tuples

create function req3() returns setof int language plpgsql as $$ begin return query execute 'insert into p2t values (5)'; end $$; select * from req3();
--> ERROR 42601: INSERT query does not return tuples
