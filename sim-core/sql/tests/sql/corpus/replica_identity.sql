-- Published tables whose rows replicas can not tell apart, and columns that publications need.

create table n1 (x int unique, t text); insert into n1 values (1,'a'); create publication pub for table n1;
--> no rows

update n1 set t = 'c';
--> ERROR 55000: cannot update table "n1" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

delete from n1 where x = 99;
--> ERROR 55000: cannot delete from table "n1" because it does not have a replica identity and publishes deletes
--> HINT: To enable deleting from the table, set REPLICA IDENTITY using ALTER TABLE.

insert into n1 values (2,'b') on conflict (x) do update set t = 'z';
--> ERROR 55000: cannot update table "n1" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

insert into n1 values (2,'b') on conflict (x) do update set t = 'z'; select * from n1 order by 1;
--> ERROR 55000: cannot update table "n1" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

merge into n1 using (values (1)) v(a) on v.a = n1.x when matched then update set t = 'm';
--> ERROR 55000: cannot update table "n1" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

merge into n1 using (values (1)) v(a) on v.a = n1.x when matched then delete;
--> ERROR 55000: cannot delete from table "n1" because it does not have a replica identity and publishes deletes
--> HINT: To enable deleting from the table, set REPLICA IDENTITY using ALTER TABLE.

merge into n1 using (values (9)) v(a) on v.a = n1.x when not matched then insert values (9, 'n'); select * from n1 order by 1;
--> {"x":1,"t":"a"}
--> {"x":9,"t":"n"}

do $$ begin update n1 set t = 'q'; exception when object_not_in_prerequisite_state then raise notice 'caught'; end $$; select 1;
--> {"?column?":1}

create function f() returns void language plpgsql as $$ begin delete from n1; end $$;
--> no rows

select f();
--> ERROR 55000: cannot delete from table "n1" because it does not have a replica identity and publishes deletes
--> HINT: To enable deleting from the table, set REPLICA IDENTITY using ALTER TABLE.

create function g() returns void language sql as $$ delete from n1 $$;
--> no rows

select g();
--> ERROR 55000: cannot delete from table "n1" because it does not have a replica identity and publishes deletes
--> HINT: To enable deleting from the table, set REPLICA IDENTITY using ALTER TABLE.

explain update n1 set t = 'x';
--> ERROR 55000: cannot update table "n1" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

truncate n1; insert into n1 values (1, 'a');
--> no rows

alter table n1 replica identity full; update n1 set t = 'full'; select * from n1;
--> {"x":1,"t":"full"}

alter table n1 replica identity nothing; update n1 set t = 'no';
--> ERROR 55000: cannot update table "n1" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

alter table n1 replica identity default; create view v as select * from n1;
--> no rows

update v set t = 'v';
--> ERROR 55000: cannot update table "n1" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

with d as (delete from n1 returning *) select * from d;
--> ERROR 55000: cannot delete from table "n1" because it does not have a replica identity and publishes deletes
--> HINT: To enable deleting from the table, set REPLICA IDENTITY using ALTER TABLE.

alter publication pub set (publish = 'insert'); update n1 set t = 'insert'; select * from n1;
--> {"x":1,"t":"insert"}

alter publication pub set (publish = 'insert, update'); delete from n1; select count(*) from n1;
--> {"count":0}

update n1 set t = 'x';
--> ERROR 55000: cannot update table "n1" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

alter publication pub set (publish = 'insert, update, delete, truncate'); alter table n1 alter x set not null; alter table n1 replica identity using index n1_x_key; insert into n1 values (1, 'a'); update n1 set t = 'idx'; select * from n1;
--> {"x":1,"t":"idx"}

create table par (id int primary key); create table chi (pid int references par on delete cascade on update cascade, t text); insert into par values (1), (2); insert into chi values (1, 'a'); alter publication pub add table chi;
--> no rows

delete from par where id = 2;
--> ERROR 55000: cannot delete from table "chi" because it does not have a replica identity and publishes deletes
--> HINT: To enable deleting from the table, set REPLICA IDENTITY using ALTER TABLE.

delete from par where id = 1;
--> ERROR 55000: cannot delete from table "chi" because it does not have a replica identity and publishes deletes
--> HINT: To enable deleting from the table, set REPLICA IDENTITY using ALTER TABLE.

delete from par where id = 7; select count(*) from par;
--> {"count":2}

update par set id = 3 where id = 1;
--> ERROR 55000: cannot update table "chi" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

update par set id = 2 where id = 2; select count(*) from par;
--> {"count":2}

alter table chi add column k int primary key generated always as identity; delete from par where id = 1; select count(*) from chi;
--> {"count":0}

create table pr (a int, b text) partition by range (a); create table pr1 partition of pr for values from (0) to (10); create table pr2 partition of pr for values from (10) to (20); insert into pr values (1, 'x'), (11, 'y'); alter publication pub add table pr;
--> no rows

update pr set b = 'z';
--> ERROR 55000: cannot update table "pr1" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

update pr1 set b = 'z';
--> ERROR 55000: cannot update table "pr1" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

alter publication pub drop table pr; alter publication pub add table pr2; delete from pr2;
--> ERROR 55000: cannot delete from table "pr2" because it does not have a replica identity and publishes deletes
--> HINT: To enable deleting from the table, set REPLICA IDENTITY using ALTER TABLE.

update pr1 set b = 'z'; select * from pr order by 1;
--> ERROR 55000: cannot update table "pr1" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

create table cf (id int primary key, x int, y int); insert into cf values (1, 2, 3); create publication pf for table cf (x, y);
--> no rows

update cf set y = 1;
--> ERROR 42P10: cannot update table "cf"
--> DETAIL: Column list used by the publication does not cover the replica identity.

delete from cf;
--> ERROR 42P10: cannot delete from table "cf"
--> DETAIL: Column list used by the publication does not cover the replica identity.

drop publication pf; create publication pf for table cf where (x > 1);
--> no rows

update cf set y = 1;
--> ERROR 42P10: cannot update table "cf"
--> DETAIL: Column used in the publication WHERE expression is not part of the replica identity.

delete from cf;
--> ERROR 42P10: cannot delete from table "cf"
--> DETAIL: Column used in the publication WHERE expression is not part of the replica identity.

alter table cf rename column x to xx; select rowfilter from pg_publication_tables where pubname = 'pf';
--> {"rowfilter":"(xx > 1)"}

alter table cf alter column xx type bigint;
--> ERROR 0A000: cannot alter type of a column used by a publication WHERE clause
--> DETAIL: publication of table cf in publication pf depends on column "xx"

alter table cf drop column xx;
--> ERROR 2BP01: cannot drop column xx of table cf because other objects depend on it
--> DETAIL: publication of table cf in publication pf depends on column xx of table cf
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table cf replica identity full; update cf set y = 9; select * from cf;
--> {"id":1,"xx":2,"y":9}

drop publication pf; create publication pf for table cf (id, y);
--> no rows

update cf set y = 10;
--> ERROR 42P10: cannot update table "cf"
--> DETAIL: Column list used by the publication does not cover the replica identity.

alter table cf alter column y type bigint;
--> ERROR 0A000: cannot alter type of a column used by a publication WHERE clause
--> DETAIL: publication of table cf in publication pf depends on column "y"

alter table cf drop column y;
--> ERROR 2BP01: cannot drop column y of table cf because other objects depend on it
--> DETAIL: publication of table cf in publication pf depends on column y of table cf
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table cf drop column y cascade; select count(*) from pg_publication_tables where pubname = 'pf';
--> {"count":0}

create unlogged table ul (a int); alter publication pf add table ul;
--> ERROR 22023: cannot add relation "ul" to publication
--> DETAIL: This operation is not supported for unlogged tables.

create temp table tt (a int); alter publication pf add table tt;
--> ERROR 22023: cannot add relation "tt" to publication
--> DETAIL: This operation is not supported for temporary tables.

create publication pal for all tables; create table later (a int); insert into later values (1); delete from later;
--> ERROR 55000: cannot delete from table "later" because it does not have a replica identity and publishes deletes
--> HINT: To enable deleting from the table, set REPLICA IDENTITY using ALTER TABLE.

create table later (a int); insert into later values (1);
--> no rows

update later set a = 2;
--> no rows

create temp table tt (a int); insert into tt values (1); update tt set a = 2; select * from tt;
--> {"a":2}

create schema sc; create table sc.t (a int); insert into sc.t values (1); create publication psc for tables in schema sc;
--> no rows

update sc.t set a = 3;
--> ERROR 55000: cannot update table "t" because it does not have a replica identity and publishes updates
--> HINT: To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.

drop publication psc; update sc.t set a = 3; select * from sc.t;
--> {"a":3}

create publication pub3; alter publication pub3 frobnicate;
--> ERROR 42601: syntax error at or near "frobnicate"
--> AT 49
