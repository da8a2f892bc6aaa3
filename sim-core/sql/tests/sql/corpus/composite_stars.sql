-- `(row).*` and `row.*` of variables, parameters and values.

create table t (id int primary key, n text); create table h (id int, n text); insert into t values (1,'x');
--> no rows

do $$ declare x t; n int; begin x.id := 3; n := (x).*; end $$;
--> ERROR 42601: assignment source returned 2 columns

do $$ declare x t; y t; begin x.id := 3; y := (x).*; raise notice '%', y; end $$;
--> ERROR 42601: assignment source returned 2 columns

do $$ declare x t; y t; begin x.id := 3; y := x.*; raise exception '%', y; end $$;
--> ERROR 42601: assignment source returned 2 columns

do $$ declare x t; y record; begin x.id := 3; y := (x).*; raise exception '%', y; end $$;
--> ERROR 42601: assignment source returned 2 columns

create function q1() returns t language plpgsql as $$ declare x t; begin x.id := 4; return (x).*; end $$;
--> no rows

select q1();
--> ERROR 42601: query returned 2 columns

create function q2() returns t language plpgsql as $$ declare x t; begin x.id := 4; return x.*; end $$;
--> no rows

select q2();
--> ERROR 42601: query returned 2 columns

create function q3(x t) returns setof t language plpgsql as $$ begin return next (x).*; end $$;
--> no rows

select q3(t) from t;
--> ERROR 42601: query returned 2 columns

create function q3b(x t) returns setof t language plpgsql as $$ begin return next x.*; end $$;
--> no rows

select q3b(t) from t;
--> ERROR 42601: query returned 2 columns

create function q4(x t) returns int language sql as $$ insert into h values ((x).*); select 1 $$;
--> no rows

select q4(t) from t;
--> {"q4":1}

create function q5(x t) returns int language sql as $$ insert into h select x.*; select 1 $$;
--> no rows

select q5(t) from t;
--> {"q5":1}

create function q6(x t) returns int language sql as $$ insert into h select (x).*; select 1 $$;
--> no rows

select q6(t) from t;
--> {"q6":1}

create function q7(x t) returns int language sql as $$ insert into h values (x.*); select 1 $$;
--> no rows

select q7(t) from t;
--> {"q7":1}

create function q7b(t) returns int language sql as $$ insert into h values ($1.*); select 1 $$;
--> no rows

select q7b(t) from t;
--> {"q7b":1}

create function q8(x t) returns t language sql as $$ select x.* $$;
--> no rows

select * from (select q8(t) from t) z;
--> {"q8":"(1,x)"}

create function q9(x t) returns t language sql as $$ select (x).* $$;
--> no rows

select q9(t) from t;
--> {"q9":"(1,x)"}

create function q10(x t) returns setof t language sql as $$ values ((x).*) $$;
--> no rows

select q10(t) from t;
--> {"q10":"(1,x)"}

create function q11(x t) returns setof t language sql as $$ values (x.*) $$;
--> no rows

select q11(t) from t;
--> {"q11":"(1,x)"}

create function q12(x t) returns setof t language sql as $$ select $1.* $$;
--> no rows

select q12(t) from t;
--> {"q12":"(1,x)"}

create function q13(x t) returns setof t language sql as $$ select ($1).* $$;
--> no rows

select q13(t) from t;
--> {"q13":"(1,x)"}

create function q15(x t) returns bigint language sql as $$ select count(x.*) $$;
--> no rows

select q15(t) from t;
--> {"q15":1}

create function q16(x t) returns json language sql as $$ select row_to_json(x.*) $$;
--> no rows

select q16(t) from t;
--> {"q16":{"id":1,"n":"x"}}

select * from h;
--> {"id":1,"n":"x"}
--> {"id":1,"n":"x"}
--> {"id":1,"n":"x"}
--> {"id":1,"n":"x"}
--> {"id":1,"n":"x"}

create function tr() returns trigger language plpgsql as $$ begin execute 'insert into h select $1.*' using new; return new; end $$; create trigger tr after insert on t for each row execute function tr();
--> no rows

insert into t values (70,'s');
--> no rows

create or replace function tr() returns trigger language plpgsql as $$ begin execute 'insert into h values ($1.*)' using new; return new; end $$;
--> no rows

insert into t values (71,'s');
--> no rows

create or replace function tr() returns trigger language plpgsql as $$ begin execute 'insert into h values ($1.id, $1.n)' using new; return new; end $$;
--> no rows

insert into t values (72,'s');
--> no rows

create or replace function tr() returns trigger language plpgsql as $$ begin execute 'insert into h select ($1).*' using new; return new; end $$;
--> no rows

insert into t values (73,'s');
--> no rows

create or replace function tr() returns trigger language plpgsql as $$ begin execute format('insert into %I values (($1).*)', 'h') using new; return new; end $$;
--> no rows

insert into t values (74,'s');
--> no rows

insert into t values (75,'s');
--> no rows

create or replace function tr() returns trigger language plpgsql as $$ begin execute 'insert into h select $1.id + 1, $2' using new, 'u'; return new; end $$;
--> no rows

insert into t values (76,'s');
--> no rows

create or replace function tr() returns trigger language plpgsql as $$ begin execute 'select $1.n' using new; execute 'insert into h select x.* from (select $1.*) x' using new; return new; end $$;
--> no rows

insert into t values (77,'s');
--> no rows

insert into t values (78,'s');
--> no rows

insert into t values (79,'s');
--> no rows

create or replace function tr() returns trigger language plpgsql as $$ declare k t; begin if new.* is distinct from old.* then k := new; end if; return new; end $$;
--> no rows

insert into t values (80,'s');
--> no rows

select * from h order by id;
--> {"id":1,"n":"x"}
--> {"id":1,"n":"x"}
--> {"id":1,"n":"x"}
--> {"id":1,"n":"x"}
--> {"id":1,"n":"x"}
--> {"id":70,"n":"s"}
--> {"id":71,"n":"s"}
--> {"id":72,"n":"s"}
--> {"id":73,"n":"s"}
--> {"id":74,"n":"s"}
--> {"id":75,"n":"s"}
--> {"id":77,"n":"u"}
--> {"id":77,"n":"s"}
--> {"id":78,"n":"s"}
--> {"id":79,"n":"s"}

do $$ declare r t; begin select (r).* ; end $$;
--> ERROR 42601: query has no destination for result data
--> HINT: If you want to discard the results of a SELECT, use PERFORM instead.

do $$ declare r t; k int; begin if (r).* then null; end if; end $$;
--> ERROR 42601: query returned 2 columns

do $$ declare r t; k int; begin raise notice '%', (r).*; end $$;
--> ERROR 42601: query returned 2 columns

do $$ declare r t; k int; begin raise notice '%', r.*; end $$;
--> ERROR 42601: query returned 2 columns

select id + t.* from t;
--> ERROR 42883: operator does not exist: integer + t
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 11

select 1 where (select t from t limit 1).* = 1;
--> ERROR 0A000: row expansion via "*" is not supported here
--> AT 16

truncate h; insert into t values (2, 'y');
--> no rows

insert into h values ((select t from t limit 1).*);
--> no rows

create type pair as (a int, b text); create table c (p pair, q pair[]); insert into c values (row(1,'s'), array[row(2,'z')::pair]);
--> no rows

insert into h select (p).* from c;
--> no rows

insert into h values ((row(7,'q')::pair).*);
--> no rows

insert into h values ((row(7,'q')::pair).*), ((row(8,'q')::pair).*), (9, 'u');
--> no rows

select row((p).*, 5) from c;
--> {"row":"(1,s,5)"}

values ((row(1,'a')::pair).*, 5);
--> {"column1":1,"column2":"a","column3":5}

insert into h values ((row(7)).*);
--> no rows

do $$ declare r record; begin select 1 as a, 'b'::text as b into r; insert into h select (r).*; end $$;
--> ERROR 42809: record type has not been registered

do $$ declare r record; begin select 1 as a, 'b'::text as b into r; insert into h values ((r).*); end $$;
--> ERROR 42809: record type has not been registered

do $$ declare s pair; begin s := row(44,'s'); insert into h values ((s).*) on conflict do nothing; update h set (id, n) = row((s).*) where id = 33; end $$;
--> no rows

select * from h order by 1, 2;
--> {"id":1,"n":"s"}
--> {"id":1,"n":"x"}
--> {"id":7,"n":"q"}
--> {"id":7,"n":"q"}
--> {"id":7,"n":null}
--> {"id":8,"n":"q"}
--> {"id":9,"n":"u"}
--> {"id":44,"n":"s"}

do $$ declare s pair; k text; begin s := row(44,'s'); execute 'select ($1).b || $1.b' into k using s; execute 'select row($1.*)::text' into k using s; raise notice '%', k; execute 'select $1' into k using s; raise exception '%', k; end $$;
--> ERROR P0001: (44,s)

do $$ declare s pair; k text; begin s := row(44,'s'); execute 'select pg_typeof($1)' into k using s; raise exception '%', k; end $$;
--> ERROR P0001: pair

do $$ declare s record; k text; begin s := row(44,'s'::text); execute 'select pg_typeof($1)' into k using s; raise exception '%', k; end $$;
--> ERROR P0001: record

do $$ declare s pair; k text; begin s := row(44,'s'); execute 'select to_jsonb($1)' into k using s; raise exception '%', k; end $$;
--> ERROR P0001: {"a": 44, "b": "s"}

do $$ declare s pair; k text; begin s := row(44,'s'); execute 'select to_jsonb($1)' into k using (s); raise exception '%', k; end $$;
--> ERROR P0001: {"a": 44, "b": "s"}

select * from h order by 1, 2;
--> {"id":1,"n":"s"}
--> {"id":1,"n":"x"}
--> {"id":7,"n":"q"}
--> {"id":7,"n":"q"}
--> {"id":7,"n":null}
--> {"id":8,"n":"q"}
--> {"id":9,"n":"u"}
--> {"id":44,"n":"s"}

create function fg(x t, y int) returns setof h language sql as $$ insert into h select x.* from generate_series(1, y) returning * $$;
--> no rows

select fg(t, 2) from t;
--> {"fg":"(1,x)"}
--> {"fg":"(1,x)"}
--> {"fg":"(70,s)"}
--> {"fg":"(70,s)"}
--> {"fg":"(71,s)"}
--> {"fg":"(71,s)"}
--> {"fg":"(72,s)"}
--> {"fg":"(72,s)"}
--> {"fg":"(73,s)"}
--> {"fg":"(73,s)"}
--> {"fg":"(74,s)"}
--> {"fg":"(74,s)"}
--> {"fg":"(75,s)"}
--> {"fg":"(75,s)"}
--> {"fg":"(76,s)"}
--> {"fg":"(76,s)"}
--> {"fg":"(77,s)"}
--> {"fg":"(77,s)"}
--> {"fg":"(78,s)"}
--> {"fg":"(78,s)"}
--> {"fg":"(79,s)"}
--> {"fg":"(79,s)"}
--> {"fg":"(80,s)"}
--> {"fg":"(80,s)"}
--> {"fg":"(2,y)"}
--> {"fg":"(2,y)"}
