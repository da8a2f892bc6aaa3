-- What has a column in it whose type changes; copies of exclusion constraints; arrays of null arrays.

create table p (a int, b boolean, n int, s text);
--> no rows

create index pb on p (a) where b;
--> no rows

alter table p alter b type int using b::int;
--> ERROR 42804: argument of WHERE must be type boolean, not type integer
--> AT 51

create index pn on p ((n + 1.5));
--> no rows

create index pn2 on p ((n + 1)) where n > 3;
--> no rows

alter table p alter n type float8;
--> no rows

select indexdef from pg_indexes where tablename = 'p' order by 1;
--> {"indexdef":"CREATE INDEX pb ON public.p USING btree (a) WHERE b"}
--> {"indexdef":"CREATE INDEX pn ON public.p USING btree ((((n)::numeric + 1.5)))"}
--> {"indexdef":"CREATE INDEX pn2 ON public.p USING btree (((n + (1)::double precision))) WHERE (n > (3)::double precision)"}

alter table p alter n type bigint;
--> no rows

select indexdef from pg_indexes where tablename = 'p' order by 1;
--> {"indexdef":"CREATE INDEX pb ON public.p USING btree (a) WHERE b"}
--> {"indexdef":"CREATE INDEX pn ON public.p USING btree ((((n)::numeric + 1.5)))"}
--> {"indexdef":"CREATE INDEX pn2 ON public.p USING btree ((((n)::double precision + (1)::double precision))) WHERE ((n)::double precision > (3)::double precision)"}

create index ps on p (lower(s));
--> no rows

alter table p alter s type int using 1;
--> ERROR 42883: function lower(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 42

alter table p alter s type varchar(20);
--> no rows

select indexdef from pg_indexes where indexname = 'ps';
--> {"indexdef":"CREATE INDEX ps ON public.p USING btree (lower((s)::text))"}

create table ct (x p);
--> no rows

alter table p alter a type bigint;
--> ERROR 0A000: cannot alter table "p" because column "ct.x" uses its row type

drop table ct;
--> no rows

create table cta (x p[]);
--> no rows

alter table p alter a type bigint;
--> ERROR 0A000: cannot alter table "p" because column "cta.x" uses its row type

drop table cta;
--> no rows

create table log (a int);
--> no rows

create rule r as on insert to p do also insert into log values (new.a);
--> no rows

alter table p alter a type bigint;
--> ERROR 0A000: cannot alter type of a column used by a view or rule
--> DETAIL: rule r on table p depends on column "a"

alter table log alter a type bigint;
--> ERROR 0A000: cannot alter type of a column used by a view or rule
--> DETAIL: rule r on table p depends on column "a"

drop rule r on p;
--> no rows

alter table p alter a type bigint;
--> no rows

create table chk (a int check (a > 0), b int default 3);
--> no rows

alter table chk alter a type boolean using true;
--> ERROR 42883: operator does not exist: boolean > integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

alter table chk alter b type boolean using true;
--> ERROR 42804: default for column "b" cannot be cast automatically to type boolean

create table g (id int, a int generated always as (id * 2) stored);
--> no rows

insert into g values (1), (2);
--> no rows

alter table g alter a type bigint;
--> no rows

select pg_typeof(a), a from g;
--> {"pg_typeof":"bigint","a":2}
--> {"pg_typeof":"bigint","a":4}

alter table g alter a type numeric(10,2);
--> no rows

select * from g;
--> {"id":1,"a":"2.00"}
--> {"id":2,"a":"4.00"}

insert into g values (3);
--> no rows

select * from g;
--> {"id":1,"a":"2.00"}
--> {"id":2,"a":"4.00"}
--> {"id":3,"a":"6.00"}

create table gt (id int, t text generated always as ('x' || id::text) stored);
--> no rows

insert into gt values (1);
--> no rows

alter table gt alter t type varchar(20);
--> no rows

alter table gt alter t set data type varchar(1);
--> ERROR 22001: value too long for type character varying(1)

select * from gt;
--> {"id":1,"t":"x1"}

alter table gt alter t type int;
--> ERROR 42804: column "t" cannot be cast automatically to type integer

alter table gt alter t type int using 1;
--> ERROR 42611: cannot specify USING when altering type of generated column
--> DETAIL: Column "t" is a generated column.

alter table g alter a type int using 3;
--> ERROR 42611: cannot specify USING when altering type of generated column
--> DETAIL: Column "a" is a generated column.

alter table g alter id type bigint;
--> ERROR 0A000: cannot alter type of a column used by a generated column
--> DETAIL: Column "id" is used by generated column "a".

select column_name, data_type, generation_expression from information_schema.columns where table_name in ('g', 'gt') order by 1, 2;
--> {"column_name":"a","data_type":"numeric","generation_expression":"(id * 2)"}
--> {"column_name":"id","data_type":"integer","generation_expression":null}
--> {"column_name":"id","data_type":"integer","generation_expression":null}
--> {"column_name":"t","data_type":"character varying","generation_expression":"('x'::text || (id)::text)"}

create index gi on g (a);
--> no rows

alter table g alter a type varchar(10);
--> no rows

select indexdef from pg_indexes where indexname = 'gi';
--> {"indexdef":"CREATE INDEX gi ON public.g USING btree (a)"}

create extension btree_gist;
--> no rows

create table x (id int primary key, r int4range, c int, exclude using gist (r with &&), constraint named exclude using gist (c with =, r with &&) where (c > 1));
--> no rows

create table x2 (like x including all);
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'x2'::regclass order by 1;
--> {"conname":"x2_c_r_excl","pg_get_constraintdef":"EXCLUDE USING gist (c WITH =, r WITH &&) WHERE ((c > 1))"}
--> {"conname":"x2_pkey","pg_get_constraintdef":"PRIMARY KEY (id)"}
--> {"conname":"x2_r_excl","pg_get_constraintdef":"EXCLUDE USING gist (r WITH &&)"}

insert into x2 values (1, '[1,3)', 2), (2, '[5,6)', 2);
--> no rows

insert into x2 values (3, '[2,3)', 3);
--> ERROR 23P01: conflicting key value violates exclusion constraint "x2_r_excl"
--> DETAIL: Key (r)=([2,3)) conflicts with existing key (r)=([1,3)).

create table x3 (like x including indexes);
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'x3'::regclass order by 1;
--> {"conname":"x3_c_r_excl","pg_get_constraintdef":"EXCLUDE USING gist (c WITH =, r WITH &&) WHERE ((c > 1))"}
--> {"conname":"x3_pkey","pg_get_constraintdef":"PRIMARY KEY (id)"}
--> {"conname":"x3_r_excl","pg_get_constraintdef":"EXCLUDE USING gist (r WITH &&)"}

create table x4 (like x including constraints);
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'x4'::regclass order by 1;
--> no rows

select array[null::int[]], array[null::int[], null], array[array[1], null::int[]];
--> ERROR 2202E: multidimensional arrays must have array expressions with matching dimensions

select array[array[]::int[]], array['{}'::int[], '{}'], array[null::int[]] is null, array_ndims(array[null::int[]]);
--> {"array":[],"?column?":false,"array_ndims":null}
