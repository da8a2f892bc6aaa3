-- A trigger of certain columns fires for each row that MERGE updates, if any of its actions sets such a column.

create table log(n serial, x text);
create table t(id int primary key, a int, b int);
insert into t values (1,1,1),(2,2,2),(3,3,3);
create table s(id int, k text);
insert into s values (1,'a'),(2,'b'),(4,'c');
create function f() returns trigger language plpgsql as $$ begin insert into log(x) values (tg_name); if tg_level='ROW' and tg_when='BEFORE' then return coalesce(new,old); end if; return null; end $$;
create trigger tba before update of a on t for each row execute function f();
create trigger tbb before update of b on t for each row execute function f();
create trigger taa after update of a on t for each row execute function f();
create trigger tab after update of b on t for each row execute function f();
create trigger sba before update of a on t execute function f();
create trigger sbb before update of b on t execute function f();
create trigger saa after update of a on t execute function f();
create trigger sab after update of b on t execute function f();
--> no rows

merge into t using s on t.id = s.id when matched and k = 'a' then update set a = 10 when matched and k = 'b' then update set b = 20;
select array_agg(x order by n) from log;
--> {"array_agg":["sba","sbb","tba","tbb","tba","tbb","taa","tab","taa","tab","saa","sab"]}

merge into t using s on t.id = s.id when matched and k = 'a' then update set a = 10 when matched and k = 'zz' then update set b = 20;
select array_agg(x order by n) from log;
--> {"array_agg":["sba","sbb","tba","tbb","tba","tbb","taa","tab","taa","tab","saa","sab","sba","sbb","tba","tbb","taa","tab","saa","sab"]}

merge into t using s on t.id = s.id when matched and k = 'a' then update set a = 10 when matched then delete when not matched then insert values (s.id, 0, 0);
select array_agg(x order by n) from log;
--> {"array_agg":["sba","sbb","tba","tbb","tba","tbb","taa","tab","taa","tab","saa","sab","sba","sbb","tba","tbb","taa","tab","saa","sab","sba","tba","taa","saa"]}

merge into t using s on t.id = s.id when matched and k = 'zz' then update set a = 10 when matched then do nothing;
select array_agg(x order by n) from log;
--> {"array_agg":["sba","sbb","tba","tbb","tba","tbb","taa","tab","taa","tab","saa","sab","sba","sbb","tba","tbb","taa","tab","saa","sab","sba","tba","taa","saa","sba","saa"]}

truncate log; create view tv as select * from t;
create function g() returns trigger language plpgsql as $$ begin insert into log(x) values (tg_name || ' ' || (select string_agg(o.a || '>' || n.a, ',' order by o.id) from o join n using (id))); return null; end $$;
create trigger stt after update on t referencing old table as o new table as n for each statement execute function g();
merge into t using s on t.id = s.id when matched and k = 'a' then update set a = 10 when matched and k = 'b' then update set (b, a) = (3, 4);
select array_agg(x order by n) from log;
--> {"array_agg":["sba","sbb","tba","tbb","taa","tab","saa","sab","stt 10>10"]}

truncate log; update t set b = 4 where id = 1; select array_agg(x order by n) from log;
--> {"array_agg":["sbb","tbb","tab","sab","stt 10>10"]}

truncate log; create trigger wba before update of a on t for each row when (new.id > 0) execute function f();
create constraint trigger cba after update of a on t deferrable initially deferred for each row execute function f();
begin; merge into t using s on t.id = s.id when matched and k = 'b' then update set b = 4 when matched and k = 'zz' then update set a=3; insert into log(x) values ('end'); commit;
select array_agg(x order by n) from log;
--> {"array_agg":["sba","sbb","saa","sab",null,"end"]}
