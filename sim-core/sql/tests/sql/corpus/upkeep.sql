create table kept (id int primary key, a text unique, "Mx" int, w text);
--> no rows

begin; lock table only kept in access exclusive mode nowait; commit;
--> no rows

begin; lock kept, nosuch; commit;
--> ERROR 42P01: relation "nosuch" does not exist

begin; lock table kept in big mode; commit;
--> ERROR 42601: syntax error at or near "big"
--> AT 27

do $$ begin lock table kept in share mode; end $$;
--> no rows

analyze kept;
--> no rows

analyze nosuch;
--> ERROR 42P01: relation "nosuch" does not exist

analyze kept (zz);
--> ERROR 42703: column "zz" of relation "kept" does not exist

reindex table kept;
--> no rows

reindex index kept_pkey;
--> no rows

reindex index nosuch;
--> ERROR 42P01: relation "nosuch" does not exist

reindex table nosuch;
--> ERROR 42P01: relation "nosuch" does not exist

reindex schema nosuch;
--> ERROR 3F000: schema "nosuch" does not exist

do $$ begin execute 'vacuum kept'; end $$;
--> ERROR 25001: VACUUM cannot be executed from a function

create function told() returns trigger language plpgsql as $$ begin new.w := tg_name; return new; end $$; create trigger t1 before insert on kept for each row execute function told(); create trigger t2 before update of w on kept for each row when (new.a = 'x') execute function told();
--> no rows

alter trigger t1 on kept rename to "T One";
--> no rows

alter trigger nosuch on kept rename to x;
--> ERROR 42704: trigger "nosuch" for table "kept" does not exist

alter trigger t2 on kept rename to "T One";
--> ERROR 42710: trigger "T One" for relation "kept" already exists

insert into kept values (1, 'a', 2, 'w') returning w;
--> {"w":"T One"}

alter table kept alter column a type varchar(20);
--> ERROR 0A000: cannot alter type of a column used in a trigger definition
--> DETAIL: trigger t2 on table kept depends on column "a"

alter table kept alter column w type varchar(20);
--> ERROR 0A000: cannot alter type of a column used in a trigger definition
--> DETAIL: trigger t2 on table kept depends on column "w"

alter table kept drop column w;
--> ERROR 2BP01: cannot drop column w of table kept because other objects depend on it
--> DETAIL: trigger t2 on table kept depends on column w of table kept
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table kept alter column "Mx" type bigint;
--> no rows

create policy p on kept using (w = 'b'); drop trigger t2 on kept;
--> no rows

alter table kept alter column w type varchar(20);
--> ERROR 0A000: cannot alter type of a column used in a policy definition
--> DETAIL: policy p on table kept depends on column "w"

create view kept_ids as select id from kept;
--> no rows

alter table kept alter column id type bigint;
--> ERROR 0A000: cannot alter type of a column used by a view or rule
--> DETAIL: rule _RETURN on view kept_ids depends on column "id"

create table parents (id int primary key); create table children (id int primary key, "pId" int references parents (id), u int unique, c int check (c > 0), nn int not null); alter table children enable row level security; create policy a on children for all to authenticated using (true) with check (true); grant all on parents, children to authenticated; insert into parents values (1); insert into children values (1, 1, 1, 1, 1);
--> no rows

set role authenticated; insert into children values (1, 1, 2, 1, 1);
--> ERROR 23505: duplicate key value violates unique constraint "children_pkey"

set role authenticated; insert into children values (2, 1, 1, 1, 1);
--> ERROR 23505: duplicate key value violates unique constraint "children_u_key"

set role authenticated; insert into children values (2, 9, 2, 1, 1);
--> ERROR 23503: insert or update on table "children" violates foreign key constraint "children_pId_fkey"
--> DETAIL: Key is not present in table "parents".

set role authenticated; insert into children values (2, 1, 2, -1, 1);
--> ERROR 23514: new row for relation "children" violates check constraint "children_c_check"

set role authenticated; insert into children values (2, 1, 2, 1, null);
--> ERROR 23502: null value in column "nn" of relation "children" violates not-null constraint

set role authenticated; delete from parents;
--> ERROR 23503: update or delete on table "parents" violates foreign key constraint "children_pId_fkey" on table "children"
--> DETAIL: Key (id)=(1) is still referenced from table "children".

insert into children values (2, 9, 2, 1, 1);
--> ERROR 23503: insert or update on table "children" violates foreign key constraint "children_pId_fkey"
--> DETAIL: Key (pId)=(9) is not present in table "parents".

insert into children values (2, 1, 2, -1, 1);
--> ERROR 23514: new row for relation "children" violates check constraint "children_c_check"
--> DETAIL: Failing row contains (2, 1, 2, -1, 1).

delete from parents;
--> ERROR 23503: update or delete on table "parents" violates foreign key constraint "children_pId_fkey" on table "children"
--> DETAIL: Key (id)=(1) is still referenced from table "children".

select '2026-01-01Z'::timestamptz, '2026-01-01+02'::timestamptz, '2026-01-01 +02'::timestamptz, '2026-01-01Z'::date;
--> {"timestamptz":"2025-12-31 22:00:00+00","date":"2026-01-01"}

select '20260101T101010Z'::timestamptz, '20260101 101010'::timestamp, '20260101T1010'::timestamp, '20260101T101010.25+0200'::timestamptz, '2026-01-01T101010'::timestamp;
--> {"timestamptz":"2026-01-01 08:10:10.25+00","timestamp":"2026-01-01 10:10:10"}

select 'Jan 1 2026 10:00 PST'::timestamptz, 'January 8, 1999 04:05:06 PST'::timestamptz, 'Mon Jan 08 04:05:06 2024 EST'::timestamptz;
--> {"timestamptz":"2024-01-08 09:05:06+00"}

select 'Wed, 07 Jan 2026 10:00:00 GMT'::timestamptz, 'Wed, 07 Jan 2026 10:00:00 +0300'::timestamptz, 'Wed Jan 07 2026 10:00:00 GMT+01'::timestamptz;
--> {"timestamptz":"2026-01-07 11:00:00+00"}

select '1999.008'::date, 'J2451187'::date, '2026.365'::date, 'Jan-08-1999'::date, '990108'::date;
--> {"date":"1999-01-08"}

select '040506'::time, '0405'::time, '040506.789'::time, 'allballs'::time, '04:05 PM'::time, '040506+08'::timetz, 'T040506'::time;
--> {"time":"04:05:06","timetz":"04:05:06+08"}

select 'today'::date = current_date, 'tomorrow'::date - current_date, 'yesterday'::date - current_date, 'now'::timestamptz = now(), 'today'::timestamp = current_date::timestamp;
--> {"?column?":true}

select 'today 10:00'::timestamp - current_date::timestamp;
--> {"?column?":"10:00:00"}

select '2026-01-01x'::date;
--> ERROR 22007: invalid input syntax for type date: "2026-01-01x"
--> AT 8

select '2026-13-01'::date;
--> ERROR 22008: date/time field value out of range: "2026-13-01"
--> HINT: Perhaps you need a different "datestyle" setting.
--> AT 8

select '20261301'::date;
--> ERROR 22008: date/time field value out of range: "20261301"
--> HINT: Perhaps you need a different "datestyle" setting.
--> AT 8

select '2026-02-30'::date;
--> ERROR 22008: date/time field value out of range: "2026-02-30"
--> AT 8

select '2026-01-01 10'::timestamp;
--> ERROR 22007: invalid input syntax for type timestamp: "2026-01-01 10"
--> AT 8

select '12345'::time;
--> ERROR 22007: invalid input syntax for type time: "12345"
--> AT 8
