-- ROW_COUNT tells the rows of the last statement of a body, and of queries in its expressions, but not of loops

create table t (id int); insert into t select generate_series(1,5);
--> no rows

do $$ declare o text := ''; r record; n int; begin for r in select * from t loop get diagnostics n = row_count; o := concat(o, n, ' '); end loop; get diagnostics n = row_count; o := concat(o, n, ' '); raise exception '[%]', o; end $$;
--> ERROR P0001: [0 0 0 0 0 0 ]

do $$ declare o text := ''; r record; n int; begin for r in execute 'select * from t' loop get diagnostics n = row_count; o := concat(o, n, ' '); end loop; get diagnostics n = row_count; o := concat(o, n, ' '); raise exception '[%]', o; end $$;
--> ERROR P0001: [0 0 0 0 0 0 ]

do $$ declare o text := ''; n int; begin if exists (select 1 from t) then get diagnostics n = row_count; o := concat(o, n, ' '); end if; raise exception '[%]', o; end $$;
--> ERROR P0001: [1 ]

do $$ declare o text := ''; n int; m int; begin perform 1 from t; n := (select max(id) from t); get diagnostics n = row_count; o := concat(o, n, ' '); n := 5; get diagnostics m = row_count; o := concat(o, m, ' '); update t set id = id; n := 1 + 1; get diagnostics n = row_count; o := concat(o, n, ' '); m := (select 1 from t where false); get diagnostics n = row_count; o := concat(o, n, ' '); raise exception '[%]', o; end $$;
--> ERROR P0001: [1 1 5 1 ]

do $$ declare o text := ''; n int; w int; begin foreach w in array array(select id from t) loop get diagnostics n = row_count; o := concat(o, n, ' '); end loop; raise exception '[%]', o; end $$;
--> ERROR P0001: [1 1 1 1 1 ]

do $$ declare o text := ''; n int; c cursor for select * from t; r record; begin open c; get diagnostics n = row_count; o := concat(o, n, ' '); fetch c into r; get diagnostics n = row_count; o := concat(o, n, ' '); move forward 2 from c; get diagnostics n = row_count; o := concat(o, n, ' '); close c; get diagnostics n = row_count; o := concat(o, n, ' '); raise exception '[%]', o; end $$;
--> ERROR P0001: [0 1 2 2 ]

do $$ declare o text := ''; n int; begin perform 1 from t; o := concat(o, (select count(*) from t where id < 0), ' '); get diagnostics n = row_count; o := concat(o, n, ' '); create table u (x int); get diagnostics n = row_count; o := concat(o, n, ' '); raise exception '[%]', o; end $$;
--> ERROR P0001: [0 1 0 ]

do $$ declare o text := ''; n int; m int[]; begin m := array_agg(x) from (values (1), (2)) v(x); get diagnostics n = row_count; o := concat(o, n, ' '); update t set id = id; select 1 into n; get diagnostics n = row_count; o := concat(o, n, ' '); execute 'select 1 from t'; get diagnostics n = row_count; o := concat(o, n, ' '); execute 'select 1 from t' into n;  get diagnostics n = row_count; o := concat(o, n, ' '); execute 'update t set id = id where id > 3'; get diagnostics n = row_count; o := concat(o, n, ' '); execute 'do $q$ begin null; end $q$'; get diagnostics n = row_count; o := concat(o, n, ' ');  select id from t into n;  get diagnostics n = row_count; o := concat(o, n, ' '); raise exception '[%]', o; end $$;
--> ERROR P0001: [1 1 5 5 2 0 1 ]

create function f() returns setof int language plpgsql as $$ declare o text := ''; n int; begin return query select * from t; get diagnostics n = row_count; o := concat(o, n, ' '); return query select * from t where id > 4; get diagnostics n = row_count; o := concat(o, n, ' '); return next 4; get diagnostics n = row_count; o := concat(o, n, ' '); return query execute 'select 1'; get diagnostics n = row_count; o := concat(o, n, ' '); case (select 1 from t where id = 2) when 1 then get diagnostics n = row_count; o := concat(o, n, ' '); end case; while (select count(*) from t) < 5 loop null; end loop; get diagnostics n = row_count; o := concat(o, n, ' '); assert (select true);  get diagnostics n = row_count; o := concat(o, n, ' '); raise exception '[%]', o; end $$; select f();
--> ERROR P0001: [5 1 1 1 1 1 1 ]

do $$ declare o text := ''; n int; begin perform 1 from t; for i in 1..(select 2) loop get diagnostics n = row_count; o := concat(o, n, ' '); end loop; for i in (select 1) .. 2 loop get diagnostics n = row_count; o := concat(o, n, ' '); end loop; raise exception '[%]', o; end $$;
--> ERROR P0001: [1 1 1 1 ]

do $$ declare o text := ''; n int; m int := (select count(*) from t); begin get diagnostics n = row_count; o := concat(o, n, ' '); raise exception '[%]', o; end $$;
--> ERROR P0001: [1 ]

create table g (id int); create function tg() returns trigger language plpgsql as $$ declare n int; begin get diagnostics n = row_count; raise notice 'tg %', n; insert into g select * from t; return new; end $$; create trigger a after insert on t for each row execute function tg();
--> no rows

do $$ declare o text := ''; n int; begin insert into t values (7), (8); get diagnostics n = row_count; o := concat(o, n, ' '); raise exception '[%]', o; end $$;
--> ERROR P0001: [2 ]

do $$ declare o text := ''; n int; begin perform 1 from t; n := extract(day from date '2024-03-02'); get diagnostics n = row_count; o := o || n || ' '; if n is distinct from 3 then get diagnostics n = row_count; o := o || n || ' '; end if; n := 1 from t where false; get diagnostics n = row_count; raise exception '[%]', o || n; end $$;
--> ERROR P0001: [5 5 0]
