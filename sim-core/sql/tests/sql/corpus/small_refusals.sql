create table a (id int primary key, n text); insert into a values (1,'x'),(2,'y');

do $$ declare c cursor (x int, y int) for select x * 10 + y as r; v int; begin open c(y := 1, x := 2); fetch c into v; raise exception '%', v; end $$;

do $$ declare c cursor (x int, y int) for select x * 10 + y as r; begin for q in c(y := 1, x := 2) loop raise exception '%', q.r; end loop; end $$;

do $$ declare c cursor (x int, y int) for select x * 10 + y as r; v int; begin open c(2, y => 5); fetch c into v; raise exception '%', v; end $$;

do $$ declare s text := ''; x int[]; begin foreach x slice 1 in array array[[1,2],[3,4]] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;

do $$ declare s text := ''; x int[]; begin foreach x slice 2 in array array[[1,2],[3,4]] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;

do $$ declare s text := ''; x int[]; begin foreach x slice 1 in array array[1,2] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;

do $$ declare s text := ''; x int[]; begin foreach x slice 1 in array array[[[1,2],[3,4]],[[5,6],[7,8]]] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;

do $$ declare s text := ''; x int[]; begin foreach x slice 2 in array array[[[1,2],[3,4]],[[5,6],[7,8]]] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;

do $$ declare s text := ''; x int; begin foreach x in array array[[[1,2],[3,4]],[[5,6],[7,8]]] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;

do $$ declare s text := ''; x int[]; begin foreach x in array array[1,2] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;

do $$ declare x int[]; begin foreach x slice 1 in array '{}'::int[] loop null; end loop; end $$;

do $$ declare x int; begin foreach x in array '{}'::int[] loop null; end loop; end $$;

do $$ declare s text := ''; r a; begin foreach r in array array[row(1,'x')::a, row(2,'y')::a] loop s := s || r.n; end loop; raise exception '%', s; end $$;

do $$ declare s text := ''; r record; begin foreach r in array array[row(1,'x')::a, row(2,'y')::a] loop s := s || r.n; end loop; raise exception '%', s; end $$;

do $$ declare s text := ''; x jsonb; begin foreach x in array array['[1,2]'::jsonb, '{"a":1}'] loop s := s || x::text || ';'; end loop; raise exception '%', s; end $$;

do $$ declare s text := ''; x text; y text; begin foreach x, y in array array[row(1,'x')::a] loop s := s || x || y; end loop; raise exception '%', s; end $$;

create domain em as text not null; create domain pos as int check (value > 0); create domain posn as pos not null default 5;

do $$ declare v em; begin null; end $$;

do $$ declare v pos; begin v := null; raise exception 'ok %', v; end $$;

do $$ declare v posn; begin null; end $$;

create function fd(x pos) returns pos language plpgsql as $$ declare v pos; begin v := x; return v; end $$; select fd(5);

select fd(-5);

create function fe() returns int language plpgsql as $$ declare v em; begin return 1; end $$; select fe();

drop type a;

create type ty as (x int); drop type ty;

create view va as select * from a; drop type va cascade;

do $$ begin raise exception using errcode = '00000', message = 'm'; end $$;

do language sql 'select 1';

create table g (a int, b int generated always as (a * 2) stored); insert into g values (1); update g set b = default returning *;

update g set b = default, a = 4 returning *;

select sum(id) filter (where count(*) > 1) from a;

select sum(id) filter (where row_number() over () > 1) from a;

select sum(id) filter (where 'x') from a;

select lower(n order by n) from a;

select lower(n) over () from a;

select -'5', +'3';

create table fk1 (id int references va (id));

create table fk2 (id int references va);

create index on va (id);

create materialized view mva as select 1 as id; create table fk3 (id int references mva (id));

create sequence sq; create index on sq (last_value);

create table ck (id int check (id));

alter table a add check (n);

create index on a (n) where n;

drop table if exists a cascade; create table a (id int primary key, n text); insert into a values (1,'x'),(2,'y');

insert into a values (2,'q') on conflict (id) do update set id = 1;

insert into a values (2,'q') on conflict (id) do update set id = 1 returning id;

insert into a values (5,'q'), (2,'r') on conflict (id) do update set id = 1;

insert into a values (5,'q'), (2,'r') on conflict (id) do update set id = 5;

create unique index on a (n);

insert into a values (2,'zz') on conflict (id) do update set n = 'x';

insert into a values (3,'x') on conflict (id) do update set n = 'x';
