-- Operator classes that indexes, keys and partitions name, and the types of their columns.

create table t (txt text, i int, v varchar(5), c char(3), j jsonb, js json, a int[], ta text[], u uuid, p point, r int4range, ip inet, ci cidr, b bool, d date, tv tsvector, bx box, n numeric, f float8, by bytea, q "char", nm name, x xml, bi bit(3), vb varbit(3), iv interval, m money, l line, pg polygon, ck circle, mr int4multirange, tz timestamptz, oid oid, rc regclass, x8 xid8, mac macaddr);
--> no rows

create type e as enum ('a'); create type comp as (a int); create domain dt as text; create type rr as range (subtype = float8); create table t2 (e e, c comp, d dt, r rr, ce comp[], ea e[], da dt[]);
--> no rows

create index on t using gin (txt jsonb_path_ops);
--> ERROR 42804: operator class "jsonb_path_ops" does not accept data type text

create index on t (i text_pattern_ops);
--> ERROR 42804: operator class "text_pattern_ops" does not accept data type integer

create index on t (txt vector_l2_ops);
--> ERROR 42704: operator class "vector_l2_ops" does not exist for access method "btree"

create index on t (txt nosuch_ops);
--> ERROR 42704: operator class "nosuch_ops" does not exist for access method "btree"

create index on t (txt pg_catalog.nosuch_ops);
--> ERROR 42704: operator class "pg_catalog.nosuch_ops" does not exist for access method "btree"

create index on t (txt nosuchschema.text_ops);
--> ERROR 3F000: schema "nosuchschema" does not exist

create index on t (txt public.text_ops);
--> ERROR 42704: operator class "public.text_ops" does not exist for access method "btree"

create index on t (txt pg_catalog.text_ops);
--> no rows

create index on t (txt pg_catalog.text_pattern_ops);
--> no rows

create index on t (j jsonb_path_ops);
--> ERROR 42704: operator class "jsonb_path_ops" does not exist for access method "btree"

create index on t using gin (j text_ops);
--> ERROR 42704: operator class "text_ops" does not exist for access method "gin"

create index on t using hash (txt text_pattern_ops, i);
--> ERROR 0A000: access method "hash" does not support multicolumn indexes

create index on t using hash (txt text_pattern_ops);
--> no rows

create index on t using hash (txt varchar_pattern_ops);
--> no rows

create index on t using gist (txt text_ops);
--> ERROR 42704: operator class "text_ops" does not exist for access method "gist"

create index on t using gist (txt);
--> ERROR 42704: data type text has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using gist (i);
--> ERROR 42704: data type integer has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using gin (txt);
--> ERROR 42704: data type text has no default operator class for access method "gin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using gin (i);
--> ERROR 42704: data type integer has no default operator class for access method "gin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using brin (txt int4_minmax_ops);
--> ERROR 42804: operator class "int4_minmax_ops" does not accept data type text

create index on t using brin (i int4_bloom_ops);
--> no rows

create index on t using brin (i int4_bloom_ops (n_distinct_per_range=10));
--> no rows

create index on t using brin (i int4_minmax_multi_ops);
--> no rows

create index on t using brin (i int4_minmax_multi_ops(values_per_range=16));
--> no rows

create index on t using brin (i int4_minmax_multi_ops(values_per_range=1));
--> ERROR 22023: value 1 out of bounds for option "values_per_range"
--> DETAIL: Valid values are between "8" and "256".

create index on t using brin (i int4_bloom_ops(false_positive_rate=0.05));
--> no rows

create index on t using brin (i int4_bloom_ops(false_positive_rate=7));
--> ERROR 22023: value 7 out of bounds for option "false_positive_rate"
--> DETAIL: Valid values are between "0.000100" and "0.250000".

create index on t using brin (i int4_minmax_ops(x=7));
--> ERROR 22023: operator class int4_minmax_ops has no options

create index on t using brin (j);
--> ERROR 42704: data type jsonb has no default operator class for access method "brin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using brin (m);
--> ERROR 42704: data type money has no default operator class for access method "brin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using brin (b);
--> ERROR 42704: data type boolean has no default operator class for access method "brin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using brin (a);
--> ERROR 42704: data type integer[] has no default operator class for access method "brin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using brin (ip inet_inclusion_ops);
--> no rows

create index on t using spgist (txt);
--> no rows

create index on t using spgist (txt text_ops);
--> no rows

create index on t using spgist (p kd_point_ops);
--> no rows

create index on t using spgist (p quad_point_ops);
--> no rows

create index on t using spgist (i);
--> ERROR 42704: data type integer has no default operator class for access method "spgist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using spgist (j);
--> ERROR 42704: data type jsonb has no default operator class for access method "spgist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using spgist (pg);
--> no rows

create index on t using gist (p);
--> no rows

create index on t using gist (ip);
--> ERROR 42704: data type inet has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using gist (ip inet_ops);
--> no rows

create index on t using gist (r);
--> no rows

create index on t using gist (mr);
--> no rows

create index on t using gist (tv);
--> no rows

create index on t using gist (js);
--> ERROR 42704: data type json has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using gist (ck);
--> no rows

create index on t using gist (bx);
--> no rows

create index on t using hash (js);
--> ERROR 42704: data type json has no default operator class for access method "hash"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using hash (x);
--> ERROR 42704: data type xml has no default operator class for access method "hash"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using hash (p);
--> ERROR 42704: data type point has no default operator class for access method "hash"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using hash (j);
--> no rows

create index on t using hash (a);
--> no rows

create index on t using hash (m);
--> ERROR 42704: data type money has no default operator class for access method "hash"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using hash (bi);
--> ERROR 42704: data type bit has no default operator class for access method "hash"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using hash (tv);
--> ERROR 42704: data type tsvector has no default operator class for access method "hash"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t (js);
--> ERROR 42704: data type json has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t (p);
--> ERROR 42704: data type point has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t (bx);
--> ERROR 42704: data type box has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t (ck);
--> ERROR 42704: data type circle has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t (pg);
--> ERROR 42704: data type polygon has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t (l);
--> ERROR 42704: data type line has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t (tv);
--> no rows

create index on t (rc);
--> no rows

create index on t (nm, q);
--> no rows

create index on t (x8);
--> no rows

create index on t (mr);
--> no rows

create index on t (v varchar_ops);
--> no rows

create index on t (v bpchar_ops);
--> no rows

create index on t (c bpchar_pattern_ops);
--> no rows

create index on t (c text_ops);
--> ERROR 42804: operator class "text_ops" does not accept data type character

create index on t (c text_pattern_ops);
--> ERROR 42804: operator class "text_pattern_ops" does not accept data type character

create index on t (i int8_ops);
--> ERROR 42804: operator class "int8_ops" does not accept data type integer

create index on t (ci inet_ops);
--> no rows

create index on t (ip cidr_ops);
--> no rows

create index on t (ip cidr_ops, ci cidr_ops);
--> no rows

create index on t (u text_ops);
--> ERROR 42804: operator class "text_ops" does not accept data type uuid

create index on t (d timestamptz_ops);
--> ERROR 42804: operator class "timestamptz_ops" does not accept data type date

create index on t (tz date_ops);
--> ERROR 42804: operator class "date_ops" does not accept data type timestamp with time zone

create index on t (nm text_ops);
--> ERROR 42804: operator class "text_ops" does not accept data type name

create index on t (nm name_ops);
--> no rows

create index on t (txt name_ops);
--> ERROR 42804: operator class "name_ops" does not accept data type text

create index on t (a array_ops);
--> no rows

create index on t (i array_ops);
--> ERROR 42804: operator class "array_ops" does not accept data type integer

create index on t using gin (ta array_ops);
--> no rows

create index on t using gin (ta jsonb_ops);
--> ERROR 42804: operator class "jsonb_ops" does not accept data type text[]

create index on t using gin (tv tsvector_ops);
--> no rows

create index on t2 (e);
--> no rows

create index on t2 (e enum_ops);
--> no rows

create index on t2 (c record_ops);
--> no rows

create index on t2 (c);
--> no rows

create index on t2 (c record_image_ops);
--> no rows

create index on t2 (d text_pattern_ops);
--> no rows

create index on t2 (d int4_ops);
--> ERROR 42804: operator class "int4_ops" does not accept data type dt

create index on t2 (r range_ops);
--> no rows

create index on t2 using gist (r range_ops);
--> no rows

create index on t2 using gist (r);
--> no rows

create index on t2 using hash (e);
--> no rows

create index on t2 using hash (c);
--> no rows

create index on t2 using gin (ea, da, ce);
--> no rows

create index on t2 using gin (e);
--> ERROR 42704: data type e has no default operator class for access method "gin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t2 using gin (d);
--> ERROR 42704: data type dt has no default operator class for access method "gin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t2 using brin (e);
--> ERROR 42704: data type e has no default operator class for access method "brin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t2 using brin (r);
--> no rows

create index on t using gin (txt gin_trgm_ops);
--> ERROR 42704: operator class "gin_trgm_ops" does not exist for access method "gin"

create index on t using gist ((txt || 'a') gist_trgm_ops);
--> ERROR 42704: operator class "gist_trgm_ops" does not exist for access method "gist"

create index on t ((i + 1) text_ops);
--> ERROR 42804: operator class "text_ops" does not accept data type integer

create index on t ((i::text) text_pattern_ops);
--> no rows

create index on t (lower(txt) int4_ops);
--> ERROR 42804: operator class "int4_ops" does not accept data type text

create index on t using gin (i desc);
--> ERROR 42704: data type integer has no default operator class for access method "gin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on t using gin (ta desc);
--> ERROR 0A000: access method "gin" does not support ASC/DESC options

create index on t using hash (i nulls first);
--> ERROR 0A000: access method "hash" does not support NULLS FIRST/LAST options

create index on t using nosuch (i);
--> ERROR 42704: access method "nosuch" does not exist

create index on t using btree (i "nosuch Ops");
--> ERROR 42704: operator class "nosuch Ops" does not exist for access method "btree"

create index on t (i int4_ops, txt int4_ops);
--> ERROR 42804: operator class "int4_ops" does not accept data type text

create table k1 (j json primary key);
--> ERROR 42704: data type json has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create table k2 (j json unique);
--> ERROR 42704: data type json has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create table k3 (p point, unique (p));
--> ERROR 42704: data type point has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create table k4 (c text, exclude using gist (c with =));
--> ERROR 42704: data type text has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create table k5 (c int4range, exclude using gist (c range_ops with &&));
--> no rows

create table k6 (c int4range, exclude using gist (c text_ops with &&));
--> ERROR 42704: operator class "text_ops" does not exist for access method "gist"

create table k7 (c text, exclude using btree (c int4_ops with =));
--> ERROR 42804: operator class "int4_ops" does not accept data type text

create table k8 (c text, exclude using btree (c text_pattern_ops with =));
--> no rows

create table pr (j json) partition by range (j);
--> ERROR 42704: data type json has no default operator class for access method "btree"
--> HINT: You must specify a btree operator class or define a default btree operator class for the data type.

create table ph (j json) partition by hash (j);
--> ERROR 42704: data type json has no default operator class for access method "hash"
--> HINT: You must specify a hash operator class or define a default hash operator class for the data type.

create table pl (j json) partition by list (j);
--> ERROR 42704: data type json has no default operator class for access method "btree"
--> HINT: You must specify a btree operator class or define a default btree operator class for the data type.

create table pr2 (j text) partition by range (j text_pattern_ops);
--> no rows

create table pr3 (j text) partition by range (j int4_ops);
--> ERROR 42804: operator class "int4_ops" does not accept data type text

create table pr4 (j text) partition by range (j nosuch_ops);
--> ERROR 42704: operator class "nosuch_ops" does not exist for access method "btree"

create table pr5 (j text) partition by hash (j text_pattern_ops);
--> no rows

create table alt (a text, b text); create index alt_a on alt (a text_pattern_ops); create index alt_b on alt (b);
--> no rows

alter table alt alter a type int using a::int;
--> ERROR 42804: operator class "text_pattern_ops" does not accept data type integer

alter table alt alter b type json using b::json;
--> ERROR 42704: data type json has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

alter table alt alter a type varchar(3);
--> no rows

select indexdef from pg_indexes where tablename = 'alt' order by 1;
--> {"indexdef":"CREATE INDEX alt_a ON public.alt USING btree (a text_pattern_ops)"}
--> {"indexdef":"CREATE INDEX alt_b ON public.alt USING btree (b)"}

create unique index alt_u on alt (b text_pattern_ops);
--> no rows

insert into alt values ('a','b') on conflict (b) do nothing;
--> no rows

select indexdef from pg_indexes where tablename in ('t','t2') order by 1;
--> {"indexdef":"CREATE INDEX t2_c_idx ON public.t2 USING btree (c)"}
--> {"indexdef":"CREATE INDEX t2_c_idx1 ON public.t2 USING btree (c)"}
--> {"indexdef":"CREATE INDEX t2_c_idx2 ON public.t2 USING btree (c record_image_ops)"}
--> {"indexdef":"CREATE INDEX t2_c_idx3 ON public.t2 USING hash (c)"}
--> {"indexdef":"CREATE INDEX t2_d_idx ON public.t2 USING btree (d text_pattern_ops)"}
--> {"indexdef":"CREATE INDEX t2_e_idx ON public.t2 USING btree (e)"}
--> {"indexdef":"CREATE INDEX t2_e_idx1 ON public.t2 USING btree (e)"}
--> {"indexdef":"CREATE INDEX t2_e_idx2 ON public.t2 USING hash (e)"}
--> {"indexdef":"CREATE INDEX t2_ea_da_ce_idx ON public.t2 USING gin (ea, da, ce)"}
--> {"indexdef":"CREATE INDEX t2_r_idx ON public.t2 USING btree (r)"}
--> {"indexdef":"CREATE INDEX t2_r_idx1 ON public.t2 USING gist (r)"}
--> {"indexdef":"CREATE INDEX t2_r_idx2 ON public.t2 USING gist (r)"}
--> {"indexdef":"CREATE INDEX t2_r_idx3 ON public.t2 USING brin (r)"}
--> {"indexdef":"CREATE INDEX t_a_idx ON public.t USING hash (a)"}
--> {"indexdef":"CREATE INDEX t_a_idx1 ON public.t USING btree (a)"}
--> {"indexdef":"CREATE INDEX t_bx_idx ON public.t USING gist (bx)"}
--> {"indexdef":"CREATE INDEX t_c_idx ON public.t USING btree (c bpchar_pattern_ops)"}
--> {"indexdef":"CREATE INDEX t_ci_idx ON public.t USING btree (ci)"}
--> {"indexdef":"CREATE INDEX t_ck_idx ON public.t USING gist (ck)"}
--> {"indexdef":"CREATE INDEX t_i_idx ON public.t USING brin (i int4_bloom_ops)"}
--> {"indexdef":"CREATE INDEX t_i_idx1 ON public.t USING brin (i int4_bloom_ops (n_distinct_per_range='10'))"}
--> {"indexdef":"CREATE INDEX t_i_idx2 ON public.t USING brin (i int4_minmax_multi_ops)"}
--> {"indexdef":"CREATE INDEX t_i_idx3 ON public.t USING brin (i int4_minmax_multi_ops (values_per_range='16'))"}
--> {"indexdef":"CREATE INDEX t_i_idx4 ON public.t USING brin (i int4_bloom_ops (false_positive_rate='0.05'))"}
--> {"indexdef":"CREATE INDEX t_i_idx5 ON public.t USING btree (((i)::text) text_pattern_ops)"}
--> {"indexdef":"CREATE INDEX t_ip_ci_idx ON public.t USING btree (ip cidr_ops, ci cidr_ops)"}
--> {"indexdef":"CREATE INDEX t_ip_idx ON public.t USING brin (ip)"}
--> {"indexdef":"CREATE INDEX t_ip_idx1 ON public.t USING gist (ip inet_ops)"}
--> {"indexdef":"CREATE INDEX t_ip_idx2 ON public.t USING btree (ip cidr_ops)"}
--> {"indexdef":"CREATE INDEX t_j_idx ON public.t USING hash (j)"}
--> {"indexdef":"CREATE INDEX t_mr_idx ON public.t USING gist (mr)"}
--> {"indexdef":"CREATE INDEX t_mr_idx1 ON public.t USING btree (mr)"}
--> {"indexdef":"CREATE INDEX t_nm_idx ON public.t USING btree (nm)"}
--> {"indexdef":"CREATE INDEX t_nm_q_idx ON public.t USING btree (nm, q)"}
--> {"indexdef":"CREATE INDEX t_p_idx ON public.t USING spgist (p kd_point_ops)"}
--> {"indexdef":"CREATE INDEX t_p_idx1 ON public.t USING spgist (p)"}
--> {"indexdef":"CREATE INDEX t_p_idx2 ON public.t USING gist (p)"}
--> {"indexdef":"CREATE INDEX t_pg_idx ON public.t USING spgist (pg)"}
--> {"indexdef":"CREATE INDEX t_r_idx ON public.t USING gist (r)"}
--> {"indexdef":"CREATE INDEX t_rc_idx ON public.t USING btree (rc)"}
--> {"indexdef":"CREATE INDEX t_ta_idx ON public.t USING gin (ta)"}
--> {"indexdef":"CREATE INDEX t_tv_idx ON public.t USING gist (tv)"}
--> {"indexdef":"CREATE INDEX t_tv_idx1 ON public.t USING btree (tv)"}
--> {"indexdef":"CREATE INDEX t_tv_idx2 ON public.t USING gin (tv)"}
--> {"indexdef":"CREATE INDEX t_txt_idx ON public.t USING btree (txt)"}
--> {"indexdef":"CREATE INDEX t_txt_idx1 ON public.t USING btree (txt text_pattern_ops)"}
--> {"indexdef":"CREATE INDEX t_txt_idx2 ON public.t USING hash (txt text_pattern_ops)"}
--> {"indexdef":"CREATE INDEX t_txt_idx3 ON public.t USING hash (txt varchar_pattern_ops)"}
--> {"indexdef":"CREATE INDEX t_txt_idx4 ON public.t USING spgist (txt)"}
--> {"indexdef":"CREATE INDEX t_txt_idx5 ON public.t USING spgist (txt)"}
--> {"indexdef":"CREATE INDEX t_v_idx ON public.t USING btree (v varchar_ops)"}
--> {"indexdef":"CREATE INDEX t_v_idx1 ON public.t USING btree (v bpchar_ops)"}
--> {"indexdef":"CREATE INDEX t_x8_idx ON public.t USING btree (x8)"}
