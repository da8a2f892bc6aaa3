-- How result columns are named, and which types expressions have.

select 1 + 1, 'a' || 'b', upper('x'), count(*), now() is null, -5;
--> {"?column?":-5,"upper":"X","count":1}

select 1::int, '2'::text, cast(3 as numeric), (4)::float8, '2024-01-01'::date, true::bool;
--> {"int4":1,"text":"2","numeric":"3","float8":4,"date":"2024-01-01","bool":true}

select case when true then 1 end, coalesce(1, 2), nullif(1, 2), greatest(1, 2), array[1], row(1), exists (select 1), (select 5), (select 6 as six);
--> {"case":1,"coalesce":1,"nullif":1,"greatest":2,"array":[1],"row":"(1)","exists":true,"?column?":5,"six":6}

select current_date is not null, extract(year from date '2024-01-01'), substring('abc' from 2), trim('x'), position('a' in 'a'), overlay('a' placing 'b' from 1);
--> {"?column?":true,"extract":"2024","substring":"bc","btrim":"x","position":1,"overlay":"b"}

select (array[1, 2])[1], ('{"a": 1}'::jsonb) -> 'a', '{"a": 1}'::jsonb ->> 'a', not true, 1 in (1), 1 between 0 and 2, null is null, 'a' like 'b';
--> {"array":1,"?column?":false}

select t.x, t."Y", t.x as z from (select 1 as x, 2 as "Y") t;
--> {"x":1,"Y":2,"z":1}

select sum(n), sum(n), max(n) as m from generate_series(1, 2) n;
--> {"sum":3,"m":2}

select date '2024-01-01', timestamp '2024-01-01', interval '1 day', int '5';
--> {"date":"2024-01-01","timestamp":"2024-01-01 00:00:00","interval":"1 day","int4":5}

select count(*) filter (where true), row_number() over (), string_agg('x', ','), to_char(1, '9');
--> {"count":1,"row_number":1,"string_agg":"x","to_char":" 1"}

select * from (select 1, 2) t;
--> {"?column?":2}

select * from (values (1, 'x')) v;
--> {"column1":1,"column2":"x"}

select * from generate_series(1, 1) g, unnest(array['a']) u;
--> {"g":1,"u":"a"}

select pg_typeof(count(*)) as a, pg_typeof(sum(1)) as b, pg_typeof(sum(1::bigint)) as c, pg_typeof(avg(1)) as d, pg_typeof(sum(1.5::float4)) as e, pg_typeof(avg(1.0::float8)) as f from generate_series(1, 1);
--> {"a":"bigint","b":"bigint","c":"numeric","d":"numeric","e":"real","f":"double precision"}

select pg_typeof(1 + 1.5) as a, pg_typeof(1 + 1.5::float8) as b, pg_typeof(1::smallint + 1) as c, pg_typeof('a' || 'b') as d, pg_typeof(date '2024-01-01' + 1) as e, pg_typeof(date '2024-01-01' - date '2024-01-01') as f, pg_typeof(now() - now()) as g, pg_typeof(current_date + interval '1 day') as h;
--> {"a":"numeric","b":"double precision","c":"integer","d":"text","e":"date","f":"integer","g":"interval","h":"timestamp without time zone"}

select pg_typeof(extract(year from now())) as a, pg_typeof(date_part('year', now())) as b, pg_typeof(round(1.5)) as c, pg_typeof(round(1.5::float8)) as d, pg_typeof(ceil(1)) as e, pg_typeof(sqrt(4)) as f, pg_typeof(length('x')) as g, pg_typeof(power(2, 2)) as h;
--> {"a":"numeric","b":"double precision","c":"numeric","d":"double precision","e":"double precision","f":"double precision","g":"integer","h":"double precision"}

select pg_typeof(coalesce(1, 2.5)) as a, pg_typeof(case when true then 1 else 2.5::float8 end) as b, pg_typeof(array[1, 2.5]) as c, pg_typeof(coalesce(null, 'x')) as d, pg_typeof(greatest(1, 2::bigint)) as e, pg_typeof('x') as f, pg_typeof(to_jsonb(1)) as g, pg_typeof('{}'::json -> 'a') as h, pg_typeof(array_agg(1)) as i;
--> {"a":"numeric","b":"double precision","c":"numeric[]","d":"text","e":"bigint","f":"unknown","g":"jsonb","h":"json","i":"integer[]"}

select distinct 'x' as a, 1 as b from generate_series(1, 3);
--> {"a":"x","b":1}

select 'x' union select 'y' order by 1;
--> {"?column?":"x"}
--> {"?column?":"y"}

select null union select 1 order by 1;
--> {"?column?":1}
--> {"?column?":null}

select 1 as n union select 2.5 union select 3::bigint order by 1;
--> {"n":"1"}
--> {"n":"2.5"}
--> {"n":"3"}

create table widths (a char(5), b varchar(5), c text, d name, e "char");
--> no rows

insert into widths values ('ab', 'ab', 'ab', 'ab', 'a') returning a, b, c, d, e;
--> {"a":"ab   ","b":"ab","c":"ab","d":"ab","e":"a"}

select a || '|' as a, b || '|' as b, length(a) as c, a = 'ab' as d, a = 'ab  ' as e, b = 'ab ' as f, a like 'ab' as g, a::text || '|' as h from widths;
--> {"a":"ab|","b":"ab|","c":2,"d":true,"e":true,"f":false,"g":false,"h":"ab|"}

select t as whole, t.a from (select 1 as a, 'x' as b) t;
--> {"whole":"(1,x)","a":1}

select (t).a, (t).* from (select 1 as a, 'x y' as b) t;
--> {"a":1,"b":"x y"}

select tableoid::regclass::text as t, ctid is not null as c from widths;
--> {"t":"widths","c":true}

select 1 as "a""b", 2 as "ünï";
--> {"a\"b":1,"ünï":2}

select 3 as value, 4 as key, 5 as name, 6 as type, 7 as text;
--> {"value":3,"key":4,"name":5,"type":6,"text":7}

select "x"."y" from (select 1 as y) as x;
--> {"y":1}
