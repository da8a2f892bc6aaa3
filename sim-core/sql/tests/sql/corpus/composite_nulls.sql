-- Rows that are null, that have null items, and their order.

create type pt as (a int, b text);
--> no rows

create table p (id int primary key, v pt, n pt);
--> no rows

insert into p values (1, row(1, null), null), (2, row(null, null), null), (3, null, row(1, 'x')), (4, row(2, 'b'), row(null, 'y')), (5, row(1, 'a'), null), (6, row(null, 'a'), row(1, null));
--> no rows

select id, p.* is null as a, p.* is not null as b, v is null as c, v is not null as d, not (v is null) as e, row(v) is null as f from p order by id;
--> {"id":1,"a":false,"b":false,"c":false,"d":false,"e":true,"f":false}
--> {"id":2,"a":false,"b":false,"c":true,"d":false,"e":false,"f":false}
--> {"id":3,"a":false,"b":false,"c":true,"d":false,"e":false,"f":true}
--> {"id":4,"a":false,"b":true,"c":false,"d":true,"e":true,"f":false}
--> {"id":5,"a":false,"b":false,"c":false,"d":true,"e":true,"f":false}
--> {"id":6,"a":false,"b":true,"c":false,"d":false,"e":true,"f":false}

select id, p is null as a, p is not null as b from p order by id;
--> {"id":1,"a":false,"b":false}
--> {"id":2,"a":false,"b":false}
--> {"id":3,"a":false,"b":false}
--> {"id":4,"a":false,"b":true}
--> {"id":5,"a":false,"b":false}
--> {"id":6,"a":false,"b":true}

select id from p where p is not null order by id;
--> {"id":4}
--> {"id":6}

select id from p where v is distinct from null order by id;
--> {"id":1}
--> {"id":2}
--> {"id":4}
--> {"id":5}
--> {"id":6}

select id from p where v is not distinct from row(null, null)::pt order by id;
--> {"id":2}

select id, v from p order by v, id;
--> {"id":5,"v":"(1,a)"}
--> {"id":1,"v":"(1,)"}
--> {"id":4,"v":"(2,b)"}
--> {"id":6,"v":"(,a)"}
--> {"id":2,"v":"(,)"}
--> {"id":3,"v":null}

select id, v from p order by v desc, id;
--> {"id":3,"v":null}
--> {"id":2,"v":"(,)"}
--> {"id":6,"v":"(,a)"}
--> {"id":4,"v":"(2,b)"}
--> {"id":1,"v":"(1,)"}
--> {"id":5,"v":"(1,a)"}

select id, v from p order by v desc nulls last, id;
--> {"id":2,"v":"(,)"}
--> {"id":6,"v":"(,a)"}
--> {"id":4,"v":"(2,b)"}
--> {"id":1,"v":"(1,)"}
--> {"id":5,"v":"(1,a)"}
--> {"id":3,"v":null}

select id, v from p order by v nulls first, id;
--> {"id":3,"v":null}
--> {"id":5,"v":"(1,a)"}
--> {"id":1,"v":"(1,)"}
--> {"id":4,"v":"(2,b)"}
--> {"id":6,"v":"(,a)"}
--> {"id":2,"v":"(,)"}

select id, n from p order by n nulls first, id;
--> {"id":1,"n":null}
--> {"id":2,"n":null}
--> {"id":5,"n":null}
--> {"id":3,"n":"(1,x)"}
--> {"id":6,"n":"(1,)"}
--> {"id":4,"n":"(,y)"}

select v, count(*) as n from p group by v order by v;
--> {"v":"(1,a)","n":1}
--> {"v":"(1,)","n":1}
--> {"v":"(2,b)","n":1}
--> {"v":"(,a)","n":1}
--> {"v":"(,)","n":1}
--> {"v":null,"n":1}

select distinct v from p order by v;
--> {"v":"(1,a)"}
--> {"v":"(1,)"}
--> {"v":"(2,b)"}
--> {"v":"(,a)"}
--> {"v":"(,)"}
--> {"v":null}

select a.id, b.id as o from p a join p b on a.v = b.v order by 1, 2;
--> {"id":1,"o":1}
--> {"id":2,"o":2}
--> {"id":4,"o":4}
--> {"id":5,"o":5}
--> {"id":6,"o":6}

select a.id, b.id as o from p a join p b on a.v < b.v order by 1, 2;
--> {"id":1,"o":2}
--> {"id":1,"o":4}
--> {"id":1,"o":6}
--> {"id":4,"o":2}
--> {"id":4,"o":6}
--> {"id":5,"o":1}
--> {"id":5,"o":2}
--> {"id":5,"o":4}
--> {"id":5,"o":6}
--> {"id":6,"o":2}

select id from p where v = row(1, null)::pt order by id;
--> {"id":1}

select id from p where v = row(1, 'a')::pt order by id;
--> {"id":5}

select id from p where v > row(1, 'a')::pt order by id;
--> {"id":1}
--> {"id":2}
--> {"id":4}
--> {"id":6}

select id from p where v in (row(1, 'a')::pt, row(2, 'b')::pt) order by id;
--> {"id":4}
--> {"id":5}

select max(v) as x from p;
--> ERROR 42883: function max(pt) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select row(1, null) = row(1, null) as a, row(1, null) < row(2, null) as b, row(null, 1) < row(1, 2) as c, row(1, 2) is not null as d, row(1, null) is not null as e, row(1, null) is null as f, row(null, null) is null as g;
--> {"a":null,"b":true,"c":null,"d":true,"e":false,"f":false,"g":true}

select row(1, null) is distinct from row(1, null) as a, row(1, null) is not distinct from row(1, null) as b, row(1, 2) is distinct from null as c;
--> {"a":false,"b":true,"c":true}

select id, rank() over (order by v) as r, lag(v) over (order by v, id) as l from p order by id;
--> {"id":1,"r":2,"l":"(1,a)"}
--> {"id":2,"r":5,"l":"(,a)"}
--> {"id":3,"r":6,"l":"(,)"}
--> {"id":4,"r":3,"l":"(1,)"}
--> {"id":5,"r":1,"l":null}
--> {"id":6,"r":4,"l":"(2,b)"}

select a.id, b.* is null as x, b is null as y, b.* is not null as z from p a left join p b on b.id = a.id + 3 order by 1;
--> {"id":1,"x":false,"y":false,"z":true}
--> {"id":2,"x":false,"y":false,"z":false}
--> {"id":3,"x":false,"y":false,"z":true}
--> {"id":4,"x":true,"y":true,"z":false}
--> {"id":5,"x":true,"y":true,"z":false}
--> {"id":6,"x":true,"y":true,"z":false}

select a.id, count(b) as c, count(b.*) as d, count(b.v) as e from p a left join p b on b.id = a.id + 3 group by a.id order by 1;
--> {"id":1,"c":1,"d":1,"e":1}
--> {"id":2,"c":1,"d":1,"e":1}
--> {"id":3,"c":1,"d":1,"e":1}
--> {"id":4,"c":0,"d":0,"e":0}
--> {"id":5,"c":0,"d":0,"e":0}
--> {"id":6,"c":0,"d":0,"e":0}

select coalesce(v, row(9, 'z')::pt) as c from p order by id;
--> {"c":"(1,)"}
--> {"c":"(,)"}
--> {"c":"(9,z)"}
--> {"c":"(2,b)"}
--> {"c":"(1,a)"}
--> {"c":"(,a)"}

select id, case when v is null then 'null' when v is not null then 'full' else 'part' end as c from p order by id;
--> {"id":1,"c":"part"}
--> {"id":2,"c":"null"}
--> {"id":3,"c":"null"}
--> {"id":4,"c":"full"}
--> {"id":5,"c":"full"}
--> {"id":6,"c":"part"}

create function pn(x pt) returns text language plpgsql as $$ begin if x is null then return 'null'; elsif x is not null then return 'full'; else return 'part'; end if; end $$;
--> no rows

select id, pn(v) from p order by id;
--> {"id":1,"pn":"part"}
--> {"id":2,"pn":"null"}
--> {"id":3,"pn":"null"}
--> {"id":4,"pn":"full"}
--> {"id":5,"pn":"full"}
--> {"id":6,"pn":"part"}

create function rn(i int) returns text language plpgsql as $$ declare r record; t p; begin select * into r from p where id = i; select * into t from p where id = i; return concat(r is null, ' ', r is not null, ' ', t is null, ' ', t is not null, ' ', found); end $$;
--> no rows

select i, rn(i) from generate_series(1, 7) i;
--> {"i":1,"rn":"f f f f t"}
--> {"i":2,"rn":"f f f f t"}
--> {"i":3,"rn":"f f f f t"}
--> {"i":4,"rn":"f t f t t"}
--> {"i":5,"rn":"f f f f t"}
--> {"i":6,"rn":"f t f t t"}
--> {"i":7,"rn":"t f t f f"}

create function rn2(i int) returns text language plpgsql as $$ declare v pt; begin v.a := null; v.b := null; return concat(v is null, ' ', v is not null); end $$;
--> no rows

select rn2(1);
--> {"rn2":"t f"}

select array_agg(v order by v) as a from p;
--> {"a":"{\"(1,a)\",\"(1,)\",\"(2,b)\",\"(,a)\",\"(,)\",NULL}"}

select (select v from p where id = 2) is null as a, (select v from p where id = 99) is null as b, (select p from p where id = 4) is not null as c;
--> {"a":true,"b":true,"c":true}

create unique index on p (v);
--> no rows

insert into p values (10, row(1, 'a'));
--> ERROR 23505: duplicate key value violates unique constraint "p_v_idx"
--> DETAIL: Key (v)=((1,a)) already exists.

insert into p values (11, row(1, null));
--> ERROR 23505: duplicate key value violates unique constraint "p_v_idx"
--> DETAIL: Key (v)=((1,)) already exists.

insert into p values (12, null);
--> no rows

select id from p where (v).a is null order by id;
--> {"id":2}
--> {"id":3}
--> {"id":6}
--> {"id":12}

select least(row(1,'b')::pt, row(1,null)::pt) as a, greatest(row(1,'b')::pt, row(null,'z')::pt) as b;
--> {"a":"(1,b)","b":"(,z)"}

select array[row(1,null)::pt, row(1,'b')::pt] = array[row(1,null)::pt, row(1,'b')::pt] as e, array[row(1,'a')::pt] < array[row(1,null)::pt] as f;
--> {"e":true,"f":true}
