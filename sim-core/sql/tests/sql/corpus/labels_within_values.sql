-- A renamed label within rows, arrays, keys, partitions, rules and views.

create schema s; create type s."St" as enum ('old','x','it''s "q"'); create type e as enum ('old','mid','x'); create type comp as (a e, b text, c e[]);
--> no rows

create table p(k e primary key, n text); create table c(id int primary key, k e references p on update cascade, d comp, da comp[], aa e[], js jsonb, s s."St" default 'old', row p);
--> no rows

insert into p values ('old','old'),('x','old'); insert into c values (1,'old',row('old','old','{old,x}'), array[row('old','old','{mid,old}')::comp], '{{old,x},{mid,old}}', '{"a":"old"}', 'old', row('old','old')), (2,null,null,null,null,null,default,null);
--> no rows

create table g(id int, y e, gen text generated always as (case when y = 'old' then 'is old' else 'other' end) stored, ge e generated always as (coalesce(y, 'old')) stored, constraint gx exclude using gist (int4range(id, id + 1) with &&) where (y = 'old')); insert into g(id,y) values (1,'old'),(2,null),(3,'x');
--> no rows

create index gi on g(ge); create unique index gu on g(gen, id); create index gp on g(id) where gen <> 'old' and ge = 'old';
--> no rows

create materialized view mv as select id, coalesce(y, 'old') as yy, y::text as t from g where y is distinct from 'mid';
--> no rows

create table parts(k e, n int) partition by list (k); create table parts_old partition of parts for values in ('old','mid'); create table parts_x partition of parts for values in ('x'); create table parts_d partition of parts default; insert into parts values ('old',1),('x',2),(null,3); create unique index on parts_old(n) where k = 'old';
--> no rows

create table rp(k e, n int) partition by range (k, n); create table rp1 partition of rp for values from ('old', 1) to ('x', 5);
--> no rows

create table log(k e, t text); create rule r1 as on insert to log where new.k = 'old' do also insert into p values ('mid', 'old');
--> no rows

create view vw as select id, k from c where k = 'old'; create rule r2 as on insert to vw do instead insert into log values ('old', 'old'), (new.k, 'old'); alter view vw alter column k set default 'old';
--> no rows

create view vu as select 'old'::e as a union all select 'old' union all select k from p where n = 'old' and k in (select k from c where k <> all (array['old']::e[]) or k = 'old'); create view vc as select (row('old','old','{old}')::comp).a, '(old,old,"{old,x}")'::comp as b, '{old,x}'::text[] as tt, '{"k":"old"}'::jsonb as j from p limit 1;
--> no rows

create function fa(a e[] default '{old,x}', b e default null, c comp default '(old,old,)') returns text language sql as $$ select a::text || c::text $$; create function fin(a text default 'old') returns boolean language sql immutable as $$ select a = 'old' $$;
--> no rows

create function at1(k e default 'old') returns text begin atomic select case k when 'old' then 'was' else 'not' end; end;
--> no rows

alter type e rename value 'old' to 'new, "one"'; alter type s."St" rename value 'old' to 'it''s new'; alter type s."St" rename value 'it''s "q"' to 'qq';
--> no rows

select * from p order by 1;
--> {"k":"new, \"one\"","n":"old"}
--> {"k":"x","n":"old"}

select * from c order by id;
--> {"id":1,"k":"new, \"one\"","d":"(\"new, \"\"one\"\"\",old,\"{\"\"new, \\\\\"\"one\\\\\"\"\"\",x}\")","da":"{\"(\\\"new, \\\"\\\"one\\\"\\\"\\\",old,\\\"{mid,\\\"\\\"new, \\\\\\\\\\\"\\\"one\\\\\\\\\\\"\\\"\\\"\\\"}\\\")\"}","aa":"{{\"new, \\\"one\\\"\",x},{mid,\"new, \\\"one\\\"\"}}","js":{"a":"old"},"s":"it's new","row":"(\"new, \"\"one\"\"\",old)"}
--> {"id":2,"k":null,"d":null,"da":null,"aa":null,"js":null,"s":"it's new","row":null}

select * from g order by id;
--> {"id":1,"y":"new, \"one\"","gen":"is old","ge":"new, \"one\""}
--> {"id":2,"y":null,"gen":"other","ge":"new, \"one\""}
--> {"id":3,"y":"x","gen":"other","ge":"x"}

select id from g where gen = 'is old';
--> {"id":1}

select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid in ('c'::regclass, 'g'::regclass, 'vw'::regclass) order by 1;
--> {"pg_get_expr":"\nCASE\n    WHEN (y = 'new, \"one\"'::e) THEN 'is old'::text\n    ELSE 'other'::text\nEND"}
--> {"pg_get_expr":"'it''s new'::s.\"St\""}
--> {"pg_get_expr":"'new, \"one\"'::e"}
--> {"pg_get_expr":"COALESCE(y, 'new, \"one\"'::e)"}

select indexdef from pg_indexes where tablename in ('g', 'parts_old') order by 1;
--> {"indexdef":"CREATE INDEX gi ON public.g USING btree (ge)"}
--> {"indexdef":"CREATE INDEX gp ON public.g USING btree (id) WHERE ((gen <> 'old'::text) AND (ge = 'new, \"one\"'::e))"}
--> {"indexdef":"CREATE INDEX gx ON public.g USING gist (int4range(id, (id + 1))) WHERE (y = 'new, \"one\"'::e)"}
--> {"indexdef":"CREATE UNIQUE INDEX gu ON public.g USING btree (gen, id)"}
--> {"indexdef":"CREATE UNIQUE INDEX parts_old_n_idx ON public.parts_old USING btree (n) WHERE (k = 'new, \"one\"'::e)"}

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid in ('c'::regclass, 'g'::regclass) order by 1;
--> {"conname":"c_k_fkey","pg_get_constraintdef":"FOREIGN KEY (k) REFERENCES p(k) ON UPDATE CASCADE"}
--> {"conname":"c_pkey","pg_get_constraintdef":"PRIMARY KEY (id)"}
--> {"conname":"gx","pg_get_constraintdef":"EXCLUDE USING gist (int4range(id, (id + 1)) WITH &&) WHERE ((y = 'new, \"one\"'::e))"}

select * from mv order by id;
--> {"id":1,"yy":"new, \"one\"","t":"old"}
--> {"id":2,"yy":"new, \"one\"","t":null}
--> {"id":3,"yy":"x","t":"x"}

select pg_get_viewdef('mv');
--> {"pg_get_viewdef":" SELECT g.id,\n    COALESCE(g.y, 'new, \"one\"'::e) AS yy,\n    (g.y)::text AS t\n   FROM g\n  WHERE (g.y IS DISTINCT FROM 'mid'::e);"}

refresh materialized view mv; select * from mv order by id;
--> {"id":1,"yy":"new, \"one\"","t":"new, \"one\""}
--> {"id":2,"yy":"new, \"one\"","t":null}
--> {"id":3,"yy":"x","t":"x"}

select relname, pg_get_expr(relpartbound, oid) from pg_class where relispartition and relkind = 'r' order by 1;
--> {"relname":"parts_d","pg_get_expr":"DEFAULT"}
--> {"relname":"parts_old","pg_get_expr":"FOR VALUES IN ('new, \"one\"', 'mid')"}
--> {"relname":"parts_x","pg_get_expr":"FOR VALUES IN ('x')"}
--> {"relname":"rp1","pg_get_expr":"FOR VALUES FROM ('new, \"one\"', 1) TO ('x', 5)"}

select tableoid::regclass, * from parts order by n;
--> {"tableoid":"parts_old","k":"new, \"one\"","n":1}
--> {"tableoid":"parts_x","k":"x","n":2}
--> {"tableoid":"parts_d","k":null,"n":3}

insert into parts values ('new, "one"', 5), ('mid', 6); select tableoid::regclass, * from parts order by n;
--> {"tableoid":"parts_old","k":"new, \"one\"","n":1}
--> {"tableoid":"parts_x","k":"x","n":2}
--> {"tableoid":"parts_d","k":null,"n":3}
--> {"tableoid":"parts_old","k":"new, \"one\"","n":5}
--> {"tableoid":"parts_old","k":"mid","n":6}

insert into parts_old values ('new, "one"', 5);
--> ERROR 23505: duplicate key value violates unique constraint "parts_old_n_idx"
--> DETAIL: Key (n)=(5) already exists.

insert into rp values ('new, "one"', 2), ('mid', 77);
--> no rows

insert into rp values ('x', 9);
--> ERROR 23514: no partition of relation "rp" found for row
--> DETAIL: Partition key of the failing row contains (k, n) = (x, 9).

insert into log values ('x', 'b'); select * from p order by k;
--> {"k":"new, \"one\"","n":"old"}
--> {"k":"x","n":"old"}

insert into log values ('new, "one"', 'b'); select * from p order by k;
--> {"k":"new, \"one\"","n":"old"}
--> {"k":"mid","n":"old"}
--> {"k":"x","n":"old"}

select pg_get_viewdef('vw') as a, pg_get_viewdef('vu') as b;
--> {"a":" SELECT c.id,\n    c.k\n   FROM c\n  WHERE (c.k = 'new, \"one\"'::e);","b":" SELECT 'new, \"one\"'::e AS a\nUNION ALL\n SELECT 'new, \"one\"'::e AS a\nUNION ALL\n SELECT p.k AS a\n   FROM p\n  WHERE ((p.n = 'old'::text) AND (p.k IN ( SELECT c.k\n           FROM c\n          WHERE ((c.k <> ALL (ARRAY['new, \"one\"'::e])) OR (c.k = 'new, \"one\"'::e)))));"}

select * from vu;
--> {"a":"new, \"one\""}
--> {"a":"new, \"one\""}
--> {"a":"new, \"one\""}

select a, b, tt, j from vc;
--> {"a":"new, \"one\"","b":"(\"new, \"\"one\"\"\",old,\"{\"\"new, \\\\\"\"one\\\\\"\"\"\",x}\")","tt":["old","x"],"j":{"k":"old"}}

select fa(), at1(), at1('x'), fin();
--> {"fa":"{\"new, \\\"one\\\"\",x}(\"new, \"\"one\"\"\",old,)","at1":"not","fin":true}

update p set k = 'mid' where k = 'x'; update p set k = 'x' where k = 'new, "one"'; select id, k from c order by 1;
--> ERROR 23505: duplicate key value violates unique constraint "p_pkey"
--> DETAIL: Key (k)=(mid) already exists.

insert into c(id) values (9) returning s, (s = 'it''s new');
--> {"s":"it's new","?column?":true}

select a, b from (select distinct on (y) y::text as a, id as b from g order by y, id) q order by 1;
--> {"a":"new, \"one\"","b":1}
--> {"a":"x","b":3}
--> {"a":null,"b":2}

insert into g(id, y) values (1, 'x'), (3, 'new, "one"');
--> no rows

insert into g(id, y) values (3, 'mid');
--> ERROR 23505: duplicate key value violates unique constraint "gu"
--> DETAIL: Key (gen, id)=(other, 3) already exists.
