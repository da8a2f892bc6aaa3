-- Statements by name, and queries into tables.

create table a (id int, x text);
--> no rows

insert into a values (1, 'x'), (2, 'y'), (3, 'z');
--> no rows

prepare p1 as select id from a order by id; execute p1;
--> {"id":1}
--> {"id":2}
--> {"id":3}

prepare p2 as select * from a where id = $1; execute p2(2);
--> {"id":2,"x":"y"}

prepare p2 (int, text) as select $1 + 1 as n, $2 as t; execute p2('4', 'q');
--> {"n":5,"t":"q"}

prepare p3 as insert into a values ($1, $2) returning *; execute p3(4, 'w');
--> {"id":4,"x":"w"}

prepare p3 as insert into a values ($1, $2); execute p3(5, 'v'); execute p3(5 + 1, 'u' || 't');
--> no rows

prepare p4 as update a set x = $2 where id = $1 returning id, x; execute p4(1, null);
--> {"id":1,"x":null}

prepare p5 as delete from a where id > $1; execute p5(3); select count(*) from a;
--> {"count":3}

prepare p6 as select x from a where x = $1 or $1 is null order by x; execute p6('y');
--> {"x":"y"}

prepare p7 as select 1; deallocate p7; execute p7;
--> ERROR 26000: prepared statement "p7" does not exist

prepare p7 as select 1; deallocate prepare p7; deallocate p7;
--> ERROR 26000: prepared statement "p7" does not exist

prepare p7 as select 1; prepare p7 as select 2;
--> ERROR 42P05: prepared statement "p7" already exists

prepare p7 as select $1::int; execute p7;
--> ERROR 42601: wrong number of parameters for prepared statement "p7"
--> DETAIL: Expected 1 parameters but got 0.

prepare p7 as select $1::int; execute p7(1, 2);
--> ERROR 42601: wrong number of parameters for prepared statement "p7"
--> DETAIL: Expected 1 parameters but got 2.

prepare p7 as select nosuch from a;
--> ERROR 42703: column "nosuch" does not exist
--> AT 22

prepare p7 as create table b (id int);
--> ERROR 42601: syntax error at or near "create"
--> AT 15

prepare p7 as select 1; deallocate all; execute p7;
--> ERROR 26000: prepared statement "p7" does not exist

execute nosuch;
--> ERROR 26000: prepared statement "nosuch" does not exist

deallocate nosuch;
--> ERROR 26000: prepared statement "nosuch" does not exist

select id, x into newtab from a where id < 3;
--> no rows

select * from newtab order by id;
--> {"id":1,"x":null}
--> {"id":2,"x":"y"}

select count(*) as n into table other from a;
--> no rows

select * from other;
--> {"n":3}

with w as (select 7 as seven) select seven into seventh from w;
--> no rows

select * from seventh;
--> {"seven":7}

select id into newtab from a;
--> ERROR 42P07: relation "newtab" already exists

select id into public.placed from a where false;
--> no rows

select count(*) from public.placed;
--> {"count":0}

select * from a order by id for no key update;
--> {"id":1,"x":null}
--> {"id":2,"x":"y"}
--> {"id":3,"x":"z"}

select * from a order by id for key share;
--> {"id":1,"x":null}
--> {"id":2,"x":"y"}
--> {"id":3,"x":"z"}

select id from a order by id for update of a skip locked;
--> {"id":1}
--> {"id":2}
--> {"id":3}

create table b (id int, aid int, n text);
--> no rows

insert into b values (10, 1, 'q'), (10, 1, 'q'), (11, 5, 'r');
--> no rows

select array_agg(a order by id) from a;
--> {"array_agg":"{\"(1,)\",\"(2,y)\",\"(3,z)\"}"}

select array_agg(b order by id desc) from b;
--> {"array_agg":"{\"(11,5,r)\",\"(10,1,q)\",\"(10,1,q)\"}"}

select array(select b from b order by id);
--> {"array":"{\"(10,1,q)\",\"(10,1,q)\",\"(11,5,r)\"}"}

select max(id), array_agg(distinct b) from b;
--> {"max":11,"array_agg":"{\"(10,1,q)\",\"(11,5,r)\"}"}

select distinct b from b order by b;
--> {"b":"(10,1,q)"}
--> {"b":"(11,5,r)"}

select distinct b, 1 as one from b order by 1 desc;
--> {"b":"(11,5,r)","one":1}
--> {"b":"(10,1,q)","one":1}

select b from b union select b from b order by 1;
--> {"b":"(10,1,q)"}
--> {"b":"(11,5,r)"}

select b from b union all select b from b order by 1;
--> {"b":"(10,1,q)"}
--> {"b":"(10,1,q)"}
--> {"b":"(10,1,q)"}
--> {"b":"(10,1,q)"}
--> {"b":"(11,5,r)"}
--> {"b":"(11,5,r)"}

select distinct on (b.id) b from b order by b.id;
--> {"b":"(10,1,q)"}
--> {"b":"(11,5,r)"}

select 'a'::regclass as r union select 'b'::regclass order by 1;
--> {"r":"a"}
--> {"r":"b"}

select json_agg(q) from (select distinct b from b order by b) q;
--> {"json_agg":[{"b":{"id":10,"aid":1,"n":"q"}},{"b":{"id":11,"aid":5,"n":"r"}}]}
