-- Rows compared as values and item by item, and rows spread.

create table t(a int, b text, c int, d int);
--> no rows

insert into t values (1,'z',null,1),(2,null,null,2);
--> no rows

create table t2(a int, b text, c int, d int);
--> no rows

insert into t2 select * from t;
--> no rows

select t = t2, t <> t2, t.* = t2.*, t.a, t2.a from t, t2 order by 4,5;
--> {"?column?":true,"a":1}
--> {"?column?":false,"a":2}
--> {"?column?":false,"a":1}
--> {"?column?":true,"a":2}

select t < t2, t <= t2, t > t2, t >= t2 from t, t2 order by t.a, t2.a;
--> {"?column?":true}
--> {"?column?":false}
--> {"?column?":true}
--> {"?column?":true}

select row(1,null) = row(1,null), row(1,null) <> row(2,null), (1,null) < (1,2), (1, null) = (1, null);
--> {"?column?":null}

select t = row(1,'z',null,1)::t from t order by a;
--> {"?column?":true}
--> {"?column?":false}

select (t).*  from t order by a;
--> {"a":1,"b":"z","c":null,"d":1}
--> {"a":2,"b":null,"c":null,"d":2}

select row(t.*) from t order by a;
--> {"row":"(1,z,,1)"}
--> {"row":"(2,,,2)"}

select row(t.*, 1) from t order by a;
--> {"row":"(1,z,,1,1)"}
--> {"row":"(2,,,2,1)"}

select to_jsonb(row(t.*)) from t order by a;
--> {"to_jsonb":{"f1":1,"f2":"z","f3":null,"f4":1}}
--> {"to_jsonb":{"f1":2,"f2":null,"f3":null,"f4":2}}

select row(t.*)::text, md5(row(t.*)::text) from t order by a;
--> {"row":"(1,z,,1)","md5":"865bf00a689b0466d8c62bcaba33c0fc"}
--> {"row":"(2,,,2)","md5":"866677163773212174764d5afcc66ed0"}

select (t.*) is null, (t.*) is not null, t.* is null, t is null from t order by a;
--> {"?column?":false}
--> {"?column?":false}

select (t.*) from t order by a;
--> {"a":1,"b":"z","c":null,"d":1}
--> {"a":2,"b":null,"c":null,"d":2}

select t.* is distinct from t2.* from t, t2 order by t.a, t2.a;
--> {"?column?":false}
--> {"?column?":true}
--> {"?column?":true}
--> {"?column?":false}

select row(t.*) is distinct from row(t2.*) from t, t2 order by t.a, t2.a;
--> {"?column?":false}
--> {"?column?":true}
--> {"?column?":true}
--> {"?column?":false}

select row(t.*) = row(t2.*) from t, t2 order by t.a, t2.a;
--> {"?column?":null}
--> {"?column?":false}
--> {"?column?":false}
--> {"?column?":null}

select count(*) from t where t in (t, null);
--> {"count":2}

select count(*) from t left join t2 on t = t2;
--> {"count":2}

select t2 = t from t left join t2 on t2.a = t.a and t2.a = 1 order by t.a;
--> {"?column?":true}
--> {"?column?":null}

select nullif(t, t2) from t, t2 order by t.a, t2.a;
--> {"nullif":null}
--> {"nullif":"(1,z,,1)"}
--> {"nullif":"(2,,,2)"}
--> {"nullif":null}

select case t when t2 then 'same' else 'other' end from t, t2 order by t.a, t2.a;
--> {"case":"same"}
--> {"case":"other"}
--> {"case":"other"}
--> {"case":"same"}

create type ct as (x int, y int);
--> no rows

select (row(1,null)::ct) = (row(1,null)::ct), row(1,null)::ct <> row(1,2)::ct, row(1,null)::ct < row(1,2)::ct, row(1,null)::ct > row(1,2)::ct;
--> {"?column?":true}

create table h(c ct);
--> no rows

insert into h values (row(1,null)), (null);
--> no rows

select h.c = h.c, h.c is null, h.c <> row(1,2)::ct, h.c = null from h;
--> {"?column?":null}
--> {"?column?":null}

select h = h, h.c = row(1,null)::ct from h;
--> {"?column?":true}
--> {"?column?":null}

select a from t where (a, b) = (1, null);
--> no rows

select (a, (a, b)) = (a, (a, b)) from t order by a;
--> {"?column?":true}
--> {"?column?":true}

select t between t and t2 from t, t2 order by t.a, t2.a;
--> {"?column?":true}
--> {"?column?":true}
--> {"?column?":false}
--> {"?column?":true}

select max(t.*) from t;
--> ERROR 42883: function max(t) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select row(t.*, t2.*) from t, t2 order by t.a, t2.a limit 1;
--> {"row":"(1,z,,1,1,z,,1)"}

select row(t) from t order by a;
--> {"row":"(\"(1,z,,1)\")"}
--> {"row":"(\"(2,,,2)\")"}

select array[row(t.*)] from t order by a;
--> {"array":"{\"(1,z,,1)\"}"}
--> {"array":"{\"(2,,,2)\"}"}

select count(distinct row(t.*)) from t;
--> {"count":2}

create table log(n serial, what text);
--> no rows

create function g() returns trigger language plpgsql as $$ begin if new = old then insert into log(what) values ('same'); return null; end if; if new.* <> old.* then insert into log(what) values ('other'); end if; if row(new.*) is distinct from row(old.*) then insert into log(what) values (row(new.*)::text); end if; return new; end $$;
--> no rows

create trigger g before update on t for each row execute function g();
--> no rows

update t set d = d;
--> no rows

update t set d = d + 1;
--> no rows

select n, what from log order by n;
--> {"n":1,"what":"same"}
--> {"n":2,"what":"same"}
--> {"n":3,"what":"other"}
--> {"n":4,"what":"(1,z,,2)"}
--> {"n":5,"what":"other"}
--> {"n":6,"what":"(2,,,3)"}

create trigger g2 before update on t for each row when (old.* = new.*) execute function g();
--> no rows

create trigger g3 before update on t for each row when (old = new) execute function g();
--> no rows

update t set d = d;
--> no rows

select n, what from log order by n;
--> {"n":1,"what":"same"}
--> {"n":2,"what":"same"}
--> {"n":3,"what":"other"}
--> {"n":4,"what":"(1,z,,2)"}
--> {"n":5,"what":"other"}
--> {"n":6,"what":"(2,,,3)"}
--> {"n":7,"what":"same"}
--> {"n":8,"what":"same"}
