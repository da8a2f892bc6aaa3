create function same(a anyelement) returns anyelement language sql immutable as 'select a';
--> no rows

select same(1) as i, same('x'::text) as t, same(array[1, 2]) as a, same(1.5) as n;
--> {"i":1,"t":"x","a":[1,2],"n":"1.5"}

select pg_typeof(same(1::bigint)) as t, pg_typeof(same(date '2026-01-01')) as d;
--> {"t":"bigint","d":"date"}

select same('x');
--> ERROR 42804: could not determine polymorphic type because input has type unknown

select same(null);
--> ERROR 42804: could not determine polymorphic type because input has type unknown

create function pair(anyelement, anyelement) returns anyarray language sql as 'select array[$1, $2]';
--> no rows

select pair(1, 2) as p;
--> {"p":[1,2]}

select pair('a'::text, 'b') as p;
--> {"p":["a","b"]}

select pair(1, 'x'::text);
--> ERROR 42883: function pair(integer, text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select pair(1, 2.5);
--> ERROR 42883: function pair(integer, numeric) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function larger(a anyelement, b anyelement) returns anyelement language plpgsql as $$ begin if a > b then return a; end if; return b; end $$;
--> no rows

select larger(1, 2) as i, larger('b'::text, 'a') as t, larger(date '2026-01-02', date '2026-01-01') as d;
--> {"i":2,"t":"b","d":"2026-01-02"}

create function item(a anyarray, n int) returns anyelement language sql immutable as 'select a[n]';
--> no rows

select item(array['x', 'y'], 2) as x, item('{4,5}'::int[], 1) as i;
--> {"x":"y","i":4}

select item(1, 1);
--> ERROR 42883: function item(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function remove_nulls(a anyarray) returns anyarray language plpgsql immutable as $$ declare out a%type := '{}'; x record; begin return array(select v from unnest(a) v where v is not null); end $$;
--> no rows

select remove_nulls(array[1, null, 2]) as r;
--> {"r":[1,2]}

create function shuffle_none(a anyarray) returns setof anyelement language sql as 'select v from unnest(a) v order by 1';
--> no rows

select * from shuffle_none(array[3, 1, 2]) s;
--> {"s":1}
--> {"s":2}
--> {"s":3}

select shuffle_none(array['b', 'a']) as s;
--> {"s":"a"}
--> {"s":"b"}

create function set_or(v anyelement, otherwise anyelement default null) returns anyelement language sql as 'select coalesce(v, otherwise)';
--> no rows

select set_or(null::int, 4) as s, set_or('a'::text) as t;
--> {"s":4,"t":"a"}

create function any_of(variadic anyarray) returns anyelement language sql as 'select $1[1]';
--> no rows

select any_of(1, 2, 3) as a, any_of('x'::text, 'y') as b;
--> {"a":1,"b":"x"}

select any_of(variadic array[7, 8]) as a;
--> {"a":7}

create function common(a anycompatible, b anycompatible) returns anycompatible language sql as 'select case when a > b then a else b end';
--> no rows

select common(1, 2.5) as c, pg_typeof(common(1, 2::bigint)) as t;
--> {"c":"2.5","t":"bigint"}

create table thing (id int, name text);
--> no rows

insert into thing values (1, 'one'), (2, 'two');
--> no rows

create function all_of(like_this anyelement) returns setof anyelement language plpgsql as $$ begin return query execute format('select * from %s order by 1', pg_typeof(like_this)); end $$;
--> no rows

select * from all_of(null::thing);
--> {"id":1,"name":"one"}
--> {"id":2,"name":"two"}

create function kind(anyelement) returns text language sql as 'select pg_typeof($1)::text';
--> no rows

select kind(1) as a, kind(array['x']) as b, kind(now()) as c, kind(t) as d from thing t where id = 1;
--> {"a":"integer","b":"text[]","c":"timestamp with time zone","d":"thing"}

create function kind(int) returns text language sql as $$ select 'an int' $$;
--> no rows

select kind(1) as a, kind(1::bigint) as b;
--> {"a":"an int","b":"bigint"}

create function to_text(out shown text, in v anyelement) language sql as 'select v::text';
--> no rows

select to_text(4) as t, to_text(true) as b;
--> {"t":"4","b":"true"}

create function twice(inout v anyelement, out both_of anyarray) language sql as 'select v, array[v, v]';
--> no rows

select * from twice(3);
--> {"v":3,"both_of":[3,3]}

create function not_list(anynonarray) returns text language sql as $$ select 'one' $$;
--> no rows

select not_list(1) as n;
--> {"n":"one"}

select not_list(array[1]);
--> ERROR 42883: function not_list(integer[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create type mood as enum ('sad', 'happy');
--> no rows

create function label_count(anyenum) returns int language sql as 'select array_length(enum_range($1), 1)';
--> no rows

select label_count('sad'::mood) as n;
--> {"n":2}

select label_count('sad'::text);
--> ERROR 42883: function label_count(text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function nothing_known(int) returns anyelement language sql as 'select $1';
--> ERROR 42P13: cannot determine result data type
--> DETAIL: A result of type anyelement requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.

create function nothing_known(int) returns anyarray language plpgsql as $$ begin return '{}'; end $$;
--> ERROR 42P13: cannot determine result data type
--> DETAIL: A result of type anyarray requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.

create function nothing_known(int, out x anyelement) language sql as 'select $1';
--> ERROR 42P13: cannot determine result data type
--> DETAIL: A result of type anyelement requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.

select pg_get_function_arguments(oid) as a, pg_get_function_result(oid) as r from pg_proc where proname = 'shuffle_none';
--> {"a":"a anyarray","r":"SETOF anyelement"}

create view shown as select id, larger(id, 2) as l from thing;
--> no rows

select * from shown order by id;
--> {"id":1,"l":2}
--> {"id":2,"l":2}

create index on thing (same(name));
--> no rows

select larger(a, b) as l from (values (1, 2), (4, 3)) v(a, b) order by 1;
--> {"l":2}
--> {"l":4}

create procedure keep(inout v anyelement) language plpgsql as $$ begin v := v; end $$;
--> no rows

call keep(5);
--> {"v":5}

drop function same(anyelement);
--> ERROR 2BP01: cannot drop function same(anyelement) because other objects depend on it
--> DETAIL: index thing_same_idx depends on function same(anyelement)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop function same(anyelement) cascade;
--> no rows

select same(1);
--> ERROR 42883: function same(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8
