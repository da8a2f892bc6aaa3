create type ad as (city text, zip text); create table y (id int, year int, city text, d date, a ad, g int generated always as (extract(year from d)::int) stored, check (extract(year from d) > 2000 and year > 0), check ((a).city <> '' and city <> ''), constraint only_d check (extract(year from d) < 3000));
create index yi on y (extract(year from d)) where (a).city is null; create index yj on y (((a).city), lower(city));
insert into y values (1, 2020, 'x', '2021-01-01', row('q', 'z'));
alter table y rename column year to jahr; alter table y rename column city to stadt;
select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'y'::regclass order by 1; select indexdef from pg_indexes where tablename = 'y' order by 1; select column_name, generation_expression from information_schema.columns where table_name = 'y' and generation_expression is not null;
--> {"column_name":"g","generation_expression":"(EXTRACT(year FROM d))::integer"}

insert into y values (1, 2020, 'x', '2022-01-01', row('q', 'z')) returning *;
--> {"id":1,"jahr":2020,"stadt":"x","d":"2022-01-01","a":"(q,z)","g":2022}

insert into y values (1, 2020, 'x', '2022-01-01', row('', 'z')) returning *;
--> ERROR 23514: new row for relation "y" violates check constraint "y_check1"
--> DETAIL: Failing row contains (1, 2020, x, 2022-01-01, ("",z), 2022).

insert into y values (1, 2020, '', '2022-01-01', row('a', 'z')) returning *;
--> ERROR 23514: new row for relation "y" violates check constraint "y_check1"
--> DETAIL: Failing row contains (1, 2020, , 2022-01-01, (a,z), 2022).

create table z (id int, year int, month int, city text, d date, a ad, g int generated always as (extract(year from d)::int) stored, constraint c1 check (extract(year from d) > 2000), constraint c2 check ((a).city <> ''), constraint c3 check (extract(month from d) > 0 and month > 0));
create index zi on z (extract(year from d)); create index zj on z (((a).city)); create index zk on z (id) where (a).city is not null;
create function ztf() returns trigger language plpgsql as $$ begin return new; end $$; create trigger zt before update on z for each row when (extract(year from new.d) > 1 and (new.a).city = 'x') execute function ztf();
alter table z drop column year; alter table z drop column city;
--> no rows

select conname from pg_constraint where conrelid = 'z'::regclass order by 1; select indexname from pg_indexes where tablename = 'z' order by 1; select tgname from pg_trigger where tgrelid = 'z'::regclass;
--> {"tgname":"zt"}

alter table z drop column month; select conname from pg_constraint where conrelid = 'z'::regclass order by 1;
--> {"conname":"c1"}
--> {"conname":"c2"}

create table w (id int, year int, d date, g int generated always as (extract(year from d)::int) stored); create trigger wt before update on w for each row when (extract(year from new.d) > 1) execute function ztf();
alter table w rename year to yr; alter table w alter yr type bigint; select pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'w'::regclass;
--> {"pg_get_triggerdef":"CREATE TRIGGER wt BEFORE UPDATE ON public.w FOR EACH ROW WHEN ((EXTRACT(year FROM new.d) > (1)::numeric)) EXECUTE FUNCTION ztf()"}

update w set id = 1; alter table w alter d type timestamp;
--> ERROR 0A000: cannot alter type of a column used by a generated column
--> DETAIL: Column "d" is used by generated column "g".

create table x (id int, d date, "from" int, "extract" int, day int, hour int check (hour < 24), ts timestamptz, check (date_part('hour', ts) >= 0 and date_trunc('day', ts) is not null and extract(hour from ts) >= 0 and hour is not null and ts > ts - interval '1 day'));
alter table x rename hour to stunde; alter table x rename day to tag; select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'x'::regclass order by 1;
--> {"pg_get_constraintdef":"CHECK (((date_part('hour'::text, ts) >= (0)::double precision) AND (date_trunc('day'::text, ts) IS NOT NULL) AND (EXTRACT(hour FROM ts) >= (0)::numeric) AND (stunde IS NOT NULL) AND (ts > (ts - '1 day'::interval))))"}
--> {"pg_get_constraintdef":"CHECK ((stunde < 24))"}

insert into x (stunde, ts) values (3, '2020-01-01');
--> no rows

create domain yd as int; create table v (id yd, yd int, n yd check (n > 0 and yd > 0 and n::yd > 1 and cast(id as yd) > 0));
alter table v rename yd to ydd; select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'v'::regclass order by 1;
--> {"pg_get_constraintdef":"CHECK ((((n)::integer > 0) AND (ydd > 0) AND ((n)::integer > 1) AND ((id)::integer > 0)))"}

insert into v values (1, 1, 2);
--> no rows
