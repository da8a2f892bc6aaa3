select '08:00:2b:01:02:03:04:05'::macaddr8, '08002b:010203'::macaddr8, macaddr8_set7bit('08:00:2b:01:02:03:04:05'), '08:00:2b:01:02:03'::macaddr::macaddr8, trunc('08:00:2b:01:02:03:04:05'::macaddr8);
--> {"macaddr8":"08:00:2b:ff:fe:01:02:03","macaddr8_set7bit":"0a:00:2b:01:02:03:04:05","trunc":"08:00:2b:00:00:00:00:00"}

select '08002b0102030405'::macaddr8::macaddr;
--> ERROR 22003: macaddr8 data out of range to convert to macaddr
--> HINT: Only addresses that have FF and FE as values in the 4th and 5th bytes from the left, for example xx:xx:xx:ff:fe:xx:xx:xx, are eligible to be converted from macaddr8 to macaddr.

select '08-00-2b-ff-fe-01-02-03'::macaddr8::macaddr, '0800.2bff.fe01.0203'::macaddr8, ' 08002bfffe010203 '::macaddr8;
--> {"macaddr":"08:00:2b:01:02:03","macaddr8":"08:00:2b:ff:fe:01:02:03"}

select '08:00-2b:01:02:03'::macaddr8;
--> ERROR 22P02: invalid input syntax for type macaddr8: "08:00-2b:01:02:03"
--> AT 8

select 'zz'::macaddr8;
--> ERROR 22P02: invalid input syntax for type macaddr8: "zz"
--> AT 8

select lpad(to_hex(255), 16, '0')::macaddr8, to_json('08002b0102030405'::macaddr8), '{08002b0102030405}'::macaddr8[];
--> {"lpad":"00:00:00:00:00:00:00:ff","to_json":"08:00:2b:01:02:03:04:05","macaddr8":"{08:00:2b:01:02:03:04:05}"}

select '08002b0102030405'::macaddr8 < '08002b0102030406', ~'08002b0102030405'::macaddr8, '08002b0102030405'::macaddr8 & 'ff00000000000000', '08002b0102030405'::macaddr8 | 'ff00000000000000';
--> {"?column?":"ff:00:2b:01:02:03:04:05"}

create domain ident as macaddr8;
--> no rows

create table cards (id ident primary key, m macaddr8 unique, l macaddr8[]);
--> no rows

insert into cards values ('08002b0102030405', '08:00:2b:01:02:03', '{08:00:2b:01:02:03}');
--> no rows

select * from cards order by id;
--> {"id":"08:00:2b:01:02:03:04:05","m":"08:00:2b:ff:fe:01:02:03","l":"{08:00:2b:ff:fe:01:02:03}"}

select format_type(774, -1), typlen, typcategory from pg_type where typname = 'macaddr8';
--> {"format_type":"macaddr8","typlen":8,"typcategory":"U"}

set default_with_oids = false;
--> no rows

show default_with_oids;
--> {"default_with_oids":"off"}

set default_with_oids = true;
--> ERROR 0A000: tables declared WITH OIDS are not supported

set default_with_oids = maybe;
--> ERROR 22023: parameter "default_with_oids" requires a Boolean value

reset default_with_oids;
--> no rows

drop operator if exists public.=== (text,text);
--> no rows

drop operator if exists === (int, int), public.<?> (none, text) cascade;
--> no rows

drop operator === (int,int);
--> ERROR 42883: operator does not exist: integer === integer

drop operator === (none,int);
--> ERROR 42883: operator does not exist: === integer

drop operator if exists nope.=== (int,text);
--> no rows

drop operator if exists === (nope,text);
--> no rows

drop collation if exists public.c1;
--> no rows

drop collation if exists c1, c2 cascade;
--> no rows

drop collation c1;
--> ERROR 42704: collation "c1" for encoding "UTF8" does not exist

drop collation if exists nope.c1;
--> no rows

drop operator class if exists nope using btree;
--> no rows

drop operator family if exists nope using btree;
--> no rows

drop operator class nope using gin;
--> ERROR 42704: operator class "nope" does not exist for access method "gin"

drop conversion if exists nope;
--> no rows

drop conversion nope;
--> ERROR 42704: conversion "nope" does not exist

drop text search dictionary if exists nope;
--> no rows

drop text search parser if exists nope;
--> no rows

drop text search template if exists public.nope;
--> no rows

drop text search dictionary nope;
--> ERROR 42704: text search dictionary "nope" does not exist

drop language if exists nope;
--> no rows

drop language nope;
--> ERROR 42704: language "nope" does not exist

drop access method if exists nope;
--> no rows

drop transform if exists for int language sql;
--> no rows

drop transform for int language sql;
--> ERROR 42704: transform for type integer language "sql" does not exist

drop subscription if exists nope;
--> no rows

drop tablespace if exists nope;
--> no rows

drop cast if exists (nope as int);
--> no rows

drop cast if exists (int as nope);
--> no rows

drop cast (nope as int);
--> ERROR 42704: type "nope" does not exist
