-- What was made of names that are changed later.

create sequence c_id_seq; create table c (id int default nextval('c_id_seq'::regclass), note text); alter sequence c_id_seq owned by c.id;
--> no rows

alter sequence c_id_seq rename to numbers; select pg_get_expr(adbin, adrelid) as d from pg_attrdef where adrelid = 'c'::regclass;
--> {"d":"nextval('numbers'::regclass)"}

select column_default from information_schema.columns where table_name = 'c' and column_name = 'id';
--> {"column_default":"nextval('numbers'::regclass)"}

insert into c (note) values ('a'), ('b'); select id from c order by id;
--> {"id":1}
--> {"id":2}

alter table c rename to counted; alter table counted rename id to number; select pg_get_serial_sequence('counted', 'number');
--> {"pg_get_serial_sequence":"public.numbers"}

select pg_get_expr(adbin, adrelid) as d from pg_attrdef where adrelid = 'counted'::regclass;
--> {"d":"nextval('numbers'::regclass)"}

create schema app; create sequence app.free_numbers; create table drawn (id int default nextval('app.free_numbers')); alter sequence app.free_numbers rename to loose; select pg_get_expr(adbin, adrelid) as d from pg_attrdef where adrelid in ('counted'::regclass, 'drawn'::regclass) order by 1;
--> {"d":"nextval('app.loose'::regclass)"}
--> {"d":"nextval('numbers'::regclass)"}

insert into counted (note) values ('c') returning number;
--> {"number":3}

create table s (id serial primary key, name text); alter table s rename to t; insert into t (name) values ('x'); select pg_get_expr(adbin, adrelid) as d from pg_attrdef where adrelid = 't'::regclass;
--> {"d":"nextval('s_id_seq'::regclass)"}

alter sequence s_id_seq rename to t_id_seq; select column_default from information_schema.columns where table_name = 't' and column_name = 'id';
--> {"column_default":"nextval('t_id_seq'::regclass)"}

create table item (id int primary key, title text not null, price numeric check (price > 0), kind text default 'a', total numeric generated always as (price * 2) stored, constraint fits check (length(title) < 20 and price is not null));
--> no rows

insert into item (id, title, price) values (1, 'one', 5);
--> no rows

create view shown as select i.id, i.title, i.total from item i where i.price > 1;
--> no rows

create view all_of as select * from item;
--> no rows

create index item_lower on item (lower(title)) where price > 3;
--> no rows

create policy own on item for select using (title <> 'hidden');
--> no rows

alter table item enable row level security;
--> no rows

create function titles() returns setof text language sql as $$ select title from item order by id $$;
--> no rows

create function title_of(k int) returns text language plpgsql as $$ begin return (select title from item where id = k); end $$;
--> no rows

create function after_item() returns trigger language plpgsql as $$ begin raise notice '% %', tg_name, new.title; return new; end $$;
--> no rows

create trigger on_item before update of title on item for each row when (new.title <> old.title) execute function after_item();
--> no rows

alter table item rename title to label;
--> no rows

select pg_get_viewdef('shown');
--> {"pg_get_viewdef":" SELECT i.id,\n    i.label AS title,\n    i.total\n   FROM item i\n  WHERE (i.price > (1)::numeric);"}

select pg_get_viewdef('all_of', true);
--> {"pg_get_viewdef":" SELECT item.id,\n    item.label AS title,\n    item.price,\n    item.kind,\n    item.total\n   FROM item;"}

select * from shown;
--> {"id":1,"title":"one","total":"10"}

select column_name from information_schema.columns where table_name = 'all_of' order by ordinal_position;
--> {"column_name":"id"}
--> {"column_name":"title"}
--> {"column_name":"price"}
--> {"column_name":"kind"}
--> {"column_name":"total"}

select conname, pg_get_constraintdef(oid) as d from pg_constraint where conrelid = 'item'::regclass order by conname;
--> {"conname":"fits","d":"CHECK (((length(label) < 20) AND (price IS NOT NULL)))"}
--> {"conname":"item_pkey","d":"PRIMARY KEY (id)"}
--> {"conname":"item_price_check","d":"CHECK ((price > (0)::numeric))"}

select indexdef from pg_indexes where tablename = 'item' order by indexname;
--> {"indexdef":"CREATE INDEX item_lower ON public.item USING btree (lower(label)) WHERE (price > (3)::numeric)"}
--> {"indexdef":"CREATE UNIQUE INDEX item_pkey ON public.item USING btree (id)"}

select polname, pg_get_expr(polqual, polrelid) as d from pg_policy where polrelid = 'item'::regclass;
--> {"polname":"own","d":"(label <> 'hidden'::text)"}

select pg_get_triggerdef(oid) as d from pg_trigger where tgrelid = 'item'::regclass and not tgisinternal;
--> {"d":"CREATE TRIGGER on_item BEFORE UPDATE OF label ON public.item FOR EACH ROW WHEN ((new.label <> old.label)) EXECUTE FUNCTION after_item()"}

select titles();
--> ERROR 42703: column "title" does not exist

select title_of(1);
--> ERROR 42703: column "title" does not exist

update item set label = 'new' where id = 1;
--> ERROR 42703: record "new" has no field "title"

create or replace function after_item() returns trigger language plpgsql as $$ begin raise notice '% %', tg_name, new.label; return new; end $$;
--> no rows

update item set label = 'newer' where id = 1;
--> no rows

alter table item rename price to cost;
--> no rows

select pg_get_expr(adbin, adrelid) as d from pg_attrdef where adrelid = 'item'::regclass order by adnum;
--> {"d":"'a'::text"}
--> {"d":"(cost * (2)::numeric)"}

update item set cost = 7 where id = 1 returning total;
--> {"total":"14"}

insert into item (id, label, cost) values (2, 'two', -1);
--> ERROR 23514: new row for relation "item" violates check constraint "item_price_check"
--> DETAIL: Failing row contains (2, two, -1, a, -2).

insert into item (id, label, cost) values (2, 'a label that is too long to fit', 1);
--> ERROR 23514: new row for relation "item" violates check constraint "fits"
--> DETAIL: Failing row contains (2, a label that is too long to fit, 1, a, 2).

alter table item rename constraint fits to label_fits; alter table item rename constraint item_price_check to cost_check; insert into item (id, label, cost) values (2, 'two', -1);
--> ERROR 23514: new row for relation "item" violates check constraint "cost_check"
--> DETAIL: Failing row contains (2, two, -1, a, -2).

alter table item rename constraint item_pkey to item_key; insert into item (id, label, cost) values (1, 'two', 1);
--> ERROR 23505: duplicate key value violates unique constraint "item_key"
--> DETAIL: Key (id)=(1) already exists.

select indexname from pg_indexes where tablename = 'item' order by indexname;
--> {"indexname":"item_lower"}
--> {"indexname":"item_pkey"}

alter index item_key rename to main_key; select conname from pg_constraint where conrelid = 'item'::regclass and contype = 'p';
--> ERROR 42P01: relation "item_key" does not exist

alter table item rename to thing;
--> no rows

select pg_get_viewdef('shown');
--> {"pg_get_viewdef":" SELECT i.id,\n    i.label AS title,\n    i.total\n   FROM thing i\n  WHERE (i.cost > (1)::numeric);"}

select * from shown;
--> {"id":1,"title":"newer","total":"14"}

select titles();
--> ERROR 42P01: relation "item" does not exist

select title_of(1);
--> ERROR 42P01: relation "item" does not exist

insert into thing (id, label, cost) values (1, 'dup', 1);
--> ERROR 23505: duplicate key value violates unique constraint "item_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into thing (id, label, cost) values (3, 'neg', -1);
--> ERROR 23514: new row for relation "thing" violates check constraint "item_price_check"
--> DETAIL: Failing row contains (3, neg, -1, a, -2).

alter view shown rename to displayed; alter view displayed rename column label to caption;
--> ERROR 42703: column "label" does not exist

select pg_get_viewdef('displayed');
--> ERROR 42P01: relation "displayed" does not exist

create view above as select title from displayed; alter view displayed rename title to headline; select pg_get_viewdef('above');
--> ERROR 42P01: relation "displayed" does not exist
--> AT 40

alter policy own on thing rename to mine; select polname from pg_policy where polrelid = 'thing'::regclass;
--> {"polname":"mine"}

alter trigger on_item on thing rename to on_thing; update thing set label = 'third' where id = 1;
--> no rows

alter function after_item() rename to before_thing; select pg_get_triggerdef(oid) as d from pg_trigger where tgrelid = 'thing'::regclass and not tgisinternal;
--> {"d":"CREATE TRIGGER on_thing BEFORE UPDATE OF label ON public.thing FOR EACH ROW WHEN ((new.label <> old.label)) EXECUTE FUNCTION before_thing()"}

update thing set label = 'fourth' where id = 1;
--> no rows

create table by_text2 (id int default nextval('t_id_seq')); alter sequence t_id_seq rename to u_id_seq; insert into by_text2 default values returning id;
--> {"id":2}

create type mood as enum ('sad', 'ok', 'happy');
--> no rows

create table person (id int, state mood default 'ok', states mood[] default '{sad,ok}', check (state <> 'sad'));
--> no rows

create view moods as select id, state from person where state = 'happy'::mood;
--> no rows

insert into person (id) values (1);
--> no rows

alter type mood rename value 'ok' to 'fine'; select state, states from person;
--> {"state":"fine","states":"{sad,fine}"}

select pg_get_expr(adbin, adrelid) as d from pg_attrdef where adrelid = 'person'::regclass order by adnum;
--> {"d":"'fine'::mood"}
--> {"d":"'{sad,fine}'::mood[]"}

alter type mood rename value 'happy' to 'glad'; select pg_get_viewdef('moods');
--> {"pg_get_viewdef":" SELECT person.id,\n    person.state\n   FROM person\n  WHERE (person.state = 'glad'::mood);"}

alter type mood rename to feeling; select pg_get_viewdef('moods');
--> {"pg_get_viewdef":" SELECT person.id,\n    person.state\n   FROM person\n  WHERE (person.state = 'glad'::feeling);"}

select pg_get_expr(adbin, adrelid) as d from pg_attrdef where adrelid = 'person'::regclass order by adnum;
--> {"d":"'fine'::feeling"}
--> {"d":"'{sad,fine}'::feeling[]"}

select pg_get_constraintdef(oid) as d from pg_constraint where conrelid = 'person'::regclass;
--> {"d":"CHECK ((state <> 'sad'::feeling))"}

select format_type(atttypid, atttypmod) as t from pg_attribute where attrelid = 'person'::regclass and attnum > 0 order by attnum;
--> {"t":"integer"}
--> {"t":"feeling"}
--> {"t":"feeling[]"}

create function felt(f feeling) returns feeling language sql as $$ select f $$; create function felt_by_text(f text) returns text language plpgsql as $$ begin return f::feeling::text; end $$;
--> no rows

select felt_by_text('glad');
--> {"felt_by_text":"glad"}

alter type feeling set schema app; select felt('fine'), pg_get_function_arguments('felt'::regproc) as a;
--> {"felt":"fine","a":"f app.feeling"}

select felt_by_text('glad');
--> ERROR 42704: type "feeling" does not exist

create type pair as (a int, b text); create table pairs (p pair); insert into pairs values ('(1,x)');
--> no rows

create view pair_parts as select (p).a, (p).b from pairs;
--> no rows

create domain positive as int check (value > 0); create table measured (n positive default 1); alter domain positive rename to above_zero; alter domain above_zero rename constraint positive_check to zero_check; insert into measured values (0);
--> ERROR 23514: value for domain above_zero violates check constraint "zero_check"

select format_type(atttypid, atttypmod) as t from pg_attribute where attrelid = 'measured'::regclass and attname = 'n';
--> ERROR 42P01: relation "measured" does not exist
--> AT 81

create function half(n numeric) returns numeric language sql immutable as $$ select n / 2 $$;
--> no rows

create table halves (n numeric, h numeric generated always as (half(n)) stored, d numeric default half(8), check (half(n) < 100)); create index on halves (half(n));
--> no rows

create view halved as select half(n) as h from halves;
--> no rows

create function quarter(n numeric) returns numeric language sql as $$ select half(half(n)) $$;
--> no rows

alter function half(numeric) rename to halve; insert into halves (n) values (10) returning h, d;
--> {"h":"5.0000000000000000","d":"4.0000000000000000"}

select pg_get_viewdef('halved');
--> {"pg_get_viewdef":" SELECT halve(halves.n) AS h\n   FROM halves;"}

select indexdef from pg_indexes where tablename = 'halves';
--> {"indexdef":"CREATE INDEX halves_half_idx ON public.halves USING btree (halve(n))"}

select quarter(8);
--> ERROR 42883: function half(numeric) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

alter function halve(numeric) set schema app; insert into halves (n) values (12) returning h, d;
--> {"h":"6.0000000000000000","d":"4.0000000000000000"}

select pg_get_viewdef('halved');
--> {"pg_get_viewdef":" SELECT app.halve(halves.n) AS h\n   FROM halves;"}

select * from halved order by h;
--> {"h":"5.0000000000000000"}
--> {"h":"6.0000000000000000"}

alter schema app rename to lib; select pg_get_viewdef('halved');
--> {"pg_get_viewdef":" SELECT lib.halve(halves.n) AS h\n   FROM halves;"}

insert into halves (n) values (14) returning h, d;
--> {"h":"7.0000000000000000","d":"4.0000000000000000"}

select pg_get_expr(adbin, adrelid) as d from pg_attrdef where adrelid = 'counted'::regclass;
--> {"d":"nextval('numbers'::regclass)"}

insert into counted (note) values ('d') returning number;
--> {"number":4}

create table lib.holder (id int primary key); create table held (id int references lib.holder); alter schema lib rename to base; select pg_get_constraintdef(oid) as d from pg_constraint where conrelid = 'held'::regclass;
--> {"d":"FOREIGN KEY (id) REFERENCES base.holder(id)"}

alter table base.holder rename to keeper; alter table base.keeper rename id to key; select pg_get_constraintdef(oid) as d from pg_constraint where conrelid = 'held'::regclass;
--> {"d":"FOREIGN KEY (id) REFERENCES base.keeper(key)"}

insert into held values (1);
--> ERROR 23503: insert or update on table "held" violates foreign key constraint "held_id_fkey"
--> DETAIL: Key (id)=(1) is not present in table "keeper".

create publication pub for table thing, held; alter table held rename to kept; select tablename from pg_publication_tables where pubname = 'pub' order by 1;
--> {"tablename":"kept"}
--> {"tablename":"thing"}

alter publication pub rename to changes; select pubname from pg_publication;
--> {"pubname":"platform_realtime"}
--> {"pubname":"changes"}

create materialized view sums as select sum(cost) as s from thing; alter table thing rename cost to amount; refresh materialized view sums; select pg_get_viewdef('sums');
--> {"pg_get_viewdef":" SELECT sum(thing.amount) AS s\n   FROM thing;"}

create function set_path() returns text language sql set search_path to base as $$ select current_setting('search_path') $$; alter schema base rename to ground; select set_path(), proconfig::text from pg_proc where proname = 'set_path';
--> {"set_path":"base","proconfig":"{search_path=base}"}

create rule no_delete as on delete to thing do instead nothing; alter rule no_delete on thing rename to keep_all; delete from thing; select rulename, definition from pg_rules where tablename = 'thing';
--> {"rulename":"keep_all","definition":"CREATE RULE keep_all AS\n    ON DELETE TO public.thing DO INSTEAD NOTHING;"}

create function of_row(t thing) returns text language sql as $$ select t.label $$; alter table thing rename to object; select of_row(o) from object o;
--> {"of_row":"fourth"}

select pg_get_function_arguments('of_row'::regproc) as a;
--> {"a":"t object"}

create procedure clear_all() language plpgsql as $$ begin delete from object where id = 99; end $$; alter procedure clear_all() rename to clean; call clean();
--> no rows

comment on table object is 'things'; comment on column object.label is 'its name'; alter table object rename label to title; select obj_description('object'::regclass) as t, col_description('object'::regclass, 2) as c;
--> {"t":"things","c":"its name"}

grant select (title) on object to anon; alter table object rename title to heading; select has_column_privilege('anon', 'object', 'heading', 'select') as h;
--> {"h":true}

create statistics st on id, heading from object; alter statistics st rename to st2; select stxname from pg_statistic_ext;
--> {"stxname":"st2"}

create table p (id int, at date) partition by range (at); create table p_2024 partition of p for values from ('2024-01-01') to ('2025-01-01'); alter table p rename at to day; select pg_get_partkeydef('p'::regclass);
--> {"pg_get_partkeydef":"RANGE (day)"}

alter table p_2024 rename to p_old; insert into p values (1, '2024-05-05') returning tableoid::regclass;
--> {"tableoid":"p_old"}

create role r_old; grant select on p to r_old; alter role r_old rename to r_new; select has_table_privilege('r_new', 'p', 'select') as h;
--> {"h":true}

alter table object rename no_such to x;
--> ERROR 42703: column "no_such" does not exist

alter table object rename heading to id;
--> ERROR 42701: column "id" of relation "object" already exists

alter table no_such rename to x;
--> ERROR 42P01: relation "no_such" does not exist

alter table p rename to object;
--> ERROR 42P07: relation "object" already exists

alter type no_such rename to x;
--> ERROR 42704: type "no_such" does not exist

alter type ground.feeling rename value 'none' to 'x';
--> ERROR 22023: "none" is not an existing enum label

alter type ground.feeling rename value 'fine' to 'sad';
--> ERROR 42710: enum label "sad" already exists

alter sequence no_such rename to x;
--> ERROR 42P01: relation "no_such" does not exist

alter index no_such rename to x;
--> ERROR 42P01: relation "no_such" does not exist

alter table object rename constraint no_such to x;
--> ERROR 42704: constraint "no_such" for table "object" does not exist

alter function no_such() rename to x;
--> ERROR 42883: function no_such() does not exist

alter schema no_such rename to x;
--> ERROR 3F000: schema "no_such" does not exist

alter view object rename to x;
--> ERROR 42809: "object" is not a view

alter index main_key rename to p;
--> ERROR 42P01: relation "main_key" does not exist

alter materialized view sums rename column s to total; alter materialized view sums rename to totals; select * from totals;
--> {"total":"7"}
