-- Operator classes of extensions, and the types of their columns.

create extension btree_gin; create extension btree_gist; create extension citext; create extension intarray; create extension ltree; create extension hstore; create table x (c citext, i int, e text, ai int[], l ltree, la ltree[], h hstore, n name, ch char(3), vc varchar, j jsonb, m money, b bool, ta text[], re regclass, q "char", x8 xid8);
--> no rows

create index on x using gin (i, e, n, ch, vc, m, b, q); create index on x using gist (i, e, ch, vc, m, b);
--> no rows

create index on x using gist (n);
--> ERROR 42704: data type name has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on x using gist (q);
--> ERROR 42704: data type "char" has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on x using gist (x8);
--> ERROR 42704: data type xid8 has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on x using gist (j);
--> ERROR 42704: data type jsonb has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on x using gin (c);
--> no rows

create index on x using gist (c);
--> no rows

create index on x using hash (c); create index on x using btree (c, c citext_pattern_ops, c text_pattern_ops, c text_ops);
--> no rows

create index on x using gist (ai); create index on x using gist (ai gist__intbig_ops); create index on x using gin (ai); create index on x using gin (ai gin__int_ops);
--> no rows

create index on x using gist (ai gist__intbig_ops(siglen=64)); create index on x using gist (ai gist__int_ops(numranges=9));
--> no rows

create index on x using gin (ta gin__int_ops);
--> ERROR 42804: operator class "gin__int_ops" does not accept data type text[]

create index on x using gist (ta);
--> ERROR 42704: data type text[] has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on x using gist (l, la, h); create index on x using gist (l gist_ltree_ops(siglen=100));
--> no rows

create index on x using gist (l gist__ltree_ops);
--> ERROR 42804: operator class "gist__ltree_ops" does not accept data type ltree

create index on x using gin (h); create index on x using hash (h); create index on x (h, l);
--> no rows

create index on x using gin (l);
--> ERROR 42704: data type ltree has no default operator class for access method "gin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on x using brin (l);
--> ERROR 42704: data type ltree has no default operator class for access method "brin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on x using brin (c);
--> no rows

create index on x using hash (l);
--> ERROR 42704: data type ltree has no default operator class for access method "hash"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on x using hash (re);
--> no rows

create index on x using gist (re);
--> no rows

create index on x (e gist_text_ops);
--> ERROR 42704: operator class "gist_text_ops" does not exist for access method "btree"

create index on x (i oid_ops);
--> no rows

create table y (a int, r int4range, exclude using gist (a with =, r with &&));
--> no rows

create table y2 (a int4, r int4range, exclude using gist (a gist_int8_ops with =, r with &&));
--> ERROR 42804: operator class "gist_int8_ops" does not accept data type integer

create table y3 (a citext primary key, unique (a));
--> no rows

create unique index on x (j jsonb_ops);
--> no rows

select indexdef from pg_indexes where tablename in ('x','y') order by 1;
--> {"indexdef":"CREATE INDEX x_ai_idx ON public.x USING gist (ai)"}
--> {"indexdef":"CREATE INDEX x_ai_idx1 ON public.x USING gist (ai gist__intbig_ops)"}
--> {"indexdef":"CREATE INDEX x_ai_idx2 ON public.x USING gin (ai)"}
--> {"indexdef":"CREATE INDEX x_ai_idx3 ON public.x USING gin (ai gin__int_ops)"}
--> {"indexdef":"CREATE INDEX x_ai_idx4 ON public.x USING gist (ai gist__intbig_ops (siglen='64'))"}
--> {"indexdef":"CREATE INDEX x_ai_idx5 ON public.x USING gist (ai gist__int_ops (numranges='9'))"}
--> {"indexdef":"CREATE INDEX x_c_c1_c2_c3_idx ON public.x USING btree (c, c citext_pattern_ops, c text_pattern_ops, c text_ops)"}
--> {"indexdef":"CREATE INDEX x_c_idx ON public.x USING gin (c)"}
--> {"indexdef":"CREATE INDEX x_c_idx1 ON public.x USING gist (c)"}
--> {"indexdef":"CREATE INDEX x_c_idx2 ON public.x USING hash (c)"}
--> {"indexdef":"CREATE INDEX x_c_idx3 ON public.x USING brin (c)"}
--> {"indexdef":"CREATE INDEX x_h_idx ON public.x USING gin (h)"}
--> {"indexdef":"CREATE INDEX x_h_idx1 ON public.x USING hash (h)"}
--> {"indexdef":"CREATE INDEX x_h_l_idx ON public.x USING btree (h, l)"}
--> {"indexdef":"CREATE INDEX x_i_e_ch_vc_m_b_idx ON public.x USING gist (i, e, ch, vc, m, b)"}
--> {"indexdef":"CREATE INDEX x_i_e_n_ch_vc_m_b_q_idx ON public.x USING gin (i, e, n, ch, vc, m, b, q)"}
--> {"indexdef":"CREATE INDEX x_i_idx ON public.x USING btree (i oid_ops)"}
--> {"indexdef":"CREATE INDEX x_l_idx ON public.x USING gist (l gist_ltree_ops (siglen='100'))"}
--> {"indexdef":"CREATE INDEX x_l_la_h_idx ON public.x USING gist (l, la, h)"}
--> {"indexdef":"CREATE INDEX x_re_idx ON public.x USING hash (re)"}
--> {"indexdef":"CREATE INDEX x_re_idx1 ON public.x USING gist (re)"}
--> {"indexdef":"CREATE INDEX y_a_r_excl ON public.y USING gist (a, r)"}
--> {"indexdef":"CREATE UNIQUE INDEX x_j_idx ON public.x USING btree (j)"}
