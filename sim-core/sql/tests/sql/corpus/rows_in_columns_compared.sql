create type money_amt as (cur text, amt numeric); create type mood as enum ('low','mid','high'); create type item as (sku text, price money_amt, m mood); create table o (id int primary key, items item[], main item, tot money_amt, moods mood[], r int4range[], mr int4multirange, ts timestamptz[], iv interval[], jj jsonb[]); insert into o values (1, array[row('a', row('eur', 1.50), 'high')::item, row('b', row('usd', 2), 'low')::item], row('a', row('eur', 1.5), 'mid'), row('eur', 10), '{high,low}', '{"[1,5)","[7,9]"}', '{[1,3),[5,8)}', '{2024-01-01 00:00+00}', '{1 day,24:00}', array['{"a":1}'::jsonb, '1.0']), (2, array[row('a', row('eur', 1.5), 'high')::item, row('b', row('usd', 2.0), 'low')::item], row('a', row('eur', 1.50), 'mid'), row('eur', 10.0), '{mid}', '{"[1,4]","[7,10)"}', '{[1,2],[5,7]}', '{2024-01-01 01:00+01}', '{24:00,1 day}', array['{"a":1.0}'::jsonb, '1']), (3, '{}', row('b', row('aud', 100), 'low'), row('eur', 9), '{high,mid}', '{}', '{}', '{}', '{}', '{}'), (4, null, null, row(null, 5), null, null, null, null, null, null);
--> no rows

select a.id, b.id from o a join o b on a.items = b.items and a.id < b.id;
--> {"id":2}

select a.id, b.id from o a join o b on a.main = b.main and a.id < b.id;
--> {"id":2}

select a.id, b.id from o a join o b on a.tot = b.tot and a.id < b.id;
--> {"id":2}

select count(*), min(id) from o group by main order by 2;
--> {"count":2,"min":1}
--> {"count":1,"min":3}
--> {"count":1,"min":4}

select count(*), min(id) from o group by items order by 2;
--> {"count":2,"min":1}
--> {"count":1,"min":3}
--> {"count":1,"min":4}

select count(*), min(id) from o group by tot, moods order by 2;
--> {"count":1,"min":1}
--> {"count":1,"min":2}
--> {"count":1,"min":3}
--> {"count":1,"min":4}

select main, count(*) over (partition by main) from o order by id;
--> {"main":"(a,\"(eur,1.5)\",mid)","count":2}
--> {"main":"(a,\"(eur,1.50)\",mid)","count":2}
--> {"main":"(b,\"(aud,100)\",low)","count":1}
--> {"main":null,"count":1}

select id from o order by main, id;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}

select id from o order by items desc, id;
--> {"id":4}
--> {"id":1}
--> {"id":2}
--> {"id":3}

select id from o order by tot desc nulls last, id;
--> {"id":4}
--> {"id":1}
--> {"id":2}
--> {"id":3}

select id from o order by moods, id;
--> {"id":2}
--> {"id":1}
--> {"id":3}
--> {"id":4}

select id, rank() over (order by tot), dense_rank() over (order by main desc) from o order by id;
--> {"id":1,"rank":2,"dense_rank":3}
--> {"id":2,"rank":2,"dense_rank":3}
--> {"id":3,"rank":1,"dense_rank":2}
--> {"id":4,"rank":4,"dense_rank":1}

select distinct tot from o order by tot;
--> {"tot":"(eur,9)"}
--> {"tot":"(eur,10)"}
--> {"tot":"(,5)"}

select distinct on (tot) tot, id from o order by tot, id desc;
--> {"tot":"(eur,9)","id":3}
--> {"tot":"(eur,10.0)","id":2}
--> {"tot":"(,5)","id":4}

select distinct main from o order by main;
--> {"main":"(a,\"(eur,1.5)\",mid)"}
--> {"main":"(b,\"(aud,100)\",low)"}
--> {"main":null}

select distinct tot, id % 2 from o order by tot, 2;
--> {"tot":"(eur,9)","?column?":1}
--> {"tot":"(eur,10.0)","?column?":0}
--> {"tot":"(eur,10)","?column?":1}
--> {"tot":"(,5)","?column?":0}

select count(distinct tot), count(distinct main), count(distinct items), count(distinct moods), count(distinct r) from o;
--> {"count":2}

select id from o where main in (select main from o where id = 1) order by id;
--> {"id":1}
--> {"id":2}

select id from o where main not in (select main from o where id = 3) order by id;
--> {"id":1}
--> {"id":2}

select id from o where tot = any (select tot from o where id = 1) order by id;
--> {"id":1}
--> {"id":2}

select id from o where (tot, id) in (select tot, id from o where id < 3) order by id;
--> {"id":1}
--> {"id":2}

select id from o where (tot, 1) in (select tot, 1 from o where id = 1) order by id;
--> {"id":1}
--> {"id":2}

select id from o where exists (select 1 from o x where x.tot = o.tot and x.id <> o.id) order by id;
--> {"id":1}
--> {"id":2}

select id from o where array[tot] <@ array[row('eur', 10.00)::money_amt, row('eur', 9)::money_amt] order by id;
--> {"id":1}
--> {"id":2}
--> {"id":3}

select id, array_position(items, row('a', row('eur', 1.500), 'high')::item), array_remove(items, row('b', row('usd', 2.00), 'low')::item) from o order by id;
--> {"id":1,"array_position":1,"array_remove":"{\"(a,\\\"(eur,1.50)\\\",high)\"}"}
--> {"id":2,"array_position":1,"array_remove":"{\"(a,\\\"(eur,1.5)\\\",high)\"}"}
--> {"id":3,"array_position":null,"array_remove":"{}"}
--> {"id":4,"array_position":null,"array_remove":null}

select id, array_replace(items, row('b', row('usd', 2.00), 'low')::item, row('c', null, null)::item) from o order by id;
--> {"id":1,"array_replace":"{\"(a,\\\"(eur,1.50)\\\",high)\",\"(c,,)\"}"}
--> {"id":2,"array_replace":"{\"(a,\\\"(eur,1.5)\\\",high)\",\"(c,,)\"}"}
--> {"id":3,"array_replace":"{}"}
--> {"id":4,"array_replace":null}

select tot from o union select tot from o order by 1;
--> {"tot":"(eur,9)"}
--> {"tot":"(eur,10)"}
--> {"tot":"(,5)"}

select tot from o union all select tot from o order by 1;
--> {"tot":"(eur,9)"}
--> {"tot":"(eur,9)"}
--> {"tot":"(eur,10)"}
--> {"tot":"(eur,10.0)"}
--> {"tot":"(eur,10)"}
--> {"tot":"(eur,10.0)"}
--> {"tot":"(,5)"}
--> {"tot":"(,5)"}

select tot from o where id = 1 intersect select tot from o where id = 2;
--> {"tot":"(eur,10)"}

select tot from o where id = 1 except select tot from o where id = 2;
--> no rows

select main is distinct from (select main from o where id = 2) from o order by id;
--> {"?column?":false}
--> {"?column?":false}
--> {"?column?":true}
--> {"?column?":true}

select id, tot < row('eur', 9.5)::money_amt, tot >= row('eur', 10)::money_amt, tot <> row('eur', 10)::money_amt, tot = (select tot from o where id = 2) from o order by id;
--> {"id":1,"?column?":true}
--> {"id":2,"?column?":true}
--> {"id":3,"?column?":false}
--> {"id":4,"?column?":false}

select id, tot between row('eur', 9)::money_amt and row('eur', 10)::money_amt from o order by id;
--> {"id":1,"?column?":true}
--> {"id":2,"?column?":true}
--> {"id":3,"?column?":true}
--> {"id":4,"?column?":false}

select id, nullif(tot, row('eur', 10)::money_amt), nullif(moods, '{mid}'), nullif(iv, '{1 day,1 day}') from o order by id;
--> {"id":1,"nullif":null}
--> {"id":2,"nullif":null}
--> {"id":3,"nullif":[]}
--> {"id":4,"nullif":null}

select id, greatest(tot, row('eur', 9.5)::money_amt), least(moods, '{mid}') from o order by id;
--> {"id":1,"greatest":"(eur,10)","least":"{mid}"}
--> {"id":2,"greatest":"(eur,10.0)","least":"{mid}"}
--> {"id":3,"greatest":"(eur,9.5)","least":"{mid}"}
--> {"id":4,"greatest":"(,5)","least":"{mid}"}

select id, case tot when row('eur', 10.00)::money_amt then 'ten' else 'other' end from o order by id;
--> {"id":1,"case":"ten"}
--> {"id":2,"case":"ten"}
--> {"id":3,"case":"other"}
--> {"id":4,"case":"other"}

select id, case when main = row('a', row('eur', 1.500), 'mid')::item then 'y' end from o order by id;
--> {"id":1,"case":"y"}
--> {"id":2,"case":"y"}
--> {"id":3,"case":null}
--> {"id":4,"case":null}

create unique index on o (tot) where id > 100; insert into o (id, tot) values (101, row('x', 1)); insert into o (id, tot) values (102, row('x', 1.0));
--> ERROR 23505: duplicate key value violates unique constraint "o_tot_idx"
--> DETAIL: Key (tot)=((x,1.0)) already exists.

create table k (k money_amt primary key); insert into k values (row('x', 1)); insert into k values (row('x', 1.00)) on conflict do nothing; select count(*) from k;
--> {"count":1}

create table k2 (k mood[] primary key, i interval[] unique); insert into k2 values ('{low}', '{1 day}'); insert into k2 values ('{mid}', '{24:00}') on conflict (i) do update set k = '{high}'; select * from k2;
--> {"k":"{high}","i":["1 day"]}

update o set tot.amt = (tot).amt + 1 where tot = row('eur', 10.00)::money_amt returning id, tot;
--> {"id":1,"tot":"(eur,11)"}
--> {"id":2,"tot":"(eur,11.0)"}

delete from o where items = (select items from o where id = 2) returning id;
--> {"id":1}
--> {"id":2}

select a.id from o a natural join o b order by 1;
--> {"id":3}

select id from o full join (values (row('eur', 9.0)::money_amt)) v(tot) using (tot) order by id;
--> {"id":3}
--> {"id":4}

select moods < '{mid}', moods = '{high,mid}', '{low,high}'::mood[] < '{mid}'::mood[], greatest('{low,high}'::mood[], '{mid}') from o order by id;
--> {"?column?":true,"greatest":"{mid}"}
--> {"?column?":true,"greatest":"{mid}"}

select row(1, 'a'::mood) from o where false;
--> ERROR 22P02: invalid input value for enum mood: "a"
--> AT 15

select row(1, 'high'::mood) < row(1, 'low'::mood), row('1 day'::interval) = row('24:00'::interval), (1, 1.0) = (1.0, 1), row('a '::char(3)) = row('a'::char(1)), row(1, 'low'::mood) in (row(1, 'low'::mood));
--> {"?column?":true}

select (array[row('1 day'::interval, 1)] = array[row('24:00'::interval, 1)]);
--> {"?column?":true}

with recursive r(iv) as (select array['1 day'::interval] union select array['24:00'::interval] from r) select * from r;
--> {"iv":["1 day"]}
