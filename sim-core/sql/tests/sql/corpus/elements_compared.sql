select array_remove(array['1 day'::interval, '24:00', '2 days'], '24 hours'::interval), array_position(array['1 day'::interval, '24:00', '2 days'], '48 hours'::interval), array_positions(array['1 day'::interval, '24:00', '2 days'], '24 hours'::interval), array_replace(array['1 day'::interval, '24:00', '2 days'], '24 hours'::interval, '1 year'::interval);
--> {"array_remove":["2 days"],"array_position":3,"array_positions":[1,2],"array_replace":["1 year","1 year","2 days"]}

select array['1 day'::interval] @> array['24:00'::interval], array['1 day'::interval] && array['24:00'::interval], array['1 day'::interval] = array['24:00'::interval], array['1 day'::interval] < array['23:00'::interval], '24:00'::interval = any(array['1 day'::interval]);
--> {"?column?":true}

select array_remove(array['1'::jsonb, '1.0', '2'], '1.00'::jsonb), array_position(array['1'::jsonb, '1.0', '2'], '2.0'::jsonb), array_positions(array['1'::jsonb, '1.0', '2'], '1.00'::jsonb), array_replace(array['1'::jsonb, '1.0', '2'], '1.00'::jsonb, '"x"'::jsonb);
--> {"array_remove":[2],"array_position":3,"array_positions":[1,2],"array_replace":["x","x",2]}

select array['1'::jsonb] @> array['1.0'::jsonb], array['1'::jsonb] && array['1.0'::jsonb], array['1'::jsonb] = array['1.0'::jsonb], array['{}'::jsonb] < array['[]'::jsonb], '1.0'::jsonb = any(array['1'::jsonb]);
--> {"?column?":true}

select array_remove(array['a '::char(3), 'b'], 'a'::char(1)), array_position(array['a '::char(3), 'b'], 'b'::char(1)), array_positions(array['a '::char(3), 'b'], 'a'::char(2)), array_replace(array['a '::char(3), 'b'], 'a'::char(2), 'z'::char(2));
--> {"array_remove":["b"],"array_position":2,"array_positions":[1],"array_replace":["z ","b"]}

select array['a '::char(3)] @> array['a'::char(1)], array['a '::char(3)] && array['a'::char(1)], array['a '::char(3)] = array['a'::char(1)], 'a'::char(4) = any(array['a'::char(1)]);
--> {"?column?":true}

select array_remove(array['10:00+01'::timetz], '10:00+01'::timetz), array_position(array['12:00+00'::timetz, '10:00+01'], '10:00+01'::timetz), array['12:00+00'::timetz] < array['12:30+01'::timetz], array['12:00+00'::timetz] = array['13:00+01'::timetz];
--> {"array_remove":[],"array_position":2,"?column?":false}

select array_remove(array['10.0.0.1'::inet, '10.0.0.1/32'], '10.0.0.1'::inet), array['9.0.0.0/8'::inet] < array['10.0.0.1'::inet], array_position(array['10.0.0.0/8'::cidr], '10.0.0.0/8'::cidr), array['9.0.0.0/8'::cidr] < array['10.0.0.0/8'::cidr];
--> {"array_remove":[],"?column?":true,"array_position":1}

select array_remove(array['[1,3]'::int4range, '[1,4)'], '[1,4)'::int4range), array['[1.0,3]'::numrange] = array['[1,3.0]'::numrange], array['[1.0,3]'::numrange] @> array['[1,3.0]'::numrange], array_position(array['[1.0,3]'::numrange], '[1,3.0]'::numrange), array['[9,10)'::int4range] < array['[10,11)'::int4range];
--> {"array_remove":"{}","?column?":true,"array_position":1}

select array['{[1.0,3]}'::nummultirange] = array['{[1,3.0]}'::nummultirange], array_position(array['{[1.0,3]}'::nummultirange], '{[1,3.0]}'::nummultirange);
--> {"?column?":true,"array_position":1}

create table e (id int, i interval[], j jsonb[], c char(3)[], n numeric[], t timetz[], r numrange[]); insert into e values (1, '{1 day,24:00}', '{1,1.0}', '{a,b}', '{1,2.0}', '{10:00+00}', '{"[1,2]"}'), (2, '{24:00,1 day}', '{1.0,1}', '{"a ","b  "}', '{1.0,2}', '{10:00+00}', '{"[1.0,2.00]"}'), (3, '{2 days}', '{2}', '{c}', '{3}', '{09:00+00}', '{"[3,4)"}');
--> no rows

select count(*) from (select distinct i from e) x;
--> {"count":2}

select count(*) from (select distinct j from e) x;
--> {"count":2}

select count(*) from (select distinct c from e) x;
--> {"count":2}

select count(*) from (select distinct n from e) x;
--> {"count":2}

select count(*) from (select distinct r from e) x;
--> {"count":2}

select count(*) from e group by i order by 1;
--> {"count":1}
--> {"count":2}

select count(*) from e group by j order by 1;
--> {"count":1}
--> {"count":2}

select count(*) from e group by r order by 1;
--> {"count":1}
--> {"count":2}

select count(*) from (select i from e where id = 1 intersect select i from e where id = 2) x;
--> {"count":1}

select count(*) from (select j from e where id = 1 except select j from e where id = 2) x;
--> {"count":0}

select count(*) from (select j from e union select j from e) x;
--> {"count":2}

select id from e order by i, id;
--> {"id":1}
--> {"id":2}
--> {"id":3}

select id from e order by j desc, id;
--> {"id":3}
--> {"id":1}
--> {"id":2}

select id from e order by r, id;
--> {"id":1}
--> {"id":2}
--> {"id":3}

select count(distinct i), count(distinct j), count(distinct n), count(distinct r), count(distinct c) from e;
--> {"count":2}

select array_agg(distinct i) from e;
--> ERROR 2202E: cannot accumulate arrays of different dimensionality

select a.id, b.id from e a join e b on a.i = b.i order by 1, 2;
--> {"id":1}
--> {"id":2}
--> {"id":1}
--> {"id":2}
--> {"id":3}

select a.id, b.id from e a join e b using (j) order by 1, 2;
--> {"id":1}
--> {"id":2}
--> {"id":1}
--> {"id":2}
--> {"id":3}

select count(*) from (select distinct (i[1], n) from e) x;
--> {"count":2}

select count(*) from (select distinct row(i[1], j[1], n[1]) from e) x;
--> {"count":2}

select row(i[1], j[1], n[1]) = row('24:00'::interval, '1.0'::jsonb, 1.00) from e order by id;
--> {"?column?":true}
--> {"?column?":true}
--> {"?column?":false}

select count(*) from e group by row(i[1], j[1]) order by 1;
--> {"count":1}
--> {"count":2}

select id, rank() over (order by i), dense_rank() over (partition by j order by id), row_number() over (partition by r order by id) from e order by id;
--> {"id":1,"rank":1,"dense_rank":1,"row_number":1}
--> {"id":2,"rank":1,"dense_rank":2,"row_number":2}
--> {"id":3,"rank":3,"dense_rank":1,"row_number":1}

create table u (k interval[] unique, j jsonb[]); insert into u values ('{1 day}', '{1}'); insert into u values ('{24:00}', '{2}');
--> ERROR 23505: duplicate key value violates unique constraint "u_k_key"
--> DETAIL: Key (k)=({24:00:00}) already exists.

create table u2 (k jsonb[] primary key); insert into u2 values ('{1}'); insert into u2 values ('{1.0}') on conflict do nothing; select * from u2;
--> {"k":[1]}

create type ip as (i interval, n numeric); create table c (id int, v ip); insert into c values (1, row('1 day', 1)), (2, row('24:00', 1.0)), (3, row('2 days', 10)), (4, row('2 days', 9));
--> no rows

select count(*) from (select distinct v from c) x;
--> {"count":3}

select count(*) from c group by v order by 1;
--> {"count":1}
--> {"count":1}
--> {"count":2}

select id from c order by v, id;
--> {"id":1}
--> {"id":2}
--> {"id":4}
--> {"id":3}

select a.id, b.id from c a join c b on a.v = b.v order by 1, 2;
--> {"id":1}
--> {"id":2}
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}

select a.id, b.id from c a join c b using (v) order by 1, 2;
--> {"id":1}
--> {"id":2}
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}

select array_agg(v order by v, id), count(distinct v), max(v), min(v) from c;
--> ERROR 42883: function max(ip) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 56

select array_position(array_agg(v order by id), row('48:00', 9.0)::ip), array_remove(array_agg(v order by id), row('24:00', 1.00)::ip) from c;
--> {"array_position":4,"array_remove":"{\"(\\\"2 days\\\",10)\",\"(\\\"2 days\\\",9)\"}"}

select array_agg(v order by id) @> array[row('48:00', 9.0)::ip], array_agg(v order by id) && array[row('48:00', 9.0)::ip],  array[row('1 day', 1)::ip] = array[row('24:00', 1.0)::ip], row('48:00', 9.0)::ip = any(array_agg(v order by id)) from c;
--> {"?column?":true}

select id, v in (row('48:00', 9.0)::ip, row('24:00', 1.00)::ip) from c order by id;
--> {"id":1,"?column?":true}
--> {"id":2,"?column?":true}
--> {"id":3,"?column?":false}
--> {"id":4,"?column?":true}

create type mood as enum ('sad', 'ok', 'happy'); create table m (id int, l mood[], v mood); insert into m values (1, '{happy}', 'happy'), (2, '{ok,sad}', 'ok'), (3, '{ok}', 'sad'), (4, '{sad}', 'ok');
--> no rows

select id from m order by l;
--> {"id":4}
--> {"id":3}
--> {"id":2}
--> {"id":1}

select id from m order by row(v, id);
--> {"id":3}
--> {"id":2}
--> {"id":4}
--> {"id":1}

select row('happy'::mood, 1) > row('ok'::mood, 1), array_agg(distinct v) from m;
--> {"?column?":true,"array_agg":"{sad,ok,happy}"}

create type mp as (m mood, n int); create table mm (v mp); insert into mm values (row('happy', 1)), (row('ok', 2)), (row('sad', 3));
--> no rows

select v from mm order by v;
--> {"v":"(sad,3)"}
--> {"v":"(ok,2)"}
--> {"v":"(happy,1)"}

select max(v), min(v), row('happy', 1)::mp > row('ok', 1)::mp, bool_and(v >= row('ok', 1)::mp) from mm;
--> ERROR 42883: function max(mp) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select max(i) from e;
--> {"max":["2 days"]}
