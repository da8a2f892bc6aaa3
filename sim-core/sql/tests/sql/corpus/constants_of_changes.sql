-- Constants of a change that fail even if no row changes

create table t (id int primary key, n numeric(8,2), c char(6), v varchar(3), j jsonb);
create domain whole as int check (value > -100);
alter table t add w whole;
--> no rows

update t set n = extract(epoch from '2024-01-01'::timestamp) where id = 4;
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 8, scale 2 must round to an absolute value less than 10^6.

update t set n = trunc(12345678.9) where false;
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 8, scale 2 must round to an absolute value less than 10^6.

update t set n = 12345678.9;
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 8, scale 2 must round to an absolute value less than 10^6.

update t set c = 'abcdefghij'::text;
--> ERROR 22001: value too long for type character(6)

update t set c = lower('ABCDEFGHIJ');
--> ERROR 22001: value too long for type character(6)

update t set v = 'abc' || 'def';
--> ERROR 22001: value too long for type character varying(3)

update t set v = 'abcdef';
--> ERROR 22001: value too long for type character varying(3)

update t set w = -200;
--> no rows

update t set w = -200 - 1;
--> no rows

update t set n = 1/0 where id = 1;
--> ERROR 22012: division by zero

update t set n = case when id = 1 then 1/0 else 2 end;
--> ERROR 22012: division by zero

update t set n = case when false then 1/0 else 2 end;
--> no rows

update t set n = coalesce(id, 1/0);
--> ERROR 22012: division by zero

update t set n = coalesce(5, 1/0);
--> no rows

update t set n = 1 where id = 1/0;
--> ERROR 22012: division by zero

delete from t where id = 1/0;
--> ERROR 22012: division by zero

delete from t where id = 1 and 1/0 = 1;
--> ERROR 22012: division by zero

delete from t where false and 1/0 = 1;
--> no rows

delete from t where id = 1 or 1/0 = 1;
--> ERROR 22012: division by zero

insert into t select 1, 1/0 where false;
--> ERROR 22012: division by zero

insert into t (id) select id from t where 1/0 = 1;
--> ERROR 22012: division by zero

update t set n = 2 where false returning 1/0;
--> ERROR 22012: division by zero

update t set j = jsonb_build_object('a', 1/0) where false;
--> ERROR 22012: division by zero

update t set j = ('[1'||']')::jsonb where false;
--> no rows

update t set j = ('[1'||'')::jsonb where false;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: The input string ended unexpectedly.

update t set id = id where sqrt(-1) > 0;
--> ERROR 2201F: cannot take square root of a negative number

update t set id = id where id > array_length(array[1], 1) and (array[1,2])[1/0] = 1;
--> ERROR 22012: division by zero

create function f(a int) returns int language sql immutable as $$ select 1 / a $$;
--> no rows

create function g(a int) returns int language plpgsql immutable as $$ begin return 1 / a; end $$;
--> no rows

update t set n = g(0) where false;
--> ERROR 22012: division by zero

create function h(a int) returns int language plpgsql as $$ begin return 1 / a; end $$;
--> no rows

update t set n = h(0) where false;
--> no rows

do $$ declare z int := 0; begin update t set n = 1 / z where false; end $$;
--> ERROR 22012: division by zero

do $$ declare z int := 0; begin update t set n = 1 / z where id = z; end $$;
--> ERROR 22012: division by zero

do $$ declare z int := 0; begin if z > 0 then update t set n = 1 / z where id = z; end if; end $$;
--> no rows

do $$ declare z int := 0; begin insert into t select 1, 1 / z where z > 0; end $$;
--> ERROR 22012: division by zero

do $$ declare z int; begin for z in 0..1 loop delete from t where id = 1 / z; end loop; end $$;
--> ERROR 22012: division by zero

grant select on t to public;
--> no rows

set local role anon; update t set n = 1/0;
--> ERROR 22012: division by zero

set local role anon; update t set n = 1 where id = 1/0;
--> ERROR 22012: division by zero

set local role anon; insert into t values (1, 1/0);
--> ERROR 22012: division by zero

set local role anon; delete from t where 1/0 = 1;
--> ERROR 22012: division by zero

insert into t (id, n) values (1, 1), (1, 1/0);
--> ERROR 22012: division by zero

insert into t (id, v) values (1, 'a'), (2, 'abcdef');
--> ERROR 22001: value too long for type character varying(3)

create table s (id serial, t text);
--> no rows

insert into s (t) values (lower('A')), ((1/0)::text);
--> ERROR 22012: division by zero

insert into t values (9, 1) on conflict (id) do update set n = 1/0;
--> ERROR 22012: division by zero

insert into t values (9, 1) on conflict (id) do update set n = 1 where 1/0 = 1;
--> ERROR 22012: division by zero

with x as (update t set n = 1/0 where false returning 1) select * from x;
--> ERROR 22012: division by zero

merge into t using (select 1 as k) s on t.id = s.k when matched then update set n = 1/0 when not matched then do nothing;
--> ERROR 22012: division by zero

merge into t using (select 1 as k) s on t.id = s.k when matched then delete when not matched and 1/0 = 1 then do nothing;
--> ERROR 22012: division by zero

with q as (select 1/0 as x from t where false) select 1;
--> {"?column?":1}
