-- Enums, domains, composite types.

create type mood as enum ('sad', 'ok', 'happy');
--> no rows

create table diary (id int primary key, feeling mood not null default 'ok');
--> no rows

insert into diary values (1, 'happy'), (2, default), (3, 'sad') returning id, feeling;
--> {"id":1,"feeling":"happy"}
--> {"id":2,"feeling":"ok"}
--> {"id":3,"feeling":"sad"}

insert into diary values (4, 'angry');
--> ERROR 22P02: invalid input value for enum mood: "angry"
--> AT 30

select id from diary order by feeling;
--> {"id":3}
--> {"id":2}
--> {"id":1}

select id from diary where feeling > 'sad' order by id;
--> {"id":1}
--> {"id":2}

select max(feeling) as a, min(feeling) as b from diary;
--> {"a":"happy","b":"sad"}

alter type mood add value 'angry';
--> no rows

insert into diary values (4, 'angry') returning feeling;
--> {"feeling":"angry"}

alter type mood add value 'meh' before 'ok';
--> no rows

alter type mood add value if not exists 'meh';
--> no rows

alter type mood add value 'meh';
--> ERROR 42710: enum label "meh" already exists

select enumlabel from pg_enum e join pg_type t on t.oid = e.enumtypid where t.typname = 'mood' order by enumsortorder;
--> {"enumlabel":"sad"}
--> {"enumlabel":"meh"}
--> {"enumlabel":"ok"}
--> {"enumlabel":"happy"}
--> {"enumlabel":"angry"}

alter type mood rename value 'ok' to 'fine';
--> no rows

select feeling from diary where id = 2;
--> {"feeling":"fine"}

select enum_range(null::mood) as a, enum_first(null::mood) as b, 'sad'::mood < 'happy'::mood as c;
--> {"a":"{sad,meh,fine,happy,angry}","b":"sad","c":true}

select 'x'::mood;
--> ERROR 22P02: invalid input value for enum mood: "x"
--> AT 8

select 'happy'::mood::text || '!' as a, array['sad', 'happy']::mood[] as b;
--> {"a":"happy!","b":"{sad,happy}"}

select feeling || '' as a, feeling::text like 'h%' as b from diary order by id limit 1;
--> {"a":"happy","b":true}

select feeling = 'unknown' from diary;
--> ERROR 22P02: invalid input value for enum mood: "unknown"
--> AT 18

create type mood as enum ('x');
--> ERROR 42710: type "mood" already exists

drop type mood;
--> ERROR 2BP01: cannot drop type mood because other objects depend on it
--> DETAIL: column feeling of table diary depends on type mood
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type mood cascade;
--> no rows

select * from diary order by id;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}

drop type if exists mood;
--> no rows

drop type mood;
--> ERROR 42704: type "mood" does not exist

create domain positive as int check (value > 0);
--> no rows

create table stock (n positive, e text);
--> no rows

insert into stock values (5, 'x') returning n + 1 as m;
--> {"m":6}

insert into stock values (0, 'x');
--> ERROR 23514: value for domain positive violates check constraint "positive_check"

select 0::positive;
--> ERROR 23514: value for domain positive violates check constraint "positive_check"

create domain email_address as text not null check (value ~ '^.+@.+$');
--> no rows

create table contact (id int, address email_address);
--> no rows

insert into contact values (1, 'a@b') returning address;
--> {"address":"a@b"}

insert into contact values (1, 'nope');
--> ERROR 23514: value for domain email_address violates check constraint "email_address_check"

insert into contact values (1, null);
--> ERROR 23502: domain email_address does not allow null values

create type address as (street text, city text, zip int);
--> no rows

create table place (id int, at address);
--> no rows

insert into place values (1, row('High St', 'Town', 123)) returning id, (at).city as city;
--> {"id":1,"city":"Town"}

select (at).street as street, at from place;
--> {"street":"High St","at":"(\"High St\",Town,123)"}

update place set at.zip = 9 returning (at).zip as zip;
--> {"zip":9}

select typname, typtype from pg_type where typname in ('positive', 'email_address', 'address') order by typname;
--> {"typname":"address","typtype":"c"}
--> {"typname":"email_address","typtype":"d"}
--> {"typname":"positive","typtype":"d"}

create type status as enum ();
--> no rows

create table uses_missing (a no_such_type);
--> ERROR 42704: type "no_such_type" does not exist
--> AT 30

do $$ begin create type level as enum ('low', 'high'); exception when duplicate_object then null; end $$;
--> no rows

create table ranged (id int, during tstzrange);
--> no rows

select int4range(1, 5) @> 3 as a, '[1,5)'::int4range as b;
--> {"a":true,"b":"[1,5)"}

create type t_level as enum ('low', 'high');
--> no rows

alter table diary add column lv t_level;
--> no rows

alter table diary alter column lv set default 'low';
--> no rows

insert into diary (id) values (9) returning lv;
--> {"lv":"low"}

alter table contact alter column address type text;
--> no rows

select data_type, udt_name from information_schema.columns where table_name = 'diary' order by ordinal_position;
--> {"data_type":"integer","udt_name":"int4"}
--> {"data_type":"USER-DEFINED","udt_name":"t_level"}
