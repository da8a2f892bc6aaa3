-- What functions that are STABLE or IMMUTABLE must not run.

create table p2t (i int); insert into p2t values (1);
--> no rows

create function vol() returns int language plpgsql stable as $$ begin insert into p2t values (1); return 1; end $$; select vol();
--> ERROR 0A000: INSERT is not allowed in a non-volatile function

create function vols() returns int language sql stable as $$ insert into p2t values (1) returning i $$; select vols();
--> ERROR 0A000: INSERT is not allowed in a non-volatile function

create function voli() returns int language plpgsql immutable as $$ begin update p2t set i = 2; return 1; end $$; select voli();
--> ERROR 0A000: UPDATE is not allowed in a non-volatile function

create function vold() returns int language plpgsql stable as $$ begin delete from p2t; return 1; end $$; select vold();
--> ERROR 0A000: DELETE is not allowed in a non-volatile function

create function vole() returns int language plpgsql stable as $$ begin execute 'delete from p2t'; return 1; end $$; select vole();
--> ERROR 0A000: DELETE is not allowed in a non-volatile function

create function volq() returns setof int language plpgsql stable as $$ begin return query execute 'insert into p2t values (3) returning i'; end $$; select * from volq();
--> ERROR 0A000: INSERT is not allowed in a non-volatile function

create function volq2() returns setof int language plpgsql stable as $$ begin return query insert into p2t values (3) returning i; end $$; select * from volq2();
--> ERROR 0A000: INSERT is not allowed in a non-volatile function

create function volc() returns int language plpgsql stable as $$ begin create temp table zz (i int); return 1; end $$; select volc();
--> ERROR 0A000: CREATE TABLE is not allowed in a non-volatile function

create function volc2() returns int language plpgsql stable as $$ begin create table zz as select 1; return 1; end $$; select volc2();
--> ERROR 0A000: CREATE TABLE AS is not allowed in a non-volatile function

create function volt() returns int language plpgsql stable as $$ begin truncate p2t; return 1; end $$; select volt();
--> ERROR 0A000: TRUNCATE TABLE is not allowed in a non-volatile function

create function volfu() returns int language plpgsql stable as $$ declare x int; begin select i into x from p2t for update; return x; end $$; select volfu();
--> ERROR 0A000: SELECT FOR UPDATE is not allowed in a non-volatile function

create function volfs() returns int language plpgsql stable as $$ declare x int; begin perform i from p2t for share; return x; end $$; select volfs();
--> ERROR 0A000: SELECT FOR SHARE is not allowed in a non-volatile function

create function volcte() returns int language plpgsql stable as $$ declare x int; begin with a as (insert into p2t values (3) returning i) select i into x from a; return x; end $$; select volcte();
--> ERROR 0A000: SELECT is not allowed in a non-volatile function

create function volcte2() returns int language sql stable as $$ with a as (insert into p2t values (3) returning i) select i from a $$; select volcte2();
--> ERROR 0A000: SELECT is not allowed in a non-volatile function

create function volcte3() returns int language plpgsql stable as $$ begin with a as (select 1 b) insert into p2t select b from a; return 1; end $$; select volcte3();
--> ERROR 0A000: INSERT is not allowed in a non-volatile function

create function volsb() returns int language sql stable as $$ select 1; insert into p2t values (1); select 2 $$; select volsb();
--> ERROR 0A000: INSERT is not allowed in a non-volatile function

create function volset() returns int language plpgsql stable as $$ begin set local work_mem = '4MB'; return 1; end $$; select volset();
--> ERROR 0A000: SET is not allowed in a non-volatile function

create function volnot() returns int language plpgsql stable as $$ begin notify x; return 1; end $$; select volnot();
--> ERROR 0A000: NOTIFY is not allowed in a non-volatile function

create function volfor() returns int language plpgsql stable as $$ declare r record; begin for r in select * from p2t for update loop null; end loop; return 1; end $$; select volfor();
--> ERROR 0A000: SELECT FOR UPDATE is not allowed in a non-volatile function

create function volcur() returns int language plpgsql stable as $$ declare c cursor for select * from p2t for update; begin open c; return 1; end $$; select volcur();
--> ERROR 0A000: SELECT FOR UPDATE is not allowed in a non-volatile function

create function volmerge() returns int language plpgsql stable as $$ begin merge into p2t using (select 1 x) s on s.x = p2t.i when matched then delete; return 1; end $$; select volmerge();
--> ERROR 0A000: MERGE is not allowed in a non-volatile function

create procedure prc() language plpgsql as $$ begin null; end $$;
--> no rows

create function volcall() returns int language plpgsql stable as $$ begin call prc(); return 1; end $$; select volcall();
--> ERROR 0A000: CALL is not allowed in a non-volatile function

create function inner_w() returns int language plpgsql volatile as $$ begin insert into p2t values (77); return 1; end $$;
--> no rows

create function okv() returns int language plpgsql stable as $$ begin return inner_w(); end $$; select okv();
--> {"okv":1}

create function okv2() returns int language sql stable as $$ select inner_w() $$; select okv2();
--> {"okv2":1}

create function okv3() returns int language plpgsql stable as $$ begin perform inner_w(); perform inner_w(); perform set_config('a.b','c',true); perform pg_notify('x','y'); return 1; end $$; select okv3();
--> {"okv3":1}

create sequence sq; create function okv4() returns bigint language plpgsql stable as $$ begin return nextval('sq'); end $$; select okv4();
--> {"okv4":1}

select count(*) from p2t;
--> {"count":5}

create function trg() returns trigger language plpgsql stable as $$ begin insert into p2t values (5); return new; end $$;
--> no rows

create table tr (a int); create trigger trr before insert on tr for each row execute function trg();
--> no rows

insert into tr values (1);
--> ERROR 0A000: INSERT is not allowed in a non-volatile function

create function volex() returns text language plpgsql stable as $$ begin insert into p2t values (1); return 'x'; exception when others then return sqlerrm || sqlstate; end $$; select volex();
--> {"volex":"INSERT is not allowed in a non-volatile function0A000"}

create function voldo() returns int language plpgsql stable as $$ begin execute 'do $x$ begin insert into p2t values (1); end $x$'; return 1; end $$; select voldo();
--> ERROR 0A000: DO is not allowed in a non-volatile function

create function vollock() returns int language plpgsql stable as $$ begin lock table p2t; return 1; end $$; select vollock();
--> ERROR 0A000: LOCK TABLE is not allowed in a non-volatile function

create function volexp() returns text language plpgsql stable as $$ declare x text; begin execute 'explain select 1' into x; return x; end $$; select volexp();
--> ERROR 0A000: EXPLAIN is not allowed in a non-volatile function

create function volcom() returns int language plpgsql stable as $$ begin comment on table p2t is 'x'; return 1; end $$; select volcom();
--> ERROR 0A000: COMMENT is not allowed in a non-volatile function

create function volgr() returns int language plpgsql stable as $$ begin grant select on p2t to public; return 1; end $$; select volgr();
--> ERROR 0A000: GRANT is not allowed in a non-volatile function

create function volal() returns int language plpgsql stable as $$ begin alter table p2t add column z int; return 1; end $$; select volal();
--> ERROR 0A000: ALTER TABLE is not allowed in a non-volatile function

create function volsh() returns text language plpgsql stable as $$ declare x text; begin execute 'show work_mem' into x; return x; end $$; select volsh();
--> ERROR 0A000: SHOW is not allowed in a non-volatile function

create function volrf() returns int language plpgsql stable as $$ begin refresh materialized view zzz; return 1; end $$; select volrf();
--> ERROR 0A000: REFRESH MATERIALIZED VIEW is not allowed in a non-volatile function

create function volidx() returns int language plpgsql stable as $$ begin create unique index if not exists x on p2t(i); return 1; end $$; select volidx();
--> ERROR 0A000: CREATE INDEX is not allowed in a non-volatile function

create function volsc() returns int language plpgsql stable as $$ begin set constraints all deferred; return 1; end $$; select volsc();
--> ERROR 0A000: SET CONSTRAINTS is not allowed in a non-volatile function

create function volrp() returns int language plpgsql stable as $$ begin create or replace function abc() returns int language sql as 'select 1'; return 1; end $$; select volrp();
--> ERROR 0A000: CREATE FUNCTION is not allowed in a non-volatile function

create function volrs() returns int language plpgsql stable as $$ begin reset work_mem; return 1; end $$; select volrs();
--> ERROR 0A000: RESET is not allowed in a non-volatile function

create function volan() returns int language plpgsql stable as $$ begin analyze p2t; return 1; end $$; select volan();
--> ERROR 0A000: ANALYZE is not allowed in a non-volatile function

create function voldr() returns int language plpgsql stable as $$ begin drop table if exists q; return 1; end $$; select voldr();
--> ERROR 0A000: DROP TABLE is not allowed in a non-volatile function
