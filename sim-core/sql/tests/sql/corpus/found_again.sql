-- What only tables can have, asked of views, materialized views and sequences, and triggers that are not there.

create table t (id int primary key);
--> no rows

create view v as select 1 as a;
--> no rows

create materialized view mv as select 1 as a;
--> no rows

create sequence s;
--> no rows

create function f() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create trigger a before insert on t for each row execute function f();
--> no rows

alter table t disable trigger nope;
--> ERROR 42704: trigger "nope" for table "t" does not exist

alter table t enable trigger nope;
--> ERROR 42704: trigger "nope" for table "t" does not exist

alter table t enable always trigger nope;
--> ERROR 42704: trigger "nope" for table "t" does not exist

alter table t enable replica trigger nope;
--> ERROR 42704: trigger "nope" for table "t" does not exist

alter table t disable trigger a;
--> no rows

alter table t enable always trigger a;
--> no rows

alter table t enable trigger all;
--> no rows

alter table t disable trigger user;
--> no rows

alter table mv disable trigger nope;
--> ERROR 42809: ALTER action DISABLE TRIGGER cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table v disable trigger nope;
--> ERROR 42809: ALTER action DISABLE TRIGGER cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table v enable row level security;
--> ERROR 42809: ALTER action ENABLE ROW SECURITY cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table v disable row level security;
--> ERROR 42809: ALTER action DISABLE ROW SECURITY cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table v force row level security;
--> ERROR 42809: ALTER action FORCE ROW SECURITY cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table v no force row level security;
--> ERROR 42809: ALTER action NO FORCE ROW SECURITY cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table mv enable row level security;
--> ERROR 42809: ALTER action ENABLE ROW SECURITY cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table mv disable row level security;
--> ERROR 42809: ALTER action DISABLE ROW SECURITY cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table mv force row level security;
--> ERROR 42809: ALTER action FORCE ROW SECURITY cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table mv no force row level security;
--> ERROR 42809: ALTER action NO FORCE ROW SECURITY cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

truncate v;
--> ERROR 42809: "v" is not a table

truncate mv;
--> ERROR 42809: "mv" is not a table

truncate table t, mv;
--> ERROR 42809: "mv" is not a table

alter table mv add column z int;
--> ERROR 42809: ALTER action ADD COLUMN cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table v add column z int;
--> ERROR 42809: ALTER action ADD COLUMN cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table mv add constraint c check (a > 0);
--> ERROR 42809: ALTER action ADD CONSTRAINT cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table v add constraint c check (a > 0);
--> ERROR 42809: ALTER action ADD CONSTRAINT cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table mv add primary key (a);
--> ERROR 42809: ALTER action ADD CONSTRAINT cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

drop view mv;
--> ERROR 42809: "mv" is not a view
--> HINT: Use DROP MATERIALIZED VIEW to remove a materialized view.

drop table mv;
--> ERROR 42809: "mv" is not a table
--> HINT: Use DROP MATERIALIZED VIEW to remove a materialized view.

drop materialized view v;
--> ERROR 42809: "v" is not a materialized view
--> HINT: Use DROP VIEW to remove a view.

alter table v drop column a;
--> ERROR 42809: ALTER action DROP COLUMN cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table mv drop column a;
--> ERROR 42809: ALTER action DROP COLUMN cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table mv drop column if exists zz;
--> ERROR 42809: ALTER action DROP COLUMN cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table v drop constraint c;
--> ERROR 42809: ALTER action DROP CONSTRAINT cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table mv drop constraint if exists c;
--> ERROR 42809: ALTER action DROP CONSTRAINT cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table v validate constraint c;
--> ERROR 42809: ALTER action VALIDATE CONSTRAINT cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table v alter column a set not null;
--> ERROR 42809: ALTER action ALTER COLUMN ... SET NOT NULL cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table mv alter a set not null;
--> ERROR 42809: ALTER action ALTER COLUMN ... SET NOT NULL cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table mv alter a drop not null;
--> ERROR 42809: ALTER action ALTER COLUMN ... DROP NOT NULL cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table mv alter a type text;
--> ERROR 42809: ALTER action ALTER COLUMN ... SET DATA TYPE cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table v alter column a set data type text;
--> ERROR 42809: ALTER action ALTER COLUMN ... SET DATA TYPE cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table v enable always trigger nope;
--> ERROR 42809: ALTER action ENABLE ALWAYS TRIGGER cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table v enable replica trigger all;
--> ERROR 42601: syntax error at or near "all"
--> AT 38

alter table v enable trigger user;
--> ERROR 42809: ALTER action ENABLE TRIGGER USER cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table mv enable trigger nope;
--> ERROR 42809: ALTER action ENABLE TRIGGER cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table v add unique (a);
--> ERROR 42809: ALTER action ADD CONSTRAINT cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table v add column if not exists a int;
--> ERROR 42809: ALTER action ADD COLUMN cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table mv add q int;
--> ERROR 42809: ALTER action ADD COLUMN cannot be performed on relation "mv"
--> DETAIL: This operation is not supported for materialized views.

alter table s enable row level security;
--> ERROR 42809: ALTER action ENABLE ROW SECURITY cannot be performed on relation "s"
--> DETAIL: This operation is not supported for sequences.

alter table s add column q int;
--> ERROR 42809: ALTER action ADD COLUMN cannot be performed on relation "s"
--> DETAIL: This operation is not supported for sequences.

alter table s disable trigger all;
--> ERROR 42809: ALTER action DISABLE TRIGGER ALL cannot be performed on relation "s"
--> DETAIL: This operation is not supported for sequences.

truncate s;
--> ERROR 42809: "s" is not a table

alter table t disable trigger "user";
--> ERROR 42704: trigger "user" for table "t" does not exist

create trigger b before insert on mv for each row execute function f();
--> ERROR 42809: relation "mv" cannot have triggers
--> DETAIL: This operation is not supported for materialized views.

create trigger b after insert on mv for each statement execute function f();
--> ERROR 42809: relation "mv" cannot have triggers
--> DETAIL: This operation is not supported for materialized views.

create trigger b before insert on s for each row execute function f();
--> ERROR 42809: relation "s" cannot have triggers
--> DETAIL: This operation is not supported for sequences.

select attname from pg_attribute where attrelid = 'mv'::regclass and attnum > 0 and not attisdropped;
--> {"attname":"a"}

select tgname, tgenabled from pg_trigger where tgrelid = 't'::regclass order by 1;
--> {"tgname":"a","tgenabled":"D"}
