-- ANY and ALL after any operator, and the options of operator classes.

create extension if not exists pg_trgm with schema extensions;
--> no rows

create extension if not exists ltree;
--> no rows

create extension if not exists hstore;
--> no rows

create extension if not exists intarray;
--> no rows

create table t (id int, s text, ts tsvector, l ltree, h hstore, i int[], j jsonb, r int4range, ls ltree[]);
--> no rows

create index on t using gist (s extensions.gist_trgm_ops(siglen=32));
--> no rows

create index i3 on t using gist (ts tsvector_ops(siglen=100));
--> no rows

create index i4 on t using gist (ts tsvector_ops(siglen='100', siglen = 3));
--> ERROR 22023: parameter "siglen" specified more than once

create index i5 on t using gist (s extensions.gist_trgm_ops(foo=32));
--> ERROR 22023: unrecognized parameter "foo"

create index i5 on t using gist (s extensions.gist_trgm_ops(siglen=320000));
--> ERROR 22023: value 320000 out of bounds for option "siglen"
--> DETAIL: Valid values are between "1" and "2024".

create index i5 on t using gist (s extensions.gist_trgm_ops(siglen=0));
--> ERROR 22023: value 0 out of bounds for option "siglen"
--> DETAIL: Valid values are between "1" and "2024".

create index i5 on t using gist (s extensions.gist_trgm_ops(siglen=x));
--> ERROR 22023: invalid value for integer option "siglen": x

create index i5 on t using gist (s extensions.gist_trgm_ops(siglen='x'));
--> ERROR 22023: invalid value for integer option "siglen": x

create index i6 on t (s text_pattern_ops(siglen=3));
--> ERROR 22023: operator class text_pattern_ops has no options

create index i7 on t using gist (l gist_ltree_ops(siglen=8));
--> no rows

create index i8 on t using gist (ls gist__ltree_ops(siglen=8));
--> no rows

create index i9 on t using gist (i gist__int_ops(numranges=8));
--> no rows

create index i10 on t using gist (i gist__intbig_ops(siglen=8));
--> no rows

create index i11 on t using gist (h gist_hstore_ops(siglen=8));
--> no rows

create index i12 on t using gin (s extensions.gin_trgm_ops(siglen=8));
--> ERROR 22023: operator class gin_trgm_ops has no options

select indexdef from pg_indexes where tablename = 't' order by 1;
--> {"indexdef":"CREATE INDEX i10 ON public.t USING gist (i gist__intbig_ops (siglen='8'))"}
--> {"indexdef":"CREATE INDEX i11 ON public.t USING gist (h gist_hstore_ops (siglen='8'))"}
--> {"indexdef":"CREATE INDEX i3 ON public.t USING gist (ts tsvector_ops (siglen='100'))"}
--> {"indexdef":"CREATE INDEX i7 ON public.t USING gist (l gist_ltree_ops (siglen='8'))"}
--> {"indexdef":"CREATE INDEX i8 ON public.t USING gist (ls gist__ltree_ops (siglen='8'))"}
--> {"indexdef":"CREATE INDEX i9 ON public.t USING gist (i gist__int_ops (numranges='8'))"}
--> {"indexdef":"CREATE INDEX t_s_idx ON public.t USING gist (s gist_trgm_ops (siglen='32'))"}

insert into t values (1,'abc','x y','a.b','a=>1','{1,2}','{"a":1,"x":2}','[1,10)','{a.b,c}'),(2,'xyz','z','q','b=>1','{3}','{"b":2}','[20,30)','{q}'),(3,null,null,null,null,null,null,null,null);
--> no rows

select 3 <@ any(array['[1,5)'::int4range]), 3 <@ all(array['[1,5)'::int4range,'[4,5)']), 3 <@ some(array['[4,5)'::int4range]);
--> {"?column?":false}

select id from t where r @> any(array[3,9]);
--> {"id":1}

select id from t where r && any(array['[5,6)'::int4range, '[25,26)']) order by 1;
--> {"id":1}
--> {"id":2}

select id, r @> any (select 3), r @> all (select 3 union select 25) from t order by id;
--> {"id":1,"?column?":false}
--> {"id":2,"?column?":false}
--> {"id":3,"?column?":null}

select id from t where j @> any(array['{"a":1}','{"b":2}']::jsonb[]) order by 1;
--> {"id":1}
--> {"id":2}

select id from t where j ? any(array['x','c']);
--> {"id":1}

select id from t where not (j ?| any(array[array['x','c']]));
--> ERROR 42883: operator does not exist: jsonb ?| text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 31

select id from t where ts @@ any(array['x'::tsquery,'z'::tsquery]) order by 1;
--> {"id":1}
--> {"id":2}

select id from t where s ^@ any(array['ab','q']);
--> {"id":1}

select '10.0.0.1'::inet << any(array['10.0.0.0/8'::inet]), '10.0.0.1'::inet <<= any('{10.0.0.0/8}'::cidr[]);
--> {"?column?":true}

select id from t where s operator(pg_catalog.=) any(array['abc']);
--> {"id":1}

select id from t where s operator(extensions.%) any(array['abc']);
--> {"id":1}

select id from t where l <@ any(array['a'::ltree]), l ~ any(array['a.*'::lquery]) from t;
--> ERROR 42601: syntax error at or near ","
--> AT 51

select l <@ any(array['a'::ltree]), l ~ any(array['a.*'::lquery]), l @> any(ls) from t;
--> {"?column?":true}
--> {"?column?":true}
--> {"?column?":null}

select 1 @> any(array[1]);
--> ERROR 42883: operator does not exist: integer @> integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10

select r @> any(3) from t;
--> ERROR 42809: op ANY/ALL (array) requires array on right side
--> AT 10

alter table t enable row level security;
--> no rows

create policy p on t using (s operator(pg_catalog.=) any (array['a','b']));
--> no rows

create policy p2 on t using (r @> any (array[1,2]));
--> no rows

select polname, pg_get_expr(polqual, polrelid) from pg_policy order by 1;
--> {"polname":"p","pg_get_expr":"(s = ANY (ARRAY['a'::text, 'b'::text]))"}
--> {"polname":"p2","pg_get_expr":"(r @> ANY (ARRAY[1, 2]))"}

create view v as select id from t where s operator(pg_catalog.~) any(array['a']) and r @> any(array[1]) and j ? all(array['x']);
--> no rows

select pg_get_viewdef('v');
--> {"pg_get_viewdef":" SELECT t.id\n   FROM t\n  WHERE ((t.s ~ ANY (ARRAY['a'::text])) AND (t.r @> ANY (ARRAY[1])) AND (t.j ? ALL (ARRAY['x'::text])));"}

select * from v;
--> {"id":1}

create function f(a int) returns bool language sql as $$ select '[1,3)'::int4range @> any(array[a, a + 1]) $$;
--> no rows

select f(1), f(0), f(9);
--> {"f":false}

create function g(a int) returns bool language plpgsql as $$ declare x int[] := array[a]; begin if '[1,3)'::int4range @> all(x) then return true; end if; return false; end $$;
--> no rows

select g(1), g(9);
--> {"g":false}

alter table t add check (r @> any (array[1,20]));
--> no rows

insert into t (r) values ('[5,6)');
--> ERROR 23514: new row for relation "t" violates check constraint "t_r_check"
--> DETAIL: Failing row contains (null, null, null, null, null, null, null, [5,6), null).

select pg_get_constraintdef(oid) from pg_constraint where conrelid = 't'::regclass;
--> {"pg_get_constraintdef":"CHECK ((r @> ANY (ARRAY[1, 20])))"}
