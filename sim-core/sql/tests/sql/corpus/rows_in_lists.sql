create type pair as (a int, b text); create table p (id int, v pair, l pair[]); insert into p values (1, row(1,'x'), array[row(1,'x')::pair, row(2,'y')::pair]), (2, row(2,'y'), '{}'), (3, row(null,'y'), null), (4, null, array[row(null,'y')::pair]), (5, row(1,null), null);
--> no rows

select row(1,'x')::pair in (row(1,'x')::pair, row(2,'y')::pair);
--> {"?column?":true}

select row(1,'x')::pair in (row(1,'y')::pair, row(2,'y')::pair);
--> {"?column?":false}

select row(null,'x')::pair in (row(null,'x')::pair, row(2,'y')::pair), row(null,'x')::pair in (row(1,'x')::pair), row(null,'x')::pair in (row(null,'y')::pair);
--> {"?column?":false}

select id, v in (row(1,'x')::pair, row(null,'y')::pair), v not in (row(1,'x')::pair, row(null,'y')::pair) from p order by id;
--> {"id":1,"?column?":false}
--> {"id":2,"?column?":true}
--> {"id":3,"?column?":false}
--> {"id":4,"?column?":null}
--> {"id":5,"?column?":true}

select id, v = any(array[row(1,'x')::pair, row(null,'y')::pair]), v <> all(array[row(1,'x')::pair, row(null,'y')::pair]), v = any(l) from p order by id;
--> {"id":1,"?column?":true}
--> {"id":2,"?column?":false}
--> {"id":3,"?column?":null}
--> {"id":4,"?column?":null}
--> {"id":5,"?column?":null}

select id from p where v in ('(1,x)', '(2,y)') order by id;
--> {"id":1}
--> {"id":2}

select id, v in ('(1,x)', '(,y)') from p order by id;
--> {"id":1,"?column?":true}
--> {"id":2,"?column?":false}
--> {"id":3,"?column?":true}
--> {"id":4,"?column?":null}
--> {"id":5,"?column?":false}

select id, case v when row(1,'x')::pair then 'one' when row(null,'y')::pair then 'null' else 'none' end from p order by id;
--> {"id":1,"case":"one"}
--> {"id":2,"case":"none"}
--> {"id":3,"case":"null"}
--> {"id":4,"case":"none"}
--> {"id":5,"case":"none"}

select id, case row(1,'x')::pair when v then 'one' else 'none' end from p order by id;
--> {"id":1,"case":"one"}
--> {"id":2,"case":"none"}
--> {"id":3,"case":"none"}
--> {"id":4,"case":"none"}
--> {"id":5,"case":"none"}

select id, v in (select v from p q where q.id = p.id) from p order by id;
--> {"id":1,"?column?":true}
--> {"id":2,"?column?":true}
--> {"id":3,"?column?":true}
--> {"id":4,"?column?":null}
--> {"id":5,"?column?":true}

select id, v in (select v from p q) from p order by id;
--> {"id":1,"?column?":true}
--> {"id":2,"?column?":true}
--> {"id":3,"?column?":true}
--> {"id":4,"?column?":null}
--> {"id":5,"?column?":true}

select id, v not in (select v from p q where id < 3) from p order by id;
--> {"id":1,"?column?":false}
--> {"id":2,"?column?":false}
--> {"id":3,"?column?":true}
--> {"id":4,"?column?":null}
--> {"id":5,"?column?":true}

select id, row(1, null)::pair in (v, null) from p order by id;
--> {"id":1,"?column?":null}
--> {"id":2,"?column?":null}
--> {"id":3,"?column?":null}
--> {"id":4,"?column?":null}
--> {"id":5,"?column?":true}

select id, null::pair in (v) from p order by id;
--> {"id":1,"?column?":null}
--> {"id":2,"?column?":null}
--> {"id":3,"?column?":null}
--> {"id":4,"?column?":null}
--> {"id":5,"?column?":null}

select nullif(v, row(1,null)::pair), nullif(v, row(1,'x')::pair) from p order by id;
--> {"nullif":null}
--> {"nullif":"(2,y)"}
--> {"nullif":"(,y)"}
--> {"nullif":null}
--> {"nullif":"(1,)"}

select array_position(l, row(2,'y')::pair), array_remove(l, row(2,'y')::pair), array_positions(l, row(null,'y')::pair), l @> array[row(1,'x')::pair], l && array[row(null,'y')::pair] from p order by id;
--> {"array_position":2,"array_remove":"{\"(1,x)\"}","array_positions":[],"?column?":false}
--> {"array_position":null,"array_remove":"{}","array_positions":[],"?column?":false}
--> {"array_position":null,"array_remove":null,"array_positions":null,"?column?":null}
--> {"array_position":null,"array_remove":"{\"(,y)\"}","array_positions":[1],"?column?":true}
--> {"array_position":null,"array_remove":null,"array_positions":null,"?column?":null}

select greatest(v, row(1,'y')::pair), least(v, row(1,'y')::pair) from p order by id;
--> {"greatest":"(1,y)","least":"(1,x)"}
--> {"greatest":"(2,y)","least":"(1,y)"}
--> {"greatest":"(,y)","least":"(1,y)"}
--> {"greatest":"(1,y)","least":"(1,y)"}
--> {"greatest":"(1,)","least":"(1,y)"}

select id, v between row(1,'a')::pair and row(1,null)::pair from p order by id;
--> {"id":1,"?column?":true}
--> {"id":2,"?column?":false}
--> {"id":3,"?column?":false}
--> {"id":4,"?column?":null}
--> {"id":5,"?column?":true}

select id, v = row(1,null)::pair, v <> row(1,null)::pair, v < row(1,null)::pair, v is distinct from row(1,null)::pair from p order by id;
--> {"id":1,"?column?":true}
--> {"id":2,"?column?":true}
--> {"id":3,"?column?":true}
--> {"id":4,"?column?":true}
--> {"id":5,"?column?":false}
