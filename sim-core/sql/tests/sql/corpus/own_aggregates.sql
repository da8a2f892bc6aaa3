create table score (id int primary key, team text, pts int, price numeric, tags text[], extra jsonb);
--> no rows

insert into score values (1, 'a', 3, 1.50, '{x,y}', '{"k":1}'), (2, 'a', 4, null, '{z}', '{"l":2}'), (3, 'b', null, 2.25, null, null), (4, 'b', 5, 4.00, '{x}', '{"k":3}');
--> no rows

create function first_of(anyelement, anyelement) returns anyelement language sql immutable strict as 'select $1';
--> no rows

create aggregate first(anyelement) (sfunc = first_of, stype = anyelement, parallel = safe);
--> no rows

create function last_of(anyelement, anyelement) returns anyelement language sql immutable strict as 'select $2';
--> no rows

create aggregate last(anyelement) (sfunc = last_of, stype = anyelement);
--> no rows

select first(pts order by id) as f, last(pts order by id) as l, first(team order by id desc) as t from score;
--> {"f":3,"l":5,"t":"b"}

select team, first(price order by id) as f, last(tags[1] order by id) as l from score group by team order by team;
--> {"team":"a","f":"1.50","l":"z"}
--> {"team":"b","f":"2.25","l":"x"}

select first(pts) as f from score where false;
--> {"f":null}

select first(null::int) as f;
--> {"f":null}

create function add_square(total bigint, n int) returns bigint language plpgsql immutable as $$ begin return total + n * n; end $$;
--> no rows

create aggregate sum_of_squares(int) (sfunc = add_square, stype = bigint, initcond = '0');
--> no rows

select sum_of_squares(n) as s from generate_series(1, 4) n;
--> {"s":30}

select sum_of_squares(pts) as s from score;
--> {"s":null}

select sum_of_squares(pts) as s from score where pts is not null;
--> {"s":50}

select sum_of_squares(pts) filter (where pts > 3) as s from score;
--> {"s":41}

select sum_of_squares(n) as s from generate_series(1, 0) n;
--> {"s":0}

select sum_of_squares(distinct n) as s from unnest(array[2, 2, 3]) n;
--> {"s":13}

select team, sum_of_squares(coalesce(pts, 0)) as s from score group by team having sum_of_squares(coalesce(pts, 0)) > 25 order by team;
--> no rows

select id, sum_of_squares(coalesce(pts, 0)) over (order by id) as s from score order by id;
--> {"id":1,"s":9}
--> {"id":2,"s":25}
--> {"id":3,"s":25}
--> {"id":4,"s":50}

select id, sum_of_squares(coalesce(pts, 0)) over (partition by team) as s from score order by id;
--> {"id":1,"s":25}
--> {"id":2,"s":25}
--> {"id":3,"s":25}
--> {"id":4,"s":25}

create aggregate merge_all(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}');
--> no rows

select merge_all(extra order by id) as m from score where extra is not null;
--> {"m":{"k":3,"l":2}}

create aggregate collect(text[]) (sfunc = array_cat, stype = text[], initcond = '{}');
--> no rows

select collect(tags order by id) as c from score;
--> {"c":["x","y","z","x"]}

create aggregate collect_any(anyarray) (sfunc = array_cat, stype = anyarray, initcond = '{}');
--> ERROR 42883: function array_cat(anyarray, anyarray) does not exist

select collect_any(array[id, pts] order by id) as c from score;
--> ERROR 42883: function collect_any(integer[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function middle(numeric[]) returns numeric language sql immutable as $$ select avg(v) from (select v from unnest($1) v order by 1 limit 2 - mod(array_upper($1, 1), 2) offset ceil(array_upper($1, 1) / 2.0) - 1) s $$;
--> no rows

create aggregate median(numeric) (sfunc = array_append, stype = numeric[], finalfunc = middle, initcond = '{}');
--> no rows

select median(n) as m from unnest(array[5, 1, 3]::numeric[]) n;
--> {"m":"3.0000000000000000"}

select median(n) as m from unnest(array[5, 1, 3, 4]::numeric[]) n;
--> {"m":"3.5000000000000000"}

select median(pts) as m from score where pts is not null;
--> {"m":"4.0000000000000000"}

create function weigh(state numeric[], value numeric, weight numeric) returns numeric[] language plpgsql immutable as $$ begin if value is null or weight is null then return state; end if; return array[state[1] + value * weight, state[2] + weight]; end $$;
--> no rows

create function weighed(state numeric[]) returns numeric language sql immutable as 'select case when state[2] = 0 then null else round(state[1] / state[2], 3) end';
--> no rows

create aggregate weighted_avg(numeric, numeric) (sfunc = weigh, stype = numeric[], finalfunc = weighed, initcond = '{0,0}');
--> no rows

select weighted_avg(price, pts) as w from score;
--> {"w":"3.063"}

select weighted_avg(price, pts) as w from score where false;
--> {"w":null}

create aggregate how_many(*) (sfunc = int8inc, stype = bigint, initcond = '0');
--> no rows

select how_many(*) as n from score;
--> {"n":4}

create aggregate total(int) (sfunc = int4pl, stype = int, initcond = '0');
--> no rows

select total(pts) as t from score;
--> {"t":12}

select total(distinct n) as t from unnest(array[2, 2, 3]) n;
--> {"t":5}

create aggregate product(bigint) (sfunc = int8mul, stype = bigint);
--> no rows

select product(n) as p from generate_series(1, 6) n;
--> {"p":720}

create aggregate joined(text) (sfunc = textcat, stype = text);
--> no rows

select joined(team order by id) as j from score;
--> {"j":"aabb"}

create aggregate longest(text) (sfunc = text_larger, stype = text);
--> no rows

select longest(team) as t from score;
--> {"t":"b"}

create aggregate old_form (basetype = int, sfunc = int4pl, stype = int, initcond = 10);
--> no rows

select old_form(pts) as t from score where pts is not null;
--> {"t":22}

create or replace aggregate total(int) (sfunc = int4pl, stype = int, initcond = '100');
--> no rows

select total(pts) as t from score where pts is not null;
--> {"t":112}

create aggregate total(int) (sfunc = int4pl, stype = int);
--> ERROR 42723: function "total" already exists with same argument types

create aggregate bad_one(int) (stype = int);
--> ERROR 42P13: aggregate sfunc must be specified

create aggregate bad_two(int) (sfunc = int4pl);
--> ERROR 42P13: aggregate stype must be specified

create aggregate bad_three(int) (sfunc = no_such, stype = int);
--> ERROR 42883: function no_such(integer, integer) does not exist

create aggregate bad_four(int) (sfunc = int4pl, stype = bigint);
--> ERROR 42883: function int4pl(bigint, integer) does not exist

create aggregate bad_five(int) (sfunc = int4pl, stype = int, initcond = 'x');
--> ERROR 22P02: invalid input syntax for type integer: "x"

create aggregate bad_six(int) (sfunc = int8pl, stype = anyelement);
--> ERROR 42P13: cannot determine transition data type
--> DETAIL: A result of type anyelement requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.

select total(total(pts)) from score;
--> ERROR 42803: aggregate function calls cannot be nested
--> AT 14

select id from score where total(pts) > 1;
--> ERROR 42803: aggregate functions are not allowed in WHERE
--> AT 28

select total('x') from score;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 14

select total(pts, pts) from score;
--> ERROR 42883: function total(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select first(id, id) from score;
--> ERROR 42883: function first(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

comment on aggregate total(int) is 'a sum';
--> no rows

select obj_description('total(int)'::regprocedure, 'pg_proc') as d;
--> {"d":"a sum"}

select proname, prokind, pronargs, prorettype::regtype as r from pg_proc where proname in ('total', 'median', 'first') order by 1;
--> {"proname":"first","prokind":"a","pronargs":1,"r":"anyelement"}
--> {"proname":"median","prokind":"a","pronargs":1,"r":"numeric"}
--> {"proname":"total","prokind":"a","pronargs":1,"r":"integer"}

select aggfnoid::regproc as f, aggkind, aggtransfn::regproc as t, aggfinalfn::regproc as l, aggtranstype::regtype as s, agginitval as i from pg_aggregate where aggfnoid::regproc::text in ('median', 'total', 'first') order by 1;
--> {"f":"first","aggkind":"n","t":"first_of","l":"-","s":"anyelement","i":null}
--> {"f":"median","aggkind":"n","t":"array_append","l":"middle","s":"numeric[]","i":"{}"}
--> {"f":"total","aggkind":"n","t":"int4pl","l":"-","s":"integer","i":"100"}

drop function weigh(numeric[], numeric, numeric);
--> ERROR 2BP01: cannot drop function weigh(numeric[],numeric,numeric) because other objects depend on it
--> DETAIL: function weighted_avg(numeric,numeric) depends on function weigh(numeric[],numeric,numeric)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop function total(int);
--> ERROR 42809: "total" is an aggregate function
--> HINT: Use DROP AGGREGATE to drop aggregate functions.

drop aggregate weigh(numeric[], numeric, numeric);
--> ERROR 42809: function weigh(numeric[], numeric, numeric) is not an aggregate

drop aggregate no_such(int);
--> ERROR 42883: aggregate no_such(integer) does not exist

drop aggregate if exists no_such(int);
--> no rows

alter aggregate total(int) rename to total_of;
--> no rows

select total_of(pts) as t from score where pts is not null;
--> {"t":112}

create schema tools;
--> no rows

alter aggregate total_of(int) set schema tools;
--> no rows

select tools.total_of(pts) as t from score where pts is not null;
--> {"t":112}

select total_of(pts) as t from score;
--> ERROR 42883: function total_of(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create view by_team as select team, first(pts order by id) as f from score group by team;
--> no rows

select * from by_team order by team;
--> {"team":"a","f":3}
--> {"team":"b","f":5}

drop aggregate first(anyelement);
--> ERROR 2BP01: cannot drop function first(anyelement) because other objects depend on it
--> DETAIL: view by_team depends on function first(anyelement)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop aggregate first(anyelement) cascade;
--> no rows

select * from by_team;
--> ERROR 42P01: relation "by_team" does not exist
--> AT 15

drop function weigh(numeric[], numeric, numeric) cascade;
--> no rows

select weighted_avg(price, pts) as w from score;
--> ERROR 42883: function weighted_avg(numeric, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function divide(a int, b int) returns int language plpgsql as $$ begin return a / b; end $$;
--> no rows

create aggregate quotient(int) (sfunc = divide, stype = int, initcond = '100');
--> no rows

select quotient(n) as q from unnest(array[5, 2]) n;
--> {"q":10}

select quotient(n) as q from unnest(array[5, 0]) n;
--> ERROR 22012: division by zero

create type stats as (n int, total numeric);
--> no rows

create function count_in(s stats, v numeric) returns stats language sql immutable as $$ select row(coalesce(s.n, 0) + 1, coalesce(s.total, 0) + coalesce(v, 0))::stats $$;
--> no rows

create function mean_of(s stats) returns numeric language sql immutable as $$ select round(s.total / s.n, 2) $$;
--> no rows

create aggregate mean(numeric) (sfunc = count_in, stype = stats, finalfunc = mean_of);
--> no rows

select mean(price) as m from score;
--> {"m":"1.94"}

create aggregate all_stats(numeric) (sfunc = count_in, stype = stats, initcond = '(0,0)');
--> no rows

select all_stats(price) as s from score;
--> {"s":"(4,7.75)"}
