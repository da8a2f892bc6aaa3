-- Partitions that are made one after the other in one call, and rows that come in between, after an error, and from functions.

create table p (id int not null, v text) partition by range (id);
--> no rows

create function put(n int) returns int language plpgsql as $$ begin insert into p values (n, 'by a function'); return n; end $$;
--> no rows

do $$ begin for i in 0..29 loop execute format('create table p%s partition of p for values from (%s) to (%s)', i, i * 10, i * 10 + 10); end loop; end $$;
--> no rows

insert into p select g, 'row' from generate_series(5, 295, 10) g;
--> no rows

select count(*), count(distinct tableoid::regclass::text) from p;
--> {"count":30}

insert into p values (300, 'beyond');
--> ERROR 23514: no partition of relation "p" found for row
--> DETAIL: Partition key of the failing row contains (id) = (300).

do $$ begin execute 'create table q1 partition of p for values from (300) to (310)'; insert into p values (305, 'in the block'); execute 'create table q2 partition of p for values from (310) to (320)'; perform put(315); end $$;
--> no rows

select tableoid::regclass, * from p where id >= 300 order by id;
--> {"tableoid":"q1","id":305,"v":"in the block"}
--> {"tableoid":"q2","id":315,"v":"by a function"}

do $$ declare n int; begin execute 'create table q3 partition of p for values from (320) to (330)'; n := put(325); begin execute 'create table q4 partition of p for values from (330) to (340)'; insert into p values (335, 'taken back'); raise exception 'back'; exception when raise_exception then null; end; insert into p values (326, 'after the handler'); end $$;
--> no rows

select tableoid::regclass, * from p where id >= 320 order by id;
--> {"tableoid":"q3","id":325,"v":"by a function"}
--> {"tableoid":"q3","id":326,"v":"after the handler"}

insert into p values (335, 'no partition');
--> ERROR 23514: no partition of relation "p" found for row
--> DETAIL: Partition key of the failing row contains (id) = (335).

do $$ begin execute 'create table q4 partition of p for values from (330) to (340)'; begin insert into p values (331, 'taken back'); raise exception 'back'; exception when raise_exception then null; end; insert into p values (332, 'kept'); end $$;
--> no rows

select tableoid::regclass, * from p where id >= 330 order by id;
--> {"tableoid":"q4","id":332,"v":"kept"}

insert into p values (336, 'later');
--> no rows

create table other partition of p default;
--> no rows

insert into p values (1000, 'other'), (1001, 'other'), (2000, 'other');
--> no rows

create table r1 partition of p for values from (1000) to (1001);
--> ERROR 23514: updated partition constraint for default partition "other" would be violated by some row

create table r1 partition of p for values from (900) to (1000);
--> no rows

insert into p values (950, 'in r1'), (960, 'in r1');
--> no rows

delete from p where id in (1000, 1001);
--> no rows

do $$ begin execute 'create table r2 partition of p for values from (1000) to (1010) partition by list (v)'; execute $c$create table r2a partition of r2 for values in ('a')$c$; execute 'create table r2d partition of r2 default'; insert into p values (1000, 'a'), (1001, 'b'); end $$;
--> no rows

create table r2b partition of r2 for values in ('b');
--> ERROR 23514: updated partition constraint for default partition "r2d" would be violated by some row

create table r2c partition of r2 for values in ('c', 'd');
--> no rows

insert into p values (1002, 'c');
--> no rows

select tableoid::regclass, * from p where id >= 900 order by id;
--> {"tableoid":"r1","id":950,"v":"in r1"}
--> {"tableoid":"r1","id":960,"v":"in r1"}
--> {"tableoid":"r2a","id":1000,"v":"a"}
--> {"tableoid":"r2d","id":1001,"v":"b"}
--> {"tableoid":"r2c","id":1002,"v":"c"}
--> {"tableoid":"other","id":2000,"v":"other"}

create table apart (id int not null, v text);
--> no rows

insert into apart values (401, 'brought along');
--> no rows

do $$ begin execute 'create table s1 partition of p for values from (390) to (400)'; execute 'alter table p attach partition apart for values from (400) to (410)'; insert into p values (395, 'in s1'), (405, 'in apart'); end $$;
--> no rows

select tableoid::regclass, * from p where id between 390 and 410 order by id;
--> {"tableoid":"s1","id":395,"v":"in s1"}
--> {"tableoid":"apart","id":401,"v":"brought along"}
--> {"tableoid":"apart","id":405,"v":"in apart"}

do $$ begin execute 'create table s2 partition of p for values from (410) to (420)'; execute 'alter table s2 add check (v <> ''bad'')'; execute 'drop table s1'; end $$;
--> no rows

insert into p values (411, 'bad');
--> ERROR 23514: new row for relation "s2" violates check constraint "s2_v_check"
--> DETAIL: Failing row contains (411, bad).

insert into p values (396, 'in the default partition');
--> no rows

select tableoid::regclass, * from p where id between 390 and 420 order by id;
--> {"tableoid":"other","id":396,"v":"in the default partition"}
--> {"tableoid":"apart","id":401,"v":"brought along"}
--> {"tableoid":"apart","id":405,"v":"in apart"}
