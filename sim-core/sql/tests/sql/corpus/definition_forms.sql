-- Forms of definitions that few migrations have.

create table p(id int primary key, k int unique);
--> no rows

insert into p values (1,1),(2,2);
--> no rows

create table c(n int constraint fk references p, m int);
--> no rows

alter table c alter constraint fk deferrable initially deferred;
--> no rows

select condeferrable, condeferred, pg_get_constraintdef(oid) from pg_constraint where conname='fk';
--> {"condeferrable":true,"condeferred":true,"pg_get_constraintdef":"FOREIGN KEY (n) REFERENCES p(id) DEFERRABLE INITIALLY DEFERRED"}

begin;
insert into c values (9, 1);
select count(*) from c;
commit;
--> ERROR 23503: insert or update on table "c" violates foreign key constraint "fk"
--> DETAIL: Key (n)=(9) is not present in table "p".

begin; insert into c values (9, 1); insert into p values (9, 9); commit;
--> no rows

select * from c;
--> {"n":9,"m":1}

alter table c alter constraint fk deferrable initially immediate;
--> no rows

insert into c values (10, 1);
--> ERROR 23503: insert or update on table "c" violates foreign key constraint "fk"
--> DETAIL: Key (n)=(10) is not present in table "p".

begin; set constraints fk deferred; insert into c values (11, 1); insert into p values (11,11); commit;
--> no rows

alter table c alter constraint fk not deferrable;
--> no rows

select condeferrable, condeferred, pg_get_constraintdef(oid) from pg_constraint where conname='fk';
--> {"condeferrable":false,"condeferred":false,"pg_get_constraintdef":"FOREIGN KEY (n) REFERENCES p(id)"}

begin; set constraints fk deferred; rollback;
--> ERROR 42809: constraint "fk" is not deferrable

alter table c alter constraint nope deferrable;
--> ERROR 42704: constraint "nope" of relation "c" does not exist

alter table c add constraint ck check (m > 0);
--> no rows

alter table c alter constraint ck deferrable;
--> ERROR 42809: constraint "ck" of relation "c" is not a foreign key constraint

alter table c alter constraint fk initially deferred;
--> no rows

select condeferrable, condeferred from pg_constraint where conname='fk';
--> {"condeferrable":true,"condeferred":true}

alter table c alter constraint fk not deferrable initially deferred;
--> ERROR 42601: constraint declared INITIALLY DEFERRED must be DEFERRABLE
--> AT 50

create table p2(a int, b int, primary key (a,b));
--> no rows

insert into p2 values (1,1);
--> no rows

create table c2(x int, y int, constraint f2 foreign key (x,y) references p2 match full);
--> no rows

select pg_get_constraintdef(oid) from pg_constraint where conname='f2';
--> {"pg_get_constraintdef":"FOREIGN KEY (x, y) REFERENCES p2(a, b) MATCH FULL"}

select confmatchtype from pg_constraint where conname='f2';
--> {"confmatchtype":"f"}

insert into c2 values (1,1),(null,null);
--> no rows

insert into c2 values (1,null);
--> ERROR 23503: insert or update on table "c2" violates foreign key constraint "f2"
--> DETAIL: MATCH FULL does not allow mixing of null and nonnull key values.

insert into c2 values (null,7);
--> ERROR 23503: insert or update on table "c2" violates foreign key constraint "f2"
--> DETAIL: MATCH FULL does not allow mixing of null and nonnull key values.

insert into c2 values (2,2);
--> ERROR 23503: insert or update on table "c2" violates foreign key constraint "f2"
--> DETAIL: Key (x, y)=(2, 2) is not present in table "p2".

update c2 set x = null where x = 1;
--> ERROR 23503: insert or update on table "c2" violates foreign key constraint "f2"
--> DETAIL: MATCH FULL does not allow mixing of null and nonnull key values.

alter table c2 drop constraint f2;
--> no rows

insert into c2 values (1, null);
--> no rows

alter table c2 add constraint f2 foreign key (x,y) references p2 match full;
--> ERROR 23503: insert or update on table "c2" violates foreign key constraint "f2"
--> DETAIL: MATCH FULL does not allow mixing of null and nonnull key values.

delete from c2 where y is null and x is not null;
--> no rows

alter table c2 add constraint f2 foreign key (x,y) references p2 match full on delete set null;
--> no rows

delete from p2;
--> no rows

select * from c2;
--> {"x":null,"y":null}
--> {"x":null,"y":null}

create table c2b(x int references p match simple, y int references p(k) match full);
--> no rows

select pg_get_constraintdef(oid) from pg_constraint where conrelid='c2b'::regclass order by 1;
--> {"pg_get_constraintdef":"FOREIGN KEY (x) REFERENCES p(id)"}
--> {"pg_get_constraintdef":"FOREIGN KEY (y) REFERENCES p(k) MATCH FULL"}

create table c2c(x int references p match partial);
--> ERROR 0A000: MATCH PARTIAL not yet implemented
--> AT 37

create table t5(a int, b int generated always as (a*2) stored);
--> no rows

insert into t5 values (3);
--> no rows

alter table t5 alter b drop expression;
--> no rows

insert into t5 values (4, 5);
--> no rows

select * from t5;
--> {"a":3,"b":6}
--> {"a":4,"b":5}

alter table t5 alter b drop expression;
--> ERROR 55000: column "b" of relation "t5" is not a stored generated column

alter table t5 alter b drop expression if exists;
--> no rows

alter table t5 alter nope drop expression;
--> ERROR 42703: column "nope" of relation "t5" does not exist

create domain dt as text collate "C" check (value <> '');
--> no rows

create type cc as (x int, y text collate "C");
--> no rows

alter type cc add attribute z text collate "C";
--> no rows

create domain di as int collate "C";
--> ERROR 42804: collations are not supported by type integer

drop cast if exists (text as int);
--> no rows

drop cast (text as int);
--> ERROR 42704: cast from type text to type integer does not exist

create recursive view rv (n) as values (1) union all select n+1 from rv where n < 3;
--> no rows

select * from rv;
--> {"n":1}
--> {"n":2}
--> {"n":3}

select pg_get_viewdef('rv');
--> {"pg_get_viewdef":" WITH RECURSIVE rv(n) AS (\n         VALUES (1)\n        UNION ALL\n         SELECT (rv_1.n + 1)\n           FROM rv rv_1\n          WHERE (rv_1.n < 3)\n        )\n SELECT rv.n\n   FROM rv;"}

create or replace recursive view public.rv (n) as values (1) union all select n+1 from rv where n < 4;
--> no rows

select * from rv;
--> {"n":1}
--> {"n":2}
--> {"n":3}
--> {"n":4}

create type st as (a smallint, b smallint);
--> no rows

create table h(v st, vs st[]);
--> no rows

insert into h values ((1,2)::st, array[(3,4)::st, null]), (null, null);
--> no rows

alter type st add attribute c text;
--> no rows

select * from h;
--> {"v":"(1,2,)","vs":"{\"(3,4,)\",NULL}"}
--> {"v":null,"vs":null}

select (v).c, (v).a from h;
--> {"c":null,"a":1}
--> {"c":null,"a":null}

alter type st add attribute c text;
--> ERROR 42701: column "c" of relation "st" already exists

alter type st drop attribute b;
--> no rows

select * from h;
--> {"v":"(1,)","vs":"{\"(3,)\",NULL}"}
--> {"v":null,"vs":null}

alter type st rename attribute a to aa;
--> no rows

select (v).aa from h;
--> {"aa":1}
--> {"aa":null}

create domain dd as int constraint pos check (value > 0);
--> no rows

comment on constraint pos on domain dd is 'positive';
--> no rows

select obj_description(oid, 'pg_constraint') from pg_constraint where conname='pos';
--> {"obj_description":"positive"}

comment on constraint nope on domain dd is 'positive';
--> ERROR 42704: constraint "nope" for domain dd does not exist

comment on constraint pos on domain nope is 'positive';
--> ERROR 42704: type "nope" does not exist

comment on constraint pos on domain dd is null;
--> no rows

alter domain dd rename constraint pos to posi;
--> no rows

create schema app create table x (i int primary key) create view v as select * from x create index xi on x(i) create sequence sq grant select on x to anon;
--> no rows

select * from app.v;
--> no rows

select relname, relkind from pg_class where relnamespace='app'::regnamespace order by 1;
--> {"relname":"sq","relkind":"S"}
--> {"relname":"v","relkind":"v"}
--> {"relname":"x","relkind":"r"}
--> {"relname":"x_pkey","relkind":"i"}
--> {"relname":"xi","relkind":"i"}

create schema app2 create table other.x(i int);
--> ERROR 42P15: CREATE specifies a schema (other) different from the one being created (app2)

create schema if not exists app2 create table x(i int);
--> ERROR 0A000: CREATE SCHEMA IF NOT EXISTS cannot include schema elements
--> AT 34

create schema authorization postgres;
--> no rows

create schema app3 create view v2 as select * from x2 create table x2(i int);
--> no rows

create table base(a int primary key, b text);
--> no rows

create view bv as select * from base;
--> no rows

create function iof() returns trigger language plpgsql as $$ begin insert into base values (new.*); return new; end $$;
--> no rows

create trigger io instead of insert on bv for each row execute function iof();
--> no rows

insert into bv values (1,'x') on conflict do nothing;
--> no rows

insert into bv values (1,'x') on conflict do nothing;
--> ERROR 23505: duplicate key value violates unique constraint "base_pkey"
--> DETAIL: Key (a)=(1) already exists.

insert into bv values (2,'x') on conflict (a) do nothing;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

select * from base;
--> {"a":1,"b":"x"}

alter table base set access method heap;
--> no rows

alter table base alter a drop identity if exists;
--> no rows

create trigger bt before insert on base for each row execute function iof();
--> no rows

alter trigger bt on base depends on extension plpgsql;
--> no rows

drop index concurrently if exists i1, i2;
--> ERROR 0A000: DROP INDEX CONCURRENTLY does not support dropping multiple objects

alter index base_pkey set schema public;
--> ERROR 42601: syntax error at or near "schema"
--> AT 27

select relhasindex from pg_class where relname='base';
--> {"relhasindex":true}

select hasindexes from pg_tables where tablename = 'base';
--> {"hasindexes":true}

set schema 'app'; select current_schemas(false) as s;
--> {"s":"{app}"}

set names 'utf8'; select current_setting('client_encoding') as e;
--> {"e":"UTF8"}

create table nulls (a int not null null);
--> ERROR 42601: conflicting NULL/NOT NULL declarations for column "a" of table "nulls"
--> AT 36

create table keys (a int, b int, constraint twice unique (a) deferrable not deferrable);
--> ERROR 42601: conflicting constraint properties
--> AT 73

create table keys (a int, b int, constraint wrong unique (a) not deferrable initially deferred);
--> ERROR 42601: constraint declared INITIALLY DEFERRED must be DEFERRABLE
--> AT 77

create table org (id int primary key);
--> no rows

create table item (id int, org int references org) partition by range (id);
--> no rows

create table item1 partition of item for values from (0) to (10);
--> no rows

alter table item alter constraint item_org_fkey deferrable initially deferred;
--> no rows

select conrelid::regclass::text as t, condeferrable, condeferred from pg_constraint where conname = 'item_org_fkey' order by 1;
--> {"t":"item","condeferrable":true,"condeferred":true}
--> {"t":"item1","condeferrable":true,"condeferred":true}

begin; insert into item values (1, 5); insert into org values (5); commit;
--> no rows

insert into item values (2, 6);
--> ERROR 23503: insert or update on table "item1" violates foreign key constraint "item_org_fkey"
--> DETAIL: Key (org)=(6) is not present in table "org".

create table doc (id int primary key, title text, folded text generated always as (lower(title)) stored, n int default 1);
--> no rows

create unique index on doc (folded);
--> no rows

create table note (d text references doc (folded));
--> no rows

insert into doc (id, title) values (1, 'One'), (2, 'Two');
--> no rows

insert into note values ('one');
--> no rows

alter table doc alter folded drop expression;
--> no rows

insert into doc values (3, 'Three', 'three', 3);
--> no rows

insert into doc values (4, 'Four', 'one', 3);
--> ERROR 23505: duplicate key value violates unique constraint "doc_folded_idx"
--> DETAIL: Key (folded)=(one) already exists.

insert into note values ('nope');
--> ERROR 23503: insert or update on table "note" violates foreign key constraint "note_d_fkey"
--> DETAIL: Key (d)=(nope) is not present in table "doc".

delete from doc where id = 1;
--> ERROR 23503: update or delete on table "doc" violates foreign key constraint "note_d_fkey" on table "note"
--> DETAIL: Key (folded)=(one) is still referenced from table "note".

update doc set folded = upper(folded) where id > 1;
--> no rows

select * from doc order by id;
--> {"id":1,"title":"One","folded":"one","n":1}
--> {"id":2,"title":"Two","folded":"TWO","n":1}
--> {"id":3,"title":"Three","folded":"THREE","n":3}
