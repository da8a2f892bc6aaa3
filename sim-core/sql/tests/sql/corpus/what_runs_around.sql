-- What a body is told of what runs around it: `pg_context`, `pg_exception_context`, and the context of errors.

create function inner_f() returns text language plpgsql as $$ declare c text; begin get diagnostics c = pg_context; return c; end $$;
create function outer_f(i int) returns text language plpgsql as $$ begin return inner_f(); end $$;
create table t (id int, c text);
create table u (id int primary key, c text);
--> no rows

select outer_f(1);
--> {"outer_f":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function outer_f(integer) line 1 at RETURN"}

create function o2(i int) returns text language plpgsql as $$ declare x text; begin
x := inner_f(); return x; end $$; select o2(1);
--> {"o2":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function o2(integer) line 2 at assignment"}

create function o3(i int) returns text language plpgsql as $$ declare x text; begin
select inner_f() into x; return x; end $$; select o3(1);
--> {"o3":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"select inner_f()\"\nPL/pgSQL function o3(integer) line 2 at SQL statement"}

create function o3b(i int) returns text language plpgsql as $$ declare x text; begin
select inner_f() || i::text into strict x from pg_class limit 1; return x; end $$; select o3b(1);
--> {"o3b":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"select inner_f() || i::text               from pg_class limit 1\"\nPL/pgSQL function o3b(integer) line 2 at SQL statement1"}

create function o3c(i int) returns text language plpgsql as $$ declare x text; begin
select into x inner_f() || i::text from pg_class limit 1; return x; end $$; select o3c(1);
--> {"o3c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"select        inner_f() || i::text from pg_class limit 1\"\nPL/pgSQL function o3c(integer) line 2 at SQL statement1"}

create function o4(i int) returns text language plpgsql as $$ declare x text; begin
execute 'select inner_f()' into x; return x; end $$; select o4(1);
--> {"o4":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"select inner_f()\"\nPL/pgSQL function o4(integer) line 2 at EXECUTE"}

create function o5(i int) returns text language plpgsql as $$ declare x text; begin
x := (select inner_f()); return x; end $$; select o5(1);
--> {"o5":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL assignment \"x := (select inner_f())\"\nPL/pgSQL function o5(integer) line 2 at assignment"}

create function o6(i int) returns text language plpgsql as $$ declare x text := inner_f(); begin
return x; end $$; select o6(1);
--> {"o6":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function o6(integer) line 1 during statement block local variable initialization"}

create function o7(i int) returns setof text language plpgsql as $$ declare x text := inner_f(); begin
return query select inner_f() from generate_series(1,2); return next inner_f(); return query execute 'select inner_f()'; end $$; select * from o7(1);
--> {"o7":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"select inner_f() from generate_series(1,2)\"\nPL/pgSQL function o7(integer) line 2 at RETURN QUERY"}
--> {"o7":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"select inner_f() from generate_series(1,2)\"\nPL/pgSQL function o7(integer) line 2 at RETURN QUERY"}
--> {"o7":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function o7(integer) line 2 at RETURN NEXT"}
--> {"o7":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"select inner_f()\"\nPL/pgSQL function o7(integer) line 2 at RETURN QUERY"}

create function o8(i int) returns text language plpgsql as $$ declare x text; begin
for x in select inner_f() loop return x; end loop; end $$; select o8(1);
--> {"o8":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function o8(integer) line 2 at FOR over SELECT rows"}

create function o9(i int) returns text language plpgsql as $$ declare x text; begin
for x in execute 'select inner_f()' loop return x; end loop; end $$; select o9(1);
--> {"o9":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function o9(integer) line 2 at FOR over EXECUTE statement"}

create function o10(i int) returns text language plpgsql as $$ declare x text; begin
if inner_f() like '%x%' then x := 'yes'; end if;
for i in 1..length(inner_f()) loop return i::text; end loop; end $$; select o10(1);
--> {"o10":"1"}

create function o11(i int) returns text language plpgsql as $$ declare x text; begin
insert into t values (i, inner_f()) returning c into x; return x; end $$; select o11(1);
--> {"o11":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (i, inner_f()) returning c\"\nPL/pgSQL function o11(integer) line 2 at SQL statement"}

create function o12(i int) returns text language plpgsql as $$ declare x text; begin
update t set c = inner_f() where id = i; perform inner_f(); select c into x from t limit 1; return x; end $$; select o12(1);
--> {"o12":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"update t set c = inner_f() where id = i\"\nPL/pgSQL function o12(integer) line 2 at SQL statement"}

create function p_ins(x text) returns void language plpgsql as $$ begin insert into t values (7, inner_f()); end $$;
--> no rows

create function o13(i int) returns text language plpgsql as $$ declare x text; begin
delete from t; perform p_ins('a');
 select c into x from t limit 1; return x; end $$; select o13(1);
--> {"o13":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (7, inner_f())\"\nPL/pgSQL function p_ins(text) line 1 at SQL statement\nSQL statement \"SELECT p_ins('a')\"\nPL/pgSQL function o13(integer) line 2 at PERFORM"}

select o13(1) from generate_series(1,2);
--> {"o13":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (7, inner_f())\"\nPL/pgSQL function p_ins(text) line 1 at SQL statement\nSQL statement \"SELECT p_ins('a')\"\nPL/pgSQL function o13(integer) line 2 at PERFORM"}
--> {"o13":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (7, inner_f())\"\nPL/pgSQL function p_ins(text) line 1 at SQL statement\nSQL statement \"SELECT p_ins('a')\"\nPL/pgSQL function o13(integer) line 2 at PERFORM"}

create function tf() returns trigger language plpgsql as $$ begin
  new.c := inner_f(); return new; end $$;
create trigger tt before insert or update on u for each row execute function tf();
insert into u values (1) returning *;
--> {"id":1,"c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function tf() line 2 at assignment"}

create function o14(i int) returns text language plpgsql as $$ declare x text; begin
insert into u values (i) returning c into x; return x; end $$; select o14(2);
--> {"o14":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function tf() line 2 at assignment\nSQL statement \"insert into u values (i) returning c\"\nPL/pgSQL function o14(integer) line 2 at SQL statement"}

create function o15(i int) returns text language plpgsql as $$ declare x text; begin
insert into u(id) select g from generate_series(i, i+1) g;
update u set id = id + 100 where id >= i; select string_agg(c, '|' order by id) into x from u; return x; end $$; select o15(20);
--> {"o15":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function tf() line 2 at assignment|PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function tf() line 2 at assignment\nSQL statement \"insert into u values (i) returning c\"\nPL/pgSQL function o14(integer) line 2 at SQL statement|PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function tf() line 2 at assignment\nSQL statement \"update u set id = id + 100 where id >= i\"\nPL/pgSQL function o15(integer) line 3 at SQL statement|PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function tf() line 2 at assignment\nSQL statement \"update u set id = id + 100 where id >= i\"\nPL/pgSQL function o15(integer) line 3 at SQL statement"}

do $$ declare x text; begin x := inner_f(); raise exception '%', x; end $$;
--> ERROR P0001: PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function inline_code_block line 1 at assignment

do $$ begin insert into t values (9, inner_f()); end $$; select * from t where id = 9;
--> {"id":9,"c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (9, inner_f())\"\nPL/pgSQL function inline_code_block line 1 at SQL statement"}

create procedure pr(i int) language plpgsql as $$ begin insert into t values (10, inner_f()); end $$;
create procedure pr2(i int) language plpgsql as $$ begin call pr(i); end $$;
call pr2(1); select * from t where id = 10;
--> {"id":10,"c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (10, inner_f())\"\nPL/pgSQL function pr(integer) line 1 at SQL statement\nSQL statement \"call pr(i)\"\nPL/pgSQL function pr2(integer) line 1 at CALL"}

do $$ begin call pr2(1); end $$; select * from t where id = 10;
--> {"id":10,"c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (10, inner_f())\"\nPL/pgSQL function pr(integer) line 1 at SQL statement\nSQL statement \"call pr(i)\"\nPL/pgSQL function pr2(integer) line 1 at CALL"}
--> {"id":10,"c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (10, inner_f())\"\nPL/pgSQL function pr(integer) line 1 at SQL statement\nSQL statement \"call pr(i)\"\nPL/pgSQL function pr2(integer) line 1 at CALL\nSQL statement \"call pr2(1)\"\nPL/pgSQL function inline_code_block line 1 at CALL"}

create function s1() returns text language sql as $$ select inner_f() $$; select s1();
--> {"s1":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS"}

create function s2() returns text language sql stable as $$ select inner_f() $$; select s2();
--> {"s2":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL function \"s2\" statement 1"}

create function s3() returns text language sql security definer as $$ select inner_f() $$; select s3();
--> {"s3":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL function \"s3\" statement 1"}

create function s4() returns text language sql security definer as $$ select 1; select inner_f() $$; select s4();
--> {"s4":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL function \"s4\" statement 2"}

create function s5() returns setof text language sql volatile as $$ select inner_f() $$; select * from s5();
--> {"s5":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL function \"s5\" statement 1"}

create function s6(a int) returns text language sql as $$ insert into t values (a, inner_f()) returning c $$; select s6(11);
--> {"s6":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL function \"s6\" statement 1"}

create function s7(a int) returns text language sql set search_path = public as $$ select outer_f(a) $$; select s7(11);
--> {"s7":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function outer_f(integer) line 1 at RETURN\nSQL function \"s7\" statement 1"}

create function q1(a int) returns text language plpgsql as $$ begin return s7(a); end $$; select q1(1);
--> {"q1":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function outer_f(integer) line 1 at RETURN\nSQL function \"s7\" statement 1\nPL/pgSQL function q1(integer) line 1 at RETURN"}

create function q2(a int) returns text language plpgsql as $$ declare x text; begin select q1(a) into x; return x; end $$; select q2(1);
--> {"q2":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function outer_f(integer) line 1 at RETURN\nSQL function \"s7\" statement 1\nPL/pgSQL function q1(integer) line 1 at RETURN\nSQL statement \"select q1(a)\"\nPL/pgSQL function q2(integer) line 1 at SQL statement"}

create schema app; create function app.f(a int, b text default 'x') returns text language plpgsql as $$ begin
return inner_f(); end $$; select app.f(1);
--> {"f":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function app.f(integer,text) line 2 at RETURN"}

do $$ begin execute 'do $i$ begin insert into t values (12, inner_f()); end $i$'; end $$; select * from t where id = 12;
--> {"id":12,"c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (12, inner_f())\"\nPL/pgSQL function inline_code_block line 1 at SQL statement\nSQL statement \"do $i$ begin insert into t values (12, inner_f()); end $i$\"\nPL/pgSQL function inline_code_block line 1 at EXECUTE"}

create function o16() returns text language plpgsql as $$ declare c text; begin begin perform 1/0; exception when others then get stacked diagnostics c = pg_exception_context; return c; end; end $$; select o16();
--> {"o16":"SQL statement \"SELECT 1/0\"\nPL/pgSQL function o16() line 1 at PERFORM"}

create function o17() returns text language plpgsql as $$ begin return o16(); end $$; select o17();
--> {"o17":"SQL statement \"SELECT 1/0\"\nPL/pgSQL function o16() line 1 at PERFORM\nPL/pgSQL function o17() line 1 at RETURN"}

create function o18() returns text language plpgsql as $$ declare c text; begin perform o17(); begin raise exception 'x'; exception when others then get stacked diagnostics c = pg_exception_context; get diagnostics c = pg_context; return c; end; end $$; select o18();
--> {"o18":"PL/pgSQL function o18() line 1 at GET DIAGNOSTICS"}

create function bad() returns text language plpgsql as $$ begin raise exception 'boo'; end $$;
create function o19() returns text language plpgsql as $$ declare c text; begin perform bad(); exception when others then get stacked diagnostics c = pg_exception_context; return c; end $$;
create function o20() returns text language plpgsql as $$ declare c text; begin select o19() into c; return c; end $$; select o20();
--> {"o20":"PL/pgSQL function bad() line 1 at RAISE\nSQL statement \"SELECT bad()\"\nPL/pgSQL function o19() line 1 at PERFORM\nSQL statement \"select o19()\"\nPL/pgSQL function o20() line 1 at SQL statement"}

create function n2() returns text language plpgsql as $$ declare r record; begin for r in select id / 0 as x from t loop return r.x; end loop; return ''; end $$; select n2();
--> ERROR 22012: division by zero

create function n3() returns text language plpgsql as $$ begin perform   inner_f(); insert into t values (20,   inner_f()) ; return (select c from t where id = 20); end $$; select n3();
--> {"n3":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (20,   inner_f())\"\nPL/pgSQL function n3() line 1 at SQL statement"}

create function n5() returns text language plpgsql as $$ declare x int; y text; begin select 1 as a, 1/id into x, y from (values (0)) v(id); return y; end $$; select n5();
--> ERROR 22012: division by zero

create function n6() returns event_trigger language plpgsql as $$ begin insert into t values (30, inner_f()); end $$; create event trigger et on ddl_command_end execute function n6();
--> no rows

create table zz (a int); select * from t where id = 30;
--> {"id":30,"c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (30, inner_f())\"\nPL/pgSQL function n6() line 1 at SQL statement"}

drop event trigger et;
--> no rows

do $$ begin create table zz2 (a int); insert into t values (31, outer_f(1)); end $$; select * from t where id = 31;
--> {"id":31,"c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function outer_f(integer) line 1 at RETURN\nSQL statement \"insert into t values (31, outer_f(1))\"\nPL/pgSQL function inline_code_block line 1 at SQL statement"}

create table par (id int primary key); create table chi (id int, pid int references par on delete cascade); 
create function ctf() returns trigger language plpgsql as $$ begin insert into t values (40, inner_f()); return old; end $$;
create trigger x before delete on chi for each row execute function ctf();
insert into par values (1); insert into chi values (1,1); delete from par; select * from t where id = 40;
--> {"id":40,"c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (40, inner_f())\"\nPL/pgSQL function ctf() line 1 at SQL statement\nSQL statement \"DELETE FROM ONLY \"public\".\"chi\" WHERE $1 OPERATOR(pg_catalog.=) \"pid\"\""}

create function guard() returns trigger language plpgsql as $$ declare v text; begin get diagnostics v = pg_context; if v not like '%official(integer)%' then raise exception 'no' using errcode = '42501'; end if; return new; end $$;
create table g (id int, st text default 'a'); create trigger gg before update on g for each row execute function guard();
create function official(i int) returns void language plpgsql security definer set search_path = public as $$ begin update g set st = 'b' where id = i; end $$;
insert into g values (1); select official(1); select * from g;
--> {"id":1,"st":"b"}

update g set st = 'c';
--> ERROR 42501: no

create table pol (id int); alter table pol enable row level security; insert into pol values (1); grant select on pol to anon;
create function ctx_ok() returns boolean language plpgsql as $$ declare v text; begin get diagnostics v = pg_context; return v like '%reader%'; end $$;
create policy p on pol using (ctx_ok()); create function reader() returns bigint language plpgsql as $$ begin return (select count(*) from pol); end $$;
--> no rows

set role anon; select count(*), (select reader()) from pol;
--> {"count":0,"reader":1}

create function cf() returns trigger language plpgsql as $$ begin insert into t values (50, inner_f()); return null; end $$;
create table dd (id int); create constraint trigger dt after insert on dd deferrable initially deferred for each row execute function cf();
create function ddi() returns void language plpgsql as $$ begin insert into dd values (1); end $$; select ddi();
--> {"ddi":""}

select * from t where id = 50;
--> {"id":50,"c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into t values (50, inner_f())\"\nPL/pgSQL function cf() line 1 at SQL statement"}

create function ew() returns text language plpgsql as $$ declare x text; begin while x is null loop x := inner_f(); end loop; case when true then x := inner_f(); end case; begin x := inner_f(); exception when others then null; end; return x; end $$; select ew();
--> {"ew":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function ew() line 1 at assignment"}

create function er() returns text language plpgsql as $$ begin raise exception '%', 'a' using hint = inner_f(); end $$; select er();
--> ERROR P0001: a
--> HINT: PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function er() line 1 at RAISE

create function ass() returns text language plpgsql as $$ declare r t; a text[]; begin r.c := inner_f(); a[1] := inner_f(); return r.c || '#' || a[1]; end $$; select ass();
--> {"ass":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function ass() line 1 at assignment#PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function ass() line 1 at assignment"}

create function dft() returns text language plpgsql as $$ declare r text; begin execute 'insert into t(id, c) values ($1, $2) returning c' into r using 60, inner_f(); return r; end $$; select dft();
--> {"dft":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function dft() line 1 at EXECUTE"}

create function cc(text) returns text language plpgsql as $$ begin return current_setting('x.y', true) || $1; end $$;
create view vv as select inner_f() v; create function rv() returns text language plpgsql as $$ begin return (select v from vv); end $$; select rv();
--> {"rv":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL expression \"(select v from vv)\"\nPL/pgSQL function rv() line 1 at RETURN"}

create function mg() returns text language plpgsql as $$ begin merge into t using (select 70 i) s on t.id = s.i when not matched then insert values (s.i, inner_f()); return (select c from t where id = 70); end $$; select mg();
--> {"mg":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"merge into t using (select 70 i) s on t.id = s.i when not matched then insert values (s.i, inner_f())\"\nPL/pgSQL function mg() line 1 at SQL statement"}

create function ctas() returns text language plpgsql as $$ begin create temp table ct as select inner_f() c; return (select c from ct); end $$; select ctas();
--> {"ctas":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"create temp table ct as select inner_f() c\"\nPL/pgSQL function ctas() line 1 at SQL statement"}
