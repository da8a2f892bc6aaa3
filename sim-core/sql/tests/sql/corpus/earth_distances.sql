-- Points on a plane and on the earth: the extensions cube and earthdistance.

create extension earthdistance cascade;
--> no rows

select extname from pg_extension where extname in ('cube', 'earthdistance') order by 1;
--> {"extname":"cube"}
--> {"extname":"earthdistance"}

create table places (id int primary key, name text, lat float8, lng float8);
--> no rows

insert into places values (1, 'a', 52.52, 13.405), (2, 'b', 48.8566, 2.3522), (3, 'c', -33.8688, 151.2093);
--> no rows

create index places_at on places using gist (ll_to_earth(lat, lng));
--> no rows

select name, round(earth_distance(ll_to_earth(52.52, 13.405), ll_to_earth(lat, lng))::numeric, 2) as metres from places order by 2;
--> {"name":"a","metres":"0.00"}
--> {"name":"b","metres":"878450.56"}
--> {"name":"c","metres":"16112607.84"}

select name from places where earth_box(ll_to_earth(50, 8), 600000) @> ll_to_earth(lat, lng) order by 1;
--> {"name":"a"}
--> {"name":"b"}

select name from places where earth_box(ll_to_earth(50, 8), 600000) @> ll_to_earth(lat, lng) and earth_distance(ll_to_earth(50, 8), ll_to_earth(lat, lng)) < 500000;
--> {"name":"a"}
--> {"name":"b"}

select name, round((point(lng, lat) <@> point(13.405, 52.52))::numeric, 3) as miles from places order by 2;
--> {"name":"a","miles":"0.000"}
--> {"name":"b","miles":"545.229"}
--> {"name":"c","miles":"10000.638"}

select round(latitude(ll_to_earth(10, 20))::numeric, 6), round(longitude(ll_to_earth(10, 20))::numeric, 6), earth();
--> {"round":"20.000000","earth":6378168}

create function nearby(lat float, lng float, radius float) returns table (id int, km numeric) language sql stable as $$ select p.id, round((earth_distance(ll_to_earth($1, $2), ll_to_earth(p.lat, p.lng)) / 1000)::numeric, 1) from places p where earth_box(ll_to_earth($1, $2), radius) @> ll_to_earth(p.lat, p.lng) order by 2 $$;
--> no rows

select * from nearby(50, 8, 1000000);
--> {"id":2,"km":"428.1"}
--> {"id":1,"km":"469.3"}

select '(1,2),(3,4)'::cube, '1, 2'::cube, '[(0,0),(2.5,1)]'::cube, cube(1), cube(1, 2), cube(array[1, 2]::float8[]), cube(array[0, 0]::float8[], array[1, 2]::float8[]);
--> {"cube":"(0, 0),(1, 2)"}

select cube_dim('(1,2)'), cube_ll_coord('(3,2),(1,4)', 1), cube_ur_coord('(3,2),(1,4)', 1), cube_is_point('(1,2)'), cube_size('(0,0),(2,3)');
--> {"cube_dim":2,"cube_ll_coord":1,"cube_ur_coord":3,"cube_is_point":true,"cube_size":6}

select cube_union('(0),(1)', '(3)'), cube_inter('(0),(4)', '(2),(8)'), cube_enlarge('(1,1)', 1, 3), cube_enlarge('(0),(4)', -3, 1);
--> {"cube_union":"(0),(3)","cube_inter":"(2),(4)","cube_enlarge":"(2)"}

select '(0,0),(2,2)'::cube @> '(1,1)'::cube, '(1,1)'::cube <@ '(0,0),(2,2)'::cube, '(0),(1)'::cube && '(2),(3)'::cube, '(0,0)'::cube <-> '(3,4)'::cube, cube_distance('(0)', '(0,3)'), '(0,0)'::cube <#> '(3,4)'::cube, '(0,0)'::cube <=> '(3,4)'::cube;
--> {"?column?":4,"cube_distance":3}

select '(1,2),(3)'::cube;
--> ERROR 22P02: invalid input syntax for cube
--> DETAIL: Different point dimensions in (1,2) and (3).
--> AT 8

create table spot (id int, at point default '(1,2)', around cube);
--> no rows

insert into spot values (1, point(1.5, -2)), (2, '3,4');
--> no rows

insert into spot (id) values (3);
--> no rows

select id, at, at[0], at[1], at <-> point '(0,0)' as way from spot order by id;
--> {"id":1,"at":-2,"way":2.5}
--> {"id":2,"at":4,"way":5}
--> {"id":3,"at":2,"way":2.23606797749979}

update spot set at = point(at[0] + 1, at[1]) where id = 1 returning at;
--> {"at":"(2.5,-2)"}

select 'x'::point;
--> ERROR 22P02: invalid input syntax for type point: "x"
--> AT 8

select at from spot where at = point(1, 2);
--> ERROR 42883: operator does not exist: point = point
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 30

create function far(p point) returns float language sql immutable as $$ select p <-> point(0, 0) $$;
--> no rows

select far('(3,4)'), far(at) from spot where id = 2;
--> {"far":5}
