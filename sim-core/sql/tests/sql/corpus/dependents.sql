-- What depends on what, and what `cascade` takes along.

create function inc(i int) returns int language plpgsql immutable as $$ begin return i + 1; end $$;
create function twice(i int) returns int language sql immutable as 'select i * 2';
create table item (id int primary key, n int default inc(1), m int check (inc(m) > 0), k text);
create index item_inc on item (inc(id));
create view item_view as select id, inc(n) as next from item;
--> no rows

drop function inc(int);
--> ERROR 2BP01: cannot drop function inc(integer) because other objects depend on it
--> DETAIL: default value for column n of table item depends on function inc(integer)\nconstraint item_m_check on table item depends on function inc(integer)\nindex item_inc depends on function inc(integer)\nview item_view depends on function inc(integer)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

create table made (id int, two int generated always as (inc(id)) stored);
create table part (id int);
create index part_some on part (id) where inc(id) > 3;
create policy own on part using (inc(id) > 1);
create function on_part() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger part_watch before insert on part for each row execute function on_part();
create trigger part_when before insert on part for each row when (inc(new.id) > 5) execute function on_part();
create materialized view item_kept as select inc(id) as i from item;
create function later(a int default inc(2)) returns int language sql as 'select a';
--> no rows

drop function inc(int);
--> ERROR 2BP01: cannot drop function inc(integer) because other objects depend on it
--> DETAIL: default value for column n of table item depends on function inc(integer)\nconstraint item_m_check on table item depends on function inc(integer)\nindex item_inc depends on function inc(integer)\nview item_view depends on function inc(integer)\ncolumn two of table made depends on function inc(integer)\nindex part_some depends on function inc(integer)\npolicy own on table part depends on function inc(integer)\ntrigger part_when on table part depends on function inc(integer)\nmaterialized view item_kept depends on function inc(integer)\nfunction later(integer) depends on function inc(integer)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop function on_part();
--> ERROR 2BP01: cannot drop function on_part() because other objects depend on it
--> DETAIL: trigger part_watch on table part depends on function on_part()\ntrigger part_when on table part depends on function on_part()
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop function on_part() cascade;
select tgname from pg_trigger where tgrelid = 'part'::regclass and not tgisinternal;
--> no rows

drop function inc cascade;
--> no rows

select column_name, column_default from information_schema.columns where table_name in ('item', 'made', 'part') order by table_name, ordinal_position;
--> {"column_name":"id","column_default":null}
--> {"column_name":"n","column_default":null}
--> {"column_name":"m","column_default":null}
--> {"column_name":"k","column_default":null}
--> {"column_name":"id","column_default":null}
--> {"column_name":"id","column_default":null}

select conname from pg_constraint where conrelid in ('item'::regclass, 'made'::regclass, 'part'::regclass) order by 1;
--> {"conname":"item_pkey"}

select relname from pg_class where relname in ('item_inc', 'item_view', 'part_some', 'item_kept', 'item', 'part', 'made') order by 1;
--> {"relname":"item"}
--> {"relname":"made"}
--> {"relname":"part"}

select count(*) from pg_policy where polrelid = 'part'::regclass;
--> {"count":0}

select proname from pg_proc where proname in ('inc', 'later', 'twice', 'on_part') order by 1;
--> {"proname":"twice"}

insert into item values (1, 2, -3, 'x');
--> no rows

select * from item;
--> {"id":1,"n":2,"m":-3,"k":"x"}

create view outer_view as select id from item where twice(id) > 1;
create view outer_outer as select * from outer_view;
--> no rows

drop function twice(int);
--> ERROR 2BP01: cannot drop function twice(integer) because other objects depend on it
--> DETAIL: view outer_view depends on function twice(integer)\nview outer_outer depends on view outer_view
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop view outer_view;
--> ERROR 2BP01: cannot drop view outer_view because other objects depend on it
--> DETAIL: view outer_outer depends on view outer_view
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop table item;
--> ERROR 2BP01: cannot drop table item because other objects depend on it
--> DETAIL: view outer_view depends on table item\nview outer_outer depends on view outer_view
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop function twice(int) cascade;
select count(*) from pg_class where relname like 'outer%';
--> {"count":0}

create type mood as enum ('sad', 'happy');
create domain age as int check (value > 0);
create type pair as (a int, b mood);
--> no rows

create table person (id int, m mood default 'sad', ms mood[], a age, p pair);
create view person_mood as select id, m from person;
create function feel(m mood) returns age language sql as 'select 1::age';
--> no rows

drop type mood;
--> ERROR 2BP01: cannot drop type mood because other objects depend on it
--> DETAIL: column ms of table person depends on type mood[]\ncolumn b of composite type pair depends on type mood\ncolumn m of table person depends on type mood\nview person_mood depends on column m of table person\nfunction feel(mood) depends on type mood
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop domain age;
--> ERROR 2BP01: cannot drop type age because other objects depend on it
--> DETAIL: column a of table person depends on type age\nfunction feel(mood) depends on type age
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type pair;
--> ERROR 2BP01: cannot drop type pair because other objects depend on it
--> DETAIL: column p of table person depends on type pair
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type mood cascade;
--> no rows

select column_name from information_schema.columns where table_name = 'person' order by ordinal_position;
--> {"column_name":"id"}
--> {"column_name":"a"}
--> {"column_name":"p"}

select count(*) from pg_proc where proname = 'feel';
select count(*) from pg_class where relname = 'person_mood';
--> {"count":0}

drop domain age cascade;
select column_name from information_schema.columns where table_name = 'person' order by ordinal_position;
--> {"column_name":"id"}
--> {"column_name":"p"}

create sequence counter;
create table counted (id int default nextval('counter'), b int, c int, check (b > c));
create view counted_b as select b from counted;
create function counted_rows() returns setof counted language sql as 'select * from counted';
--> no rows

drop sequence counter;
--> ERROR 2BP01: cannot drop sequence counter because other objects depend on it
--> DETAIL: default value for column id of table counted depends on sequence counter
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop sequence counter cascade;
select column_default from information_schema.columns where table_name = 'counted' and column_name = 'id';
--> {"column_default":null}

alter table counted drop column b;
--> ERROR 2BP01: cannot drop column b of table counted because other objects depend on it
--> DETAIL: view counted_b depends on column b of table counted
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table counted drop column b cascade;
select conname from pg_constraint where conrelid = 'counted'::regclass;
--> no rows

drop table counted;
--> ERROR 2BP01: cannot drop table counted because other objects depend on it
--> DETAIL: function counted_rows() depends on type counted
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop table counted cascade;
select count(*) from pg_proc where proname = 'counted_rows';
--> {"count":0}

create schema app;
create table app.t (id int primary key);
create type app.kind as enum ('a');
create function app.f() returns int language sql as 'select 1';
create view app.v as select id from app.t;
create table outside (k app.kind, t int references app.t, d int default app.f());
--> no rows

drop schema app;
--> ERROR 2BP01: cannot drop schema app because other objects depend on it
--> DETAIL: table app.t depends on schema app\nconstraint outside_t_fkey on table outside depends on table app.t\ntype app.kind depends on schema app\ncolumn k of table outside depends on type app.kind\nfunction app.f() depends on schema app\ndefault value for column d of table outside depends on function app.f()\nview app.v depends on schema app
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop schema app cascade;
select column_name, column_default from information_schema.columns where table_name = 'outside';
select count(*) from pg_constraint where conrelid = 'outside'::regclass;
--> {"count":0}

create function base(i int) returns bool language sql immutable as 'select i > 0';
create domain positive as int check (base(value));
--> no rows

drop function base(int);
--> ERROR 2BP01: cannot drop function base(integer) because other objects depend on it
--> DETAIL: constraint positive_check depends on function base(integer)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop function base(int) cascade;
select -1::positive as v;
--> {"v":-1}

create procedure proc(i int) language plpgsql as $$ begin end $$;
drop function proc(int);
--> ERROR 42809: proc(integer) is not a function

drop routine proc(int);
--> ERROR 42883: function proc(integer) does not exist

drop function missing(int);
--> ERROR 42883: function missing(integer) does not exist

drop function if exists missing(nosuchtype), missing(int);
--> no rows

drop function missing(nosuchtype);
--> ERROR 42704: type "nosuchtype" does not exist

drop table if exists nosuchschema.t;
drop function if exists nosuchschema.f(int);
drop view if exists nosuchschema.v cascade;
drop type if exists nosuchschema.t;
select 1 as ok;
--> {"ok":1}

create table moved (id int, name text);
insert into moved values (1, 'a');
create view moved_view as select moved.id, name from moved where moved.id > 0;
create view moved_join as select a.id, b.name from moved a join moved as b on a.id = b.id;
create view over_moved as select id from moved_view;
create table guarded (id int);
create policy through_moved on guarded using (exists (select 1 from moved where moved.id = guarded.id));
alter table guarded enable row level security;
alter table moved rename to renamed;
select * from moved_view;
--> {"id":1,"name":"a"}

select * from moved_join;
--> {"id":1,"name":"a"}

select * from over_moved;
--> {"id":1}

grant select on guarded to authenticated;
grant select on renamed to authenticated;
insert into guarded values (1), (2);
set role authenticated;
select id from guarded;
--> {"id":1}

create schema elsewhere;
alter table renamed set schema elsewhere;
select * from moved_join;
--> {"id":1,"name":"a"}

drop table elsewhere.renamed;
--> ERROR 2BP01: cannot drop table elsewhere.renamed because other objects depend on it
--> DETAIL: view moved_view depends on table elsewhere.renamed\nview over_moved depends on view moved_view\nview moved_join depends on table elsewhere.renamed\npolicy through_moved on table guarded depends on table elsewhere.renamed
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

create table cols (id int, name text, n int);
insert into cols values (1, 'a', 5);
create view cols_view as select * from cols where n > 1;
create view cols_alias as select c.name, upper(c.name) as big from cols c order by c.n;
alter table cols rename column name to title;
alter table cols rename column n to amount;
select * from cols_view;
--> {"id":1,"name":"a","n":5}

select * from cols_alias;
--> {"name":"a","big":"A"}

create schema first;
create table first.a (id int);
create table first.b (id int);
insert into first.a values (1);
insert into first.b values (1);
create view a_and_b as select a.id from first.a join first.b on b.id = a.id;
alter schema first rename to second;
select * from a_and_b;
--> {"id":1}

create domain grade as int;
create table graded (g grade);
insert into graded values (1), (5);
alter domain grade add constraint grade_small check (value < 3);
--> ERROR 23514: column "g" of table "graded" contains values that violate the new constraint

alter domain grade add constraint grade_big check (value < 10);
insert into graded values (20);
--> ERROR 42704: type "grade" does not exist

alter domain grade rename constraint grade_big to grade_max;
alter domain grade set default 7;
alter domain grade owner to postgres;
insert into graded default values;
select max(g) as m from graded;
--> ERROR 42704: type "grade" does not exist

alter domain grade drop constraint nosuch;
--> ERROR 42704: type "grade" does not exist

alter domain grade drop constraint if exists nosuch;
alter domain grade drop constraint grade_max;
insert into graded values (20);
select count(*) from graded;
--> ERROR 42704: type "grade" does not exist

alter domain grade set not null;
insert into graded values (null);
--> ERROR 42704: type "grade" does not exist

alter domain graded add check (true);
--> ERROR 42704: type "graded" does not exist

alter domain nosuch set not null;
--> ERROR 42704: type "nosuch" does not exist
