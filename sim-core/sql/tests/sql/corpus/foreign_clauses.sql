-- Words and clauses that only other databases know, and words that are names here.

create table t(id int primary key, n int); insert into t values (1,1),(2,2),(3,3);
--> no rows

delete from t where id > 1 order by id limit 1;
--> ERROR 42601: syntax error at or near "order"
--> AT 28

delete from t limit 0;
--> ERROR 42601: syntax error at or near "limit"
--> AT 15

update t set n = 9 limit 1;
--> ERROR 42601: syntax error at or near "limit"
--> AT 20

update t set n = 9 where id = 1 order by id;
--> ERROR 42601: syntax error at or near "order"
--> AT 33

with d as (delete from t where id=99 limit 1 returning id) select * from d;
--> ERROR 42601: syntax error at or near "limit"
--> AT 38

select top 1 id from t;
--> ERROR 42601: syntax error at or near "1"
--> AT 12

select id from t qualify row_number() over (order by id) = 1;
--> ERROR 42601: syntax error at or near "row_number"
--> AT 26

select count(*) from t join t t2 where t.id=t2.id;
--> ERROR 42601: syntax error at or near "where"
--> AT 34

select count(*) from t left join t t2;
--> ERROR 42601: syntax error at or near ";"
--> AT 38

select count(*) from t join t t2, t t3;
--> ERROR 42601: syntax error at or near ","
--> AT 33

select count(*) from (select 1 from t inner join t t2) q;
--> ERROR 42601: syntax error at or near ")"
--> AT 54

select count(*) from t cross join t t2;
--> {"count":9}

select count(*) from t natural left join t t2;
--> {"count":3}

select count(*) from t a join t b join t c on b.id=c.id on a.id=b.id;
--> {"count":3}

select count(*) from t a join t b using (id) left join t c on c.id = a.id, t d;
--> {"count":9}

create or replace policy p on t using (true);
--> ERROR 42601: syntax error at or near "policy"
--> AT 19

create or replace table x(id int);
--> ERROR 42601: syntax error at or near "table"
--> AT 19

create or replace type x as enum ('a');
--> ERROR 42601: syntax error at or near "type"
--> AT 19

create or replace materialized view v as select 1;
--> ERROR 42601: syntax error at or near "materialized"
--> AT 19

create or replace sequence s;
--> ERROR 42601: syntax error at or near "sequence"
--> AT 19

create temp function f() returns int language sql as 'select 1';
--> ERROR 42601: syntax error at or near "function"
--> AT 13

create table x(id int(11));
--> ERROR 42601: syntax error at or near "("
--> AT 22

select [1,2];
--> ERROR 42601: syntax error at or near "["
--> AT 8

select 'a' == 'x';
--> ERROR 42883: operator does not exist: unknown == unknown
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 12

select id from t with (nolock);
--> ERROR 42601: syntax error at or near "with"
--> AT 18

select count(*) as 'cnt' from t;
--> ERROR 42601: syntax error at or near "'cnt'"
--> AT 20

create unique index concurrently if not exists on t(n);
--> ERROR 42601: syntax error at or near "on"
--> AT 48

create index if not exists tn on t(n);
--> no rows

create type e as enum ('a'); alter type e add value c;
--> ERROR 42601: syntax error at or near "c"
--> AT 53

alter type e add value if not exists 'd'; alter type e add value 'f' before 'a';
--> ERROR 42704: type "e" does not exist

create view vv as select 1 as x with data;
--> ERROR 42601: syntax error at or near "data"
--> AT 38

create table x1(i int); drop table x1 cascade restrict;
--> ERROR 42601: syntax error at or near "restrict"
--> AT 47

drop table x1 cascade;
--> ERROR 42P01: table "x1" does not exist

create table org_settings(id int, tz text); insert into org_settings values (1,'x');
--> no rows

create view vs as select settings.tz from t k left join org_settings settings on settings.id = k.id;
--> no rows

select * from vs;
--> {"tz":"x"}
--> {"tz":null}
--> {"tz":null}

create policy pp on t using (exists (select 1 from org_settings settings where settings.id = t.id));
--> no rows

create function p() returns text language plpgsql as $$ declare r text; begin select settings.tz into r from org_settings settings limit 1; return r; end $$; select p();
--> {"p":"x"}

select global.id from t global order by 1;
--> {"id":1}
--> {"id":2}
--> {"id":3}

select format.id from t format where format.id = 1;
--> {"id":1}

select partition.id from t partition order by partition.id limit 1;
--> {"id":1}

select open.id from t open join t output on output.id = open.id order by 1;
--> {"id":1}
--> {"id":2}
--> {"id":3}

select connect.id, top.id from t connect, t top where top.id = connect.id order by 1;
--> {"id":1}
--> {"id":2}
--> {"id":3}

update org_settings settings set tz = 'y' where settings.id = 1;
--> no rows

delete from org_settings settings where settings.id = 7;
--> no rows

create table cars(id int primary key, make text, trim text); insert into cars values (1,'m',' x ');
--> no rows

select make, trim from cars; select make, trim from cars where trim = 'SE'; select coalesce(trim,'') from cars; select trim(trim) from cars; select count(*), trim from cars group by trim; update cars set trim = 'X' where trim is null returning trim;
--> {"count":1,"trim":" x "}

create view cv as select id, make, trim from cars;  create policy p on cars using (trim is not null);  create unique index on cars(make, coalesce(trim,''));
--> no rows

alter table cars add column fts tsvector generated always as (to_tsvector('english', coalesce(make,'')||' '||coalesce(trim,''))) stored;
--> no rows

select fts from cars;
--> {"fts":"'m':1 'x':2"}

with top as (select 1 x) select top.x from top;
--> {"x":1}

select top.* from t top order by 1;
--> {"id":1,"n":1}
--> {"id":2,"n":2}
--> {"id":3,"n":3}

do $$ declare top int := 1; begin top := top + 1; raise notice '%', top; end $$;
--> no rows

create table recur(id int, interval int, at interval); insert into recur values (1, 2, '1 day');
--> no rows

select interval from recur; select interval + 1, at * interval from recur; select -interval from recur; select id, interval from recur where interval = 2; select interval '1 day', '1 day'::interval, cast('2 days' as interval), interval(0) '1 sec';
--> {"interval":"00:00:01"}

create function g(a interval, b interval) returns interval language sql as $$ select a + b $$; select g('1 day', interval '2 days'); drop function g(interval, interval);
--> {"g":"3 days"}

create function h() returns int language plpgsql as $$ declare interval int := 1; begin interval := interval + 1; return interval; end $$; select h();
--> {"h":2}

select count(*) view from t; select count(*) sort from t; select count(*) match from t; select count(*) member from t; select count(*) operator from t; select count(*) exclude, 1 explain, 2 minus from t;
--> {"exclude":3,"explain":1,"minus":2}

select id as settings from t where id = 1; select 1 as format, 2 as partition, 3 as top;
--> {"format":1,"partition":2,"top":3}

select count(*) from t;
--> {"count":3}

create table part(i int) partition by range (i); create table part1 partition of part for values from (1) to (2);
--> no rows

select id from t order by id fetch first 1 rows only; insert into t values (1,1) on conflict (id) do update set n = 5; select id, n from t order by id for update limit 1;
--> {"id":1,"n":5}

select array[1,2][1], (array[[1,2],[3,4]])[1:1][2], '{1,2}'::int[], array[[1],[2]];
--> ERROR 42601: syntax error at or near "["
--> AT 18

select position('a' in 'ba'), substring('abc' from 1 for 2), extract(year from date '2020-01-01');
--> {"position":2,"substring":"ab","extract":"2020"}

select int4(5), float8(3);
--> {"int4":5,"float8":3}

select sum(id) over (partition by n order by id) from t;
--> {"sum":2}
--> {"sum":3}
--> {"sum":1}

create function fd() returns void language plpgsql as $$ begin delete from t limit 1; end $$;
--> ERROR 42601: syntax error at or near "limit"
--> AT 78

insert into t values (7) on conflict (do nothing;
--> ERROR 42601: syntax error at or near "do"
--> AT 39

select id from t order by id limit 1 offset 1;
--> {"id":2}

delete from t where id in (select id from t order by id desc limit 1);
--> no rows

select id from t order by id;
--> {"id":1}
--> {"id":2}

with gone as (delete from t where id = 2 returning id) select id from gone order by id limit 1;
--> {"id":2}

create function wrong_expression() returns void language plpgsql as $$ declare x int; begin x := 1 + ; end $$;
--> ERROR 42601: syntax error at end of input
--> AT 101

create function wrong_condition() returns void language plpgsql as $$ begin if 1 = then return; end if; end $$;
--> ERROR 42601: syntax error at end of input
--> AT 83

create function wrong_query() returns setof int language plpgsql as $$ begin return query select 1 from x wher a = 1 2; end $$;
--> ERROR 42601: syntax error at or near "a"
--> AT 112

create function wrong_argument() returns void language plpgsql as $$ begin raise notice '%', 1 1; end $$;
--> ERROR 42601: syntax error at or near "1"
--> AT 96

create function wrong_using() returns void language plpgsql as $$ begin execute 'x' using 1 +; end $$;
--> ERROR 42601: syntax error at end of input
--> AT 94

create function wrong_loop() returns void language plpgsql as $$ declare r record; begin for r in select 1 1 loop null; end loop; end $$;
--> ERROR 42601: syntax error at or near "1"
--> AT 108

create function wrong_insert() returns void language plpgsql as $$ begin insert into t values (1,; end $$;
--> ERROR 42601: unexpected end of function definition at end of input
--> AT 104

do $$ begin if false then perform 1 +; end if; end $$;
--> ERROR 42601: syntax error at end of input
--> AT 38

create function unknown_names() returns void language plpgsql as $$ begin perform nothing.at_all(x) from nowhere; end $$;
--> no rows

set check_function_bodies = off; create function unchecked() returns void language plpgsql as $$ begin perform 1 +; end $$;
--> no rows

create table counted (id int primary key, n int);
--> no rows

insert into counted (id, n) value (1, 2);
--> ERROR 42601: syntax error at or near "value"
--> AT 29

insert into counted value (1, 2);
--> ERROR 42601: syntax error at or near "value"
--> AT 21

insert into counted (id, n) values (1, 2);
--> no rows

create table value (id int);
--> no rows

insert into value (id) values (3);
--> no rows

insert into counted select value (4), 5 from value;
--> ERROR 42883: function value(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 28

select id from counted fetch first 1 rows;
--> ERROR 42601: syntax error at or near ";"
--> AT 42

select id from counted order by id fetch next row;
--> ERROR 42601: syntax error at or near ";"
--> AT 50

select id from counted order by id fetch first 1 rows only;
--> {"id":1}

select id from counted order by id fetch first (1) rows with ties;
--> {"id":1}

create function one_of() returns int language plpgsql as $$ declare c cursor for select id from counted; r int; begin open c; fetch next from c into r; return r; end $$;
--> no rows

select one_of();
--> {"one_of":1}
