-- Changes of rows in bodies and rules, as the catalog shows them.

create table t (a int primary key, b text, c numeric default 1); create table u (a int, b text);
--> no rows

create function f1(x int) returns void language sql begin atomic delete from t where a = x; end;
--> no rows

select pg_get_functiondef('f1'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f1(x integer)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n DELETE FROM t\n   WHERE (t.a = f1.x);\nEND\n"}

create function f2(x int, y text) returns void language sql begin atomic insert into t (a, b) values (x, y), (x + 1, 'q'); end;
--> no rows

select pg_get_functiondef('f2'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f2(x integer, y text)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n INSERT INTO t (a, b) VALUES (f2.x,f2.y), ((f2.x + 1),'q'::text);\nEND\n"}

create function f3(x int, y text) returns int language sql begin atomic insert into t values (x, y) returning a; end;
--> no rows

select pg_get_functiondef('f3'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f3(x integer, y text)\n RETURNS integer\n LANGUAGE sql\nBEGIN ATOMIC\n INSERT INTO t (a, b)\n   VALUES (f3.x, f3.y)\n   RETURNING t.a;\nEND\n"}

create function f4(x int) returns setof t language sql begin atomic delete from t using u where t.a = u.a and u.b = 'x' returning t.*; end;
--> no rows

select pg_get_functiondef('f4'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f4(x integer)\n RETURNS SETOF t\n LANGUAGE sql\nBEGIN ATOMIC\n DELETE FROM t\n    USING u\n   WHERE ((t.a = u.a) AND (u.b = 'x'::text))\n   RETURNING t.a,\n     t.b,\n     t.c;\nEND\n"}

create function f5(x int) returns void language sql begin atomic insert into t select a, b from u where a > x; end;
--> no rows

select pg_get_functiondef('f5'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f5(x integer)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n INSERT INTO t (a, b)  SELECT u.a,\n             u.b\n            FROM u\n           WHERE (u.a > f5.x);\nEND\n"}

create function f6(x int) returns void language sql begin atomic insert into t (a, b) values (x, 'a') on conflict (a) do update set b = excluded.b, c = t.c + 1 where t.a > 0; end;
--> no rows

select pg_get_functiondef('f6'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f6(x integer)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n INSERT INTO t (a, b)\n   VALUES (f6.x, 'a'::text) ON CONFLICT(a) DO UPDATE SET b = excluded.b, c = (t.c + (1)::numeric)\n   WHERE (t.a > 0);\nEND\n"}

create function f7(x int) returns void language sql begin atomic insert into t (a) values (x) on conflict do nothing; insert into u default values; delete from u; end;
--> no rows

select pg_get_functiondef('f7'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f7(x integer)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n INSERT INTO t (a)\n   VALUES (f7.x) ON CONFLICT DO NOTHING;\n INSERT INTO u DEFAULT VALUES;\n DELETE FROM u;\nEND\n"}

create function f8(x int) returns void language sql begin atomic update t set b = 'x', c = c + x where a = x; end;
--> no rows

select pg_get_functiondef('f8'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f8(x integer)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n UPDATE t SET b = 'x'::text, c = (t.c + (f8.x)::numeric)\n   WHERE (t.a = f8.x);\nEND\n"}

create function f9(x int) returns int language sql begin atomic update t set (b, c) = ('x', 2) from u where t.a = u.a returning t.a; end;
--> no rows

select pg_get_functiondef('f9'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f9(x integer)\n RETURNS integer\n LANGUAGE sql\nBEGIN ATOMIC\n UPDATE t SET b = 'x'::text, c = 2\n    FROM u\n   WHERE (t.a = u.a)\n   RETURNING t.a;\nEND\n"}

create function f10(x int) returns void language sql begin atomic with q as (select a from u) delete from t where a in (select a from q); end;
--> no rows

select pg_get_functiondef('f10'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f10(x integer)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n WITH q AS (\n          SELECT u.a\n            FROM u\n         )\n  DELETE FROM t\n   WHERE (t.a IN ( SELECT q.a\n            FROM q));\nEND\n"}

create function f11(x int) returns int language sql begin atomic with q as (delete from u where a = x returning a, b) insert into t (a, b) select a, b from q returning a; end;
--> no rows

create function f12(x int) returns void language sql begin atomic delete from t as tt where tt.a = x and exists (select 1 from u where u.a = tt.a); end;
--> no rows

select pg_get_functiondef('f12'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f12(x integer)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n DELETE FROM t tt\n   WHERE ((tt.a = f12.x) AND (EXISTS ( SELECT 1\n            FROM u\n           WHERE (u.a = tt.a))));\nEND\n"}

create function f13(x int) returns int language sql return x + 1;
--> no rows

select pg_get_functiondef('f13'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f13(x integer)\n RETURNS integer\n LANGUAGE sql\nRETURN (x + 1)\n"}

create function f14(x int) returns void language sql begin atomic insert into t as tt (a, b) values (x, default) on conflict on constraint t_pkey do nothing; end;
--> no rows

select pg_get_functiondef('f14'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f14(x integer)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n INSERT INTO t AS tt (a, b)\n   VALUES (f14.x, DEFAULT) ON CONFLICT ON CONSTRAINT t_pkey DO NOTHING;\nEND\n"}

create rule r1 as on insert to u do also insert into t (a, b) values (new.a, new.b);
--> no rows

create rule r2 as on delete to u do also delete from t where a = old.a;
--> no rows

create rule r3 as on update to u where new.a > 5 do instead update t set b = new.b where a = old.a;
--> no rows

create rule r4 as on insert to u where new.a < 0 do instead nothing;
--> no rows

create rule r5 as on delete to t do also (insert into u values (old.a, 'gone'); delete from u where u.a = old.a and b <> 'x');
--> no rows

create rule r6 as on update to t do also insert into u select old.a, upper(new.b) from t tt where tt.a = new.a;
--> no rows

create rule r7 as on update to t do also notify chan;
--> no rows

create rule r8 as on insert to t do also insert into u default values;
--> no rows

create view v as select a, b from t; create rule r9 as on insert to v do instead insert into t (a, b) values (new.a, new.b) returning a, b; create rule r10 as on delete to v do instead delete from t where t.a = old.a; create rule r11 as on update to v do instead update t set b = new.b where a = old.a;
--> no rows

select rulename, definition from pg_rules where rulename like 'r%' order by 1;
--> {"rulename":"r1","definition":"CREATE RULE r1 AS\n    ON INSERT TO public.u DO  INSERT INTO t (a, b)\n  VALUES (new.a, new.b);"}
--> {"rulename":"r10","definition":"CREATE RULE r10 AS\n    ON DELETE TO public.v DO INSTEAD  DELETE FROM t\n  WHERE (t.a = old.a);"}
--> {"rulename":"r11","definition":"CREATE RULE r11 AS\n    ON UPDATE TO public.v DO INSTEAD  UPDATE t SET b = new.b\n  WHERE (t.a = old.a);"}
--> {"rulename":"r2","definition":"CREATE RULE r2 AS\n    ON DELETE TO public.u DO  DELETE FROM t\n  WHERE (t.a = old.a);"}
--> {"rulename":"r3","definition":"CREATE RULE r3 AS\n    ON UPDATE TO public.u\n   WHERE (new.a > 5) DO INSTEAD  UPDATE t SET b = new.b\n  WHERE (t.a = old.a);"}
--> {"rulename":"r4","definition":"CREATE RULE r4 AS\n    ON INSERT TO public.u\n   WHERE (new.a < 0) DO INSTEAD NOTHING;"}
--> {"rulename":"r5","definition":"CREATE RULE r5 AS\n    ON DELETE TO public.t DO ( INSERT INTO u (a, b)\n  VALUES (old.a, 'gone'::text);\n DELETE FROM u\n  WHERE ((u.a = old.a) AND (u.b <> 'x'::text));\n);"}
--> {"rulename":"r6","definition":"CREATE RULE r6 AS\n    ON UPDATE TO public.t DO  INSERT INTO u (a, b)  SELECT old.a,\n            upper(new.b) AS upper\n           FROM t tt\n          WHERE (tt.a = new.a);"}
--> {"rulename":"r7","definition":"CREATE RULE r7 AS\n    ON UPDATE TO public.t DO\n NOTIFY chan;"}
--> {"rulename":"r8","definition":"CREATE RULE r8 AS\n    ON INSERT TO public.t DO  INSERT INTO u DEFAULT VALUES;"}
--> {"rulename":"r9","definition":"CREATE RULE r9 AS\n    ON INSERT TO public.v DO INSTEAD  INSERT INTO t (a, b)\n  VALUES (new.a, new.b)\n  RETURNING t.a,\n    t.b;"}

select pg_get_ruledef(oid, true) from pg_rewrite where rulename like 'r%' order by rulename;
--> {"pg_get_ruledef":"CREATE RULE r1 AS\n    ON INSERT TO u DO  INSERT INTO t (a, b)\n  VALUES (new.a, new.b);"}
--> {"pg_get_ruledef":"CREATE RULE r10 AS\n    ON DELETE TO v DO INSTEAD  DELETE FROM t\n  WHERE t.a = old.a;"}
--> {"pg_get_ruledef":"CREATE RULE r11 AS\n    ON UPDATE TO v DO INSTEAD  UPDATE t SET b = new.b\n  WHERE t.a = old.a;"}
--> {"pg_get_ruledef":"CREATE RULE r2 AS\n    ON DELETE TO u DO  DELETE FROM t\n  WHERE t.a = old.a;"}
--> {"pg_get_ruledef":"CREATE RULE r3 AS\n    ON UPDATE TO u\n   WHERE new.a > 5 DO INSTEAD  UPDATE t SET b = new.b\n  WHERE t.a = old.a;"}
--> {"pg_get_ruledef":"CREATE RULE r4 AS\n    ON INSERT TO u\n   WHERE new.a < 0 DO INSTEAD NOTHING;"}
--> {"pg_get_ruledef":"CREATE RULE r5 AS\n    ON DELETE TO t DO ( INSERT INTO u (a, b)\n  VALUES (old.a, 'gone'::text);\n DELETE FROM u\n  WHERE u.a = old.a AND u.b <> 'x'::text;\n);"}
--> {"pg_get_ruledef":"CREATE RULE r6 AS\n    ON UPDATE TO t DO  INSERT INTO u (a, b)  SELECT old.a,\n            upper(new.b) AS upper\n           FROM t tt\n          WHERE tt.a = new.a;"}
--> {"pg_get_ruledef":"CREATE RULE r7 AS\n    ON UPDATE TO t DO\n NOTIFY chan;"}
--> {"pg_get_ruledef":"CREATE RULE r8 AS\n    ON INSERT TO t DO  INSERT INTO u DEFAULT VALUES;"}
--> {"pg_get_ruledef":"CREATE RULE r9 AS\n    ON INSERT TO v DO INSTEAD  INSERT INTO t (a, b)\n  VALUES (new.a, new.b)\n  RETURNING t.a,\n    t.b;"}

create table w (id int generated always as identity, v varchar(5), n numeric(5,2), j jsonb, "Odd" int, e text[], ts timestamptz default now());
--> no rows

create function g1(p text) returns void language sql begin atomic insert into w (v, n, j, "Odd", e) values ('abc', 3, '{}', 4, '{a}'); update w set v = 'x', n = 5, j = j || '{"a":1}', "Odd" = "Odd" + 1, e = e || p where "Odd" is null and v like 'a%'; end;
--> no rows

select pg_get_functiondef('g1'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.g1(p text)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n INSERT INTO w (v, n, j, \"Odd\", e)\n   VALUES ('abc'::character varying, 3, '{}'::jsonb, 4, '{a}'::text[]);\n UPDATE w SET v = 'x'::character varying, n = 5, j = (w.j || '{\"a\": 1}'::jsonb), \"Odd\" = (w.\"Odd\" + 1), e = (w.e || g1.p)\n   WHERE ((w.\"Odd\" IS NULL) AND ((w.v)::text ~~ 'a%'::text));\nEND\n"}

create function g2(p text) returns void language sql begin atomic insert into w (v, ts) select v, now() from w order by id limit 3; insert into w (v) select 'x' union all select 'y'; insert into w (v) values (p) returning id as the_id; end;
--> no rows

select pg_get_functiondef('g2'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.g2(p text)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n INSERT INTO w (v, ts)  SELECT w_1.v,\n             now() AS now\n            FROM w w_1\n           ORDER BY w_1.id\n          LIMIT 3;\n INSERT INTO w (v)  SELECT 'x'::text\n         UNION ALL\n          SELECT 'y'::text;\n INSERT INTO w (v)\n   VALUES (g2.p)\n   RETURNING w.id AS the_id;\nEND\n"}

create function g3(p text) returns int language sql begin atomic update w x set v = p from w y join u on u.a = y.id where x.id = y.id and not exists (select 1 from t where t.a = x.id) returning x.id; end;
--> no rows

select pg_get_functiondef('g3'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.g3(p text)\n RETURNS integer\n LANGUAGE sql\nBEGIN ATOMIC\n UPDATE w x SET v = g3.p\n    FROM (w y\n      JOIN u ON ((u.a = y.id)))\n   WHERE ((x.id = y.id) AND (NOT (EXISTS ( SELECT 1\n            FROM t\n           WHERE (t.a = x.id)))))\n   RETURNING x.id;\nEND\n"}

create function g4(p int) returns int language sql begin atomic delete from w where id in (1, 2, p) or v in (select b from t) returning id + 1; end;
--> no rows

select pg_get_functiondef('g4'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.g4(p integer)\n RETURNS integer\n LANGUAGE sql\nBEGIN ATOMIC\n DELETE FROM w\n   WHERE ((w.id = ANY (ARRAY[1, 2, g4.p])) OR ((w.v)::text IN ( SELECT t.b\n            FROM t)))\n   RETURNING (w.id + 1);\nEND\n"}

create function g5(p int) returns void language sql begin atomic update w set v = default, n = (select max(c) from t) where id = p; insert into w (v) values (default); end;
--> no rows

select pg_get_functiondef('g5'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.g5(p integer)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n UPDATE w SET v = DEFAULT, n = ( SELECT max(t.c) AS max\n            FROM t)\n   WHERE (w.id = g5.p);\n INSERT INTO w (v)\n   VALUES (DEFAULT);\nEND\n"}

create function g6(p int) returns void language sql begin atomic update w set (v, n) = (select b, c from t where a = p); end;
--> no rows

select pg_get_functiondef('g6'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.g6(p integer)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n UPDATE w SET (v, n) = ( SELECT t.b,\n             t.c\n            FROM t\n           WHERE (t.a = g6.p));\nEND\n"}

create schema s; create table s.far (a int); create function g7(p int) returns void language sql begin atomic insert into s.far values (p); delete from s.far where a = p; update s.far set a = p; end;
--> no rows

select pg_get_functiondef('g7'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.g7(p integer)\n RETURNS void\n LANGUAGE sql\nBEGIN ATOMIC\n INSERT INTO s.far (a)\n   VALUES (g7.p);\n DELETE FROM s.far\n   WHERE (far.a = g7.p);\n UPDATE s.far SET a = g7.p;\nEND\n"}

create rule s1 as on delete to w do also (notify a, 'load'; delete from s.far where a = old.id; update u set b = old.v where a = old.id);
--> no rows

select definition from pg_rules where rulename = 's1';
--> {"definition":"CREATE RULE s1 AS\n    ON DELETE TO public.w DO (\n NOTIFY a, 'load';\n DELETE FROM s.far\n  WHERE (far.a = old.id);\n UPDATE u SET b = old.v\n  WHERE (u.a = old.id);\n);"}

create function g8() returns void language sql begin atomic insert into w (id, v) overriding system value values (1, 'x'); end;
--> no rows

create rule s2 as on insert to s.far do instead insert into u values (new.*);
--> no rows

select definition from pg_rules where rulename = 's2';
--> {"definition":"CREATE RULE s2 AS\n    ON INSERT TO s.far DO INSTEAD  INSERT INTO u (a)\n  VALUES (new.a);"}

select g1('q'); select g2('z'); select id, v, n, j, "Odd", e from w order by id;
--> {"id":1,"v":"abc","n":"3.00","j":{},"Odd":4,"e":["a"]}
--> {"id":2,"v":"abc","n":null,"j":null,"Odd":null,"e":null}
--> {"id":3,"v":"x","n":null,"j":null,"Odd":null,"e":null}
--> {"id":4,"v":"y","n":null,"j":null,"Odd":null,"e":null}
--> {"id":5,"v":"z","n":null,"j":null,"Odd":null,"e":null}

select 1;
--> {"?column?":1}

drop rule r1 on u; drop rule r2 on u; drop rule r3 on u; drop rule r4 on u; drop rule r5 on t; drop rule r6 on t; drop rule r7 on t; drop rule r8 on t; drop rule s1 on w;
--> no rows

do $$ declare f text; begin for f in select proname from pg_proc where proname ~ '^[fg][0-9]+$' loop execute pg_get_functiondef(f::regproc); end loop; end $$;
--> no rows

select pg_get_functiondef('g1'::regproc), pg_get_functiondef('f6'::regproc), pg_get_functiondef('f2'::regproc), pg_get_functiondef('g3'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.g3(p text)\n RETURNS integer\n LANGUAGE sql\nBEGIN ATOMIC\n UPDATE w x SET v = g3.p\n    FROM (w y\n      JOIN u ON ((u.a = y.id)))\n   WHERE ((x.id = y.id) AND (NOT (EXISTS ( SELECT 1\n            FROM t\n           WHERE (t.a = x.id)))))\n   RETURNING x.id;\nEND\n"}

truncate t, u, w; select f2(1, 'one'); select f6(1); select f1(2); select a, b, c from t order by a;
--> {"a":1,"b":"a","c":"2"}
