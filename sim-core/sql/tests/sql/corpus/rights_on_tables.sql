-- Rights on a table that a foreign key, a trigger and a publication need.

create role guest;
--> no rows

create table parents (id int primary key, code text unique);
--> no rows

create function touch_row() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create schema guests authorization guest;
--> no rows

set role guest;
--> no rows

create table guests.children (id int references public.parents (id));
--> no rows

create trigger seen before insert on public.parents for each row execute function touch_row();
--> no rows

comment on column public.parents.id is 'x';
--> no rows

comment on table public.parents is 'x';
--> no rows

revoke all on public.parents from guest;
--> no rows

reset role;
--> no rows

grant references (id) on parents to guest;
--> no rows

set role guest;
--> no rows

create table guests.children (id int references public.parents (id));
--> ERROR 42P07: relation "children" already exists

create table guests.others (code text references public.parents (code));
--> no rows

alter table guests.children add column code text references public.parents (code);
--> no rows

reset role;
--> no rows

grant trigger, references on parents to guest;
--> no rows

set role guest;
--> no rows

create table guests.others (code text references public.parents (code));
--> ERROR 42P07: relation "others" already exists

create trigger seen before insert on public.parents for each row execute function touch_row();
--> ERROR 42710: trigger "seen" for relation "parents" already exists

drop trigger seen on public.parents;
--> no rows

reset role;
--> no rows

drop trigger seen on parents;
--> ERROR 42704: trigger "seen" for table "parents" does not exist

drop function if exists no_such_function;
--> no rows

drop procedure if exists no_such_procedure;
--> no rows

drop function no_such_function;
--> ERROR 42883: could not find a function named "no_such_function"
