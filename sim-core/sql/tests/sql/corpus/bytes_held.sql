create table t2 (id int primary key, g int, c0 time, c1 bytea, c2 int);
create table t0 (id int primary key, g int);
insert into t2 (id, c1) values (1, '\x61'), (2, null); insert into t0 values (1), (2), (3);
--> no rows

select b.id, count(a) as n, jsonb_agg(a order by a.id) as j from t2 a right join t0 b on b.id = a.id + 1 group by b.id order by 1
--> {"id":1,"n":0,"j":[null]}
--> {"id":2,"n":1,"j":[{"g":null,"c0":null,"c1":"\\x61","c2":null,"id":1}]}
--> {"id":3,"n":1,"j":[{"g":null,"c0":null,"c1":null,"c2":null,"id":2}]}

select jsonb_agg(a order by a.id) as j from t2 a
--> {"j":[{"g":null,"c0":null,"c1":"\\x61","c2":null,"id":1},{"g":null,"c0":null,"c1":null,"c2":null,"id":2}]}

select count(a) from t2 a
--> {"count":2}

select a.id, count(b), jsonb_agg(b) as j from t0 a left join t2 b on true group by a.id
--> {"id":1,"count":2,"j":[{"g":null,"c0":null,"c1":"\\x61","c2":null,"id":1},{"g":null,"c0":null,"c1":null,"c2":null,"id":2}]}
--> {"id":2,"count":2,"j":[{"g":null,"c0":null,"c1":"\\x61","c2":null,"id":1},{"g":null,"c0":null,"c1":null,"c2":null,"id":2}]}
--> {"id":3,"count":2,"j":[{"g":null,"c0":null,"c1":"\\x61","c2":null,"id":1},{"g":null,"c0":null,"c1":null,"c2":null,"id":2}]}

select a.id, l.v from t0 a cross join lateral (select b.c1 as v, b.id from t2 b where coalesce(a.id > 1, false)) l order by 1, 2
--> {"id":2,"v":{"type":"Buffer","data":[97]}}
--> {"id":2,"v":null}
--> {"id":3,"v":{"type":"Buffer","data":[97]}}
--> {"id":3,"v":null}

select a.g as k0, count(*) as g1 from t0 a cross join lateral (select 'a\\b\001'::bytea as v, b.id from t2 b where coalesce(b.g > 2, true)) l group by a.g order by 1, 2
--> {"k0":null,"g1":6}

select a.g as k0, count(*) as g1 from t0 a cross join lateral (select 'a\\b\001'::bytea as v, b.id from t2 b where b.id > a.id limit 1) l group by a.g order by 1, 2
--> {"k0":null,"g1":1}

select array_agg(c1 order by id)::text, array_agg(distinct c1)::text from t2
--> {"array_agg":"{\"\\\\x61\",NULL}"}

select x from unnest(array['\x01'::bytea, null]) as x
--> {"x":{"type":"Buffer","data":[1]}}
--> {"x":null}

create function f(a bytea) returns bytea language sql as $$ select a || c1 from t2 $$; select x from f('\x02') as x;
--> {"x":{"type":"Buffer","data":[2,97]}}

create function g(a bytea) returns setof bytea language sql as $$ select a || c1 from t2 $$; select x, n from g('\x02') with ordinality as x(x, n);
--> {"x":{"type":"Buffer","data":[2,97]},"n":1}
--> {"x":null,"n":2}

create function h(a bytea) returns bytea language plpgsql as $$ declare r record; b bytea; begin for r in select * from t2 order by id loop b := r.c1; return b || a; end loop; end $$; select * from h('\x02');
--> {"h":{"type":"Buffer","data":[97,2]}}

select h('\x03'), h(c1) from t2 order by id
--> {"h":{"type":"Buffer","data":[97,97]}}
--> {"h":null}

create function k(a bytea) returns table (y bytea, z int) language plpgsql as $$ begin return query select c1, c2 from t2 order by id; end $$; select * from k('\x02');
--> {"y":{"type":"Buffer","data":[97]},"z":null}
--> {"y":null,"z":null}

create table u (id int primary key, y bytea unique deferrable initially deferred); insert into u values (1, '\x61'); insert into u values (2, '\x62'); update u set y = '\x61' where id = 2;
--> ERROR 23505: duplicate key value violates unique constraint "u_y_key"
--> DETAIL: Key (y)=(\x61) already exists.

create view v as select * from t2 where c1 is not null with check option; insert into v (id, c1) values (5, '\x01') returning *
--> {"id":5,"g":null,"c0":null,"c1":{"type":"Buffer","data":[1]},"c2":null}

insert into v (id, c1) values (6, null) returning *
--> ERROR 44000: new row violates check option for view "v"
--> DETAIL: Failing row contains (6, null, null, null, null).

alter table t2 enable row level security; create policy a on t2 using (c1 is not null); grant all on t2 to anon; set role anon; insert into t2 values (8, 1, null, '\x01') returning *; insert into t2 values (9, 1, null, null)
--> ERROR 42501: new row violates row-level security policy for table "t2"

create table n2 (id int primary key, c int); insert into n2 values (1,1), (2,2)
--> no rows

create function nf(a int) returns int language sql as $$ select a + c from n2 $$; select x from nf(2) as x
--> {"x":3}

create function fy(a bytea) returns bytea language sql as $$ select a from t2 $$; select x from fy('a') as x
--> {"x":{"type":"Buffer","data":[97]}}

create table p1 (y bytea primary key); create table q1 (y bytea references p1); insert into p1 values ('\x01'); insert into q1 values ('\x01');
--> no rows

update q1 set y = '\x02'
--> ERROR 23503: insert or update on table "q1" violates foreign key constraint "q1_y_fkey"
--> DETAIL: Key (y)=(\x02) is not present in table "p1".

insert into q1 values ('\x03')
--> ERROR 23503: insert or update on table "q1" violates foreign key constraint "q1_y_fkey"
--> DETAIL: Key (y)=(\x03) is not present in table "p1".

delete from p1
--> ERROR 23503: update or delete on table "p1" violates foreign key constraint "q1_y_fkey" on table "q1"
--> DETAIL: Key (y)=(\x01) is still referenced from table "q1".

alter table q1 drop constraint q1_y_fkey
--> no rows

insert into q1 values ('\x07')
--> no rows

alter table q1 add foreign key (y) references p1
--> ERROR 23503: insert or update on table "q1" violates foreign key constraint "q1_y_fkey"
--> DETAIL: Key (y)=(\x07) is not present in table "p1".

delete from q1 where y = '\x07'
--> no rows

alter table q1 add foreign key (y) references p1 on update cascade on delete set null deferrable
--> no rows

update p1 set y = '\x09'
--> no rows

select * from q1
--> {"y":{"type":"Buffer","data":[9]}}

delete from p1
--> no rows

select * from q1
--> {"y":null}

select count(distinct (c1, id)) from t2
--> {"count":3}

select jsonb_object_agg(distinct id, c1) from t2
--> {"jsonb_object_agg":{"1":"\\x61","2":null,"5":"\\x01"}}

select '\x6'::bytea
--> ERROR 22023: invalid hexadecimal data: odd number of digits
--> AT 8

select '\x6g'::bytea
--> ERROR 22023: invalid hexadecimal digit: "g"
--> AT 8

select '\x6 1'::bytea
--> ERROR 22023: invalid hexadecimal digit: " "
--> AT 8

select '\x61 62'::bytea
--> {"bytea":{"type":"Buffer","data":[97,98]}}

select 'ab\1'::bytea
--> ERROR 22P02: invalid input syntax for type bytea
--> AT 8

select decode('6 1', 'hex')
--> ERROR 22023: invalid hexadecimal digit: " "

select decode('61 6', 'hex')
--> ERROR 22023: invalid hexadecimal data: odd number of digits

select interval '1 day' <> time '10:00' as a, interval '1 day' > time '10:00' as b, time '10:00' < interval '1h' as c, time '10:00' = any(array[interval '10 hours']) as d, time '10:00' in (interval '10 hours') as e, time '10:00' = timetz '10:00+00' as f
--> {"a":true,"b":true,"c":false,"d":true,"e":true,"f":true}

create type pair as (n int, t text); create type mood as enum ('a')
--> no rows

select coalesce('a'::mood, '(1,a)'::pair)
--> ERROR 42804: COALESCE types mood and pair cannot be matched
--> AT 28

create function nothing(a int) returns int language sql as $$ select c from n2 where c > a $$; select x, n from nothing(9) with ordinality as y(x, n)
--> {"x":null,"n":1}

select x from nothing(9) as x
--> {"x":null}

select * from n2, nothing(n2.c) as x order by 1
--> {"id":1,"c":1,"x":2}
--> {"id":2,"c":2,"x":null}

create function row_of(a int) returns n2 language sql as $$ select * from n2 where c > a $$; select * from row_of(0)
--> {"id":1,"c":1}

select * from row_of(9)
--> {"id":null,"c":null}

create function out_of(a int, out b int, out d text) language sql as $$ select c, 'x' from n2 where c > a $$; select * from out_of(0)
--> {"b":1,"d":"x"}

select * from out_of(9)
--> {"b":null,"d":null}

select * from n2 left join row_of(n2.c) as x on true order by 1
--> {"id":2,"c":2}
--> {"id":null,"c":null}

create domain brief as text; create table ranked (id int primary key, c brief, m int); insert into ranked values (1, 'a', null), (2, 'b', 3), (3, 'c', 4), (4, 'd', null), (5, 'e', 3)
--> no rows

select '1' <@ int4range(1, 3), int8range(1, 3) @> 1, numrange(1, 3) @> 1, numrange(1, 3) @> 1.5
--> ERROR 22P02: malformed range literal: "1"
--> DETAIL: Missing left parenthesis or bracket.
--> AT 8

select int8range(1, 3) @> 1::bigint, daterange('2024-01-01', null) @> '2024-02-01'::timestamp
--> ERROR 42883: operator does not exist: daterange @> timestamp without time zone
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 68

select dense_rank(2) within group (order by m desc), rank(2) within group (order by m desc), dense_rank(2) within group (order by m), rank(5) within group (order by m), dense_rank(null) within group (order by m), dense_rank(3) within group (order by m desc nulls last), percent_rank(2) within group (order by m desc), cume_dist(2) within group (order by m desc) from ranked
--> {"dense_rank":2,"rank":4,"percent_rank":1,"cume_dist":1}

create procedure r(inout p0 bytea, inout p1 pair) language plpgsql as $$ begin p1 := row(null, null); end $$; call r('\x61', '(1,a)')
--> {"p0":{"type":"Buffer","data":[97]},"p1":"(,)"}

create procedure r3(inout p0 int, inout p1 pair) language plpgsql as $$ begin p0 := 2; end $$; call r3(1, '(1,a)')
--> {"p0":2,"p1":"(1,a)"}

call r3(1, '(,)')
--> {"p0":2,"p1":"(,)"}

create procedure r4(inout p1 pair[], inout p2 int4range) language plpgsql as $$ begin p2 := p2; end $$; call r4(array['(1,a)'::pair, '(,)'], '[1,3]')
--> {"p1":"{\"(1,a)\",\"(,)\"}","p2":"[1,4)"}

create procedure r5(inout p0 int, inout p1 pair) language plpgsql as $$ begin p1 := row(array_upper('{}'::text[], 1), null)::pair; p1 := p1; end $$; call r5(1, '(1,a)')
--> {"p0":1,"p1":"(,)"}

create function f5(inout p0 int, inout p1 pair) language plpgsql as $$ begin p1 := row(null, null)::pair; p1 := p1; end $$; select * from f5(1, '(1,a)')
--> {"p0":1,"p1":"(,)"}

create function f6(p1 pair) returns pair language plpgsql as $$ begin p1 := row(null, null)::pair; return p1; end $$; select f6('(1,a)'), f6('(1,a)')::text
--> {"f6":"(,)"}

select percentile_cont(array[0.25, 0.5]) within group (order by m) as a, percentile_disc(array[0.25, 0.5]) within group (order by m) as b from (select null::int as m) as q
--> {"a":null,"b":null}

update n2 set c = '2024-01-01'::date, id = nosuch(1)
--> ERROR 42883: function nosuch(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 44

update n2 set c = 'x' where nosuch(1)
--> ERROR 42883: function nosuch(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 29

update n2 set nocolumn = 1, c = nosuch(1)
--> ERROR 42883: function nosuch(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 33
