create table t (id int primary key, a text, g text generated always as (a || 'x') stored); insert into t (id, a) values (1, 'a'), (2, 'b')
--> no rows

create function s() returns setof t language sql as 'select * from t order by id'
--> no rows

create function o() returns t language plpgsql as 'declare r t; begin select * into r from t order by id limit 1; return r; end'
--> no rows

create function p() returns setof t language plpgsql as 'begin return query select * from t order by id; end'
--> no rows

select x, pg_typeof(x) as y from s() as x
--> {"x":"(1,a,ax)","y":"t"}
--> {"x":"(2,b,bx)","y":"t"}

select x, pg_typeof(x) as y from s() x(a, b, c)
--> {"x":"(1,a,ax)","y":"t"}
--> {"x":"(2,b,bx)","y":"t"}

select x, pg_typeof(x) as y from o() as x
--> {"x":"(1,a,ax)","y":"t"}

select p, pg_typeof(p) as y, pg_typeof(p.id) as z from p()
--> {"p":"(1,a,ax)","y":"t","z":"integer"}
--> {"p":"(2,b,bx)","y":"t","z":"integer"}

select a.id, x, pg_typeof(x) as y from t a, lateral p() as x where x.id = a.id order by 1
--> {"id":1,"x":"(1,a,ax)","y":"t"}
--> {"id":2,"x":"(2,b,bx)","y":"t"}

select x, pg_typeof(x) as y from p() with ordinality as x
--> {"x":"(1,a,ax,1)","y":"record"}
--> {"x":"(2,b,bx,2)","y":"record"}

select a.id, pg_typeof(x) as y, x is null as z, x::text as w from t a left join p() as x on x.id = a.id + 1 order by 1
--> {"id":1,"y":"t","z":false,"w":"(2,b,bx)"}
--> {"id":2,"y":"t","z":true,"w":null}

select row_to_json(x) as x, to_jsonb(x) as y from p() as x
--> {"x":{"id":1,"a":"a","g":"ax"},"y":{"a":"a","g":"ax","id":1}}
--> {"x":{"id":2,"a":"b","g":"bx"},"y":{"a":"b","g":"bx","id":2}}

select x = t as y from p() as x, t where t.id = x.id
--> {"y":true}
--> {"y":true}

select count(x) as n, json_agg(x order by x.id) as y from p() as x
--> {"n":2,"y":[{"id":1,"a":"a","g":"ax"},{"id":2,"a":"b","g":"bx"}]}

create table kept as select x from p() as x
--> no rows

select pg_typeof(x) as y, (x).a from kept order by 2
--> {"y":"t","a":"a"}
--> {"y":"t","a":"b"}

create type ct as (a int, b text)
--> no rows

create function c() returns setof ct language sql as 'select 1, ''a'''
--> no rows

select c, pg_typeof(c) as y from c()
--> {"c":"(1,a)","y":"ct"}

create function tf() returns table (a int, b text) language sql as 'select 1, ''a'''
--> no rows

select tf, pg_typeof(tf) as y from tf()
--> {"tf":"(1,a)","y":"record"}

select pg_typeof(array_agg(x)) as y from p() as x
--> {"y":"t[]"}

select pg_typeof(count(*)) as y from t
--> {"y":"bigint"}

select pg_typeof(sum(id)) as y from t where false
--> {"y":"bigint"}

select a, pg_typeof(max(id)) as y from t group by a order by a
--> {"a":"a","y":"integer"}
--> {"a":"b","y":"integer"}

select pg_typeof(row_number() over ()) as y from t
--> {"y":"bigint"}
--> {"y":"bigint"}

select pg_typeof(upper(a)) as y from t
--> {"y":"text"}
--> {"y":"text"}

select pg_typeof(row(1, count(*))) as y from t
--> {"y":"record"}

select pg_typeof(unnest(array[1, 2])) as y
--> {"y":"integer"}
--> {"y":"integer"}

select array_agg('' order by '') filter (where nope(1)) as y from t
--> ERROR 42883: function nope(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 48

select sum(a) filter (where nope(1)) as y from t
--> ERROR 42883: function nope(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 29

create table log (x text)
--> no rows

create function f() returns trigger language plpgsql as $$ begin insert into log values (tg_when || new::text || row_to_json(new)::text || coalesce(new.g, 'none')); return new; end $$
--> no rows

create trigger b before insert or update on t for each row execute function f()
--> no rows

create trigger z after insert or update on t for each row execute function f()
--> no rows

update t set a = 'q' where id = 1
--> no rows

update t set id = 5 where id = 1
--> no rows

insert into t (id, a) values (3, 'c')
--> no rows

insert into t (id, a) values (2, 'c') on conflict (id) do update set a = 'n'
--> no rows

merge into t using (values (3)) v(k) on t.id = v.k when matched then update set a = 'm'
--> no rows

select * from log order by x
--> {"x":"AFTER(1,q,qx){\"id\":1,\"a\":\"q\",\"g\":\"qx\"}qx"}
--> {"x":"AFTER(2,n,nx){\"id\":2,\"a\":\"n\",\"g\":\"nx\"}nx"}
--> {"x":"AFTER(3,c,cx){\"id\":3,\"a\":\"c\",\"g\":\"cx\"}cx"}
--> {"x":"AFTER(3,m,mx){\"id\":3,\"a\":\"m\",\"g\":\"mx\"}mx"}
--> {"x":"AFTER(5,q,qx){\"id\":5,\"a\":\"q\",\"g\":\"qx\"}qx"}
--> {"x":"BEFORE(1,q,){\"id\":1,\"a\":\"q\",\"g\":null}none"}
--> {"x":"BEFORE(2,c,){\"id\":2,\"a\":\"c\",\"g\":null}none"}
--> {"x":"BEFORE(2,n,){\"id\":2,\"a\":\"n\",\"g\":null}none"}
--> {"x":"BEFORE(3,c,){\"id\":3,\"a\":\"c\",\"g\":null}none"}
--> {"x":"BEFORE(3,m,){\"id\":3,\"a\":\"m\",\"g\":null}none"}
--> {"x":"BEFORE(5,q,){\"id\":5,\"a\":\"q\",\"g\":null}none"}

select * from t order by id
--> {"id":2,"a":"n","g":"nx"}
--> {"id":3,"a":"m","g":"mx"}
--> {"id":5,"a":"q","g":"qx"}
