-- Words that are no names unless they are quoted.

create table user (id int);
--> ERROR 42601: syntax error at or near "user"
--> AT 14

create table "user" (id int, "order" int, "end" date);
--> no rows

create table public.order (id int primary key, "user" text);
--> no rows

create table k (user text);
--> ERROR 42601: syntax error at or near "user"
--> AT 17

create table k1 (id int, order int);
--> ERROR 42601: syntax error at or near "order"
--> AT 26

create table k2 (end date);
--> ERROR 42601: syntax error at or near "end"
--> AT 18

create table k3 (desc text, "group" text);
--> ERROR 42601: syntax error at or near "desc"
--> AT 18

create table k4 (limit int);
--> ERROR 42601: syntax error at or near "limit"
--> AT 18

create table k5 (window int, all int);
--> ERROR 42601: syntax error at or near "window"
--> AT 18

create table k7 (left int);
--> ERROR 42601: syntax error at or near "left"
--> AT 18

create table k8 (id int, authorization text);
--> ERROR 42601: syntax error at or near "authorization"
--> AT 26

create table k9 (a int, b text, value text, key text, type text, name text, status text, date date, time time, timestamp timestamptz, text text, position int, level int, role text, comment text, data jsonb, action text, domain text, language text, year int, month int, day int, "table" text, values int[], over int, row int, rows int, range text, groups int, filter text, following int, current int, no text, zone text, local text, names text, matched text, view text, schema text, trigger text, function text, version text, password text, start date, stop date, begin date, "column" text, method text, object text, owner text, index int, cascade text, rule text, sequence int, session text, temporary text, unlogged text, until date, valid text, work text, options jsonb, extension text, operator text, policy text, ordinality int, precision int, interval interval, exists boolean, coalesce text, char text, setof text, substring text, treat text, trim text, xmlroot text, out text, inout text, none text, greatest int, least int, grouping int, bit text, dec text, real real, float float, smallint smallint, national text, between int, overlay text, normalize text, nullif text);
--> no rows

select column_name from information_schema.columns where table_name = 'k9' and column_name in ('values', 'between', 'out', 'time') order by 1;
--> {"column_name":"between"}
--> {"column_name":"out"}
--> {"column_name":"time"}
--> {"column_name":"values"}

alter table k9 add column user text;
--> ERROR 42601: syntax error at or near "user"
--> AT 27

alter table k9 add column "user" text;
--> no rows

insert into k9 ("user", value, "table") values ('1', '2', '3') returning "user", value;
--> {"user":"1","value":"2"}

update k9 set user = 'x';
--> ERROR 42601: syntax error at or near "user"
--> AT 15

alter table k9 rename column value to order;
--> ERROR 42601: syntax error at or near "order"
--> AT 39

alter table k9 rename to table;
--> ERROR 42601: syntax error at or near "table"
--> AT 26

create view v (user) as select 1;
--> ERROR 42601: syntax error at or near "user"
--> AT 16

create view end as select 1;
--> ERROR 42601: syntax error at or near "end"
--> AT 13

create index on k9 ("user");
--> no rows

create index desc on k9 (value);
--> ERROR 42601: syntax error at or near "desc"
--> AT 14

create function do() returns int language sql as $$ select 1 $$;
--> ERROR 42601: syntax error at or near "do"
--> AT 17

create function left(a int) returns int language sql as $$ select 1 $$;
--> no rows

create type array as enum ('a');
--> ERROR 42601: syntax error at or near "array"
--> AT 13

create schema to;
--> ERROR 42601: syntax error at or near "to"
--> AT 15

create table t1 (id int, constraint check check (id > 0));
--> ERROR 42601: syntax error at or near "check"
--> AT 37

create table t2 (id int references "user");
--> ERROR 42704: there is no primary key for referenced table "user"

create table t3 (primary key (user), "user" int);
--> ERROR 42601: syntax error at or near "user"
--> AT 31

create table t4 ("user" int, primary key ("user"), unique (order));
--> ERROR 42601: syntax error at or near "order"
--> AT 60

grant select on k9 to current_user; alter table k9 owner to current_user; alter table k9 enable trigger all; alter table k9 enable trigger user; alter table k9 disable trigger user;
--> no rows

comment on column k9."user" is 'x'; comment on column public.k9."user" is 'y';
--> no rows

select kk.user from (select 1 as "user") kk;
--> {"user":1}

select public.order.id from public.order;
--> no rows

alter table t * add column i int;
--> ERROR 42P01: relation "t" does not exist
