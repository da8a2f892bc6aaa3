create table a (id int primary key, n text); create table b (id int, a_id int); insert into a values (1,'x'); insert into b values (1,1);

select * from (select count(*) from a) q for update;

select * from (select distinct n from a) q for update;

select * from (select n from a group by n) q for update;

select * from (select row_number() over () from a) q for update;

select * from (select id from a union select id from b) q for update;

select * from (select id from a having true) q for update;

select * from b join (select count(*) from a) q on true for update of b;

select * from b join (select count(*) from a) q on true for update of q;

create view va as select count(*) c from a; create view vd as select distinct n from a; create view vw as select rank() over (order by id) r from a; create view vu as select id from a union all select id from b; create view vg as select n from a group by n;  create view vo as select b.id from b left join a on a.id = b.a_id; create view vv as select * from va; create materialized view mv as select * from a; create view vlim as select * from a limit 1; create view vs as select generate_series(1,2) g from a;

select * from va for update;

select * from vd for share;

select * from vw for update;

select * from vu for update;

select * from vg for update;

select * from vo for update;

select * from vv for update;

select * from mv for update;

select * from vlim for update;

select * from (values (1),(2)) q for update;

select * from (values (1),(2)) q for update of q;

select * from generate_series(1,2) g for update;

select * from generate_series(1,2) g for update of g;

select * from a, generate_series(1,2) g for update;

with w as (select * from a) select * from w for update;

with w as (select * from a) select * from w for update of w;

select * from b left join a on a.id = b.a_id for update of a;

select * from b left join a on a.id = b.a_id for update;

select * from b left join (select * from a) q on q.id = b.a_id for update;

select * from b left join (select * from a) q on q.id = b.a_id for update of q;

select exists(select 1 from b left join a on a.id = b.a_id for update);

select * from b join (a left join b b2 on true) on true for update of a;

select * from b join (a left join b b2 on true) on true for update of b2;

select * from pg_class for update;

select * from information_schema.tables for update;

do $$ declare r record; begin select * into r from va for update; end $$;

do $$ declare r record; begin for r in select * from (select count(*) from a) q for update loop null; end loop; end $$;

create function ff() returns setof a language sql stable as 'select * from a'; select * from ff() for update of ff;

select * from ff() for update;

select * from b left join a on a.id = b.a_id for no key update of b;

create view vfu as select * from va for update;

create function fz() returns setof bigint language sql as 'select c from va for update';

begin; declare c cursor for select * from va for update; rollback;

select * from b join a x on true for update of y;

select * from b right join a on true for update;

select * from b full join a on true for share of b;

select * from a tablesample system (100) for update;

select * from json_each('{}') j for update of j;

select * from b join a on true for update of a for update of b;
