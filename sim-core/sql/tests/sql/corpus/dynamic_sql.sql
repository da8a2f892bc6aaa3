-- Texts that bodies run: statements that were prepared, and what they must not be. Null as an array of arguments.

prepare plus_one(int) as select $1 + 1; do $$ declare r int; begin execute 'execute plus_one(4)' into r; if r <> 5 then raise exception 'got %', r; end if; end $$;
--> no rows

prepare plus_one(int) as select $1 + 1; create function run() returns int language plpgsql as $$ declare r int; begin execute 'execute plus_one(4)' into r; return r; end $$; select run();
--> {"run":5}

do $$ begin execute 'execute no_such(4)'; end $$;
--> ERROR 26000: prepared statement "no_such" does not exist

create table log (x int);
--> no rows

prepare note(int) as insert into log values ($1) returning x; do $$ declare r int; begin execute 'execute note(4)' into r; execute 'execute note(5)'; get diagnostics r = row_count; insert into log values (r * 100); end $$; select * from log order by x;
--> {"x":4}
--> {"x":5}
--> {"x":100}

do $$ begin execute 'prepare two as select 2 as two'; end $$; execute two;
--> {"two":2}

do $$ begin execute 'prepare two as select 2 as two'; execute 'deallocate two'; end $$; execute two;
--> ERROR 26000: prepared statement "two" does not exist

do $$ begin execute 'begin'; end $$;
--> ERROR 0A000: EXECUTE of transaction commands is not implemented

do $$ begin execute 'start transaction'; end $$;
--> ERROR 0A000: EXECUTE of transaction commands is not implemented

do $$ begin execute 'commit'; end $$;
--> ERROR 0A000: EXECUTE of transaction commands is not implemented

do $$ begin execute 'savepoint s'; end $$;
--> ERROR 0A000: EXECUTE of transaction commands is not implemented

do $$ begin execute 'rollback'; end $$;
--> ERROR 0A000: EXECUTE of transaction commands is not implemented

do $$ begin execute 'copy log to stdout'; end $$;
--> ERROR 0A000: cannot COPY to/from client in PL/pgSQL

do $$ begin execute 'select 1 into x'; end $$;
--> ERROR 0A000: EXECUTE of SELECT ... INTO is not implemented
--> HINT: You might want to use EXECUTE ... INTO or EXECUTE CREATE TABLE ... AS instead.

do $$ begin execute null; end $$;
--> ERROR 22004: query string argument of EXECUTE is null

create function many(variadic a int[]) returns text language sql as $$ select coalesce(array_length($1, 1)::text, 'null') $$;
--> no rows

select many(variadic null) as a, many(variadic null::int[]) as b, many(variadic array[1, 2]) as c, many(null) as d;
--> {"a":"null","b":"null","c":"2","d":"1"}

select concat(variadic null::text[]) as a, num_nulls(variadic null::int[]) as b, jsonb_build_array(variadic null::text[]) as c, concat_ws(',', variadic null::text[]) as d;
--> {"a":null,"b":null,"c":null,"d":null}

select format('a', variadic null::text[]) as f;
--> {"f":"a"}

select concat(variadic null);
--> ERROR 42804: VARIADIC argument must be an array
--> AT 24

select num_nulls(variadic null);
--> ERROR 42804: VARIADIC argument must be an array
--> AT 27
