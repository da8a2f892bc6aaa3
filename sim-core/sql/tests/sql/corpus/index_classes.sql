-- Operator classes of keys, those of expressions too.

create table l (t text, j jsonb, js json, i int, b boolean, a int[], v varchar(10), c char(3), u uuid, n numeric, d date, r int4range, p point, x inet, bx box, m money, ts timestamptz, e interval, by bytea, lat float8);
--> no rows

create index on l using gin ((j->>'name'));
--> ERROR 42704: data type text has no default operator class for access method "gin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on l using gist ((lower(t)));
--> ERROR 42704: data type text has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on l ((js->'a'));
--> ERROR 42704: data type json has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on l using brin (b);
--> ERROR 42704: data type boolean has no default operator class for access method "brin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on l using spgist (i);
--> ERROR 42704: data type integer has no default operator class for access method "spgist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on l using gin ((j->'a'), a);
--> no rows

create index on l using brin (i, t, d, ts, u, n, r, x, e, by, c, bx);
--> no rows

create index on l using brin (m);
--> ERROR 42704: data type money has no default operator class for access method "brin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on l using brin (a);
--> ERROR 42704: data type integer[] has no default operator class for access method "brin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on l using brin (j);
--> ERROR 42704: data type jsonb has no default operator class for access method "brin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on l using spgist (t); create index on l using spgist (v); create index on l using spgist (r); create index on l using spgist (p); create index on l using spgist (x); create index on l using spgist (bx);
--> no rows

create index on l using spgist (c);
--> ERROR 42704: data type character has no default operator class for access method "spgist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on l using spgist (u);
--> ERROR 42704: data type uuid has no default operator class for access method "spgist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on l using spgist ((i + 1));
--> ERROR 42704: data type integer has no default operator class for access method "spgist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on l using hash ((lower(t))); create index on l using hash (b);
--> no rows

create index on l (coalesce(i, 0)::text);
--> ERROR 42601: syntax error at or near "::"
--> AT 34

create index on l (lower(t) || 'x');
--> ERROR 42601: syntax error at or near "||"
--> AT 29

create index on l (lower(t) collate "C" desc, upper(t) text_pattern_ops, coalesce(v, t), i);
--> no rows

create index on l (abs(i) + 1);
--> ERROR 42601: syntax error at or near "+"
--> AT 27

create index on l ((lower(t) || 'x'), (i::text));
--> no rows

create extension pg_trgm; create index on l using gin (lower(t) gin_trgm_ops); create index on l using gin ((j->>'name') gin_trgm_ops, t gin_trgm_ops);
--> no rows

create index on l using gin (to_tsvector('english', t)); create index on l using gin (to_tsvector('english', coalesce(t, '') || ' ' || coalesce(v, '')));
--> no rows

create index on l using gin ((j->'tags') jsonb_path_ops); create index on l using gist (r, p);
--> no rows

create index on l using gin ((i + 1));
--> ERROR 42704: data type integer has no default operator class for access method "gin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

select indexdef from pg_indexes where tablename = 'l' order by indexdef;
--> {"indexdef":"CREATE INDEX l_b_idx ON public.l USING hash (b)"}
--> {"indexdef":"CREATE INDEX l_bx_idx ON public.l USING spgist (bx)"}
--> {"indexdef":"CREATE INDEX l_expr_a_idx ON public.l USING gin (((j -> 'a'::text)), a)"}
--> {"indexdef":"CREATE INDEX l_expr_i_idx ON public.l USING btree (((lower(t) || 'x'::text)), ((i)::text))"}
--> {"indexdef":"CREATE INDEX l_expr_idx ON public.l USING gin (((j -> 'tags'::text)) jsonb_path_ops)"}
--> {"indexdef":"CREATE INDEX l_expr_t_idx ON public.l USING gin (((j ->> 'name'::text)) gin_trgm_ops, t gin_trgm_ops)"}
--> {"indexdef":"CREATE INDEX l_i_t_d_ts_u_n_r_x_e_by_c_bx_idx ON public.l USING brin (i, t, d, ts, u, n, r, x, e, by, c, bx)"}
--> {"indexdef":"CREATE INDEX l_lower_idx ON public.l USING hash (lower(t))"}
--> {"indexdef":"CREATE INDEX l_lower_idx1 ON public.l USING gin (lower(t) gin_trgm_ops)"}
--> {"indexdef":"CREATE INDEX l_lower_upper_coalesce_i_idx ON public.l USING btree (lower(t) COLLATE \"C\" DESC, upper(t) text_pattern_ops, COALESCE(v, (t)::character varying), i)"}
--> {"indexdef":"CREATE INDEX l_p_idx ON public.l USING spgist (p)"}
--> {"indexdef":"CREATE INDEX l_r_idx ON public.l USING spgist (r)"}
--> {"indexdef":"CREATE INDEX l_r_p_idx ON public.l USING gist (r, p)"}
--> {"indexdef":"CREATE INDEX l_t_idx ON public.l USING spgist (t)"}
--> {"indexdef":"CREATE INDEX l_to_tsvector_idx ON public.l USING gin (to_tsvector('english'::regconfig, t))"}
--> {"indexdef":"CREATE INDEX l_to_tsvector_idx1 ON public.l USING gin (to_tsvector('english'::regconfig, ((COALESCE(t, ''::text) || ' '::text) || (COALESCE(v, ''::character varying))::text)))"}
--> {"indexdef":"CREATE INDEX l_v_idx ON public.l USING spgist (v)"}
--> {"indexdef":"CREATE INDEX l_x_idx ON public.l USING spgist (x)"}
