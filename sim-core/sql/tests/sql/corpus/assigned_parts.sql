-- Assignments to parts of columns: elements, slices, fields, members of documents.

create type point_2 as (x int, y numeric(5, 1));
--> no rows

create type shape as (name text, corners point_2[], middle point_2, tags text[]);
--> no rows

create domain small_array as int[] check (cardinality(value) < 4);
--> no rows

create table t (id int primary key, a int[], b text[][], c point_2, s shape, list point_2[], d jsonb, v varchar(3)[], m small_array, n int);
--> no rows

insert into t (id, a[1], a[2]) values (1, 10, 20) returning a;
--> {"a":[10,20]}

insert into t (id, a[3]) values (2, 30) returning a;
--> {"a":[30]}

insert into t (id, a[2:3]) values (3, '{7,8,9}') returning a, array_dims(a);
--> {"a":[7,8],"array_dims":"[2:3]"}

insert into t (id, b[1][2]) values (4, 'x') returning b, array_dims(b);
--> {"b":[["x"]],"array_dims":"[1:1][2:2]"}

insert into t (id, c.x, c.y) values (5, 1, 2.25) returning c, (c).y;
--> {"c":"(1,2.3)","y":"2.3"}

insert into t (id, c.y, a[1]) values (6, 3, null) returning c, a;
--> {"c":"(,3.0)","a":[null]}

insert into t (id, s.name, s.middle.x, s.corners[1].y, s.tags[2]) values (7, 'n', 1, 2, 'u') returning (s).name as n, (s).corners as c, (s).middle as m, (s).tags as t;
--> {"n":"n","c":"{\"(,2.0)\"}","m":"(1,)","t":["u"]}

insert into t (id, list[1].x, list[2]) values (8, 1, row(2, 3)) returning list;
--> {"list":"{\"(1,)\",\"(2,3.0)\"}"}

insert into t (id, a[1]) select 9, 5 returning a;
--> {"a":[5]}

insert into t (id, a[1], a[2]) select i, i, null from generate_series(10, 11) i returning id, a;
--> {"id":10,"a":[10,null]}
--> {"id":11,"a":[11,null]}

insert into t (id, c.x) values (12, default);
--> ERROR 0A000: cannot set a subfield to DEFAULT
--> AT 20

insert into t (id, a[1]) values (12, default);
--> ERROR 0A000: cannot set an array element to DEFAULT
--> AT 20

insert into t (id, a, a[1]) values (12, '{1}', 2);
--> ERROR 42701: column "a" specified more than once
--> AT 23

insert into t (id, a[1], a) values (12, 1, '{2}');
--> ERROR 42701: column "a" specified more than once
--> AT 26

insert into t (id, a[1]) values (12, 'x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 38

insert into t (id, a[1]) values (12, now());
--> ERROR 42804: subscripted assignment to "a" requires type integer but expression is of type timestamp with time zone
--> HINT: You will need to rewrite or cast the expression.
--> AT 20

insert into t (id, n[1]) values (12, 1);
--> ERROR 42804: cannot subscript type integer because it does not support subscripting

insert into t (id, n.x) values (12, 1);
--> ERROR 42804: cannot assign to field "x" of column "n" because its type integer is not a composite type
--> AT 20

insert into t (id, c.z) values (12, 1);
--> ERROR 42703: cannot assign to field "z" of column "c" because there is no such column in data type point_2
--> AT 20

insert into t (id, c.x) values (12, true);
--> ERROR 42804: subfield "x" is of type integer but expression is of type boolean
--> HINT: You will need to rewrite or cast the expression.
--> AT 20

insert into t (id, zz[1]) values (12, 1);
--> ERROR 42703: column "zz" of relation "t" does not exist
--> AT 20

update t set a[2] = 99 where id = 1 returning a;
--> {"a":[10,99]}

update t set a[1] = a[2], a[2] = a[1] where id = 1 returning a;
--> {"a":[99,10]}

update t set a[5] = 5 where id = 1 returning a;
--> {"a":[99,10,null,null,5]}

update t set a[0] = 0 where id = 1 returning a, array_dims(a);
--> {"a":[0,99,10,null,null,5],"array_dims":"[0:5]"}

update t set a[-2] = -2 where id = 1 returning a, array_dims(a);
--> {"a":[-2,null,0,99,10,null,null,5],"array_dims":"[-2:5]"}

update t set a[-2] = null, a[-1] = n where id = 1 returning a;
--> {"a":[null,null,0,99,10,null,null,5]}

update t set a[null] = 1 where id = 1;
--> ERROR 22004: array subscript in assignment must not be null

update t set a[n] = 1 where id = 1;
--> ERROR 22004: array subscript in assignment must not be null

update t set a[1.6] = 1 where id = 2 returning a;
--> {"a":[1,30]}

update t set a['3'] = 4 where id = 2 returning a;
--> {"a":[1,4]}

update t set a['x'] = 4 where id = 2;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 16

update t set a[true] = 4 where id = 2;
--> ERROR 42804: array subscript must have type integer
--> AT 16

update t set a[1][1] = 4 where id = 2;
--> ERROR 2202E: wrong number of array subscripts

update t set a = '{1,2,3,4,5}' where id = 2;
--> no rows

update t set a[2:3] = '{20,30}' where id = 2 returning a;
--> {"a":[1,20,30,4,5]}

update t set a[:2] = array[100, 200, 300] where id = 2 returning a;
--> {"a":[100,200,30,4,5]}

update t set a[4:] = '{400,500}' where id = 2 returning a;
--> {"a":[100,200,30,400,500]}

update t set a[:] = '{1,2,3,4,5,6}' where id = 2 returning a;
--> {"a":[1,2,3,4,5]}

update t set a[6:8] = '{6,7,8}' where id = 2 returning a;
--> {"a":[1,2,3,4,5,6,7,8]}

update t set a[10:11] = '{10,11}' where id = 2 returning a;
--> {"a":[1,2,3,4,5,6,7,8,null,10,11]}

update t set a[-1:0] = '{-1,0}' where id = 2 returning a, array_dims(a);
--> {"a":[-1,0,1,2,3,4,5,6,7,8,null,10,11],"array_dims":"[-1:11]"}

update t set a[1:3] = '{1}' where id = 2;
--> ERROR 2202E: source array too small

update t set a[3:1] = '{1}' where id = 2;
--> ERROR 2202E: upper bound cannot be less than lower bound

update t set a[1:2] = null where id = 2 returning a;
--> {"a":[-1,0,1,2,3,4,5,6,7,8,null,10,11]}

update t set a[1:2] = 5 where id = 2;
--> ERROR 42804: subscripted assignment to "a" requires type integer[] but expression is of type integer
--> HINT: You will need to rewrite or cast the expression.
--> AT 14

update t set a[null:2] = '{1,2}' where id = 2;
--> ERROR 22004: array subscript in assignment must not be null

update t set a = null where id = 2;
--> no rows

update t set a[:2] = '{1,2}' where id = 2;
--> ERROR 2202E: array slice subscript must provide both boundaries
--> DETAIL: When assigning to a slice of an empty array value, slice boundaries must be fully specified.

update t set a[1:2] = null where id = 2 returning a;
--> {"a":[]}

update t set a[3:4] = '{1,2}' where id = 2 returning a;
--> {"a":[1,2]}

update t set b = '{{a,b},{c,d}}' where id = 2;
--> no rows

update t set b[2][1] = 'C' where id = 2 returning b;
--> {"b":[["a","b"],["C","d"]]}

update t set b[3][1] = 'C' where id = 2;
--> ERROR 2202E: array subscript out of range

update t set b[1] = 'C' where id = 2;
--> ERROR 2202E: wrong number of array subscripts

update t set b[1:2][1:1] = '{{p},{q}}' where id = 2 returning b;
--> {"b":[["p","b"],["q","d"]]}

update t set b[2:2] = '{r,s}' where id = 2 returning b;
--> {"b":[["p","b"],["r","s"]]}

update t set b[1:1][2] = '{t,u}' where id = 2 returning b;
--> {"b":[["t","u"],["r","s"]]}

update t set b[1:3][1:2] = '{1,2,3,4,5,6}' where id = 2;
--> ERROR 2202E: array subscript out of range

update t set c.x = 5 where id = 5 returning c;
--> {"c":"(5,2.3)"}

update t set c.x = (c).x + 1, c.y = (c).x where id = 5 returning c;
--> {"c":"(6,5.0)"}

update t set c.y = null, c.x = null where id = 5 returning c, c is null as is_null;
--> {"c":"(,)","is_null":true}

update t set c = null where id = 5;
--> no rows

update t set c.x = 1 where id = 5 returning c;
--> {"c":"(1,)"}

update t set c.y = 'x' where id = 5;
--> ERROR 22P02: invalid input syntax for type numeric: "x"
--> AT 20

update t set c.y = true where id = 5;
--> ERROR 42804: subfield "y" is of type numeric but expression is of type boolean
--> HINT: You will need to rewrite or cast the expression.
--> AT 14

update t set c.y = 123456 where id = 5;
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 5, scale 1 must round to an absolute value less than 10^4.

update t set c.z = 1 where id = 5;
--> ERROR 42703: cannot assign to field "z" of column "c" because there is no such column in data type point_2
--> AT 14

update t set c.x.y = 1 where id = 5;
--> ERROR 42804: cannot assign to field "y" of column "x" because its type integer is not a composite type
--> AT 14

update t set c[1] = 1 where id = 5;
--> ERROR 42804: cannot subscript type point_2 because it does not support subscripting
--> AT 14

update t set t.c = null where id = 5;
--> ERROR 42703: column "t" of relation "t" does not exist
--> AT 14

update t set c.x = default where id = 5;
--> ERROR 0A000: cannot set a subfield to DEFAULT
--> AT 14

update t set a[1] = default where id = 5;
--> ERROR 0A000: cannot set an array element to DEFAULT
--> AT 14

update t set c = row(1, 2), c.x = 3 where id = 5;
--> ERROR 42601: multiple assignments to same column "c"

update t set c.x = 3, c = row(1, 2) where id = 5;
--> ERROR 42601: multiple assignments to same column "c"

update t set n = 1, n = 2 where id = 5;
--> ERROR 42601: multiple assignments to same column "n"

update t set c.x = 1, c.x = 2 where id = 5 returning c;
--> {"c":"(2,)"}

update t set s.name = 'm', s.corners[2] = row(5, 6), s.middle.y = 9, s.tags[1:2] = array['p', 'q'] where id = 7 returning (s).name as n, (s).corners as c, (s).middle as m, (s).tags as t;
--> {"n":"m","c":"{\"(,2.0)\",\"(5,6.0)\"}","m":"(1,9.0)","t":["p","q"]}

update t set s.corners[2].x = (s).corners[2].x + 1 where id = 7 returning (s).corners;
--> {"corners":"{\"(,2.0)\",\"(6,6.0)\"}"}

update t set list[2].y = 7.77, list[3].x = 8 where id = 8 returning list;
--> {"list":"{\"(1,)\",\"(2,7.8)\",\"(8,)\"}"}

update t set (a[1], c.x, n) = (1, 2, 3) where id = 8 returning a, c, n;
--> {"a":[1],"c":"(2,)","n":3}

update t set (a[2], c.y) = (select 20, 30) where id = 8 returning a, c;
--> {"a":[1,20],"c":"(2,30.0)"}

update t set (a[3], n) = row(3) where id = 8;
--> ERROR 42601: number of columns does not match number of values
--> AT 26

update t set (a[1], n) = (1, 2, 3) where id = 8;
--> ERROR 42601: number of columns does not match number of values
--> AT 26

update t set a[u.i] = u.i * 2 from generate_series(2, 2) as u(i) where t.id = 9 returning a, u.i;
--> {"a":[5,4],"i":2}

update t set a[(select max(id) from t where id < 4)] = 3 where id = 9 returning a;
--> {"a":[5,4,3]}

update t set v[1] = 'abc' where id = 9 returning v;
--> {"v":["abc"]}

update t set v[2] = 'abcd' where id = 9;
--> ERROR 22001: value too long for type character varying(3)

update t set v[2] = 'ab '::varchar(10) where id = 9 returning v;
--> {"v":["abc","ab "]}

update t set m[1] = 1, m[3] = 3 where id = 9 returning m;
--> {"m":[1,null,3]}

update t set m[4] = 4 where id = 9;
--> ERROR 23514: value for domain small_array violates check constraint "small_array_check"

insert into t (id, m[2:4]) values (20, '{1,2,3,4}') returning m;
--> {"m":[1,2,3]}

insert into t (id, m[1:4]) values (21, '{1,2,3,4}');
--> ERROR 23514: value for domain small_array violates check constraint "small_array_check"

update t set d['a'] = '1' where id = 1 returning d;
--> {"d":{"a":1}}

update t set d['b']['c'] = '"x"', d['l'][2] = '[1]' where id = 1 returning d;
--> {"d":{"a":1,"b":{"c":"x"},"l":[null,null,[1]]}}

update t set d['l'][0] = 'true', d['l'][-1] = '3' where id = 1 returning d;
--> {"d":{"a":1,"b":{"c":"x"},"l":[true,null,3]}}

update t set d['l'][-9] = '3' where id = 1;
--> ERROR 22023: path element at position 2 is out of range: -9

update t set d['l']['x'] = '3' where id = 1;
--> ERROR 22P02: path element at position 2 is not an integer: "x"

update t set d['a']['x'] = '3' where id = 1;
--> ERROR 22023: cannot replace existing key
--> DETAIL: The path assumes key is a composite object, but it is a scalar value.

update t set d['n'] = null where id = 1 returning d;
--> {"d":{"a":1,"b":{"c":"x"},"l":[true,null,3],"n":null}}

update t set d[null] = '1' where id = 1;
--> ERROR 22004: jsonb subscript in assignment must not be null

update t set d['a'] = 5 where id = 1;
--> ERROR 42804: subscripted assignment to "d" requires type jsonb but expression is of type integer
--> HINT: You will need to rewrite or cast the expression.
--> AT 14

update t set d['a'] = to_jsonb(5 + n) where id = 8 returning d;
--> {"d":{"a":8}}

update t set d[1] = '"first"' where id = 3 returning d;
--> {"d":[null,"first"]}

update t set d['q'][1]['r'] = '2' where id = 4 returning d;
--> {"d":{"q":[null,{"r":2}]}}

update t set d['a':'b'] = '1' where id = 4;
--> ERROR 42804: jsonb subscript does not support slices
--> AT 20

update t set d[now()] = '1' where id = 4;
--> ERROR 42804: subscript type timestamp with time zone is not supported
--> HINT: jsonb subscript must be coercible to either integer or text.
--> AT 16

update t set d = '5' where id = 4;
--> no rows

update t set d['x'] = '1' where id = 4;
--> ERROR 22023: cannot replace existing key
--> DETAIL: The path assumes key is a composite object, but it is a scalar value.

insert into t (id, d['k'], d['l']) values (22, '1', '{"a": 2}') returning d;
--> {"d":{"k":1,"l":{"a":2}}}

insert into t (id, a[1], c.x) values (1, 1, 1) on conflict (id) do update set a[2] = excluded.a[1] + 40, c.x = excluded.id, n = t.n returning a, c;
--> {"a":[null,null,0,99,41,null,null,5],"c":"(1,)"}

insert into t (id, a) values (3, '{5}') on conflict (id) do update set a[1:1] = excluded.a, a[4] = t.a[3] returning a;
--> {"a":[5,7,8,8]}

insert into t as u (id, a[2]) values (3, 1) on conflict (id) do update set a[2] = u.a[2] + excluded.a[2] where u.a[2] > 0 returning a;
--> {"a":[5,8,8,8]}

merge into t using (values (3, 33), (30, 44)) as w(id, n) on t.id = w.id when matched then update set a[1] = w.n, c.x = w.n when not matched then insert (id, a[2], c.y) values (w.id, w.n, w.n);
--> no rows

select id, a, c from t where id in (3, 30) order by id;
--> {"id":3,"a":[33,8,8,8],"c":"(33,)"}
--> {"id":30,"a":[44],"c":"(,44.0)"}

with changed as (update t set a[1] = 0 where id = 30 returning id, a) select * from changed;
--> {"id":30,"a":[0,44]}

create table g (id int, a int[] default '{1,2,3}', total int generated always as (a[1] + coalesce(a[2], 0)) stored, c point_2 default row(1, 1));
--> no rows

insert into g (id, a[2]) values (1, 5) returning a, total, c;
--> {"a":[5],"total":null,"c":"(1,1.0)"}

insert into g (id) values (2) returning a, total, c;
--> {"a":[1,2,3],"total":3,"c":"(1,1.0)"}

update g set a[1] = 10 where id = 1 returning a, total;
--> {"a":[10,5],"total":15}

update g set a[1] = 10, c.y = total where id = 2 returning a, total, c;
--> {"a":[10,2,3],"total":12,"c":"(1,3.0)"}

update g set total[1] = 1;
--> ERROR 42804: cannot subscript type integer because it does not support subscripting
--> AT 14

create function keep() returns trigger language plpgsql as $$ begin new.a[3] := coalesce(old.a[3], 0) + new.a[1]; new.c := row(42, (new.c).y); return new; end $$;
--> no rows

create trigger keep before update on g for each row execute function keep();
--> no rows

update g set a[1] = 7 returning id, a, total, c;
--> {"id":1,"a":[7,5,7],"total":12,"c":"(42,1.0)"}
--> {"id":2,"a":[7,2,10],"total":9,"c":"(42,3.0)"}

create trigger only_c before update of c on g for each row execute function keep();
--> no rows

update g set c.y = 8 where id = 1 returning a, c;
--> {"a":[7,5,14],"c":"(42,8.0)"}

create view shown as select id, a, c from g;
--> no rows

update shown set a[2] = 77, c.y = 5 where id = 2 returning a, c;
--> {"a":[7,77,17],"c":"(42,5.0)"}

insert into shown (id, a[1]) values (9, 9) returning a;
--> {"a":[9]}

create function put(p int, q int) returns int[] language plpgsql as $$ declare r int[]; begin update g set a[p] = q where id = 1 returning a into r; return r; end $$;
--> no rows

select put(2, 22);
--> {"put":[7,22,21]}

create function put_sql(p int, q int) returns int[] language sql as 'update g set a[p] = q where id = 1 returning a';
--> no rows

select put_sql(2, 23);
--> {"put_sql":[7,23,28]}

prepare change(int, int) as update g set a[$1] = $2 where id = 1 returning a; execute change(1, 100);
--> {"a":[100,23,128]}

create table parts (id int, k int, a int[]) partition by list (k);
--> no rows

create table parts_1 partition of parts for values in (1);
--> no rows

insert into parts_1 (id, k, a[1]) values (1, 1, 5) returning a;
--> {"a":[5]}

update parts set a[2] = 6 returning a;
--> {"a":[5,6]}

grant update (a) on g to public;
--> no rows

create table long (a int[]);
--> no rows

insert into long values ('{1}');
--> no rows

update long set a[134217728] = 1;
--> ERROR 54000: array size exceeds the maximum allowed (134217727)

update long set a[1000] = 1 returning cardinality(a);
--> {"cardinality":1000}

update t set (a[3], n) = row(33, 44) where id = 8 returning a, n;
--> {"a":[1,20,33],"n":44}

update t set (n) = 5 where id = 8;
--> ERROR 0A000: source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression
--> AT 20

update t set (n, c.x) = 5 where id = 8;
--> ERROR 0A000: source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression
--> AT 25

update t set (n) = row(6) where id = 8 returning n;
--> {"n":6}
