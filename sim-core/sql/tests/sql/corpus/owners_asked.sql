-- Statements that only owners may run, arbiters in another order, ISNULL.

create table doc (id int, t text);
--> no rows

create index di on doc (t);
--> no rows

create sequence sq;
--> no rows

create materialized view mvo as select 1 as a;
--> no rows

create function fo() returns int language sql as 'select 1';
--> no rows

create type te as enum ('a');
--> no rows

create view vo as select 1 as a;
--> no rows

create schema so;
--> no rows

grant usage on schema public to authenticated;
--> no rows

grant all on doc, sq, mvo, vo to authenticated;
--> no rows

set role authenticated; alter sequence sq restart;
--> ERROR 42501: must be owner of sequence sq

set role authenticated; refresh materialized view mvo;
--> ERROR 42501: must be owner of materialized view mvo

set role authenticated; create index on doc (id);
--> ERROR 42501: must be owner of table doc

set role authenticated; alter index di rename to dj;
--> ERROR 42501: must be owner of index di

set role authenticated; comment on table doc is 'x';
--> ERROR 42501: must be owner of table doc

set role authenticated; comment on column doc.id is 'x';
--> ERROR 42501: must be owner of relation doc

set role authenticated; comment on function fo() is 'x';
--> ERROR 42501: must be owner of function fo

set role authenticated; comment on schema so is 'x';
--> ERROR 42501: must be owner of schema so

set role authenticated; comment on type te is 'x';
--> ERROR 42501: must be owner of type te

set role authenticated; comment on view vo is 'x';
--> ERROR 42501: must be owner of view vo

set role authenticated; comment on index di is 'x';
--> ERROR 42501: must be owner of index di

set role authenticated; comment on sequence sq is 'x';
--> ERROR 42501: must be owner of sequence sq

set role authenticated; comment on materialized view mvo is 'x';
--> ERROR 42501: must be owner of materialized view mvo

set role authenticated; alter type te add value 'b';
--> ERROR 42501: must be owner of type te

set role authenticated; drop type te;
--> ERROR 42501: must be owner of type te

comment on table doc is 'x';
--> no rows

create table u (id int, a int, b text);
--> no rows

create unique index ux on u (lower(b), (a + 1)) where a > 0;
--> no rows

insert into u values (1,1,'x');
--> no rows

insert into u values (2,1,'X') on conflict ((a + 1), lower(b)) where a > 0 do nothing;
--> no rows

create table w2 (x int, y int);
--> no rows

create unique index on w2 (x, coalesce(y, 0));
--> no rows

insert into w2 values (1,null);
--> no rows

insert into w2 values (1,null) on conflict (coalesce(y, 0), x) do update set y = 4;
--> no rows

insert into w2 values (1,null) on conflict (coalesce(y, 0)) do nothing;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

select * from w2;
--> {"x":1,"y":4}

create table n (a int, b int, flag bool);
--> no rows

insert into n values (1,2,null),(null,3,true);
--> no rows

select a + b isnull, a isnull as x, (b) isnull or flag from n order by a;
--> {"?column?":null,"x":false}
--> {"?column?":true,"x":true}

select a from n where flag isnull and a = 1;
--> {"a":1}

select case when a isnull then 'n' else 'v' end from n order by 1;
--> {"case":"n"}
--> {"case":"v"}

select a isnull from n order by 1;
--> {"?column?":false}
--> {"?column?":true}

select a notnull, (a isnull) is false from n order by a;
--> {"?column?":true}
--> {"?column?":false}

create view nv as select a isnull as gone from n where b isnull or a isnull;
--> no rows

select pg_get_viewdef('nv');
--> {"pg_get_viewdef":" SELECT (n.a IS NULL) AS gone\n   FROM n\n  WHERE ((n.b IS NULL) OR (n.a IS NULL));"}

alter table n add check (a isnull or a > 0);
--> no rows

select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'n'::regclass;
--> {"pg_get_constraintdef":"CHECK (((a IS NULL) OR (a > 0)))"}
