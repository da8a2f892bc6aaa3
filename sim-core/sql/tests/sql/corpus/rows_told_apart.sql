-- Rows, arrays and other values that are equal and look different: DISTINCT in aggregates, set operations, recursion.

create type c as (n numeric, i interval);
create table t(id int, v c);
insert into t values (1, row(1.0,'1 day')), (2, row(1.00,'24 hours')), (3, row(2, '1 month')), (4, row(2.0,'30 days')), (5, null), (6, row(null,null)), (7,row(null,null));
--> no rows

select count(distinct v) from t;
--> {"count":3}

select distinct v from t order by v;
--> {"v":"(1.0,\"1 day\")"}
--> {"v":"(2,\"1 mon\")"}
--> {"v":"(,)"}
--> {"v":null}

select v, count(*) from t group by v order by v;
--> {"v":"(1.0,\"1 day\")","count":2}
--> {"v":"(2,\"1 mon\")","count":2}
--> {"v":"(,)","count":2}
--> {"v":null,"count":1}

with recursive r as (select v, 1 as n from t where id = 1 union select t.v, 1 from t join r on true) select v from r order by v;
--> {"v":"(1.0,\"1 day\")"}
--> {"v":"(2,\"1 mon\")"}
--> {"v":"(,)"}
--> {"v":null}

with recursive r as (select v from t where id = 1 union select t.v from t join r on true) select count(*) from r;
--> {"count":4}

select v from t where id in (1,3) intersect all select v from t where id in (2,4) order by 1;
--> {"v":"(1.0,\"1 day\")"}
--> {"v":"(2,\"1 mon\")"}

select v from t where id in (1,3) intersect select v from t where id in (2,4) order by 1;
--> {"v":"(1.0,\"1 day\")"}
--> {"v":"(2,\"1 mon\")"}

select v from t where id in (1,2,3) except all select v from t where id in (2) order by 1;
--> {"v":"(1.0,\"1 day\")"}
--> {"v":"(2,\"1 mon\")"}

select v from t where id in (1,2,3) except select v from t where id in (2) order by 1;
--> {"v":"(2,\"1 mon\")"}

select v from t where id in (1,2,3) union select v from t where id in (2) order by 1;
--> {"v":"(1.0,\"1 day\")"}
--> {"v":"(2,\"1 mon\")"}

select count(*) from (select v from t where id in (1,2,3) union all select v from t where id in (2)) q;
--> {"count":4}

select count(distinct (n, i)) from (select (v).n, (v).i from t) q;
--> {"count":3}

select array_agg(distinct row(id % 2, v)) from t;
--> {"array_agg":"{\"(0,\\\"(1.00,24:00:00)\\\")\",\"(0,\\\"(2.0,\\\"\\\"30 days\\\"\\\")\\\")\",\"(0,\\\"(,)\\\")\",\"(1,\\\"(1.0,\\\"\\\"1 day\\\"\\\")\\\")\",\"(1,\\\"(2,\\\"\\\"1 mon\\\"\\\")\\\")\",\"(1,\\\"(,)\\\")\",\"(1,)\"}"}

select count(*) over (partition by v) from t order by id;
--> {"count":2}
--> {"count":2}
--> {"count":2}
--> {"count":2}
--> {"count":1}
--> {"count":2}
--> {"count":2}

select rank() over (order by v), dense_rank() over (order by v) from t order by id;
--> {"rank":1,"dense_rank":1}
--> {"rank":1,"dense_rank":1}
--> {"rank":3,"dense_rank":2}
--> {"rank":3,"dense_rank":2}
--> {"rank":7,"dense_rank":4}
--> {"rank":5,"dense_rank":3}
--> {"rank":5,"dense_rank":3}

select count(distinct array[v]) from t;
--> {"count":4}

create type d as (x char(5), j jsonb, t text);
create table u(id int, v d);
insert into u values (1, row('ab','{"a":1.0}','x')), (2, row('ab  ','{"a":1.00}','x')), (3, row('ab',' {"a": 1}','x'));
--> no rows

select count(distinct v), array_agg(distinct v) from u;
--> {"count":1,"array_agg":"{\"(\\\"ab   \\\",\\\"{\\\"\\\"a\\\"\\\": 1.0}\\\",x)\"}"}

select v from u except all select v from u where id > 1;
--> {"v":"(\"ab   \",\"{\"\"a\"\": 1.0}\",x)"}

with recursive r as (select v from u where id = 1 union select u.v from u join r on true) select count(*) from r;
--> {"count":1}

select distinct on (v) id, v from u order by v, id;
--> {"id":1,"v":"(\"ab   \",\"{\"\"a\"\": 1.0}\",x)"}

select a.id, b.id from t a join t b using (v) order by 1,2;
--> {"id":1}
--> {"id":2}
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}
--> {"id":3}
--> {"id":4}
--> {"id":6}
--> {"id":7}
--> {"id":6}
--> {"id":7}

select id from t where v in (select row(1.000,'24:00:00'::interval)::c) order by id;
--> {"id":1}
--> {"id":2}

select min(id) from t group by v having count(*) > 1 order by 1;
--> {"min":1}
--> {"min":3}
--> {"min":6}

select count(distinct v) filter (where id < 3) from t;
--> {"count":1}

select count(distinct x) from (values (1.0),(1.00)) q(x);
--> {"count":1}

select count(distinct x) from (values (array[1.0]),(array[1.00])) q(x);
--> {"count":1}

select count(distinct x) from (values (numrange(1.0,2)),(numrange(1.00,2.0))) q(x);
--> {"count":1}

select x from (values (numrange(1.0,2)),(numrange(1.00,2.0))) q(x) except all select numrange(1,2);
--> {"x":"[1.0,2)"}

with recursive r as (select array[1.0] x union select array[1.00] from r) select count(*) from r;
--> {"count":1}

with recursive r as (select '1 day'::interval x union select '24 hours' from r) select count(*) from r;
--> {"count":1}

with recursive r as (select numrange(1.0,2) x union select numrange(1.00,2.0) from r) select count(*) from r;
--> {"count":1}

create table k(v c primary key);
insert into k values (row(1.0,'1 day'));
insert into k values (row(1.00,'24 hours'));
--> ERROR 23505: duplicate key value violates unique constraint "k_pkey"
--> DETAIL: Key (v)=((1.00,24:00:00)) already exists.

create table k2(v c unique);
insert into k2 values (row(1.0,'1 day'));
insert into k2 values (row(1.00,'24 hours')) on conflict (v) do nothing;
--> no rows

select * from k2;
--> {"v":"(1.0,\"1 day\")"}

select string_agg(distinct v::text, ',') from t;
--> {"string_agg":"(,),(1.0,\"1 day\"),(1.00,24:00:00),(2,\"1 mon\"),(2.0,\"30 days\")"}

select mode() within group (order by v) from t;
--> {"mode":"(1.0,\"1 day\")"}

select array_agg(distinct v), jsonb_agg(distinct v), json_agg(distinct v) from t where id < 5;
--> {"array_agg":"{\"(1.0,\\\"1 day\\\")\",\"(2,\\\"1 mon\\\")\"}","jsonb_agg":[{"i":"1 day","n":1},{"i":"1 mon","n":2}],"json_agg":[{"n":1,"i":"1 day"},{"n":2,"i":"1 mon"}]}

select array_agg(distinct v order by v desc) from t where id in (1,3,5);
--> {"array_agg":"{NULL,\"(2,\\\"1 mon\\\")\",\"(1.0,\\\"1 day\\\")\"}"}

with recursive r as (select numrange(1.0,2) x union select numrange(1.00,2.0) from r) select * from r;
--> {"x":"[1.0,2)"}

with recursive r as (select 1.0 x union select 1.00 from r) select * from r;
--> {"x":"1.0"}

with recursive r as (select '1 day'::interval x union select '24 hours'::interval from r) select * from r;
--> {"x":"1 day"}

select numrange(1.0,2) x union select numrange(1.00,2.0);
--> {"x":"[1.0,2)"}

select count(distinct x) from (values (numrange(1.0,2)),(numrange(1.00,2.0))) q(x);
--> {"count":1}

select mode() within group (order by x) from (values (1.0),(2),(1.00),(2)) q(x);
--> {"mode":"1.0"}

select mode() within group (order by x) from (values (1.0),(2),(2.0),(1.5)) q(x);
--> {"mode":"2"}

select json_object_agg(distinct k, v) from (values ('a',1.0),('a',1.00),('b',2)) q(k,v);
--> {"json_object_agg":{"a":1,"b":2}}

select jsonb_object_agg(distinct k, v) from (values ('a',1.0),('a',1.00),('b',2)) q(k,v);
--> {"jsonb_object_agg":{"a":1,"b":2}}

select json_object_agg(distinct k, v) from (values ('a','1 day'::interval),('a','24 hours'),('b','2 days')) q(k,v);
--> {"json_object_agg":{"a":"1 day","b":"2 days"}}

select json_agg(distinct v), jsonb_agg(distinct v) from (values ('a','1 day'::interval),('a','24 hours'),('b','2 days')) q(k,v);
--> {"json_agg":["1 day","2 days"],"jsonb_agg":["1 day","2 days"]}

select json_agg(distinct v), jsonb_agg(distinct v) from (values ('a'::char(3)),('a'::char(5)),('b')) q(v);
--> {"json_agg":["a  ","b"],"jsonb_agg":["a  ","b"]}

select json_agg(distinct v), count(distinct v) from (values ('12:00+00'::timetz),('14:00+02'),('13:00+01')) q(v);
--> {"json_agg":["14:00:00+02","13:00:00+01","12:00:00+00"],"count":3}

select json_agg(distinct v) from (values (array['1 day'::interval]),(array['24 hours'::interval]), (null)) q(v);
--> {"json_agg":[["1 day"],null]}

select array_agg(distinct v) from (values (array['1 day'::interval]),(array['24 hours'::interval])) q(v);
--> {"array_agg":[["1 day"]]}

select json_object_agg(distinct k, v order by k) from (values (null,1)) q(k,v);
--> ERROR 22023: field name must not be null

create table tt(v c[]);
insert into tt values (array[row(1.0,'1 day')::c]), (array[row(1.00,'24 hours')::c]);
--> no rows

select count(distinct v) from tt;
--> {"count":1}

select distinct v from tt;
--> {"v":"{\"(1.0,\\\"1 day\\\")\"}"}

select json_agg(distinct v) from tt;
--> {"json_agg":[[{"n":1,"i":"1 day"}]]}

select json_agg(distinct tt) from tt;
--> {"json_agg":[{"v":[{"n":1,"i":"1 day"}]}]}

select json_agg(distinct (v[1]).n) from tt;
--> {"json_agg":[1]}

with recursive r(v, n) as (select v[1], 1 from tt union select row((v).n + 1.0, (v).i)::c, n + 1 from r where n < 4) select * from r order by n, v;
--> {"v":"(1.0,\"1 day\")","n":1}
--> {"v":"(2.0,\"1 day\")","n":2}
--> {"v":"(3.0,\"1 day\")","n":3}
--> {"v":"(4.0,\"1 day\")","n":4}

with recursive r(v) as (select v[1] from tt union select row(((v).n + 1) % 3, (v).i)::c from r) select * from r order by v;
--> {"v":"(0.0,\"1 day\")"}
--> {"v":"(1.0,\"1 day\")"}
--> {"v":"(2.0,\"1 day\")"}

with recursive r(v) as (select v[1] from tt union select tt.v[1] from r join tt on (r.v).n = (tt.v[1]).n) select v, (v).n from r order by v;
--> {"v":"(1.0,\"1 day\")","n":"1.0"}

with recursive r(v) as (select v[1] from tt union select v from (select (row((r.v).n * 1.0, (r.v).i))::c as v from r) q) select v, (v).n from r order by v;
--> {"v":"(1.0,\"1 day\")","n":"1.0"}

with recursive r(v) as (select v[1] from tt union all select row((v).n + 1.0, (v).i)::c from r where (v).n < 3) select * from r order by v;
--> {"v":"(1.0,\"1 day\")"}
--> {"v":"(1.00,24:00:00)"}
--> {"v":"(2.0,\"1 day\")"}
--> {"v":"(2.00,24:00:00)"}
--> {"v":"(3.0,\"1 day\")"}
--> {"v":"(3.00,24:00:00)"}

select v[1] from tt except all select v[1] from tt limit 1;
--> no rows

select v[1], count(*) from (select v from tt union all select v from tt) q group by 1;
--> {"v":"(1.0,\"1 day\")","count":4}

select x from (select v[1] as x from tt) q except all (select v[1] from tt limit 1) order by x;
--> {"x":"(1.0,\"1 day\")"}

select array_agg(distinct row(1, v)) from tt;
--> {"array_agg":"{\"(1,\\\"{\\\"\\\"(1.0,\\\\\\\\\\\"\\\"1 day\\\\\\\\\\\"\\\")\\\"\\\"}\\\")\"}"}

select json_agg(distinct row(1, v)) from tt;
--> {"json_agg":[{"f1":1,"f2":[{"n":1,"i":"1 day"}]}]}

select 1.0 x union select 1.00;
--> {"x":"1.0"}

select 1.00 x union select 1.0 order by 1;
--> {"x":"1.00"}

select x from (values (1.0),(2),(1.00)) q(x) union select 1.000 order by x;
--> {"x":"1.0"}
--> {"x":"2"}

select '1 day'::interval x union select '24 hours'::interval;
--> {"x":"1 day"}

select numrange(1.0,2) x union select numrange(1.00,2.0);
--> {"x":"[1.0,2)"}

select numrange(1.0,2) x union select numrange(1.00,2.0) order by 1;
--> {"x":"[1.0,2)"}
