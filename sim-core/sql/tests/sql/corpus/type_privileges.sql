-- Privileges and owners of types.

create type mood as enum ('a','b');
--> no rows

create domain pos as int check (value > 0);
--> no rows

create type pair as (x int, y int);
--> no rows

select typname, typacl from pg_type where typname in ('mood','pos','pair') order by 1;
--> {"typname":"mood","typacl":null}
--> {"typname":"pair","typacl":null}
--> {"typname":"pos","typacl":null}

grant usage on type mood to anon;
--> no rows

select typname, typacl from pg_type where typname = 'mood';
--> {"typname":"mood","typacl":"{=U/postgres,postgres=U/postgres,anon=U/postgres}"}

revoke usage on type mood from public;
--> no rows

select typname, typacl from pg_type where typname = 'mood';
--> {"typname":"mood","typacl":"{postgres=U/postgres,anon=U/postgres}"}

revoke all on type mood from anon;
--> no rows

grant all on domain pos to service_role with grant option;
--> no rows

grant usage on type pos, pair to authenticated;
--> no rows

select typname, typacl from pg_type where typname in ('mood','pos','pair') order by 1;
--> {"typname":"mood","typacl":"{postgres=U/postgres}"}
--> {"typname":"pair","typacl":"{=U/postgres,postgres=U/postgres,authenticated=U/postgres}"}
--> {"typname":"pos","typacl":"{=U/postgres,postgres=U/postgres,service_role=U*/postgres,authenticated=U/postgres}"}

grant usage on domain mood to anon;
--> ERROR 42809: "mood" is not a domain

grant usage on type _mood to anon;
--> ERROR 0LP01: cannot set privileges of array types
--> HINT: Set the privileges of the element type instead.

grant select on type mood to anon;
--> ERROR 0LP01: invalid privilege type SELECT for type

grant usage on type nosuch to anon;
--> ERROR 42704: type "nosuch" does not exist

grant usage on type int4 to anon;
--> no rows

select has_type_privilege('anon', 'mood', 'usage') a, has_type_privilege('anon', 'pos', 'usage') b, has_type_privilege('service_role', 'pos', 'usage with grant option') c, has_type_privilege('anon', 'pos', 'usage with grant option') d, has_type_privilege('anon', 'int4', 'usage') e;
--> {"a":false,"b":true,"c":true,"d":false,"e":true}

select has_type_privilege('anon', 'nosuch', 'usage');
--> ERROR 42704: type "nosuch" does not exist

select has_type_privilege('anon', 'mood', 'select');
--> ERROR 22023: unrecognized privilege type: "select"

alter default privileges for role postgres in schema public grant usage on types to anon;
--> no rows

create type later as enum ('x');
--> no rows

select typacl from pg_type where typname = 'later';
--> {"typacl":"{=U/postgres,postgres=U/postgres,anon=U/postgres}"}

alter default privileges for role postgres in schema public revoke usage on types from anon;
--> no rows

create schema work;
--> no rows

grant all on schema work to anon;
--> no rows

grant all on schema public to anon;
--> no rows

set role anon;
--> no rows

create table work.t (m mood);
--> no rows

create table work.t (m pos);
--> ERROR 42P07: relation "t" already exists

create table work.t2 (m mood[]);
--> no rows

create function work.f(m mood) returns int language sql as 'select 1';
--> no rows

select 'a'::mood;
--> {"mood":"a"}

alter type mood add value 'c';
--> no rows

drop type mood;
--> ERROR 2BP01: cannot drop type mood because other objects depend on it
--> DETAIL: column m of table work.t2 depends on type mood[]\ncolumn m of table work.t depends on type mood\nfunction work.f(mood) depends on type mood
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

create type work.own as enum ('q');
--> no rows

reset role;
--> no rows

select typname, typowner::regrole from pg_type where typname in ('own', 'mood', '_own', 't') and typnamespace in ('work'::regnamespace, 'public'::regnamespace) order by 1;
--> {"typname":"_own","typowner":"postgres"}
--> {"typname":"mood","typowner":"postgres"}
--> {"typname":"own","typowner":"postgres"}
--> {"typname":"t","typowner":"postgres"}

alter domain pos owner to anon;
--> no rows

select typowner::regrole from pg_type where typname = 'pos';
--> {"typowner":"anon"}

revoke all on schema public from anon;
--> no rows
