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

select string_agg(distinct c1, '\x2c') from t2
--> {"string_agg":{"type":"Buffer","data":[1,44,97]}}

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
