-- Values of domains, however they are assigned.

create domain big as bigint;
--> no rows

create domain small as text check (length(value) < 5);
--> no rows

create domain num as numeric(8,2);
--> no rows

create table d (id int primary key, b big, s small, n num, a big[], m numeric(6,2));
--> no rows

insert into d (id, b) select 1, 5;
--> no rows

insert into d (id, b) select x, x + 1 from generate_series(2, 4) x;
--> no rows

insert into d (id, b, n) values (5, 7, 3), (6, 7::smallint, 4.567);
--> no rows

select id, b, n, jsonb_typeof(to_jsonb(b)) as t, pg_typeof(b) as ty from d order by id;
--> {"id":1,"b":5,"n":null,"t":"number","ty":"big"}
--> {"id":2,"b":3,"n":null,"t":"number","ty":"big"}
--> {"id":3,"b":4,"n":null,"t":"number","ty":"big"}
--> {"id":4,"b":5,"n":null,"t":"number","ty":"big"}
--> {"id":5,"b":7,"n":"3.00","t":"number","ty":"big"}
--> {"id":6,"b":7,"n":"4.57","t":"number","ty":"big"}

insert into d (id, n) select 10, 3.14159;
--> no rows

insert into d (id, n) select 11, x from (values (2)) v (x);
--> no rows

insert into d (id, a) select 12, array[1,2];
--> no rows

insert into d (id, a) select 13, array[x] from generate_series(1,1) x;
--> no rows

update d set b = v.x, n = v.x from (values (2)) v (x) where id = 1;
--> no rows

select id, b + 1 as b, n + 1 as n, a from d order by id;
--> {"id":1,"b":3,"n":"3.00","a":null}
--> {"id":2,"b":4,"n":null,"a":null}
--> {"id":3,"b":5,"n":null,"a":null}
--> {"id":4,"b":6,"n":null,"a":null}
--> {"id":5,"b":8,"n":"4.00","a":null}
--> {"id":6,"b":8,"n":"5.57","a":null}
--> {"id":10,"b":null,"n":"4.14","a":null}
--> {"id":11,"b":null,"n":"3.00","a":null}
--> {"id":12,"b":null,"n":null,"a":"{1,2}"}
--> {"id":13,"b":null,"n":null,"a":"{1}"}

insert into d (id, b) select 1, 9 on conflict (id) do update set b = excluded.b + 1;
--> no rows

insert into d (id, b) values (1, 9) on conflict (id) do update set b = 3::int;
--> no rows

merge into d using (select 1 as i, 44::int as v) s on s.i = d.id when matched then update set b = s.v, n = s.v when not matched then insert (id, b) values (s.i, s.v);
--> no rows

merge into d using (select 101 as i, 44::int as v) s on s.i = d.id when matched then update set b = s.v, n = s.v when not matched then insert (id, b, n) values (s.i, s.v, s.v);
--> no rows

select id, to_jsonb(b) as b, to_jsonb(n) as n, to_jsonb(a) as a from d order by id;
--> {"id":1,"b":44,"n":44,"a":null}
--> {"id":2,"b":3,"n":null,"a":null}
--> {"id":3,"b":4,"n":null,"a":null}
--> {"id":4,"b":5,"n":null,"a":null}
--> {"id":5,"b":7,"n":3,"a":null}
--> {"id":6,"b":7,"n":4.57,"a":null}
--> {"id":10,"b":null,"n":3.14,"a":null}
--> {"id":11,"b":null,"n":2,"a":null}
--> {"id":12,"b":null,"n":null,"a":[1,2]}
--> {"id":13,"b":null,"n":null,"a":[1]}
--> {"id":101,"b":44,"n":44,"a":null}

create table dd (id int, b big default 5::int, n num default 7, s small default 'x');
--> no rows

insert into dd (id) values (1);
--> no rows

insert into dd (id) select 2;
--> no rows

insert into dd default values returning *;
--> {"id":null,"b":5,"n":"7.00","s":"x"}

select id, to_jsonb(b) as b, to_jsonb(n) as n from dd order by id;
--> {"id":1,"b":5,"n":7}
--> {"id":2,"b":5,"n":7}
--> {"id":null,"b":5,"n":7}

create type pair as (b big, n num, s small);
--> no rows

create table p (id int, p pair);
--> no rows

insert into p values (1, row(1, 2, 'a'));
--> no rows

insert into p select 2, row(x, x, 'b')::pair from generate_series(1,1) x;
--> no rows

insert into p select 3, row(1::int, 2::int, 'toolong')::pair;
--> ERROR 23514: value for domain small violates check constraint "small_check"

insert into p select 4, null;
--> no rows

select id, (p).b, (p).n, to_jsonb(p) as j from p order by id;
--> {"id":1,"b":1,"n":"2.00","j":{"b":1,"n":2,"s":"a"}}
--> {"id":2,"b":1,"n":"1.00","j":{"b":1,"n":1,"s":"b"}}
--> {"id":4,"b":null,"n":null,"j":null}

create function f(i int) returns big language plpgsql as $$ declare v big; w num; begin v := i; w := i; v := v + w; return v; end $$;
--> no rows

select f(3) as f, to_jsonb(f(3)) as j, pg_typeof(f(3)) as t;
--> {"f":6,"j":6,"t":"big"}

create function g(i int) returns table (b big, n num) language plpgsql as $$ begin b := i; n := i; return next; return query select i::bigint::big, i::num; end $$;
--> no rows

select *, to_jsonb(b) as jb, to_jsonb(n) as jn from g(3);
--> {"b":3,"n":"3.00","jb":3,"jn":3}
--> {"b":3,"n":"3.00","jb":3,"jn":3}

create function h(i big) returns big language sql as 'select i + 1';
--> no rows

select h(3) as h, to_jsonb(h(4)) as j;
--> {"h":4,"j":5}

create function k() returns text language plpgsql as $$ declare v small; begin v := 'too long'; return v; end $$;
--> no rows

select k();
--> ERROR 23514: value for domain small violates check constraint "small_check"

create function k2() returns text language plpgsql as $$ declare v small := 'abc'; r pair; begin select 5, 6, 'q' into r; select b into v from d where id = 1; return v || r.b || r.n; end $$;
--> no rows

select k2();
--> {"k2":"4456.00"}

insert into d (id, s) select 20, 'toolong';
--> ERROR 23514: value for domain small violates check constraint "small_check"

insert into d (id, s) select 21, x from (values ('toolong')) v (x);
--> ERROR 23514: value for domain small violates check constraint "small_check"

update d set s = x from (values ('toolong')) v (x) where id = 1;
--> ERROR 23514: value for domain small violates check constraint "small_check"

update d set (b, n) = (select 4, 5) where id = 1 returning b, n, to_jsonb(n) as j;
--> {"b":4,"n":"5.00","j":5}

update d set (b, n) = (6, 7) where id = 1 returning to_jsonb(b) as b, to_jsonb(n) as j;
--> {"b":6,"j":7}

select 5::big + 1 as a, to_jsonb(5::int::big) as b, coalesce(null::big, 3) as c, pg_typeof(coalesce(null::big, 3)) as t;
--> {"a":6,"b":5,"c":3,"t":"bigint"}

with x as (insert into d (id, b) select 30, 3 returning b) select to_jsonb(b) as b from x;
--> {"b":3}

create view dv as select id, b, n from d;
--> no rows

insert into dv select 40, 5, 6;
--> no rows

insert into dv values (41, 5, 6);
--> no rows

select to_jsonb(b) as b, to_jsonb(n) as n from d where id >= 30 order by id;
--> {"b":3,"n":null}
--> {"b":5,"n":6}
--> {"b":5,"n":6}
--> {"b":44,"n":44}

create domain bigger as big check (value > 0);
--> no rows

create table e (id int, b bigger, bb bigger[]);
--> no rows

insert into e select 1, 5;
--> no rows

insert into e select 2, 0;
--> ERROR 23514: value for domain bigger violates check constraint "bigger_check"

insert into e select 3, 5, array[1, 0];
--> ERROR 23514: value for domain bigger violates check constraint "bigger_check"

insert into e select 3, 5, '{1,2}';
--> no rows

insert into e select 3, 5, '{1,0}';
--> ERROR 23514: value for domain bigger violates check constraint "bigger_check"
--> AT 28

select id, to_jsonb(b) as b, to_jsonb(bb) as bb from e order by 1;
--> {"id":1,"b":5,"bb":null}
--> {"id":3,"b":5,"bb":[1,2]}

create domain ts as timestamptz;
--> no rows

create domain js as jsonb;
--> no rows

create domain u as uuid;
--> no rows

create table o (t ts, j js, u u, d date);
--> no rows

insert into o select '2024-01-01', '{"a":1}', '11111111-1111-1111-1111-111111111111';
--> no rows

insert into o select date '2024-01-01', '{"a":1}'::json, '11111111-1111-1111-1111-111111111111'::uuid;
--> no rows

insert into o select timestamp '2024-01-01', to_jsonb(1);
--> no rows

select * from o;
--> {"t":"2024-01-01 00:00:00+00","j":{"a":1},"u":"11111111-1111-1111-1111-111111111111","d":null}
--> {"t":"2024-01-01 00:00:00+00","j":{"a":1},"u":"11111111-1111-1111-1111-111111111111","d":null}
--> {"t":"2024-01-01 00:00:00+00","j":1,"u":null,"d":null}

create domain dd1 as int check (value > 1);
--> no rows

create table q (a dd1[] default '{2,3}', t text[]);
--> no rows

insert into q (a) values ('{{2,3},{1,4}}');
--> ERROR 23514: value for domain dd1 violates check constraint "dd1_check"
--> AT 27

insert into q (a) values ('{{2,3},{5,4}}'), (null), ('{}'), (array[[2]]);
--> no rows

update q set a = array_append(a, 1);
--> ERROR 22000: argument must be empty or one-dimensional array

update q set a = array(select generate_series(2, 4)) where a is null;
--> no rows

insert into q default values returning a;
--> {"a":"{2,3}"}

create function fq() returns dd1[] language plpgsql as $$ declare v dd1[]; i dd1 := 5; begin v := array[i, 4]; v := v || 3; v[1] := 7; return v; end $$;
--> no rows

select fq(), to_jsonb(fq()) as j;
--> {"fq":"{7,4,3}","j":[7,4,3]}

create function fq2() returns void language plpgsql as $$ declare v dd1[]; begin v := array[0]; end $$;
--> no rows

select fq2();
--> ERROR 23514: value for domain dd1 violates check constraint "dd1_check"

create function fq3() returns void language plpgsql as $$ declare v dd1; begin v := 0; end $$;
--> no rows

select fq3();
--> ERROR 23514: value for domain dd1 violates check constraint "dd1_check"

create function fq4(v dd1) returns int language sql as 'select v';
--> no rows

select fq4(0);
--> ERROR 23514: value for domain dd1 violates check constraint "dd1_check"

select fq4(x) from generate_series(1, 2) x;
--> ERROR 23514: value for domain dd1 violates check constraint "dd1_check"

select unnest(a) + 1 as x from q order by 1;
--> {"x":3}
--> {"x":3}
--> {"x":3}
--> {"x":3}
--> {"x":4}
--> {"x":4}
--> {"x":4}
--> {"x":5}
--> {"x":5}
--> {"x":6}

create type pr as (x dd1, y dd1[]);
--> no rows

select (row(1, null)::pr).x as x;
--> ERROR 23514: value for domain dd1 violates check constraint "dd1_check"

select (row(5, '{3}')::pr).y as y, to_jsonb(row(5, array[4])::pr) as j;
--> {"y":"{3}","j":{"x":5,"y":[4]}}

create domain started as int default 3; create domain followed as started check (value < 100);
--> no rows

create table begun (id int primary key, a started, b followed, c started default 9, d started);
--> no rows

insert into begun (id, d) values (1, null); select * from begun;
--> {"id":1,"a":3,"b":3,"c":9,"d":null}

alter domain started set default 4;
--> no rows

insert into begun (id, c) values (2, default) returning a, b, c, d;
--> {"a":4,"b":3,"c":9,"d":4}

alter table begun add column e followed;
--> no rows

select id, e from begun order by id;
--> {"id":1,"e":3}
--> {"id":2,"e":3}

update begun set a = default, c = default where id = 1 returning a, c;
--> {"a":4,"c":9}

insert into begun default values;
--> ERROR 23502: null value in column "id" of relation "begun" violates not-null constraint
--> DETAIL: Failing row contains (null, 4, 3, 9, 4, 3).

select column_name, column_default, domain_name from information_schema.columns where table_name = 'begun' order by ordinal_position;
--> {"column_name":"id","column_default":null,"domain_name":null}
--> {"column_name":"a","column_default":null,"domain_name":"started"}
--> {"column_name":"b","column_default":null,"domain_name":"followed"}
--> {"column_name":"c","column_default":"9","domain_name":"started"}
--> {"column_name":"d","column_default":null,"domain_name":"started"}
--> {"column_name":"e","column_default":null,"domain_name":"followed"}

alter domain started drop default; insert into begun (id) values (3) returning a, c;
--> {"a":null,"c":9}

create type phase as enum ('new', 'done'); create table phased (id int primary key, phase phase not null default 'new', other phase default 'new'::phase, text text default 'new');
--> no rows

alter type phase rename value 'new' to 'fresh'; insert into phased (id) values (1); select * from phased;
--> {"id":1,"phase":"fresh","other":"fresh","text":"new"}
