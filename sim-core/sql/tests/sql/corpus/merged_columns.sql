-- The types of columns that a join merges

create domain brief as text;
create table t0 (id int primary key, c1 brief, big bigint);
insert into t0 values (1, 'a', 7), (2, 'b', 1);
--> no rows

select id, big from (select id from t0) a natural join (select big as id, id as big from t0) b;
--> {"id":1,"big":2}

select id, pg_typeof(id) from (select id from t0) a natural join (select big as id from t0) b;
--> {"id":1,"pg_typeof":"bigint"}

select id, pg_typeof(id) from (select id from t0) a natural left join (select big as id from t0) b order by 1;
--> {"id":1,"pg_typeof":"bigint"}
--> {"id":2,"pg_typeof":"bigint"}

select id, pg_typeof(id) from (select id from t0) a right join (select big as id from t0) b using (id) order by 1;
--> {"id":1,"pg_typeof":"bigint"}
--> {"id":7,"pg_typeof":"bigint"}

select id, pg_typeof(id), pg_typeof(a.id), pg_typeof(b.id) from (select big as id from t0) a full join (select id from t0) b using (id) order by 1;
--> {"id":1,"pg_typeof":"integer"}
--> {"id":2,"pg_typeof":"integer"}
--> {"id":7,"pg_typeof":"integer"}

select id, pg_typeof(id) from (select 1.5 as id) a left join (select 1 as id from t0) b using (id);
--> {"id":"1.5","pg_typeof":"numeric"}

select id, pg_typeof(id) from (select 1 as id) a left join (select 1.50 as id from t0) b using (id);
--> {"id":"1","pg_typeof":"numeric"}

select id, pg_typeof(id) from (select 1::smallint as id) a natural join (select 1.0::real as id) b;
--> {"id":1,"pg_typeof":"real"}

select c1, pg_typeof(c1) from (select c1 from t0) a natural join (select c1::text from t0) b order by 1;
--> {"c1":"a","pg_typeof":"text"}
--> {"c1":"b","pg_typeof":"text"}

select c1, pg_typeof(c1) from (select c1 from t0) a natural join (select c1 from t0) b order by 1;
--> {"c1":"a","pg_typeof":"brief"}
--> {"c1":"b","pg_typeof":"brief"}

select c1, pg_typeof(c1) from (select c1::varchar from t0) a natural join (select c1::text from t0) b order by 1;
--> {"c1":"a","pg_typeof":"character varying"}
--> {"c1":"b","pg_typeof":"character varying"}

select id, pg_typeof(id) from (select 1 as id) a join (select 1::bigint as id) b using (id) where id > 0;
--> {"id":1,"pg_typeof":"bigint"}

select * from (select 1 as id, 2 as x) a full join (select 3::bigint as id, 4 as y) b using (id) order by id;
--> {"id":1,"x":2,"y":null}
--> {"id":3,"x":null,"y":4}

select id, pg_typeof(id) from (select '2024-01-01'::date as id) a join (select '2024-01-01'::timestamp as id) b using (id);
--> {"id":"2024-01-01 00:00:00","pg_typeof":"timestamp without time zone"}

select id, pg_typeof(id) from (select '2024-01-01'::date as id) a right join (select '2024-01-01'::timestamp as id) b using (id);
--> {"id":"2024-01-01 00:00:00","pg_typeof":"timestamp without time zone"}

select c, pg_typeof(c) from (select 'x'::char(3) as c) a join (select 'x'::text as c) b using (c);
--> {"c":"x  ","pg_typeof":"character"}

select c, pg_typeof(c) from (select 'x'::varchar(3) as c) a join (select 'x'::varchar(5) as c) b using (c);
--> {"c":"x","pg_typeof":"character varying"}
