-- Several bad rows of an INSERT: the first one decides

create table t (id int primary key, v varchar(3), n int not null default 1 check (n < 100), u int unique);
grant all on t to public;
--> no rows

create table src (id int, v text, n int, u int);
insert into src values (1, 'a', null, 1), (2, 'abcdef', 5, 2);
--> no rows

insert into t select id, v, n, u from src order by id;
--> ERROR 23502: null value in column "n" of relation "t" violates not-null constraint
--> DETAIL: Failing row contains (1, a, null, 1).

insert into t (id, v, n) select id, v, 500 from src order by id;
--> ERROR 23514: new row for relation "t" violates check constraint "t_n_check"
--> DETAIL: Failing row contains (1, a, 500, null).

insert into t (id, v) values (null, 'a'), (2, upper('abcdef'));
--> ERROR 22001: value too long for type character varying(3)

create function st(a text) returns text language sql stable as $$ select a || 'xyz' $$;
--> no rows

insert into t (id, v) select 1, 'a' union all select 1, 'b' union all select 2, st('abcdef');
--> ERROR 23505: duplicate key value violates unique constraint "t_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into t (id, v) select 1, case when g < 3 then 'a' else 'abcdef' end from generate_series(1, 3) g;
--> ERROR 23505: duplicate key value violates unique constraint "t_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into t (id, n) select 1, 10 / (3 - g) from generate_series(1, 3) g;
--> ERROR 23505: duplicate key value violates unique constraint "t_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into t (id, n) select g, 10 / (3 - g) from generate_series(1, 3) g;
--> ERROR 22012: division by zero

insert into t (id, n) select g, 50 * g / (3 - g) from generate_series(1, 3) g;
--> ERROR 23514: new row for relation "t" violates check constraint "t_n_check"
--> DETAIL: Failing row contains (2, null, 100, null).

insert into t (id, u) select g, 10 / (3 - g) * 0 from generate_series(1, 3) g;
--> ERROR 23505: duplicate key value violates unique constraint "t_u_key"
--> DETAIL: Key (u)=(0) already exists.

insert into t (id, u) values (1, 1), (2, 1), (3, ('x' || clock_timestamp()::text)::int);
--> ERROR 23505: duplicate key value violates unique constraint "t_u_key"
--> DETAIL: Key (u)=(1) already exists.

alter table t enable row level security; create policy p on t for all using (true) with check (id < 10);
--> no rows

set local role anon; insert into t (id) values (null), (20);
--> ERROR 42501: new row violates row-level security policy for table "t"

set local role anon; insert into t (id) values (20), (null);
--> ERROR 42501: new row violates row-level security policy for table "t"

set local role anon; insert into t (id, u) values (1, 5), (2, 5), (20, 6);
--> ERROR 23505: duplicate key value violates unique constraint "t_u_key"

set local role anon; insert into t (id, u) values (1, 5), (20, 5), (2, 5);
--> ERROR 42501: new row violates row-level security policy for table "t"

set local role anon; insert into t (id, n) values (1, 500), (20, 5);
--> ERROR 23514: new row for relation "t" violates check constraint "t_n_check"

set local role anon; insert into t (id, n) values (20, 500);
--> ERROR 42501: new row violates row-level security policy for table "t"

set local role anon; insert into t (id, n) values (20, 5), (1, 500);
--> ERROR 42501: new row violates row-level security policy for table "t"

set local role anon; insert into t (id, n) values (20, null);
--> ERROR 42501: new row violates row-level security policy for table "t"

set local role anon; insert into t (id, v) values (20, st('x')), (1, 'x');
--> ERROR 22001: value too long for type character varying(3)

set local role anon; insert into t (id, v) values (1, 'x'), (20, st('x'));
--> ERROR 22001: value too long for type character varying(3)

insert into t (id, u) values (1, 1), (2, 2), (3, 3);
--> no rows

set local role anon; update t set id = id + 10, n = 500;
--> ERROR 42501: new row violates row-level security policy for table "t"

set local role anon; update t set id = id + 8, u = 7;
--> ERROR 42501: new row violates row-level security policy for table "t"

set local role anon; update t set n = 500 / id where true;
--> ERROR 23514: new row for relation "t" violates check constraint "t_n_check"

set local role anon; update t set id = 11 - id * 0, n = null;
--> ERROR 42501: new row violates row-level security policy for table "t"
