create table a (id int primary key, n text); insert into a values (1,'x'),(2,'y');
--> no rows

do $$ declare c cursor (x int, y int) for select x * 10 + y as r; v int; begin open c(y := 1, x := 2); fetch c into v; raise exception '%', v; end $$;
--> ERROR P0001: 21

do $$ declare c cursor (x int, y int) for select x * 10 + y as r; begin for q in c(y := 1, x := 2) loop raise exception '%', q.r; end loop; end $$;
--> ERROR P0001: 21

do $$ declare c cursor (x int, y int) for select x * 10 + y as r; v int; begin open c(2, y => 5); fetch c into v; raise exception '%', v; end $$;
--> ERROR 42601: syntax error at or near "=>"
--> AT 92

do $$ declare s text := ''; x int[]; begin foreach x slice 1 in array array[[1,2],[3,4]] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;
--> ERROR P0001: {1,2};{3,4};

do $$ declare s text := ''; x int[]; begin foreach x slice 2 in array array[[1,2],[3,4]] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;
--> ERROR P0001: {{1,2},{3,4}};

do $$ declare s text := ''; x int[]; begin foreach x slice 1 in array array[1,2] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;
--> ERROR P0001: {1,2};

do $$ declare s text := ''; x int[]; begin foreach x slice 1 in array array[[[1,2],[3,4]],[[5,6],[7,8]]] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;
--> ERROR P0001: {1,2};{3,4};{5,6};{7,8};

do $$ declare s text := ''; x int[]; begin foreach x slice 2 in array array[[[1,2],[3,4]],[[5,6],[7,8]]] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;
--> ERROR P0001: {{1,2},{3,4}};{{5,6},{7,8}};

do $$ declare s text := ''; x int; begin foreach x in array array[[[1,2],[3,4]],[[5,6],[7,8]]] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;
--> ERROR P0001: 1;2;3;4;5;6;7;8;

do $$ declare s text := ''; x int[]; begin foreach x in array array[1,2] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;
--> ERROR 42804: FOREACH loop variable must not be of an array type

do $$ declare x int[]; begin foreach x slice 1 in array '{}'::int[] loop null; end loop; end $$;
--> ERROR 2202E: slice dimension (1) is out of the valid range 0..0

do $$ declare x int; begin foreach x in array '{}'::int[] loop null; end loop; end $$;
--> no rows

do $$ declare s text := ''; r a; begin foreach r in array array[row(1,'x')::a, row(2,'y')::a] loop s := s || r.n; end loop; raise exception '%', s; end $$;
--> ERROR P0001: xy

do $$ declare s text := ''; r record; begin foreach r in array array[row(1,'x')::a, row(2,'y')::a] loop s := s || r.n; end loop; raise exception '%', s; end $$;
--> ERROR P0001: xy

do $$ declare s text := ''; x jsonb; begin foreach x in array array['[1,2]'::jsonb, '{"a":1}'] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;
--> ERROR P0001: [1, 2];{"a": 1};

do $$ declare s text := ''; x text; y text; begin foreach x, y in array array[row(1,'x')::a] loop s := s || x || y; end loop; raise exception '%', s; end $$;
--> ERROR P0001: 1x

create domain em as text not null; create domain pos as int check (value > 0); create domain posn as pos not null default 5;
--> no rows

do $$ declare v em; begin null; end $$;
--> ERROR 23502: domain em does not allow null values

do $$ declare v pos; begin v := null; raise exception 'ok %', v; end $$;
--> ERROR P0001: ok <NULL>

do $$ declare v posn; begin null; end $$;
--> ERROR 23502: domain posn does not allow null values

create function fd(x pos) returns pos language plpgsql as $$ declare v pos; begin v := x; return v; end $$; select fd(5);
--> {"fd":5}

select fd(-5);
--> ERROR 23514: value for domain pos violates check constraint "pos_check"

create function fe() returns int language plpgsql as $$ declare v em; begin return 1; end $$; select fe();
--> ERROR 23502: domain em does not allow null values

drop type a;
--> ERROR 2BP01: cannot drop type a because table a requires it
--> HINT: You can drop table a instead.

create type ty as (x int); drop type ty;
--> no rows

create view va as select * from a; drop type va cascade;
--> ERROR 2BP01: cannot drop type va because view va requires it
--> HINT: You can drop view va instead.

do $$ begin raise exception using errcode = '00000', message = 'm'; end $$;
--> ERROR P0001: m

do language sql 'select 1';
--> ERROR 0A000: language "sql" does not support inline code execution

create table g (a int, b int generated always as (a * 2) stored); insert into g values (1); update g set b = default returning *;
--> {"a":1,"b":2}

update g set b = default, a = 4 returning *;
--> {"a":4,"b":8}

select sum(id) filter (where count(*) > 1) from a;
--> ERROR 42803: aggregate functions are not allowed in FILTER
--> AT 30

select sum(id) filter (where row_number() over () > 1) from a;
--> ERROR 42P20: window functions are not allowed in FILTER
--> AT 30

select sum(id) filter (where 'x') from a;
--> ERROR 22P02: invalid input syntax for type boolean: "x"
--> AT 30

select lower(n order by n) from a;
--> ERROR 42809: ORDER BY specified, but lower is not an aggregate function
--> AT 8

select lower(n) over () from a;
--> ERROR 42809: OVER specified, but lower is not a window function nor an aggregate function
--> AT 8

select -'5', +'3';
--> ERROR 42725: operator is not unique: - unknown
--> HINT: Could not choose a best candidate operator. You might need to add explicit type casts.
--> AT 8

create table fk1 (id int references va (id));
--> ERROR 42P01: relation "va" does not exist

create table fk2 (id int references va);
--> ERROR 42P01: relation "va" does not exist

create index on va (id);
--> ERROR 42P01: relation "va" does not exist

create materialized view mva as select 1 as id; create table fk3 (id int references mva (id));
--> ERROR 42809: referenced relation "mva" is not a table

create sequence sq; create index on sq (last_value);
--> ERROR 42809: cannot create index on relation "sq"
--> DETAIL: This operation is not supported for sequences.

create table ck (id int check (id));
--> ERROR 42804: argument of CHECK must be type boolean, not type integer
--> AT 32

alter table a add check (n);
--> ERROR 42804: argument of CHECK must be type boolean, not type text

create index on a (n) where n;
--> ERROR 42804: argument of WHERE must be type boolean, not type text
--> AT 29

drop table if exists a cascade; create table a (id int primary key, n text); insert into a values (1,'x'),(2,'y');
--> no rows

insert into a values (2,'q') on conflict (id) do update set id = 1;
--> ERROR 23505: duplicate key value violates unique constraint "a_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into a values (2,'q') on conflict (id) do update set id = 1 returning id;
--> ERROR 23505: duplicate key value violates unique constraint "a_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into a values (5,'q'), (2,'r') on conflict (id) do update set id = 1;
--> ERROR 23505: duplicate key value violates unique constraint "a_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into a values (5,'q'), (2,'r') on conflict (id) do update set id = 5;
--> ERROR 23505: duplicate key value violates unique constraint "a_pkey"
--> DETAIL: Key (id)=(5) already exists.

create unique index on a (n);
--> no rows

insert into a values (2,'zz') on conflict (id) do update set n = 'x';
--> ERROR 23505: duplicate key value violates unique constraint "a_n_idx"
--> DETAIL: Key (n)=(x) already exists.

insert into a values (3,'x') on conflict (id) do update set n = 'x';
--> ERROR 23505: duplicate key value violates unique constraint "a_n_idx"
--> DETAIL: Key (n)=(x) already exists.

drop table if exists a cascade; create table a (id int primary key, n text); insert into a values (1,'x'),(2,'y');
--> no rows

create function q1() returns int language sql as 'selec 1';
--> ERROR 42601: syntax error at or near "selec"
--> AT 51

create function q2() returns int language sql as 'select id into x from a';
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.

create function q3() returns void language sql as 'select 1; selct 2';
--> ERROR 42601: syntax error at or near "selct"
--> AT 62

create function q4() returns int language sql as $$ insert into a values (3, 'z'); select id from a where n = 'z' $$; select q4();
--> {"q4":3}

create function q5() returns int language sql as $$ (select 1) $$; select q5();
--> {"q5":1}

create function q6() returns int language sql as $$ with x as (insert into a values (4, 'w') returning id) select id from x $$; select q6();
--> {"q6":4}

create function q7() returns setof a language sql as $$ table a $$; select * from q7();
--> {"id":1,"n":"x"}
--> {"id":2,"n":"y"}
--> {"id":3,"n":"z"}
--> {"id":4,"n":"w"}

create function q8() returns int language sql as $$ "select" 1 $$;
--> ERROR 42601: syntax error at or near ""select""
--> AT 53

create function q9() returns void language sql as $$ $$;
--> no rows

create function q10() returns int language sql begin atomic select 1; end; select q10();
--> {"q10":1}

create function q11() returns int language sql return 5; select q11();
--> {"q11":5}

set check_function_bodies = off; create function q12() returns int language sql as 'selec 1';
--> no rows

create procedure q13() language sql as $$ foo $$;
--> ERROR 42601: syntax error at or near "foo"
--> AT 43
