create table person (id int primary key, first_name text, last_name text, born date);
--> no rows

create table pet (id int primary key, owner_id int references person, name text);
--> no rows

insert into person values (1, 'Ada', 'L', '1815-12-10'), (2, 'Bob', 'M', null);
--> no rows

insert into pet values (1, 1, 'Rex'), (2, 1, 'Tom');
--> no rows

create function full_name(person) returns text language sql stable as $$ select $1.first_name || ' ' || $1.last_name $$;
--> no rows

select p.full_name from person p order by id;
--> {"full_name":"Ada L"}
--> {"full_name":"Bob M"}

select full_name(p), p.full_name as again, (p).full_name as third from person p where p.full_name like 'A%';
--> {"full_name":"Ada L","again":"Ada L","third":"Ada L"}

select person.full_name from person order by person.full_name desc;
--> {"full_name":"Bob M"}
--> {"full_name":"Ada L"}

create function pets(person) returns setof pet language sql stable as $$ select * from pet where owner_id = $1.id $$;
--> no rows

select p.id, (select count(*) from pets(p)) as n from person p order by id;
--> {"id":1,"n":2}
--> {"id":2,"n":0}

create function age_of(p person) returns int language plpgsql stable as $$ begin return 2026 - extract(year from p.born)::int; end $$;
--> no rows

select p.id, p.age_of from person p order by p.age_of nulls last;
--> {"id":1,"age_of":211}
--> {"id":2,"age_of":null}

select p.no_such from person p;
--> ERROR 42703: column p.no_such does not exist
--> AT 8

select full_name from person;
--> ERROR 42703: column "full_name" does not exist
--> AT 8

create view named as select p.id, p.full_name from person p;
--> no rows

select * from named order by id;
--> {"id":1,"full_name":"Ada L"}
--> {"id":2,"full_name":"Bob M"}

select n.full_name from named n order by id;
--> {"full_name":"Ada L"}
--> {"full_name":"Bob M"}

create function of_view(named) returns text language sql as $$ select upper($1.full_name) $$;
--> no rows

select n.of_view from named n order by id;
--> {"of_view":"ADA L"}
--> {"of_view":"BOB M"}

create function id(person) returns text language sql as $$ select 'never' $$;
--> no rows

select p.id from person p order by 1;
--> {"id":1}
--> {"id":2}

create index on person (full_name(person));
--> no rows

create function is_adult(p person) returns boolean language sql immutable as $$ select p.born is not null $$;
--> no rows

select p.is_adult, count(*) from person p group by p.is_adult order by 1;
--> {"is_adult":false,"count":1}
--> {"is_adult":true,"count":1}

do $$ declare r person; begin select * into r from person where id = 1; raise notice '%', full_name(r); if r.full_name <> 'Ada L' then raise exception 'no'; end if; end $$;
--> ERROR 42703: record "r" has no field "full_name"

create function ids() returns setof int language sql as $$ select id from person order by id $$;
--> no rows

select array_agg(i) as a from ids() i;
--> {"a":[1,2]}

select i from ids() as i;
--> {"i":1}
--> {"i":2}

create function rows_of() returns table (n int) language plpgsql as $$ begin return query select id from person order by id; end $$;
--> no rows

select r from rows_of() r;
--> {"r":1}
--> {"r":2}

select array_agg(r) as a from rows_of() r;
--> {"a":[1,2]}

select r.n from rows_of() r;
--> {"n":1}
--> {"n":2}

create function two() returns table (n int, m text) language sql as $$ select id, first_name from person order by id $$;
--> no rows

select t from two() t;
--> {"t":"(1,Ada)"}
--> {"t":"(2,Bob)"}

create schema hidden;
--> no rows

create function hidden.is_first(p int) returns boolean language sql stable security definer as $$ select p = 1 $$;
--> no rows

create role reader;
--> no rows

grant select on person, pet to reader;
--> no rows

alter table person enable row level security;
--> no rows

create policy first_only on person for select to reader using (hidden.is_first(id));
--> no rows

set role reader; select id from person;
--> {"id":1}

set role reader; select hidden.is_first(1);
--> ERROR 42501: permission denied for schema hidden
--> AT 25

revoke execute on function hidden.is_first(int) from public;
--> no rows

set role reader; select id from person;
--> ERROR 42501: permission denied for function is_first

create view owned as (select id, name from pet where id > 0) with local check option;
--> no rows

insert into owned values (3, 'Kit');
--> no rows

insert into owned values (0, 'Kit');
--> ERROR 44000: new row violates check option for view "owned"
--> DETAIL: Failing row contains (0, null, Kit).

create view nested as ((select id, name from pet));
--> no rows

update nested set name = 'Max' where id = 1;
--> no rows

select to_tsvector('"english"', 'the cats') as a, to_tsvector('pg_catalog."simple"'::regconfig, 'the cats') as b;
--> {"a":"'cat':2","b":"'cats':2 'the':1"}
