-- Which of several broken constraints an error names.

create table c1 (a int check (a > 0), b int constraint zz check (b > 0), d int constraint aa check (d > 0), e int not null, f text check (length(f) < 3), unique (b), constraint mm check (a < b));
--> no rows

insert into c1 values (0, 0, 0, null, 'long');
--> ERROR 23502: null value in column "e" of relation "c1" violates not-null constraint
--> DETAIL: Failing row contains (0, 0, 0, null, long).

insert into c1 values (0, 0, 0, 1, 'long');
--> ERROR 23514: new row for relation "c1" violates check constraint "aa"
--> DETAIL: Failing row contains (0, 0, 0, 1, long).

insert into c1 values (1, 0, 0, 1, 'long');
--> ERROR 23514: new row for relation "c1" violates check constraint "aa"
--> DETAIL: Failing row contains (1, 0, 0, 1, long).

insert into c1 values (5, 1, 1, 1, 'long');
--> ERROR 23514: new row for relation "c1" violates check constraint "c1_f_check"
--> DETAIL: Failing row contains (5, 1, 1, 1, long).

insert into c1 values (5, 1, 0, 1, 'long');
--> ERROR 23514: new row for relation "c1" violates check constraint "aa"
--> DETAIL: Failing row contains (5, 1, 0, 1, long).

insert into c1 values (1, 2, 1, 1, 'x');
--> no rows

insert into c1 values (1, 2, 0, 1, 'x');
--> ERROR 23514: new row for relation "c1" violates check constraint "aa"
--> DETAIL: Failing row contains (1, 2, 0, 1, x).

insert into c1 values (-1, 2, 1, 1, 'x');
--> ERROR 23514: new row for relation "c1" violates check constraint "c1_a_check"
--> DETAIL: Failing row contains (-1, 2, 1, 1, x).

update c1 set a = 9, d = 0, f = 'long';
--> ERROR 23514: new row for relation "c1" violates check constraint "aa"
--> DETAIL: Failing row contains (9, 2, 0, 1, long).

update c1 set a = 9, e = null;
--> ERROR 23502: null value in column "e" of relation "c1" violates not-null constraint
--> DETAIL: Failing row contains (9, 2, 1, null, x).

create table c2 (a int not null, b int not null, c int primary key, d int references c1 (b), e int unique);
--> no rows

insert into c2 values (null, null, null, 5, 1);
--> ERROR 23502: null value in column "a" of relation "c2" violates not-null constraint
--> DETAIL: Failing row contains (null, null, null, 5, 1).

insert into c2 values (1, 1, 1, 5, 1);
--> ERROR 23503: insert or update on table "c2" violates foreign key constraint "c2_d_fkey"
--> DETAIL: Key (d)=(5) is not present in table "c1".

insert into c2 values (1, 1, 1, 2, 1);
--> no rows

insert into c2 values (1, 1, 1, 7, 1);
--> ERROR 23505: duplicate key value violates unique constraint "c2_pkey"
--> DETAIL: Key (c)=(1) already exists.

insert into c2 values (1, 1, 2, 7, 1);
--> ERROR 23505: duplicate key value violates unique constraint "c2_e_key"
--> DETAIL: Key (e)=(1) already exists.

insert into c2 (b, a) values (null, null);
--> ERROR 23502: null value in column "a" of relation "c2" violates not-null constraint
--> DETAIL: Failing row contains (null, null, null, null, null).

create table c3 (a int, b varchar(3), c numeric(3,1), constraint b_first check (b <> 'x'), constraint a_first check (a <> 1));
--> no rows

insert into c3 values (1, 'x', 1);
--> ERROR 23514: new row for relation "c3" violates check constraint "a_first"
--> DETAIL: Failing row contains (1, x, 1.0).

insert into c3 values (1, 'toolong', 1000);
--> ERROR 22001: value too long for type character varying(3)

insert into c3 values (1, 'x', 1000);
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 3, scale 1 must round to an absolute value less than 10^2.

alter table c3 add constraint zz_last check (c > 5), add constraint aaa check (c > 6);
--> no rows

insert into c3 values (2, 'y', 1);
--> ERROR 23514: new row for relation "c3" violates check constraint "aaa"
--> DETAIL: Failing row contains (2, y, 1.0).

alter table c3 rename constraint aaa to zzz;
--> no rows

insert into c3 values (2, 'y', 1);
--> ERROR 23514: new row for relation "c3" violates check constraint "zz_last"
--> DETAIL: Failing row contains (2, y, 1.0).

create table c4 (id int primary key, u int unique, w int, constraint w_one unique (w));
--> no rows

insert into c4 values (1, 1, 1);
--> no rows

insert into c4 values (1, 1, 1);
--> ERROR 23505: duplicate key value violates unique constraint "c4_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into c4 values (2, 1, 1);
--> ERROR 23505: duplicate key value violates unique constraint "c4_u_key"
--> DETAIL: Key (u)=(1) already exists.

create unique index a_idx on c4 (u, w);
--> no rows

insert into c4 values (2, 1, 1);
--> ERROR 23505: duplicate key value violates unique constraint "c4_u_key"
--> DETAIL: Key (u)=(1) already exists.

update c4 set id = id;
--> no rows

insert into c4 values (2, 2, 2);
--> no rows

update c4 set u = 1, w = 1 where id = 2;
--> ERROR 23505: duplicate key value violates unique constraint "c4_u_key"
--> DETAIL: Key (u)=(1) already exists.

create table kind (id int primary key);
--> no rows

create table referring (a int references kind, b int references kind);
--> no rows

insert into referring values (1, 2);
--> ERROR 23503: insert or update on table "referring" violates foreign key constraint "referring_a_fkey"
--> DETAIL: Key (a)=(1) is not present in table "kind".

insert into kind values (1);
--> no rows

insert into referring values (1, 3), (4, 5);
--> ERROR 23503: insert or update on table "referring" violates foreign key constraint "referring_b_fkey"
--> DETAIL: Key (b)=(3) is not present in table "kind".

create table referring_too (a int references kind);
--> no rows

insert into referring values (1, 1);
--> no rows

insert into referring_too values (1);
--> no rows

delete from kind;
--> ERROR 23503: update or delete on table "kind" violates foreign key constraint "referring_a_fkey" on table "referring"
--> DETAIL: Key (id)=(1) is still referenced from table "referring".
