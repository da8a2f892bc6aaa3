-- Rows as values whose fields have different types.

create type c as (a int, b text);
create table t(id int, a int, b text, r c);
insert into t values (1, 1, 'x', row(1,'x')), (2, 2, 'y', row(2,'z')), (3, null, null, row(null,null)), (4,null,null,null);
create view v as select a, b from t;
--> no rows

select id from t where r = row(1,'x') order by id;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select id from t where row(1,'x') = r order by id;
--> ERROR 42804: cannot compare dissimilar column types unknown and text at record column 2

select id from t where r = row(1,2) order by id;
--> ERROR 42804: cannot compare dissimilar column types text and integer at record column 2

select id from t where r = (1,'x') order by id;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select id from t where r = row('1','x') order by id;
--> ERROR 42804: cannot compare dissimilar column types integer and unknown at record column 1

select id from t where r = row(1,'x'::text)::c order by id;
--> {"id":1}

select id from t where r = '(1,x)' order by id;
--> ERROR 0A000: input of anonymous composite types is not implemented
--> AT 28

select id from t where r = '(1,x)'::c order by id;
--> {"id":1}

select id from t where r <> row(1,'x') order by id;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select id from t where r < row(2,'a') order by id;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select id from t where r in (row(1,'x'), row(2,'z')) order by id;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select id from t where r = any(array[row(1,'x')::c]) order by id;
--> {"id":1}

select row(1,2) = row(1,'2');
--> {"?column?":true}

select row(1,2) = row(1,'x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 25

select row(1,2) = row(1,'2'::text);
--> ERROR 42883: operator does not exist: integer = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 17

select row(1,'a') = row(1,'a');
--> {"?column?":true}

select row(1,2.0) = row(1,2);
--> {"?column?":true}

select row(1,2) = row(1.0,2::bigint);
--> {"?column?":true}

select row(1,2) = row(1,2,3);
--> ERROR 42601: unequal number of entries in row expressions
--> AT 17

select row(1,2) < row(1,null);
--> {"?column?":null}

select row(1,null) = row(1,null);
--> {"?column?":null}

select row(1,null) is not distinct from row(1,null);
--> {"?column?":true}

select row(1,2) is distinct from row(1,'3');
--> {"?column?":true}

select row(1,'x') is distinct from row(1,2);
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 14

select r is distinct from row(1,'x') from t order by id;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select r is not distinct from row(1,'x'::text) from t order by id;
--> {"?column?":true}
--> {"?column?":false}
--> {"?column?":false}
--> {"?column?":false}

select row(1,'x') = r from t order by id;
--> ERROR 42804: cannot compare dissimilar column types unknown and text at record column 2

select row(1,'x'::varchar) = r from t order by id;
--> ERROR 42804: cannot compare dissimilar column types character varying and text at record column 2

select row(1::bigint,'x'::text) = r from t order by id;
--> ERROR 42804: cannot compare dissimilar column types bigint and integer at record column 1

select row(1) = r from t order by id;
--> ERROR 42804: cannot compare record types with different numbers of columns

select row(1,'x',3) = r from t order by id;
--> ERROR 42804: cannot compare dissimilar column types unknown and text at record column 2

select v = row(1,'x') from v order by 1;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select (v) = (1,'x') from v order by 1;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select v.* = (1,'x') from v order by 1;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select (t.*) = row(1,1,'x','(1,x)') from t order by id;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 3

select t = t from t order by id;
--> {"?column?":true}
--> {"?column?":true}
--> {"?column?":true}
--> {"?column?":true}

select t = row(1,1,'x'::text,row(1,'x')::c) from t order by id;
--> {"?column?":true}
--> {"?column?":false}
--> {"?column?":false}
--> {"?column?":false}

select t = row(1,1,'x'::text,row(1,'x')) from t order by id;
--> ERROR 42804: cannot compare dissimilar column types c and record at record column 4

select r = r, r <> r, r < r, r is null, r is not null from t order by id;
--> {"?column?":true}
--> {"?column?":true}
--> {"?column?":false}
--> {"?column?":false}

select case r when row(1,'x') then 1 else 2 end from t order by id;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select case r when row(1,'x'::text) then 1 else 2 end from t order by id;
--> {"case":1}
--> {"case":2}
--> {"case":2}
--> {"case":2}

select nullif(r, row(1,'x')) from t order by id;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select nullif(r, row(1,'x'::text)) from t order by id;
--> {"nullif":null}
--> {"nullif":"(2,z)"}
--> {"nullif":"(,)"}
--> {"nullif":null}

select coalesce(r, row(1,'x')) from t order by id;
--> ERROR 42804: COALESCE types c and record cannot be matched
--> AT 20

select greatest(r, row(1,'x')) from t order by id;
--> ERROR 42804: GREATEST types c and record cannot be matched
--> AT 20

select array[r, row(1,'x')] from t order by id;
--> ERROR 42804: ARRAY types c and record cannot be matched
--> AT 17

select case when id = 1 then r else row(9,'q') end from t order by id;
--> ERROR 42804: CASE types record and c cannot be matched
--> AT 30

select r from t union select row(1,'x') order by 1;
--> ERROR 42804: UNION types c and record cannot be matched
--> AT 30

select row(1,'x') union select r from t;
--> ERROR 42804: UNION types record and c cannot be matched
--> AT 32

select row(1,2) union select row(1,2);
--> {"row":"(1,2)"}

select row(1,2) union all select row(1,'x'::text);
--> {"row":"(1,2)"}
--> {"row":"(1,x)"}

select (1,2) in (select 1,2);
--> {"?column?":true}

select row(1,'x') = (select r from t where id = 1);
--> ERROR 42601: subquery has too few columns
--> AT 19

select (select r from t where id = 1) = row(1,'x');
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select row(1,'x') = (select row(1,'x'));
--> ERROR 42601: subquery has too few columns
--> AT 19

select (1,'x') = (select 1,'x');
--> {"?column?":true}

select row(1,2) between row(1,1) and row(1,3);
--> {"?column?":true}

select r between row(1,'a') and row(1,'z') from t order by id;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select row(row(1,2),3) = row(row(1,2),3);
--> {"?column?":true}

select row(row(1,2),3) = row(row(1,'2'),3);
--> ERROR 42804: cannot compare dissimilar column types integer and unknown at record column 2

select row(r, 1) = row(row(1,'x'), 1) from t order by id;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

select row(r, 1) = row(row(1,'x')::c, 1) from t order by id;
--> {"?column?":true}
--> {"?column?":false}
--> {"?column?":false}
--> {"?column?":null}

select row(1,'2020-01-01') = row(1, date '2020-01-01');
--> {"?column?":true}

select row(1, timestamp '2020-01-01') = row(1, date '2020-01-01');
--> {"?column?":true}

select row(1, json '1') = row(1, json '1');
--> ERROR 42883: operator does not exist: json = json
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 25

select row(1, point(1,2)) = row(1, point(1,2));
--> ERROR 42883: operator does not exist: point = point
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 27

select row() = row();
--> ERROR 0A000: cannot compare rows of zero length
--> AT 14

select row(1) = row(1);
--> {"?column?":true}

select row(1) = 1;
--> ERROR 42883: operator does not exist: record = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 15

select row(1,2) = 1;
--> ERROR 42883: operator does not exist: record = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 17

select r = 1 from t;
--> ERROR 42883: operator does not exist: c = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10

select r = null from t order by id;
--> {"?column?":null}
--> {"?column?":null}
--> {"?column?":null}
--> {"?column?":null}

select row(1,2) = null;
--> {"?column?":null}

select null = row(1,2);
--> {"?column?":null}

select 'x' = row(1,2);
--> ERROR 0A000: input of anonymous composite types is not implemented
--> AT 8

select r = 'x' from t;
--> ERROR 0A000: input of anonymous composite types is not implemented
--> AT 12

create type d as (a bigint, b text);
--> no rows

select row(1,'x')::c = row(1,'x')::d;
--> ERROR 42804: cannot compare dissimilar column types integer and bigint at record column 1

select row(1,'x')::c = row(2,'x')::c, row(1,'x')::c < row(1,'y')::c;
--> {"?column?":true}

select row(1,'x')::c = row(1,'x'::varchar);
--> ERROR 42804: cannot compare dissimilar column types text and character varying at record column 2

select max(r) from t;
--> ERROR 42883: function max(c) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select id from t order by r, id;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}

select id from t order by row(a, b), id;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}

select count(*) from t a join t b on a.r = b.r;
--> {"count":3}

select count(*) from t a join t b on (a.a,a.b) = (b.a,b.b);
--> {"count":2}

select count(*) from t a join t b on a = b;
--> ERROR 42702: column reference "a" is ambiguous
--> AT 38

update t set r = row(5,'x') where r = row(1,'x') returning r;
--> ERROR 42804: cannot compare dissimilar column types text and unknown at record column 2

delete from t where (a, b) = (2, 'y') returning id;
--> {"id":2}

delete from t where (a, b) = ('2', 'y') returning id;
--> no rows

delete from t where (a, b) = ('q', 'y') returning id;
--> ERROR 22P02: invalid input syntax for type integer: "q"
--> AT 31
