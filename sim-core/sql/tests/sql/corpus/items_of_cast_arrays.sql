-- The items of a written array are read as elements of the type to which it is cast.

select array[1,'a']::int[];
--> ERROR 22P02: invalid input syntax for type integer: "a"
--> AT 16

select array[1,'2']::int[], array[1,true]::text[], array['1','2.5']::numeric(5,1)[], array[1, 2.5]::int[], array[null,'x']::text[];
--> {"array":[null,"x"]}

select array[array['1','2'],array['3','4']]::int[], (array['2020-01-01'])::date[], array[[1,'2'],['3',4]]::int[];
--> {"array":[[1,2],[3,4]]}

select array[array['1','2'],array['3']]::int[];
--> ERROR 2202E: multidimensional arrays must have array expressions with matching dimensions

select array['{1,2}']::int[][];
--> ERROR 22P02: invalid input syntax for type integer: "{1,2}"
--> AT 14

select array['a','b']::varchar(1)[], array['abc']::varchar(2)[], array['abc']::char(2)[];
--> {"array":["ab"]}

create domain d as int check (value > 0); select array['1','2']::d[];
--> {"array":"{1,2}"}

select array['1','-2']::d[];
--> ERROR 23514: value for domain d violates check constraint "d_check"

create domain da as int[] check (array_length(value, 1) < 3); select array['1','2']::da;
--> {"array":[1,2]}

select array['pg_class']::regclass[], array['{"a":1}']::jsonb[], array[row(1,2)]::text[], array['(1,2)']::point[];
--> {"array":"{\"(1,2)\"}"}

select array[now()]::date[] is not null, array[1]::text, array['a']::text, array[]::int[], (array[])::int[];
--> {"?column?":true,"array":[]}

create table t(a int, b text[]); insert into t values (1, array['x', null]::text[]); select array[a, '5']::int[], array[b, array['q','r']]::text[], array[a]::bool[] from t;
--> {"array":[true]}

select array[a, 'q']::int[] from t;
--> ERROR 22P02: invalid input syntax for type integer: "q"
--> AT 17

select array[1.5::float8, '2']::numeric[], array['1 day']::interval[], array['B']::"char"[];
--> {"array":"{B}"}

select array['a']::int[] from t where false;
--> ERROR 22P02: invalid input syntax for type integer: "a"
--> AT 14

create function f(int[]) returns int language sql as 'select $1[1]'; select f(array['1']::int[]), f(array['1']);
--> ERROR 42883: function f(text[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 99

select array['1', f(array[2])]::int[], pg_typeof(array['1', 2]::text[]);
--> ERROR 42883: function f(integer[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 19

select array[json '1']::jsonb[], array['1'::text]::int[], array['z'::text]::int[];
--> ERROR 22P02: invalid input syntax for type integer: "z"

create type e as enum ('old', 'x');
--> no rows

select array['old'::e, 'zz'];
--> ERROR 22P02: invalid input value for enum e: "zz"
--> AT 24

select 'old'::e = any (array['zz', 'old']::e[]);
--> ERROR 22P02: invalid input value for enum e: "zz"
--> AT 30

select array['zz', 'old']::e[];
--> ERROR 22P02: invalid input value for enum e: "zz"
--> AT 14

select cast(array['zz'] as e[]);
--> ERROR 22P02: invalid input value for enum e: "zz"
--> AT 19
