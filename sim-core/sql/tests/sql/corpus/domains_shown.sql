-- Columns of domains in shown definitions: operators and functions take their base type.

create domain slug as text check (value ~ '^[a-z]+$');
--> no rows

create domain dt as text;
--> no rows

create domain elo as int check (value > 0);
--> no rows

create table u (t text, s slug, d dt);
--> no rows

create view vd as select s || 'x' a, s = 'q' b, length(s) c, d || d e, coalesce(d, 'x') f, s like 'x%' g, upper(s) h, s in ('a','b') i, s = any(array['x']) j, nullif(s, 'x') k, s || d l, s = t m from u where s = 'x' order by lower(s);
--> no rows

select pg_get_viewdef('vd'::regclass);
--> {"pg_get_viewdef":" SELECT ((u.s)::text || 'x'::text) AS a,\n    ((u.s)::text = 'q'::text) AS b,\n    length((u.s)::text) AS c,\n    ((u.d)::text || (u.d)::text) AS e,\n    COALESCE((u.d)::text, 'x'::text) AS f,\n    ((u.s)::text ~~ 'x%'::text) AS g,\n    upper((u.s)::text) AS h,\n    ((u.s)::text = ANY (ARRAY['a'::text, 'b'::text])) AS i,\n    ((u.s)::text = ANY (ARRAY['x'::text])) AS j,\n    NULLIF((u.s)::text, 'x'::text) AS k,\n    ((u.s)::text || (u.d)::text) AS l,\n    ((u.s)::text = u.t) AS m\n   FROM u\n  WHERE ((u.s)::text = 'x'::text)\n  ORDER BY (lower((u.s)::text));"}

create table pl (e elo, f elo, n int, check (e > f), check (e + 1 > n), check (e between 1 and 5), check (abs(e) > 0), check (e in (1,2)));
--> no rows

create view vp as select e + 1 x, e = f y, e::text z, -e w, e = n v, greatest(e, 2) g, sum(e) s from pl where e >= 1010 group by 1,2,3,4,5,6;
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'pl'::regclass order by 1;
--> {"conname":"pl_check","pg_get_constraintdef":"CHECK (((e)::integer > (f)::integer))"}
--> {"conname":"pl_check1","pg_get_constraintdef":"CHECK ((((e)::integer + 1) > n))"}
--> {"conname":"pl_e_check","pg_get_constraintdef":"CHECK ((((e)::integer >= 1) AND ((e)::integer <= 5)))"}
--> {"conname":"pl_e_check1","pg_get_constraintdef":"CHECK ((abs((e)::integer) > 0))"}
--> {"conname":"pl_e_check2","pg_get_constraintdef":"CHECK (((e)::integer = ANY (ARRAY[1, 2])))"}

select pg_get_viewdef('vp'::regclass);
--> {"pg_get_viewdef":" SELECT ((pl.e)::integer + 1) AS x,\n    ((pl.e)::integer = (pl.f)::integer) AS y,\n    (pl.e)::text AS z,\n    (- (pl.e)::integer) AS w,\n    ((pl.e)::integer = pl.n) AS v,\n    GREATEST((pl.e)::integer, 2) AS g,\n    sum((pl.e)::integer) AS s\n   FROM pl\n  WHERE ((pl.e)::integer >= 1010)\n  GROUP BY ((pl.e)::integer + 1), ((pl.e)::integer = (pl.f)::integer), (pl.e)::text, (- (pl.e)::integer), ((pl.e)::integer = pl.n), GREATEST((pl.e)::integer, 2);"}

insert into pl values (2, 1, 1);
--> no rows

insert into pl values (3, 1, 1);
--> ERROR 23514: new row for relation "pl" violates check constraint "pl_e_check2"
--> DETAIL: Failing row contains (3, 1, 1).

select * from vp;
--> no rows

select * from vd;
--> no rows
