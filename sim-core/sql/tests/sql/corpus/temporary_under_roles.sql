-- Temporary objects under another role, and in statements whose functions handle errors; definitions between such calls.

begin; create function pg_temp.f() returns int language sql as $$ select 1 $$; set local role authenticated; select pg_temp.f(); rollback;
--> {"f":1}

begin; create function pg_temp.f() returns int language plpgsql as $$ begin return 1; end $$; create temp table tt as select 5 as v; grant select on tt to anon; set local role anon; select pg_temp.f(), v from pg_temp.tt; rollback;
--> {"f":1,"v":5}

do $$ begin create function pg_temp.g() returns int language sql as 'select 1'; set local role anon; perform pg_temp.g(); end $$;
--> no rows

create function e1() returns text language plpgsql as $$ begin begin perform 1/0; exception when others then null; end; return 'x'; end $$;
--> no rows

create temp table k as select e1() a; select * from k;
--> {"a":"x"}

begin; create temp table k on commit drop as select e1() a; select * from k; commit;
--> {"a":"x"}

do $$ begin create temp table k2 as select e1() a; raise notice '%', (select a from k2); end $$;
--> no rows

select e1() as a into temp k3; select * from k3;
--> {"a":"x"}

create temp table k4 as select 1 as a where e1() = 'x'; select * from k4;
--> {"a":1}

create table al (a int); insert into al values (1), (2);
--> no rows

alter table al add column c text default e1();
--> no rows

select * from al;
--> {"a":1,"c":"x"}
--> {"a":2,"c":"x"}

alter table al alter column a type text using e1() || a; select * from al;
--> {"a":"x1","c":"x"}
--> {"a":"x2","c":"x"}

alter table al add constraint ck check (e1() = 'x'); select conname from pg_constraint where conname = 'ck';
--> {"conname":"ck"}

alter table al add column d text generated always as ('x') stored; select * from al;
--> {"a":"x1","c":"x","d":"x"}
--> {"a":"x2","c":"x","d":"x"}

create domain dom as text check (value = e1()); alter table al add column e dom default 'x'; select * from al;
--> {"a":"x1","c":"x","d":"x","e":"x"}
--> {"a":"x2","c":"x","d":"x","e":"x"}

create table al2 as select e1() as x, a from al; create unique index on al2 (a); select * from al2;
--> {"x":"x","a":"x1"}
--> {"x":"x","a":"x2"}

create materialized view mv as select e1() as x; refresh materialized view mv; select * from mv;
--> {"x":"x"}

create function ev() returns event_trigger language plpgsql as $$ begin begin perform 1/0; exception when others then null; end; end $$; create event trigger ev on ddl_command_end execute function ev(); create table al3 (a int); create temp table al4 (a int); insert into al4 values (3); select * from al3, al4;
--> no rows

alter table al3 add column b int; alter table al3 rename to al5; select * from al5; drop event trigger ev;
--> no rows

create event trigger ev on ddl_command_start execute function ev(); create temp table al4 (a int); insert into al4 values (3); create table al6 as select a from al4; select * from al6;
--> {"a":3}

truncate al6; drop table al6; create type ty as enum ('a'); alter type ty add value 'b'; select enum_range(null::ty);
--> ERROR 55P04: unsafe use of new value "b" of enum type ty
--> HINT: New enum values must be committed before they can be used.
