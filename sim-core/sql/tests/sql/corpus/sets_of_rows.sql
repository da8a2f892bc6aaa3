create type money_amt as (cur text, amt numeric); create table o (id int primary key, tot money_amt, d numeric); insert into o values (1, row('eur', 10), 1), (2, row('eur', 10.0), 1.0), (3, row('eur', 9), 2), (4, row(null, 5), null);
--> no rows

select tot from o union select tot from o order by 1;
--> {"tot":"(eur,9)"}
--> {"tot":"(eur,10)"}
--> {"tot":"(,5)"}

select tot, d from o union select tot, d from o order by 1, 2;
--> {"tot":"(eur,9)","d":"2"}
--> {"tot":"(eur,10)","d":"1"}
--> {"tot":"(,5)","d":null}

select tot, 1 as k from o union all (select tot, 2 from o where id = 3 union select tot, 2 from o where id = 3) order by 1, 2;
--> {"tot":"(eur,9)","k":1}
--> {"tot":"(eur,9)","k":2}
--> {"tot":"(eur,10)","k":1}
--> {"tot":"(eur,10.0)","k":1}
--> {"tot":"(,5)","k":1}

select tot from o except select tot from o where id = 2 order by tot desc;
--> {"tot":"(,5)"}
--> {"tot":"(eur,9)"}

(select tot from o union select tot from o) limit 2;
--> {"tot":"(eur,10)"}
--> {"tot":"(eur,9)"}

select count(*) from (select tot from o union select null union select row('eur', 9.00)::money_amt) x;
--> {"count":4}

select tot from o union select tot from o union select row('a', 1)::money_amt order by tot limit 2 offset 1;
--> {"tot":"(eur,9)"}
--> {"tot":"(eur,10)"}

create view v as select tot from o union select tot from o; select * from v order by tot;
--> {"tot":"(eur,9)"}
--> {"tot":"(eur,10)"}
--> {"tot":"(,5)"}

insert into o (id, tot) select 100 + row_number() over (order by tot), tot from (select tot from o union select tot from o) x; select id, tot from o where id > 100 order by id;
--> {"id":101,"tot":"(eur,9)"}
--> {"id":102,"tot":"(eur,10)"}
--> {"id":103,"tot":"(,5)"}

with a as (select tot from o union select tot from o) select count(*) from a;
--> {"count":3}

select tot = any (select tot from o where id = 3 union select tot from o where id = 2) from o order by id;
--> {"?column?":true}
--> {"?column?":true}
--> {"?column?":true}
--> {"?column?":false}
--> {"?column?":true}
--> {"?column?":true}
--> {"?column?":false}

select array[d] from o union select array[d] from o order by 1;
--> {"array":[1]}
--> {"array":[2]}
--> {"array":[null]}

select distinct tot from o where id < 5 order by tot limit 2;
--> {"tot":"(eur,9)"}
--> {"tot":"(eur,10)"}

select distinct tot, d from o where id < 5 order by d desc nulls last, tot;
--> {"tot":"(eur,9)","d":"2"}
--> {"tot":"(eur,10)","d":"1"}
--> {"tot":"(,5)","d":null}

select count(*) over (), tot from (select distinct tot from o where id < 5) x order by tot;
--> {"count":3,"tot":"(eur,9)"}
--> {"count":3,"tot":"(eur,10)"}
--> {"count":3,"tot":"(,5)"}

create function eqm(a money_amt, b money_amt) returns boolean language sql immutable as 'select a = b'; select eqm(row('a', 1)::money_amt, row('a', 1.0)::money_amt);
--> {"eqm":true}

create function eqp(a money_amt, b money_amt[]) returns boolean language plpgsql as $$ begin if a = any(b) then return true; end if; return a in (b[1], b[2]); end $$; select eqp(row('a', 1)::money_amt, array[row('a', 1.0)::money_amt]), eqp(row('a', 2)::money_amt, array[row('a', 1.0)::money_amt]);
--> {"eqp":null}

create function ev(a interval[], b interval[]) returns text language plpgsql as $$ declare x interval[] := a; begin if x = b then return 'same'; elsif x > b then return 'more'; elsif x @> b then return 'has'; end if; return array_position(b, x[1])::text; end $$; select ev('{1 day}', '{24:00}'), ev('{2 days}', '{24:00}'), ev('{1 day,1 mon}', '{30 days}'), ev('{1 day}', '{1 mon,24:00}');
--> {"ev":"2"}

select array_position('{a,B}'::text[], 'b'), array_position(array[1.0, 2], 2), array_position(array[1, 2, 3, 2], 2, 3), array_position('{1,2}'::int8[], 2::int8), array_position(array[true, false], false), array_position('{2024-01-01}'::date[], '2024-01-01'), array_position(array['\x01'::bytea], '\x01'), array_remove('{1,null,2}'::int[], null), array_position('{1,null}'::int[], null);
--> {"array_position":2,"array_remove":[1,2]}

select array_positions('[0:3]={a,b,a,c}'::text[], 'a'), array_position('[5:7]={1,2,3}'::int[], 2), array_replace('{{1,2},{2,3}}'::int[], 2, 9), array_replace('{1,null}'::int[], null, 0);
--> {"array_positions":[0,2],"array_position":6,"array_replace":[1,0]}

select array_remove('{{1}}'::int[], 1);
--> ERROR 0A000: removing elements from multidimensional arrays is not supported

select array_position('{{1}}'::int[], 1);
--> ERROR 0A000: searching for elements in multidimensional arrays is not supported

select '{1,2,3}'::int[] @> '{3,1}', '{1.0,2}'::numeric[] @> '{1}', '{a}'::varchar[] && '{a,b}'::varchar[], '{}'::int[] @> '{}', '{1,null}'::int[] @> '{null}', '{1}'::int[] <@ '{1,2}', (select array_agg(x) from generate_series(1, 2000) x) @> (select array_agg(x) from generate_series(1000, 1500) x), (select array_agg(x::numeric) from generate_series(1, 2000) x) @> array[5.0, 7.00], (select array_agg(x::text) from generate_series(1, 2000) x) && array['5.0', '7.0'];
--> {"?column?":false}
