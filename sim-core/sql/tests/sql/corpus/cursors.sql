-- Cursors of SQL and of bodies.

create table t (id int primary key, x text, at date);
--> no rows

insert into t select n, 'x' || n, date '2024-01-01' + n from generate_series(1, 7) n;
--> no rows

create type mood as enum ('low', 'high');
--> no rows

declare c cursor for select 1;
--> ERROR 25P01: DECLARE CURSOR can only be used in transaction blocks

begin; declare c cursor for select id from t order by id; fetch c; fetch next from c; fetch 2 in c; commit;
--> {"id":3}
--> {"id":4}

begin; declare c cursor for select id from t order by id; fetch all from c; fetch all c; commit;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}
--> {"id":5}
--> {"id":6}
--> {"id":7}

begin; declare c cursor for select id from t order by id; fetch 3 c; fetch prior from c; commit;
--> {"id":2}

begin; declare c scroll cursor for select id, x from t order by id; fetch last c; commit;
--> {"id":7,"x":"x7"}

begin; declare c scroll cursor for select id, x from t order by id; fetch absolute 4 from c; commit;
--> {"id":4,"x":"x4"}

begin; declare c scroll cursor for select id from t order by id; fetch absolute -2 from c; commit;
--> {"id":6}

begin; declare c scroll cursor for select id from t order by id; move absolute 4 c; fetch relative -2 c; commit;
--> {"id":2}

begin; declare c scroll cursor for select id from t order by id; move absolute 4 c; fetch relative 0 c; commit;
--> {"id":4}

begin; declare c scroll cursor for select id from t order by id; move absolute 4 c; fetch 0 c; commit;
--> {"id":4}

begin; declare c scroll cursor for select id from t order by id; move all in c; fetch backward 3 from c; commit;
--> {"id":7}
--> {"id":6}
--> {"id":5}

begin; declare c scroll cursor for select id from t order by id; move 5 c; fetch backward all from c; commit;
--> {"id":4}
--> {"id":3}
--> {"id":2}
--> {"id":1}

begin; declare c scroll cursor for select id from t order by id; move 5 c; fetch -2 c; commit;
--> {"id":4}
--> {"id":3}

begin; declare c scroll cursor for select id from t order by id; move forward all in c; fetch first from c; fetch forward 2 c; commit;
--> {"id":2}
--> {"id":3}

begin; declare c scroll cursor for select id from t order by id; move absolute 0 c; fetch forward all c; commit;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}
--> {"id":5}
--> {"id":6}
--> {"id":7}

begin; declare c scroll cursor for select id from t order by id; fetch absolute 20 c; fetch prior c; commit;
--> {"id":7}

begin; declare c scroll cursor for select id from t order by id; fetch absolute -20 c; fetch next c; commit;
--> {"id":1}

begin; declare c no scroll cursor for select id from t order by id; fetch 3 c; fetch backward c; commit;
--> ERROR 55000: cursor can only scan forward
--> HINT: Declare it with SCROLL option to enable backward scan.

begin; declare c no scroll cursor for select id from t order by id; fetch 3 c; fetch absolute 3 c; commit;
--> ERROR 55000: cursor can only scan forward
--> HINT: Declare it with SCROLL option to enable backward scan.

begin; declare c no scroll cursor for select id from t order by id; fetch 3 c; fetch absolute 5 c; commit;
--> {"id":5}

begin; declare c no scroll cursor for select id from t order by id; fetch first c; commit;
--> {"id":1}

begin; declare c no scroll cursor for select id from t order by id; fetch last c; commit;
--> ERROR 55000: cursor can only scan forward
--> HINT: Declare it with SCROLL option to enable backward scan.

begin; declare c no scroll cursor for select id from t order by id; fetch 2 c; fetch 0 c; commit;
--> ERROR 55000: cursor can only scan forward
--> HINT: Declare it with SCROLL option to enable backward scan.

begin; declare c no scroll cursor for select id from t order by id; move 2 c; move 0 c; move absolute 0 c; commit;
--> ERROR 55000: cursor can only scan forward
--> HINT: Declare it with SCROLL option to enable backward scan.

begin; declare c cursor for select a.id from t a join t b using (id); fetch 1 c; fetch prior c; commit;
--> ERROR 55000: cursor can only scan forward
--> HINT: Declare it with SCROLL option to enable backward scan.

begin; declare c cursor for select count(*) from t; fetch 1 c; fetch prior c; commit;
--> ERROR 55000: cursor can only scan forward
--> HINT: Declare it with SCROLL option to enable backward scan.

begin; declare c cursor for select 1 as n; fetch 1 c; fetch prior c; commit;
--> ERROR 55000: cursor can only scan forward
--> HINT: Declare it with SCROLL option to enable backward scan.

begin; declare c cursor for values (1, 'a'), (2, 'b'); fetch all c; commit;
--> {"column1":1,"column2":"a"}
--> {"column1":2,"column2":"b"}

begin; declare c cursor for (select id from t where id < 3) union all select 9; fetch all c; commit;
--> {"id":1}
--> {"id":2}
--> {"id":9}

begin; declare c cursor for with w as (select max(id) as m from t) select * from w; fetch all c; commit;
--> {"m":7}

begin; declare c cursor for table t; fetch 1 c; commit;
--> {"id":1,"x":"x1","at":"2024-01-02"}

begin; declare c binary insensitive no scroll cursor without hold for select x from t where id = 2; fetch c; commit;
--> {"x":"x2"}

begin; declare c asensitive cursor for select 'high'::mood as m, row(1, 'a') as r, t from t where id = 1; fetch c; commit;
--> {"m":"high","r":"(1,a)","t":"(1,x1,2024-01-02)"}

begin; declare c cursor for select 'pg_class'::regclass as r, array['low'::mood] as a, null::int as n; fetch c; commit;
--> {"r":"pg_class","a":"{low}","n":null}

begin; declare c cursor for select id from t; close c; fetch c; commit;
--> ERROR 34000: cursor "c" does not exist

begin; declare c cursor for select 1; declare d cursor for select 2; close all; fetch d; commit;
--> ERROR 34000: cursor "d" does not exist

begin; declare c cursor for select 1; declare c cursor for select 2; commit;
--> ERROR 42P03: cursor "c" already exists

begin; declare "C d" cursor for select 5 as five; fetch all from "C d"; commit;
--> {"five":5}

begin; declare next cursor for select 6 as six; fetch next; commit;
--> {"six":6}

begin; declare c cursor for select id from t order by id; delete from t where id = 1; fetch 1 c; rollback;
--> {"id":1}

begin; declare c cursor for select 1; commit; fetch c;
--> ERROR 34000: cursor "c" does not exist

begin; declare c cursor for select 1; rollback; fetch c;
--> ERROR 34000: cursor "c" does not exist

begin; savepoint s; declare c cursor for select 1; rollback to s; fetch c;
--> ERROR 34000: cursor "c" does not exist

begin; declare c cursor for select id from t order by id; savepoint s; fetch 2 c; rollback to s; fetch c; commit;
--> {"id":3}

begin; savepoint s; declare c cursor for select 1 as n; release s; fetch c; commit;
--> {"n":1}

declare c cursor with hold for select id from t order by id; fetch 1 c; commit; fetch 2 c; close c;
--> {"id":2}
--> {"id":3}

begin; declare c cursor with hold for select 3 as n; commit; begin; rollback; fetch c; close c;
--> {"n":3}

begin; declare c cursor with hold for select 3 as n; rollback; fetch c;
--> ERROR 34000: cursor "c" does not exist

fetch c;
--> ERROR 34000: cursor "c" does not exist

move 3 in c;
--> ERROR 34000: cursor "c" does not exist

close c;
--> ERROR 34000: cursor "c" does not exist

close all;
--> no rows

declare c scroll no scroll cursor for select 1;
--> ERROR 42P11: cannot specify both SCROLL and NO SCROLL

declare c insensitive asensitive cursor for select 1;
--> ERROR 42P11: cannot specify both ASENSITIVE and INSENSITIVE

begin; declare c cursor for with d as (delete from t returning *) select * from d;
--> ERROR 0A000: DECLARE CURSOR must not contain data-modifying statements in WITH

begin; declare c cursor for insert into t values (100);
--> ERROR 42601: syntax error at or near "insert"
--> AT 29

begin; declare c cursor for select nosuch from t;
--> ERROR 42703: column "nosuch" does not exist
--> AT 36

begin; declare c cursor select 1;
--> ERROR 42601: syntax error at or near "select"
--> AT 25

begin; declare c cursor for select 1; fetch sideways c;
--> ERROR 42601: syntax error at or near "c"
--> AT 54

begin; declare c cursor for select 1; fetch 99999999999 c;
--> ERROR 42601: syntax error at or near "99999999999"
--> AT 45

declare c cursor with hold for select * from t for update;
--> ERROR 0A000: DECLARE CURSOR WITH HOLD ... FOR UPDATE is not supported
--> DETAIL: Holdable cursors must be READ ONLY.

begin; declare c scroll cursor for select * from t for update;
--> ERROR 0A000: DECLARE SCROLL CURSOR ... FOR UPDATE is not supported
--> DETAIL: Scrollable cursors must be READ ONLY.

begin; declare c insensitive cursor for select * from t for share;
--> ERROR 42P11: DECLARE INSENSITIVE CURSOR ... FOR SHARE is not valid
--> DETAIL: Insensitive cursors must be READ ONLY.

begin; declare c cursor with hold for select id from t order by id; declare d no scroll cursor for select 2; select name, statement is not null as has_statement, is_holdable, is_binary, is_scrollable, creation_time >= now() as later from pg_cursors order by name; close all; commit;
--> {"name":"c","has_statement":true,"is_holdable":true,"is_binary":false,"is_scrollable":true,"later":true}
--> {"name":"d","has_statement":true,"is_holdable":false,"is_binary":false,"is_scrollable":false,"later":true}

begin; declare c cursor for select 1; declare d cursor for select id from t order by id limit 2; declare e cursor for select id from t; declare f cursor for select distinct x from t; declare g cursor for select x, count(*) from t group by x; declare h cursor for select id from t union select 3; declare i cursor for select row_number() over () from t; declare j cursor for select n from generate_series(1, 2) n; declare k cursor for select id from t for update; declare l cursor for select * from (select id from t) s; declare m cursor for select generate_series(1, 2); declare n cursor for values (1), (2); select name, is_scrollable from pg_cursors order by name; commit;
--> {"name":"c","is_scrollable":false}
--> {"name":"d","is_scrollable":true}
--> {"name":"e","is_scrollable":true}
--> {"name":"f","is_scrollable":false}
--> {"name":"g","is_scrollable":false}
--> {"name":"h","is_scrollable":false}
--> {"name":"i","is_scrollable":false}
--> {"name":"j","is_scrollable":true}
--> {"name":"k","is_scrollable":false}
--> {"name":"l","is_scrollable":true}
--> {"name":"m","is_scrollable":false}
--> {"name":"n","is_scrollable":true}

select * from pg_cursors;
--> no rows

select pg_typeof(name) as name, pg_typeof(is_holdable) as holdable from pg_cursors;
--> no rows

-- The row on which a cursor stands.

begin; declare c cursor for select id from t order by id for update; fetch 2 c; update t set x = 'second' where current of c returning id, x; commit;
--> {"id":2,"x":"second"}

begin; declare c cursor for select x from t where id = 3; fetch c; update t set x = 'third' where current of c; update t set at = null where current of c returning id, x, at; commit;
--> {"id":3,"x":"third","at":null}

begin; declare c cursor for select * from t s where id > 5 for update of s; move 1 c; delete from t where current of c returning id; rollback;
--> {"id":6}

begin; declare c cursor for select id from t; update t set x = '' where current of c;
--> ERROR 24000: cursor "c" is not positioned on a row

begin; declare c cursor for select id from t; fetch all c; delete from t where current of c;
--> ERROR 24000: cursor "c" is not positioned on a row

begin; declare c cursor for select id from t order by x; fetch c; delete from t where current of c;
--> ERROR 24000: cursor "c" is not a simply updatable scan of table "t"

begin; declare c cursor for select count(*) from t; fetch c; delete from t where current of c;
--> ERROR 24000: cursor "c" is not a simply updatable scan of table "t"

begin; create table u (id int); declare c cursor for select id from t; fetch c; delete from u where current of c;
--> ERROR 24000: cursor "c" is not a simply updatable scan of table "u"

begin; create table u (id int); declare c cursor for select id from t for update; fetch c; delete from u where current of c;
--> ERROR 24000: cursor "c" does not have a FOR UPDATE/SHARE reference to table "u"

delete from t where current of nosuch;
--> ERROR 34000: cursor "nosuch" does not exist

begin; declare held_one cursor with hold for select id from t; fetch held_one; commit; delete from t where current of held_one;
--> ERROR 24000: cursor "held_one" is held from a previous transaction

-- Cursors of bodies, which are those of the session.

create function opened() returns refcursor language plpgsql as $$
declare c refcursor; begin open c for select id, x from t order by id; return c; end $$;
--> no rows

select opened();
--> {"opened":"<unnamed portal 1>"}

do $$ declare c refcursor := opened(); n int; begin fetch c into n; fetch c into n; raise exception '% %', n, c::text like '<unnamed portal %>'; end $$;
--> ERROR P0001: 2 t

begin; select opened(), opened() is null as n; select count(*) from pg_cursors; commit;
--> {"count":2}

create function named(name refcursor) returns refcursor language plpgsql as $$
begin open name scroll for select x from t where id > 4 order by id; return name; end $$;
--> no rows

begin; select named('mine'); fetch all from mine; fetch backward 2 from mine; commit;
--> {"x":"x7"}
--> {"x":"x6"}

begin; select named('mine'); select named('mine');
--> ERROR 42P03: cursor "mine" already in use

begin; select named('mine'); select name, statement, is_holdable, is_scrollable from pg_cursors; commit;
--> {"name":"mine","statement":"select x from t where id > 4 order by id","is_holdable":false,"is_scrollable":true}

create function several() returns setof refcursor language plpgsql as $$
declare a refcursor := 'first_of_them'; b refcursor := 'other';
begin open a for select 1 as one; return next a; open b for select 2 as two; return next b; end $$;
--> no rows

begin; select * from several(); fetch all from other; commit;
--> {"two":2}

create function taken(c refcursor) returns text language plpgsql as $$
declare r record; s text := '';
begin loop fetch c into r; exit when not found; s := s || r.x || ','; end loop; close c; return s; end $$;
--> no rows

begin; declare c cursor for select x from t where id in (4, 5) order by id; select taken('c'); commit;
--> {"taken":"x4,x5,"}

begin; declare c cursor for select x from t where id in (4, 5) order by id; select taken('c'); fetch c;
--> ERROR 34000: cursor "c" does not exist

select taken('nosuch');
--> ERROR 34000: cursor "nosuch" does not exist

select taken(null);
--> ERROR 22004: cursor variable "c" is null

create table seen (n serial, what text);
--> no rows

do $$ declare c scroll cursor for select id from t order by id; n int; m int; begin
  open c; fetch last from c into n; insert into seen (what) values ('last ' || n);
  fetch prior from c into n; insert into seen (what) values ('prior ' || n);
  fetch absolute 2 from c into n; insert into seen (what) values ('absolute ' || n);
  fetch relative 1 + 1 from c into n; insert into seen (what) values ('relative ' || n);
  fetch forward from c into n; insert into seen (what) values ('forward ' || n);
  fetch backward from c into n; insert into seen (what) values ('backward ' || n);
  move backward 2 from c; fetch c into n; insert into seen (what) values ('moved ' || n);
  move forward all from c; get diagnostics m = row_count; insert into seen (what) values ('all ' || m);
  fetch c into n; insert into seen (what) values (coalesce(n, -1) || ' ' || found);
  move first from c; fetch c into n; insert into seen (what) values ('first ' || n);
  close c; end $$;
--> no rows

select what from seen order by n;
--> {"what":"last 7"}
--> {"what":"prior 6"}
--> {"what":"absolute 2"}
--> {"what":"relative 4"}
--> {"what":"forward 5"}
--> {"what":"backward 4"}
--> {"what":"moved 3"}
--> {"what":"all 4"}
--> {"what":"-1 false"}
--> {"what":"first 2"}

do $$ declare c no scroll cursor for select id from t order by id; n int; begin open c; fetch last from c into n; end $$;
--> ERROR 55000: cursor can only scan forward
--> HINT: Declare it with SCROLL option to enable backward scan.

do $$ declare c cursor for select id from t; begin open c; open c; end $$;
--> ERROR 42P03: cursor "c" already in use

do $$ declare c cursor for select id from t; n int; begin fetch c into n; end $$;
--> ERROR 34000: cursor "c" does not exist

do $$ declare c refcursor; begin close c; end $$;
--> ERROR 22004: cursor variable "c" is null

do $$ declare c refcursor; n int; begin fetch 2 from c into n; end $$;
--> ERROR 0A000: FETCH statement cannot return multiple rows
--> AT 41

do $$ declare c text; begin open c for select 1; end $$;
--> ERROR 42804: variable "c" must be of type cursor or refcursor
--> AT 34

do $$ declare c cursor (a int, b int) for select id from t where id between a and b order by id; begin
  for r in c (2, 4) loop update t set x = x || '!' where current of c; end loop; end $$;
--> no rows

select id, x from t where x like '%!' order by id;
--> {"id":2,"x":"second!"}
--> {"id":3,"x":"third!"}
--> {"id":4,"x":"x4!"}

do $$ declare c cursor for select id from t where id = 7 for update; n int; begin
  open c; fetch c into n; update t set x = 'last' where current of c; move c; close c; end $$;
--> no rows

select x from t where id = 7;
--> {"x":"last"}

create procedure stepwise() language plpgsql as $$
declare c cursor for select id from t order by id; begin
  for r in c loop update t set x = x || '.' where id = r.id; if r.id = 3 then rollback; else commit; end if; end loop; end $$;
--> no rows

call stepwise();
--> no rows

select count(*) from t where x like '%.';
--> {"count":6}

do $$ declare c refcursor; begin open c for select 1; raise exception 'it is %', c::text like '<unnamed portal %>'; end $$;
--> ERROR P0001: it is t

do $$ declare c cursor for select 1; begin raise exception 'it is %', c; end $$;
--> ERROR P0001: it is c

do $$ declare c refcursor; begin
  begin open c for select 1; perform 1 / 0; exception when division_by_zero then null; end;
  raise exception '% are open, %', (select count(*) from pg_cursors), c::text like '<unnamed portal %>'; end $$;
--> ERROR P0001: 0 are open, t

do $$ declare c refcursor := 'k'; n int; begin open c for execute 'select $1 + 1' using 4; fetch c into n; raise exception 'n is %', n; end $$;
--> ERROR P0001: n is 5

do $$ declare n int; begin execute 'declare k cursor for select 8'; execute 'fetch k' into n; raise exception 'n is %', n; end $$;
--> ERROR P0001: n is 8

select 'a'::refcursor as c, pg_typeof('a'::refcursor) as t, 'b'::refcursor::text as x;
--> {"c":"a","t":"refcursor","x":"b"}

create table held (c refcursor);
--> no rows

insert into held values ('k') returning *;
--> {"c":"k"}

select format_type(1790, -1) as t, typname, typcategory from pg_type where oid = 1790;
--> {"t":"refcursor","typname":"refcursor","typcategory":"U"}

-- Cursors beside other statements.

begin; declare a cursor for with w as (select id from t) select max(id) as most from w; fetch a; discard all;
--> ERROR 25001: DISCARD ALL cannot run inside a transaction block

begin; declare a insensitive cursor without hold for select count(*) from seen; delete from seen; fetch all a; rollback;
--> {"count":10}
