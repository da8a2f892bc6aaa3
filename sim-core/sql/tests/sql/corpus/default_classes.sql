-- Operator classes that indexes name, and have anyway.

create extension if not exists pg_trgm;
--> no rows

create extension if not exists ltree;
--> no rows

create table ux (id uuid, n int, t text, v varchar(5), j jsonb, a int[], ts timestamptz, l ltree, ls ltree[], d date, e text[]);
--> no rows

create index u1 on ux using btree (id uuid_ops, n int4_ops, t text_ops desc);
--> no rows

create index u2 on ux using gin (j jsonb_ops, a array_ops);
--> no rows

create index u3 on ux using gin (j jsonb_path_ops, t gin_trgm_ops);
--> no rows

create index u4 on ux using brin (n int4_minmax_ops, ts timestamptz_minmax_ops);
--> no rows

create index u5 on ux (v text_ops, t text_pattern_ops, v varchar_pattern_ops);
--> no rows

create index u6 on ux using hash (t text_ops);
--> no rows

create index u7 on ux using gist (l gist_ltree_ops, t gist_trgm_ops);
--> no rows

create index u9 on ux (lower(t) text_ops, (n + 1) int4_ops, lower(t) text_pattern_ops);
--> no rows

create index u10 on ux using btree (d date_ops, ts timestamptz_ops nulls first);
--> no rows

select indexdef from pg_indexes where tablename = 'ux' order by indexname;
--> {"indexdef":"CREATE INDEX u1 ON public.ux USING btree (id, n, t DESC)"}
--> {"indexdef":"CREATE INDEX u10 ON public.ux USING btree (d, ts NULLS FIRST)"}
--> {"indexdef":"CREATE INDEX u2 ON public.ux USING gin (j, a)"}
--> {"indexdef":"CREATE INDEX u3 ON public.ux USING gin (j jsonb_path_ops, t gin_trgm_ops)"}
--> {"indexdef":"CREATE INDEX u4 ON public.ux USING brin (n, ts)"}
--> {"indexdef":"CREATE INDEX u5 ON public.ux USING btree (v, t text_pattern_ops, v varchar_pattern_ops)"}
--> {"indexdef":"CREATE INDEX u6 ON public.ux USING hash (t)"}
--> {"indexdef":"CREATE INDEX u7 ON public.ux USING gist (l, t gist_trgm_ops)"}
--> {"indexdef":"CREATE INDEX u9 ON public.ux USING btree (lower(t), ((n + 1)), lower(t) text_pattern_ops)"}

select c.relname, opc.opcname from pg_class c join pg_index i on i.indexrelid = c.oid cross join lateral unnest(i.indclass) with ordinality as k(oid, n) join pg_opclass opc on opc.oid = k.oid where i.indrelid = 'ux'::regclass order by c.relname, k.n;
--> {"relname":"u1","opcname":"uuid_ops"}
--> {"relname":"u1","opcname":"int4_ops"}
--> {"relname":"u1","opcname":"text_ops"}
--> {"relname":"u10","opcname":"date_ops"}
--> {"relname":"u10","opcname":"timestamptz_ops"}
--> {"relname":"u2","opcname":"jsonb_ops"}
--> {"relname":"u2","opcname":"array_ops"}
--> {"relname":"u3","opcname":"jsonb_path_ops"}
--> {"relname":"u3","opcname":"gin_trgm_ops"}
--> {"relname":"u4","opcname":"int4_minmax_ops"}
--> {"relname":"u4","opcname":"timestamptz_minmax_ops"}
--> {"relname":"u5","opcname":"text_ops"}
--> {"relname":"u5","opcname":"text_pattern_ops"}
--> {"relname":"u5","opcname":"varchar_pattern_ops"}
--> {"relname":"u6","opcname":"text_ops"}
--> {"relname":"u7","opcname":"gist_ltree_ops"}
--> {"relname":"u7","opcname":"gist_trgm_ops"}
--> {"relname":"u9","opcname":"text_ops"}
--> {"relname":"u9","opcname":"int4_ops"}
--> {"relname":"u9","opcname":"text_pattern_ops"}
