-- The system column xmin tells whether a row has changed.

create table t (id int primary key, s text, v int generated always as (id * 2) stored);
--> no rows

insert into t values (1, 'a'), (2, 'b');
--> no rows

select id, xmin is not null as is_there, xmin::text ~ '^[0-9]+$' as number from t order by id;
--> {"id":1,"is_there":true,"number":true}
--> {"id":2,"is_there":true,"number":true}

insert into t values (3, 'c') returning xmin is not null as is_there, xmax = 0 as inserted, xmax::text as text;
--> {"is_there":true,"inserted":true,"text":"0"}

insert into t values (3, 'd') on conflict (id) do update set s = excluded.s returning (xmax = 0) as inserted, xmin is null as missing;
--> {"inserted":false,"missing":false}

create view v as select id, s, xmin from t;
--> no rows

select id, xmin is not null as is_there from v order by id;
--> {"id":1,"is_there":true}
--> {"id":2,"is_there":true}
--> {"id":3,"is_there":true}

select pg_get_viewdef('v');
--> {"pg_get_viewdef":" SELECT t.id,\n    t.s,\n    t.xmin\n   FROM t;"}

select count(*) from v join t on t.id = v.id and t.xmin = v.xmin;
--> {"count":3}

create table held as select id, xmin::text as version from t;
--> no rows

update t set s = s || '!' where id = 2;
--> no rows

select id, t.xmin::text = h.version as same from t join held h using (id) order by id;
--> {"id":1,"same":true}
--> {"id":2,"same":false}
--> {"id":3,"same":true}

update t set s = 'kept' from held h where t.id = h.id and t.xmin::text = h.version returning t.id;
--> {"id":1}
--> {"id":3}

update t set s = 'lost' from held h where t.id = h.id and t.xmin::text = h.version returning t.id;
--> no rows

update t set s = 'now' where id = 1 and xmin = (select xmin from t where id = 1) returning s, xmax = 0 as open;
--> {"s":"now","open":true}

delete from t where id = 1 and xmin = 5;
--> no rows

delete from t where id = 1 returning xmin is null as missing, xmax = 0 as open;
--> {"missing":false,"open":false}

select q.xmin from (select * from t) q;
--> ERROR 42703: column q.xmin does not exist
--> AT 8

select xmin from (select id, xmin from t) q where false;
--> no rows

create function version_of(wanted int) returns text language plpgsql as $$ declare found text; begin select t.xmin::text into found from t where id = wanted; return found; end $$;
--> no rows

select version_of(2) = (select xmin::text from t where id = 2) as same;
--> {"same":true}

create table xmin_named (xmin int);
--> ERROR 42701: column name "xmin" conflicts with a system column name

alter table t add column xmax int;
--> ERROR 42701: column name "xmax" conflicts with a system column name

alter table t rename column s to ctid;
--> ERROR 42701: column name "ctid" conflicts with a system column name

create table from_query as select xmin from t;
--> ERROR 42701: column name "xmin" conflicts with a system column name

create view again as select xmin, s from t order by xmin::text;
--> no rows

select pg_get_viewdef('again');
--> {"pg_get_viewdef":" SELECT t.xmin,\n    t.s\n   FROM t\n  ORDER BY (t.xmin)::text;"}

create view places as select t.ctid, q.tableoid from t join t q using (id);
--> no rows

select pg_get_viewdef('places');
--> {"pg_get_viewdef":" SELECT t.ctid,\n    q.tableoid\n   FROM (t\n     JOIN t q USING (id));"}

create policy p on t using (xmin is not null);
--> no rows

select qual from pg_policies;
--> {"qual":"(xmin IS NOT NULL)"}
