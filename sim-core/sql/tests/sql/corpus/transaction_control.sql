-- Commit and rollback in procedures and blocks, and where they are refused.

create table log (id int primary key, what text);
--> no rows

create procedure fill(n int) language plpgsql as $$ begin for i in 1..n loop insert into log values (i, 'row'); if i % 2 = 0 then commit; else rollback; end if; end loop; end $$;
--> no rows

call fill(4);
--> no rows

select * from log order by id;
--> {"id":2,"what":"row"}
--> {"id":4,"what":"row"}

do $$ begin insert into log values (10, 'kept'); commit; insert into log values (11, 'lost'); raise exception 'stop'; end $$;
--> ERROR P0001: stop

select id, what from log where id >= 10 order by id;
--> {"id":10,"what":"kept"}

do $$ begin insert into log values (12, 'x'); rollback; insert into log values (13, 'y'); end $$;
--> no rows

select id from log where id >= 12 order by id;
--> {"id":13}

begin; call fill(2); commit;
--> ERROR 2D000: invalid transaction termination

rollback;
--> no rows

select 1 as a; call fill(2);
--> ERROR 2D000: invalid transaction termination

create function in_function() returns void language plpgsql as $$ begin commit; end $$;
--> no rows

select in_function();
--> ERROR 2D000: invalid transaction termination

do $$ begin begin commit; exception when others then raise notice 'x'; end; end $$;
--> no rows

do $$ begin begin insert into log values (1, 'dup'); exception when unique_violation then insert into log values (20, 'handled'); end; commit; end $$;
--> no rows

do $$ begin begin commit; exception when division_by_zero then null; end; end $$;
--> ERROR 2D000: cannot commit while a subtransaction is active

do $$ begin begin rollback; exception when division_by_zero then null; end; end $$;
--> ERROR 2D000: cannot roll back while a subtransaction is active

select id from log where id = 20;
--> no rows

create procedure outer_one() language plpgsql as $$ begin call fill(6); insert into log values (30, 'outer'); commit; end $$;
--> no rows

delete from log;
--> no rows

call outer_one();
--> no rows

select id from log order by id;
--> {"id":2}
--> {"id":4}
--> {"id":6}
--> {"id":30}

create procedure guarded() language plpgsql security definer as $$ begin commit; end $$;
--> no rows

call guarded();
--> ERROR 2D000: invalid transaction termination

create procedure with_setting() language plpgsql set search_path = public as $$ begin commit; end $$;
--> no rows

call with_setting();
--> ERROR 2D000: invalid transaction termination

create function fire() returns trigger language plpgsql as $$ begin commit; return new; end $$; create trigger t before insert on log for each row execute function fire();
--> no rows

insert into log values (40, 'trigger');
--> ERROR 2D000: invalid transaction termination

drop trigger t on log;
--> no rows

create procedure batches(size int, out total int) language plpgsql as $$ declare n int; begin total := 0; loop with gone as (delete from log where id in (select id from log order by id limit size) returning id) select count(*) into n from gone; exit when n = 0; total := total + n; commit; end loop; end $$;
--> no rows

insert into log select g, 'b' from generate_series(100, 110) g;
--> no rows

call batches(4, null);
--> {"total":15}

select count(*) from log;
--> {"count":0}

create procedure local_setting() language plpgsql as $$ begin perform set_config('app.x', 'in', true); insert into log values (50, current_setting('app.x')); commit; insert into log values (51, coalesce(nullif(current_setting('app.x', true), ''), 'gone')); end $$;
--> no rows

call local_setting();
--> no rows

select * from log order by id;
--> {"id":50,"what":"in"}
--> {"id":51,"what":"gone"}

do $$ declare r record; begin for r in select id from log order by id loop update log set what = what || '!' where id = r.id; commit; end loop; end $$;
--> no rows

select what from log order by id;
--> {"what":"in!"}
--> {"what":"gone!"}

do $$ begin create table made (a int); commit; drop table made; rollback; end $$;
--> no rows

select count(*) from made;
--> {"count":0}

do $$ begin insert into log values (60, 'last'); commit and chain; end $$;
--> no rows

select id from log where id = 60;
--> {"id":60}

do $$ begin execute 'commit'; end $$;
--> ERROR 0A000: EXECUTE of transaction commands is not implemented

do $$ begin savepoint a; end $$;
--> ERROR 0A000: unsupported transaction command in PL/pgSQL
