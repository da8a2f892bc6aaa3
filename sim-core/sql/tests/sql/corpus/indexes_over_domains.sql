-- Conditions of indexes with values of a domain, and other small facts of the catalog.

create domain em as text check (value <> '');
--> no rows

create table t1 (e em, n int);
--> no rows

create unique index on t1 (e) where e <> 'q'::em;
--> no rows

insert into t1 values ('a'),('q'),('q');
--> no rows

insert into t1 values ('a');
--> ERROR 23505: duplicate key value violates unique constraint "t1_e_idx"
--> DETAIL: Key (e)=(a) already exists.

create view v1 as select nullif(count(*),0) x, nullif(n,0::bigint) y, nullif(n, 1.5) z, nullif(e,'') w from t1 group by n,e;
--> no rows

select pg_get_viewdef('v1'::regclass) as c1;
--> {"c1":" SELECT NULLIF(count(*), 0) AS x,\n    NULLIF(t1.n, (0)::bigint) AS y,\n    NULLIF((t1.n)::numeric, 1.5) AS z,\n    NULLIF((t1.e)::text, ''::text) AS w\n   FROM t1\n  GROUP BY t1.n, t1.e;"}

select format_type(1042,-1) as c1, format_type(1042,10) as c2, format_type(1042,null) as c3;
--> {"c1":"bpchar","c2":"character(6)","c3":"character"}

insert into t1 values ('b', 1);
--> no rows

select n from t1 where e = 'b'::em;
--> {"n":1}

create function two(a int, out x int, out y text) language plpgsql as $$ begin x := a; y := 'k'; end $$;
--> no rows

create function two_sql(a int, out x int, out y text) language sql as $$ select a, 'q' $$;
--> no rows

create function used() returns text language plpgsql as $$ declare r record := two(1); s record; begin s := two_sql(r.x + 1); return r.x || r.y || s.x || s.y || r::text; end $$;
--> no rows

select used() as u;
--> {"u":"1k2q(1,k)"}

do $$ declare r record; begin r := two(3); r := two_sql(r.x); raise notice '%', r; end $$;
--> no rows
