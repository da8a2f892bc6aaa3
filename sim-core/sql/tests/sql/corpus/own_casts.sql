-- Casts of a project: with a function, through the text, between its types and others.

create type mood as enum ('sad','ok','happy');
--> no rows

create function mood_to_int(m mood) returns int language sql immutable as $$ select case m when 'sad'::mood then 0 when 'ok'::mood then 1 else 2 end $$;
--> no rows

select 'ok'::mood::int;
--> ERROR 42846: cannot cast type mood to integer
--> AT 18

create cast (mood as int) with function mood_to_int(mood) as assignment;
--> no rows

select 'ok'::mood::int, 'happy'::mood::int + 10;
--> {"int4":1,"?column?":12}

create cast (mood as int) with function mood_to_int(mood);
--> ERROR 42710: cast from type mood to type integer already exists

create cast (varchar as mood) with inout as implicit;
--> no rows

create cast (text as mood) with inout as assignment;
--> no rows

create table person (id int primary key, m mood, n int);
--> no rows

insert into person select 1, 'ok'::varchar, 'happy'::mood;
--> no rows

insert into person select 2, 'sad'::text, 'ok'::mood;
--> no rows

insert into person values (3, 'x'::varchar, 1);
--> ERROR 22P02: invalid input value for enum mood: "x"

select * from person order by id;
--> {"id":1,"m":"ok","n":2}
--> {"id":2,"m":"sad","n":1}

select * from person where m = 'ok'::varchar;
--> ERROR 42883: operator does not exist: mood = character varying
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 30

select m, m::int, cast(m as integer) * 2 as twice from person order by m::int desc;
--> {"m":1,"twice":2}
--> {"m":0,"twice":0}

update person set n = m where id = 1;
--> no rows

select n from person where id = 1;
--> {"n":1}

select castsource::regtype, casttarget::regtype, castfunc::regproc, castcontext, castmethod from pg_cast where oid >= 16384 order by 1, 2;
--> {"castsource":"text","casttarget":"mood","castfunc":"-","castcontext":"a","castmethod":"i"}
--> {"castsource":"character varying","casttarget":"mood","castfunc":"-","castcontext":"i","castmethod":"i"}
--> {"castsource":"mood","casttarget":"integer","castfunc":"mood_to_int","castcontext":"a","castmethod":"f"}

comment on cast (mood as int) is 'position';
--> no rows

select obj_description(oid, 'pg_cast') from pg_cast where castsource = 'mood'::regtype;
--> {"obj_description":"position"}

drop function mood_to_int(mood);
--> ERROR 2BP01: cannot drop function mood_to_int(mood) because other objects depend on it
--> DETAIL: cast from mood to integer depends on function mood_to_int(mood)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type mood;
--> ERROR 2BP01: cannot drop type mood because other objects depend on it
--> DETAIL: function mood_to_int(mood) depends on type mood\ncast from mood to integer depends on type mood\ncast from character varying to mood depends on type mood\ncast from text to mood depends on type mood\ncolumn m of table person depends on type mood
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop cast (mood as int);
--> no rows

select 'ok'::mood::int;
--> ERROR 42846: cannot cast type mood to integer
--> AT 18

drop cast (mood as int);
--> ERROR 42704: cast from type mood to type integer does not exist

drop cast if exists (mood as int);
--> no rows

drop cast if exists (nosuch as int);
--> no rows

drop function mood_to_int(mood);
--> no rows

create cast (mood as int) with function nosuch(mood);
--> ERROR 42883: function nosuch(mood) does not exist

create cast (mood as nosuch) with inout;
--> ERROR 42704: type "nosuch" does not exist

create cast (mood as mood) with inout;
--> ERROR 42P17: source data type and target data type are the same

create function no_arguments() returns int language sql as 'select 1';
--> no rows

create cast (mood as int) with function no_arguments() as implicit;
--> ERROR 42P17: cast function must take one to three arguments

create function of_text(t text) returns int language sql as 'select length(t)';
--> no rows

create cast (mood as int) with function of_text(text) as implicit;
--> ERROR 42P17: argument of cast function must match or be binary-coercible from source data type

create function to_date_(m mood) returns date language sql as $$ select date '2020-01-01' $$;
--> no rows

create cast (mood as int) with function to_date_(mood) as implicit;
--> ERROR 42P17: return data type of cast function must match or be binary-coercible to target data type

create cast (mood as date) with function to_date_ as assignment;
--> no rows

create table d (day date); insert into d values ('ok'::mood); select * from d;
--> {"day":"2020-01-01"}

create type pt as (x int, y int);
--> no rows

create function pt_to_json(p pt) returns jsonb language plpgsql as $$ begin return jsonb_build_object('x', p.x, 'y', p.y); end $$;
--> no rows

create cast (pt as jsonb) with function pt_to_json(pt) as assignment;
--> no rows

select row(1, 2)::pt::jsonb, (row(3, 4)::pt::jsonb)->'y' as y;
--> {"row":{"x":1,"y":2},"y":4}

create table j (doc jsonb); insert into j values (row(5, 6)::pt); select * from j;
--> {"doc":{"x":5,"y":6}}

create function takes_mood(m mood) returns text language sql as $$ select 'mood ' || m $$;
--> no rows

select takes_mood('sad'::varchar);
--> {"takes_mood":"mood sad"}

create domain feeling as mood;
--> no rows

create cast (feeling as bigint) with inout;
--> no rows

drop type mood cascade;
--> no rows

select count(*) from pg_cast where oid >= 16384;
--> {"count":1}

do $$ declare n int; begin create type size as enum ('s', 'l'); create function size_no(s size) returns int language sql as 'select length(s::text) * 7'; create cast (size as int) with function size_no(size) as assignment; n := 's'::size; raise notice '%', n; end $$;
--> no rows

drop function size_no(size) cascade;
--> no rows

select 's'::size::int;
--> ERROR 42846: cannot cast type size to integer
--> AT 17

create function pt_of_text(t text, typmod int, explicit boolean) returns pt language sql as $$ select (split_part(t, ':', 1)::int, split_part(t, ':', 2)::int)::pt $$;
--> no rows

create cast (text as pt) with function pt_of_text(text, int, boolean);
--> no rows

select ('7:8'::text)::pt, '7:9'::text::pt as b;
--> {"pt":"(7,8)","b":"(7,9)"}

select (p.t::pt).x from (values ('1:2'::text), ('3:4')) p(t) order by 1;
--> {"x":1}
--> {"x":3}
