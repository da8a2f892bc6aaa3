-- Rows as values: those that an outer join does not find, and rows told apart.

create table a (id int primary key, n int); create table b (id int primary key, aid int, x text); insert into a values (1, 10), (2, 20); insert into b values (7, 1, 'q r');
--> no rows

select a.id, count(b) as c, count(b.*) as d, count(*) as e from a left join b on b.aid = a.id group by a.id order by 1;
--> {"id":1,"c":1,"d":1,"e":1}
--> {"id":2,"c":0,"d":0,"e":1}

select a.id, to_jsonb(b) as j, row_to_json(b) as r from a left join b on b.aid = a.id order by 1;
--> {"id":1,"j":{"x":"q r","id":7,"aid":1},"r":{"id":7,"aid":1,"x":"q r"}}
--> {"id":2,"j":null,"r":null}

select json_agg(b order by a.id) as j, jsonb_agg(b order by a.id) as k from a left join b on b.aid = a.id;
--> {"j":[{"id":7,"aid":1,"x":"q r"},null],"k":[{"x":"q r","id":7,"aid":1},null]}

select a.id, b from a left join b on b.aid = a.id order by 1;
--> {"id":1,"b":"(7,1,\"q r\")"}
--> {"id":2,"b":null}

select a.id, b is null as n, b is not null as m from a left join b on b.aid = a.id order by 1;
--> {"id":1,"n":false,"m":true}
--> {"id":2,"n":true,"m":false}

select to_jsonb(a) as a, to_jsonb(b) as b from b full join a on a.id = b.id order by a.id;
--> {"a":{"n":10,"id":1},"b":null}
--> {"a":{"n":20,"id":2},"b":null}
--> {"a":null,"b":{"x":"q r","id":7,"aid":1}}

select to_jsonb(b) as j from b right join a on b.aid = a.id order by a.id;
--> {"j":{"x":"q r","id":7,"aid":1}}
--> {"j":null}

select a.id, to_jsonb(s) as j from a left join (select aid, count(*) as n from b group by aid) s on s.aid = a.id order by 1;
--> {"id":1,"j":{"n":1,"aid":1}}
--> {"id":2,"j":null}

select distinct b from b;
--> {"b":"(7,1,\"q r\")"}

create table p (id int, p text); insert into p values (1, 'x');
--> no rows

select row_to_json(p.*) as r, to_jsonb(q.*) as s from p left join p q on q.id = 9;
--> {"r":{"id":1,"p":"x"},"s":null}

select pg_typeof(1.5::real * 2)::text as a, 18::real * 1.1 as b, 1.5::real + 2::bigint as c, 3::smallint / 2::real as d, 1.1::real * 2::real as e;
--> {"a":"double precision","b":19.8,"c":3.5,"d":1.5,"e":2.2}

create table sale (price real, qty int, off real); insert into sale values (19.99, 3, 0.1), (5.25, 7, 0.25), (1299.5, 84, 0.05);
--> no rows

select round(sum(price * qty * (1 - off))::numeric, 2) as s from sale;
--> {"s":"103781.64"}
