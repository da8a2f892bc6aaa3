-- Rules, keys that take nulls for equal, event triggers, statistics and other objects.

create table item (id int primary key, n int);
insert into item values (1, 10), (2, 20);
create rule keep as on delete to item do instead nothing;
delete from item;
select count(*) from item;
--> {"count":2}

create rule still as on update to item do instead nothing;
update item set n = 1 where id = 1;
select n from item order by id;
--> {"n":10}
--> {"n":20}

delete from item returning id;
--> ERROR 0A000: cannot perform DELETE RETURNING on relation "item"
--> HINT: You need an unconditional ON DELETE DO INSTEAD rule with a RETURNING clause.

create rule keep as on delete to item do instead nothing;
--> ERROR 42710: rule "keep" for relation "item" already exists

create or replace rule keep as on delete to public.item do instead nothing;
select rulename, definition from pg_rules where tablename = 'item' order by 1;
--> {"rulename":"keep","definition":"CREATE RULE keep AS\n    ON DELETE TO public.item DO INSTEAD NOTHING;"}
--> {"rulename":"still","definition":"CREATE RULE still AS\n    ON UPDATE TO public.item DO INSTEAD NOTHING;"}

select count(*) from pg_rewrite where ev_class = 'item'::regclass;
--> {"count":2}

drop rule nosuch on item;
--> ERROR 42704: rule "nosuch" for relation "item" does not exist

drop rule if exists nosuch on item;
drop rule still on item;
update item set n = 1 where id = 1;
select n from item order by id;
--> {"n":1}
--> {"n":20}

alter rule keep on item rename to keeps;
comment on rule keeps on item is 'no deletes';
delete from item;
select count(*) from item;
--> {"count":2}

drop rule keeps on item cascade;
delete from item where id = 2;
select count(*) from item;
--> {"count":1}

create view item_view as select id, n from item;
create rule never as on insert to item_view do instead nothing;
insert into item_view values (9, 9);
select count(*) from item;
--> {"count":1}

create rule also_nothing as on insert to item do also nothing;
insert into item values (5, 5);
select count(*) from item;
--> {"count":2}

create rule r as on delete to nosuch do instead nothing;
--> ERROR 42P01: relation "nosuch" does not exist

create rule r as on truncate to item do instead nothing;
--> ERROR 42601: syntax error at or near "truncate"
--> AT 21

create table uq (a int, b text, unique nulls not distinct (a, b));
insert into uq values (1, null), (null, 'x'), (null, null);
select count(*) from uq;
--> {"count":3}

insert into uq values (null, null);
--> ERROR 23505: duplicate key value violates unique constraint "uq_a_b_key"
--> DETAIL: Key (a, b)=(null, null) already exists.

insert into uq values (1, null);
--> ERROR 23505: duplicate key value violates unique constraint "uq_a_b_key"
--> DETAIL: Key (a, b)=(1, null) already exists.

insert into uq values (1, 'z'), (2, null);
select count(*) from uq;
--> {"count":5}

insert into uq values (1, null) on conflict (a, b) do update set b = 'was null' returning *;
--> {"a":1,"b":"was null"}

insert into uq values (null, null) on conflict do nothing;
select count(*) from uq;
--> {"count":5}

select pg_get_constraintdef(oid) as def from pg_constraint where conrelid = 'uq'::regclass;
--> {"def":"UNIQUE NULLS NOT DISTINCT (a, b)"}

create table uq2 (a int unique nulls not distinct, b text);
create unique index uq2_b on uq2 (b) nulls not distinct where a > 0;
select indexdef from pg_indexes where tablename = 'uq2' order by 1;
--> {"indexdef":"CREATE UNIQUE INDEX uq2_a_key ON public.uq2 USING btree (a) NULLS NOT DISTINCT"}
--> {"indexdef":"CREATE UNIQUE INDEX uq2_b ON public.uq2 USING btree (b) NULLS NOT DISTINCT WHERE (a > 0)"}

insert into uq2 values (1, null), (2, null);
--> ERROR 23505: duplicate key value violates unique constraint "uq2_b"
--> DETAIL: Key (b)=(null) already exists.

insert into uq2 values (null, 'a'), (null, 'b');
--> ERROR 23505: duplicate key value violates unique constraint "uq2_a_key"
--> DETAIL: Key (a)=(null) already exists.

update uq2 set a = null;
--> no rows

create table dup (a int);
insert into dup values (null), (null);
alter table dup add constraint dup_a unique nulls not distinct (a);
--> ERROR 23505: could not create unique index "dup_a"
--> DETAIL: Key (a)=(null) is duplicated.

create unique index on dup (a) nulls not distinct;
--> ERROR 42P01: relation "dup" does not exist

create function on_ddl() returns event_trigger language plpgsql as $$ begin null; end $$;
create event trigger watch_ddl on ddl_command_end when tag in ('CREATE TABLE', 'DROP TABLE') execute function on_ddl();
create event trigger watch_drop on sql_drop execute procedure on_ddl();
select evtname, evtevent, evtenabled, evttags from pg_event_trigger order by 1;
--> {"evtname":"watch_ddl","evtevent":"ddl_command_end","evtenabled":"O","evttags":["CREATE TABLE","DROP TABLE"]}
--> {"evtname":"watch_drop","evtevent":"sql_drop","evtenabled":"O","evttags":null}

create event trigger watch_drop on sql_drop execute function on_ddl();
--> ERROR 42710: event trigger "watch_drop" already exists

create event trigger bad on nosuch_event execute function on_ddl();
--> ERROR 42601: unrecognized event name "nosuch_event"

create event trigger bad on sql_drop execute function nosuch();
--> ERROR 42883: function nosuch() does not exist

create function plain() returns int language sql as 'select 1';
create event trigger bad on sql_drop execute function plain();
--> ERROR 42P17: function plain must return type event_trigger

alter event trigger watch_drop disable;
alter event trigger watch_ddl rename to watching;
alter event trigger watching owner to postgres;
comment on event trigger watching is 'all';
select evtname, evtenabled from pg_event_trigger order by 1;
--> {"evtname":"watch_drop","evtenabled":"D"}
--> {"evtname":"watching","evtenabled":"O"}

drop function on_ddl();
--> ERROR 2BP01: cannot drop function on_ddl() because other objects depend on it
--> DETAIL: event trigger watching depends on function on_ddl()\nevent trigger watch_drop depends on function on_ddl()
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop event trigger nosuch;
--> ERROR 42704: event trigger "nosuch" does not exist

drop event trigger if exists nosuch;
drop event trigger watching;
select evtname from pg_event_trigger;
--> {"evtname":"watch_drop"}

drop function on_ddl() cascade;
select count(*) from pg_event_trigger;
--> {"count":0}

create table st (a int, b int, c int);
create statistics st_ab (dependencies, ndistinct) on a, b from st;
create statistics if not exists st_ab on a, b from st;
select stxname, stxkeys::text, stxkind from pg_statistic_ext;
--> {"stxname":"st_ab","stxkeys":"1 2","stxkind":"{d,f}"}

create statistics st_ab on a, b from st;
--> ERROR 42710: statistics object "st_ab" already exists

create statistics st_bad on a, nosuch from st;
--> ERROR 42703: column "nosuch" does not exist

create statistics st_bad on a from st;
--> ERROR 42P17: extended statistics require at least 2 columns

comment on statistics st_ab is 'both';
alter statistics st_ab rename to st_both;
select stxname from pg_statistic_ext;
--> {"stxname":"st_both"}

drop statistics nosuch;
--> ERROR 42704: statistics object "nosuch" does not exist

drop statistics if exists nosuch;
drop statistics st_both;
select count(*) from pg_statistic_ext;
--> {"count":0}

create statistics st_again on b, c from st;
drop table st;
select count(*) from pg_statistic_ext;
--> {"count":0}

create table placed (id int primary key, v text) with (fillfactor = 70) tablespace pg_default;
create index placed_v on placed (v) tablespace pg_default;
cluster placed using placed_pkey;
select 1 as ok;
--> {"ok":1}

cluster nosuch;
--> ERROR 42P01: relation "nosuch" does not exist

security label on table placed is 'x';
--> ERROR 22023: no security label providers have been loaded

create sequence own_seq;
alter sequence own_seq owner to postgres;
alter sequence own_seq owned by placed.id;
comment on sequence own_seq is 'numbers';
comment on language plpgsql is 'lang';
comment on domain nosuch is 'x';
--> ERROR 42704: type "nosuch" does not exist

comment on database nosuch is 'x';
--> no rows

comment on role nosuch is 'x';
--> ERROR 42704: role "nosuch" does not exist

comment on extension nosuch is 'x';
--> ERROR 42704: extension "nosuch" does not exist

comment on publication nosuch is 'x';
--> ERROR 42704: publication "nosuch" does not exist
