-- Triggers, columns and options that contradict themselves.

create table t (a int, b int);
--> no rows

create view v as select a, b from t;
--> no rows

create function tf() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create trigger x before truncate on t for each row execute function tf();
--> ERROR 0A000: TRUNCATE FOR EACH ROW triggers are not supported

create trigger x after truncate or insert on t for each row execute function tf();
--> ERROR 0A000: TRUNCATE FOR EACH ROW triggers are not supported

create constraint trigger x before insert on t for each row execute function tf();
--> ERROR 42601: syntax error at or near "before"
--> AT 29

create constraint trigger x after insert on t for each statement execute function tf();
--> ERROR 42601: syntax error at or near "statement"
--> AT 56

create constraint trigger x after insert on t execute function tf();
--> ERROR 42601: syntax error at or near "execute"
--> AT 47

create constraint trigger x instead of insert on v for each row execute function tf();
--> ERROR 42601: syntax error at or near "instead"
--> AT 29

create constraint trigger x after truncate on t for each row execute function tf();
--> ERROR 0A000: TRUNCATE FOR EACH ROW triggers are not supported

create or replace constraint trigger x after insert on t for each row execute function tf();
--> ERROR 0A000: CREATE OR REPLACE CONSTRAINT TRIGGER is not supported

create trigger x after insert on t deferrable for each row execute function tf();
--> ERROR 42601: syntax error at or near "deferrable"
--> AT 36

create trigger x after insert on t initially deferred for each row execute function tf();
--> ERROR 42601: syntax error at or near "initially"
--> AT 36

create trigger x after insert on t not deferrable for each row execute function tf();
--> ERROR 42601: syntax error at or near "not"
--> AT 36

create trigger x before insert or insert on t for each row execute function tf();
--> ERROR 42601: duplicate trigger events specified at or near "insert"
--> AT 35

create trigger x before update of a or update on t for each row execute function tf();
--> ERROR 42601: duplicate trigger events specified at or near "on"
--> AT 47

create trigger x before update of a, a on t for each row execute function tf();
--> ERROR 42701: column "a" specified more than once

create trigger x instead of update of a on v for each row execute function tf();
--> ERROR 0A000: INSTEAD OF triggers cannot have column lists

create trigger x instead of insert on v for each row when (new.a > 1) execute function tf();
--> ERROR 0A000: INSTEAD OF triggers cannot have WHEN conditions

create trigger x instead of insert on v for each statement execute function tf();
--> ERROR 0A000: INSTEAD OF triggers must be FOR EACH ROW

create trigger x instead of truncate on v for each row execute function tf();
--> ERROR 42809: "v" is a view
--> DETAIL: Views cannot have TRUNCATE triggers.

create trigger x instead of insert on t for each row execute function tf();
--> ERROR 42809: "t" is a table
--> DETAIL: Tables cannot have INSTEAD OF triggers.

create trigger x before truncate on v for each statement execute function tf();
--> ERROR 42809: "v" is a view
--> DETAIL: Views cannot have TRUNCATE triggers.

create trigger x after insert on v for each row execute function tf();
--> ERROR 42809: "v" is a view
--> DETAIL: Views cannot have row-level BEFORE or AFTER triggers.

create trigger x before insert on v for each row execute function tf();
--> ERROR 42809: "v" is a view
--> DETAIL: Views cannot have row-level BEFORE or AFTER triggers.

create trigger x after insert on v for each statement execute function tf();
--> no rows

create constraint trigger x after insert on v for each row execute function tf();
--> ERROR 42809: "v" is a view
--> DETAIL: Views cannot have row-level BEFORE or AFTER triggers.

create trigger y before insert on t for each statement when (new.a > 1) execute function tf();
--> ERROR 42P17: statement trigger's WHEN condition cannot reference column values
--> AT 62

create trigger y before insert on t for each row when (old.a > 1) execute function tf();
--> ERROR 42P17: INSERT trigger's WHEN condition cannot reference OLD values
--> AT 56

create trigger y before delete on t for each row when (new.a > 1) execute function tf();
--> ERROR 42P17: DELETE trigger's WHEN condition cannot reference NEW values
--> AT 56

create trigger y before update of nothing on t for each row execute function tf();
--> ERROR 42703: column "nothing" of relation "t" does not exist

create trigger y after insert on t referencing new table as n for each row when (new.a > 0) execute function tf();
--> no rows

create trigger y before insert on t referencing new table as n for each statement execute function tf();
--> ERROR 42P17: transition table name can only be specified for an AFTER trigger

create trigger y after insert on t referencing old table as n for each statement execute function tf();
--> ERROR 42P17: OLD TABLE can only be specified for a DELETE or UPDATE trigger

create trigger y after insert or update on t referencing new table as n for each statement execute function tf();
--> ERROR 0A000: transition tables cannot be specified for triggers with more than one event

create trigger y after update of a on t referencing new table as n for each statement execute function tf();
--> ERROR 0A000: transition tables cannot be specified for triggers with column lists

create trigger y after truncate on t referencing old table as n for each statement execute function tf();
--> ERROR 0A000: TRUNCATE triggers with transition tables are not supported

create trigger y after update on t referencing new table as n old table as n for each statement execute function tf();
--> ERROR 42P17: OLD TABLE name and NEW TABLE name cannot be the same

create constraint trigger y after update on t referencing new table as n for each row execute function tf();
--> ERROR 42601: syntax error at or near "referencing"
--> AT 47

create table d1 (a int default 1 not null default 2);
--> ERROR 42601: multiple default values specified for column "a" of table "d1"
--> AT 43

create table d2 (a int default 1 default 2);
--> ERROR 42601: multiple default values specified for column "a" of table "d2"
--> AT 34

create table d3 (a int null generated always as identity);
--> ERROR 42601: conflicting NULL/NOT NULL declarations for column "a" of table "d3"
--> AT 29

create table d4 (a int generated always as identity null);
--> ERROR 42601: conflicting NULL/NOT NULL declarations for column "a" of table "d4"
--> AT 53

create table d5 (a int default 1 generated always as identity);
--> ERROR 42601: both default and identity specified for column "a" of table "d5"
--> AT 34

create table d6 (a int generated always as identity generated by default as identity);
--> ERROR 42601: multiple identity specifications for column "a" of table "d6"
--> AT 53

create table d7 (a int generated always as (1) stored generated always as (2) stored);
--> ERROR 42601: multiple generation clauses specified for column "a" of table "d7"
--> AT 55

create table d8 (a int default 3 generated always as (2) stored);
--> ERROR 42601: both default and generation expression specified for column "a" of table "d8"
--> AT 34

create table d11 (a int not null not null);
--> no rows

create table d12 (a int null null);
--> no rows

create table d13 (a int not null null);
--> ERROR 42601: conflicting NULL/NOT NULL declarations for column "a" of table "d13"
--> AT 34

create table d14 (a int unique unique);
--> no rows

create table d15 (a int collate "C");
--> ERROR 42804: collations are not supported by type integer
--> AT 25

create table d16 (a text collate "C" collate "C");
--> ERROR 42601: multiple COLLATE clauses not allowed
--> AT 38

create table d17 (a int primary key constraint u1 unique deferrable initially deferred);
--> no rows

select conname, contype, condeferrable from pg_constraint where conrelid = 'd17'::regclass order by conname;
--> {"conname":"d17_pkey","contype":"p","condeferrable":false}
--> {"conname":"u1","contype":"u","condeferrable":true}

create table d18 (a int compression pglz);
--> ERROR 0A000: column data type integer does not support compression

create table d19 (a text compression pglz);
--> no rows

create table d20 (a text compression nothing);
--> ERROR 22023: invalid compression method "nothing"

create table d21 (a int check (a > 1) not valid);
--> ERROR 42601: syntax error at or near "valid"
--> AT 43

create table d22 (a serial default 4);
--> ERROR 42601: multiple default values specified for column "a" of table "d22"

create table d23 (a serial generated always as identity);
--> ERROR 42601: both default and identity specified for column "a" of table "d23"

create table d25 (a int unique initially deferred not deferrable);
--> ERROR 42601: constraint declared INITIALLY DEFERRED must be DEFERRABLE
--> AT 51

create function o1() returns int language sql immutable stable as 'select 1';
--> ERROR 42601: conflicting or redundant options
--> AT 57

create function o1() returns int language sql cost 1 cost 2 as 'select 1';
--> ERROR 42601: conflicting or redundant options
--> AT 54

create function o1() returns int language sql strict called on null input as 'select 1';
--> ERROR 42601: conflicting or redundant options
--> AT 54

create function o1() returns int language sql language sql as 'select 1';
--> ERROR 42601: conflicting or redundant options
--> AT 47

create function o1() returns int language sql as 'select 1' as 'select 2';
--> ERROR 42601: conflicting or redundant options
--> AT 61

create function o1() returns int language sql security definer security invoker as 'select 1';
--> ERROR 42601: conflicting or redundant options
--> AT 64

create function o1() returns int language sql parallel safe parallel unsafe as 'select 1';
--> ERROR 42601: conflicting or redundant options
--> AT 61

create function o1() returns setof int language sql rows 1 rows 2 as 'select 1';
--> ERROR 42601: conflicting or redundant options
--> AT 60

create sequence s increment 1 increment 2;
--> ERROR 42601: conflicting or redundant options
--> AT 31

create sequence s cache 1 cache 2;
--> ERROR 42601: conflicting or redundant options
--> AT 27

create sequence s start 1 start with 2;
--> ERROR 42601: conflicting or redundant options
--> AT 27

create sequence s minvalue 1 no minvalue;
--> ERROR 42601: conflicting or redundant options
--> AT 30

create sequence s maxvalue 10 maxvalue 20;
--> ERROR 42601: conflicting or redundant options
--> AT 31

create sequence s cycle no cycle;
--> ERROR 42601: conflicting or redundant options
--> AT 25

create sequence s as int as bigint;
--> ERROR 42601: conflicting or redundant options
--> AT 26

create sequence s owned by none owned by t.a;
--> ERROR 42601: conflicting or redundant options
--> AT 33

create sequence s no cycle;
--> no rows

alter sequence s increment 1 increment 2;
--> ERROR 42601: conflicting or redundant options
--> AT 30

alter sequence s restart restart with 3;
--> ERROR 42601: conflicting or redundant options
--> AT 26

create table d29 (a int generated always as identity (increment 1 increment 2));
--> ERROR 42601: conflicting or redundant options
--> AT 67

create function q(out b int) returns null on null input language sql as 'select 1';
--> no rows

select q();
--> {"q":1}

create function q2(a int, out b int) returns null on null input language sql as 'select a';
--> no rows

select q2(null) is null as null, q2(4);
--> {"null":true,"q2":4}

select proname, prokind from pg_proc where proname = 'q';
--> {"proname":"q","prokind":"f"}

create function tz() returns text language sql set timezone to 'UTC' set datestyle to 'ISO, DMY' set extra_float_digits to 1 as 'select 1::text';
--> no rows

select proconfig from pg_proc where proname = 'tz';
--> {"proconfig":["TimeZone=UTC","DateStyle=ISO, DMY","extra_float_digits=1"]}

create table dn (a varchar(3) default null, b numeric(3,1) default null, c char(2) default null, d text default null, e int default null, f timestamp(2) default null, g varchar default null, h numeric default null);
--> no rows

select column_name, column_default from information_schema.columns where table_name = 'dn' order by ordinal_position;
--> {"column_name":"a","column_default":"NULL::character varying"}
--> {"column_name":"b","column_default":"NULL::numeric"}
--> {"column_name":"c","column_default":"NULL::bpchar"}
--> {"column_name":"d","column_default":null}
--> {"column_name":"e","column_default":null}
--> {"column_name":"f","column_default":"NULL::timestamp without time zone"}
--> {"column_name":"g","column_default":null}
--> {"column_name":"h","column_default":null}
