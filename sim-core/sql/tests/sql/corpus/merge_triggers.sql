-- Triggers of MERGE, and names that are both a variable's and a column's.

create table m (id int primary key, v int);
--> no rows

create table l (id serial, t text);
--> no rows

create function lg() returns trigger language plpgsql as $$ begin insert into l (t) values (concat_ws(' ', tg_when, tg_op, tg_level, tg_name, case when tg_level = 'ROW' then coalesce(to_jsonb(new), to_jsonb(old))::text end)); return coalesce(new, old); end $$;
--> no rows

create trigger bs before insert or update or delete on m for each statement execute function lg();
--> no rows

create trigger as_ after insert or update or delete on m for each statement execute function lg();
--> no rows

create trigger br before insert or update or delete on m for each row execute function lg();
--> no rows

create trigger ar after insert or update or delete on m for each row execute function lg();
--> no rows

insert into m values (1, 10), (2, 20), (3, 30);
--> no rows

truncate l;
--> no rows

merge into m using (values (1, 11), (4, 40), (2, null), (5, 50)) s(id, v) on m.id = s.id when matched and s.v is null then delete when matched then update set v = s.v when not matched then insert values (s.id, s.v);
--> no rows

select t from l order by id;
--> {"t":"BEFORE INSERT STATEMENT bs"}
--> {"t":"BEFORE UPDATE STATEMENT bs"}
--> {"t":"BEFORE DELETE STATEMENT bs"}
--> {"t":"BEFORE UPDATE ROW br {\"v\": 11, \"id\": 1}"}
--> {"t":"BEFORE INSERT ROW br {\"v\": 40, \"id\": 4}"}
--> {"t":"BEFORE DELETE ROW br {\"v\": 20, \"id\": 2}"}
--> {"t":"BEFORE INSERT ROW br {\"v\": 50, \"id\": 5}"}
--> {"t":"AFTER UPDATE ROW ar {\"v\": 11, \"id\": 1}"}
--> {"t":"AFTER INSERT ROW ar {\"v\": 40, \"id\": 4}"}
--> {"t":"AFTER DELETE ROW ar {\"v\": 20, \"id\": 2}"}
--> {"t":"AFTER INSERT ROW ar {\"v\": 50, \"id\": 5}"}
--> {"t":"AFTER DELETE STATEMENT as_"}
--> {"t":"AFTER UPDATE STATEMENT as_"}
--> {"t":"AFTER INSERT STATEMENT as_"}

select * from m order by id;
--> {"id":1,"v":11}
--> {"id":3,"v":30}
--> {"id":4,"v":40}
--> {"id":5,"v":50}

truncate l;
--> no rows

merge into m using (values (9, 1)) s(id, v) on m.id = s.id when matched then update set v = s.v;
--> no rows

select t from l order by id;
--> {"t":"BEFORE UPDATE STATEMENT bs"}
--> {"t":"AFTER UPDATE STATEMENT as_"}

truncate l;
--> no rows

merge into m using (values (9, 1)) s(id, v) on m.id = s.id when matched then do nothing when not matched then do nothing;
--> no rows

select t from l order by id;
--> no rows

truncate l;
--> no rows

merge into m using (values (1, 1)) s(id, v) on m.id = s.id when not matched then insert values (1, 1) when matched then delete;
--> no rows

select t from l order by id;
--> {"t":"BEFORE INSERT STATEMENT bs"}
--> {"t":"BEFORE DELETE STATEMENT bs"}
--> {"t":"BEFORE DELETE ROW br {\"v\": 11, \"id\": 1}"}
--> {"t":"AFTER DELETE ROW ar {\"v\": 11, \"id\": 1}"}
--> {"t":"AFTER DELETE STATEMENT as_"}
--> {"t":"AFTER INSERT STATEMENT as_"}

create table l2 (x text);
--> no rows

create function tt() returns trigger language plpgsql as $$ begin insert into l2 select tg_op || ' ' || string_agg(n::text, ',' order by id) from n; return null; end $$;
--> no rows

create function td() returns trigger language plpgsql as $$ begin insert into l2 select tg_op || ' ' || string_agg(o::text, ',' order by id) from o; return null; end $$;
--> no rows

create trigger ti after insert on m referencing new table as n for each statement execute function tt();
--> no rows

create trigger tu after update on m referencing new table as n for each statement execute function tt();
--> no rows

create trigger td after delete on m referencing old table as o for each statement execute function td();
--> no rows

merge into m using (values (3, 31), (6, 60), (4, null), (7, 70)) s(id, v) on m.id = s.id when matched and s.v is null then delete when matched then update set v = s.v when not matched then insert values (s.id, s.v);
--> no rows

select x from l2;
--> {"x":"DELETE (4,40)"}
--> {"x":"UPDATE (3,31)"}
--> {"x":"INSERT (6,60),(7,70)"}

create function f2() returns table(id int, v int) language plpgsql as $$ begin insert into m values (60, 1) on conflict (id) do nothing; return query select m.id, m.v from m; end $$;
--> no rows

select * from f2();
--> ERROR 42702: column reference "id" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function f3() returns table(id int, v int) language plpgsql as $$ begin update m set v = v where m.id = 1; end $$;
--> no rows

select * from f3();
--> ERROR 42702: column reference "v" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function f4() returns table(id int, v int) language plpgsql as $$ begin return query select id from m; end $$;
--> no rows

select * from f4();
--> ERROR 42702: column reference "id" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function f5() returns table(id int, v int) language plpgsql as $$ begin return query select m.id, m.v from m group by id; end $$;
--> no rows

select * from f5();
--> ERROR 42702: column reference "id" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function f6() returns table(id int, v int) language plpgsql as $$ begin delete from m where id = 4; end $$;
--> no rows

select * from f6();
--> ERROR 42702: column reference "id" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function f7() returns table(id int, v int) language plpgsql as $$ declare r record; begin for r in select m.id from m order by v loop end loop; end $$;
--> no rows

select * from f7();
--> ERROR 42702: column reference "v" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function f8() returns table(id int, v int) language plpgsql as $$ begin perform 1 from m where id = 3; end $$;
--> no rows

select * from f8();
--> ERROR 42702: column reference "id" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function f9() returns table(id int, v int) language plpgsql as $$ begin v := (select max(id) from m); end $$;
--> no rows

select * from f9();
--> ERROR 42702: column reference "id" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function f10() returns table(id int, v int) language plpgsql as $$ begin if exists (select 1 from m where id = 2) then return; end if; end $$;
--> no rows

select * from f10();
--> ERROR 42702: column reference "id" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function f11() returns table(id int, v int) language plpgsql as $$ begin merge into m using (select 1 as k) s on m.id = s.k when matched then update set v = v; end $$;
--> no rows

select * from f11();
--> ERROR 42702: column reference "v" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create table pm (id int primary key, p int references m);
--> no rows

insert into pm values (1, 3);
--> no rows

merge into m using (values (3, null), (6, 1)) s(id, v) on m.id = s.id when matched and s.v is null then delete when matched then update set v = s.v;
--> ERROR 23503: update or delete on table "m" violates foreign key constraint "pm_p_fkey" on table "pm"
--> DETAIL: Key (id)=(3) is still referenced from table "pm".

create trigger uv after update of v on m for each statement execute function lg();
--> no rows

truncate l;
--> no rows

merge into m using (values (6, 1)) s(id, v) on m.id = s.id when matched then update set v = s.v;
--> no rows

select t from l order by id;
--> {"t":"BEFORE UPDATE STATEMENT bs"}
--> {"t":"BEFORE UPDATE ROW br {\"v\": 1, \"id\": 6}"}
--> {"t":"AFTER UPDATE ROW ar {\"v\": 1, \"id\": 6}"}
--> {"t":"AFTER UPDATE STATEMENT as_"}
--> {"t":"AFTER UPDATE STATEMENT uv"}
