-- Triggers and views as the catalog shows them.

create schema app;
--> no rows

create table t (id int primary key, a text, "Odd" int, n numeric(10,2), at timestamptz default now());
--> no rows

create table app.u (id int primary key, t_id int references t, v varchar(20));
--> no rows

create function tf() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create function app.tf() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create trigger t1 before insert or update of a, "Odd" on t for each row when (new.a is distinct from 'x' and new.id > 3) execute procedure tf('one', 'it''s', 3);
--> no rows

create trigger t2 after update on t referencing old table as o new table as nn execute function app.tf();
--> no rows

create trigger "T3" AFTER delete or truncate on t for each statement execute function public.tf();
--> no rows

create constraint trigger t4 after insert on app.u deferrable initially deferred for each row execute function tf();
--> no rows

create trigger t5 after update on t for each row when (old.* is distinct from new.*) execute function tf();
--> no rows

create trigger t6 after update on t for each row when (OLD.a IS NULL OR new."Odd" <> old."Odd") execute function tf();
--> no rows

create constraint trigger t7 after insert on app.u for each row when (new.v like 'a%') execute function tf();
--> no rows

select tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal and tgname ilike 't_' order by tgname collate "C";
--> {"tgname":"T3","pg_get_triggerdef":"CREATE TRIGGER \"T3\" AFTER DELETE OR TRUNCATE ON public.t FOR EACH STATEMENT EXECUTE FUNCTION tf()"}
--> {"tgname":"t1","pg_get_triggerdef":"CREATE TRIGGER t1 BEFORE INSERT OR UPDATE OF a, \"Odd\" ON public.t FOR EACH ROW WHEN (((new.a IS DISTINCT FROM 'x'::text) AND (new.id > 3))) EXECUTE FUNCTION tf('one', 'it''s', '3')"}
--> {"tgname":"t2","pg_get_triggerdef":"CREATE TRIGGER t2 AFTER UPDATE ON public.t REFERENCING OLD TABLE AS o NEW TABLE AS nn FOR EACH STATEMENT EXECUTE FUNCTION app.tf()"}
--> {"tgname":"t4","pg_get_triggerdef":"CREATE CONSTRAINT TRIGGER t4 AFTER INSERT ON app.u DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tf()"}
--> {"tgname":"t5","pg_get_triggerdef":"CREATE TRIGGER t5 AFTER UPDATE ON public.t FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION tf()"}
--> {"tgname":"t6","pg_get_triggerdef":"CREATE TRIGGER t6 AFTER UPDATE ON public.t FOR EACH ROW WHEN (((old.a IS NULL) OR (new.\"Odd\" <> old.\"Odd\"))) EXECUTE FUNCTION tf()"}
--> {"tgname":"t7","pg_get_triggerdef":"CREATE CONSTRAINT TRIGGER t7 AFTER INSERT ON app.u NOT DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (((new.v)::text ~~ 'a%'::text)) EXECUTE FUNCTION tf()"}

select tgname, pg_get_triggerdef(oid, true) from pg_trigger where not tgisinternal and tgname ilike 't_' order by tgname collate "C";
--> {"tgname":"T3","pg_get_triggerdef":"CREATE TRIGGER \"T3\" AFTER DELETE OR TRUNCATE ON t FOR EACH STATEMENT EXECUTE FUNCTION tf()"}
--> {"tgname":"t1","pg_get_triggerdef":"CREATE TRIGGER t1 BEFORE INSERT OR UPDATE OF a, \"Odd\" ON t FOR EACH ROW WHEN (new.a IS DISTINCT FROM 'x'::text AND new.id > 3) EXECUTE FUNCTION tf('one', 'it''s', '3')"}
--> {"tgname":"t2","pg_get_triggerdef":"CREATE TRIGGER t2 AFTER UPDATE ON t REFERENCING OLD TABLE AS o NEW TABLE AS nn FOR EACH STATEMENT EXECUTE FUNCTION app.tf()"}
--> {"tgname":"t4","pg_get_triggerdef":"CREATE CONSTRAINT TRIGGER t4 AFTER INSERT ON app.u DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tf()"}
--> {"tgname":"t5","pg_get_triggerdef":"CREATE TRIGGER t5 AFTER UPDATE ON t FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION tf()"}
--> {"tgname":"t6","pg_get_triggerdef":"CREATE TRIGGER t6 AFTER UPDATE ON t FOR EACH ROW WHEN (old.a IS NULL OR new.\"Odd\" <> old.\"Odd\") EXECUTE FUNCTION tf()"}
--> {"tgname":"t7","pg_get_triggerdef":"CREATE CONSTRAINT TRIGGER t7 AFTER INSERT ON app.u NOT DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (new.v::text ~~ 'a%'::text) EXECUTE FUNCTION tf()"}

select trigger_name, event_manipulation, action_condition, action_statement, action_orientation, action_timing from information_schema.triggers where trigger_schema in ('public', 'app') order by trigger_name collate "C", event_manipulation;
--> {"trigger_name":"T3","event_manipulation":"DELETE","action_condition":null,"action_statement":"EXECUTE FUNCTION tf()","action_orientation":"STATEMENT","action_timing":"AFTER"}
--> {"trigger_name":"t1","event_manipulation":"INSERT","action_condition":"((new.a IS DISTINCT FROM 'x'::text) AND (new.id > 3))","action_statement":"EXECUTE FUNCTION tf('one', 'it''s', '3')","action_orientation":"ROW","action_timing":"BEFORE"}
--> {"trigger_name":"t1","event_manipulation":"UPDATE","action_condition":"((new.a IS DISTINCT FROM 'x'::text) AND (new.id > 3))","action_statement":"EXECUTE FUNCTION tf('one', 'it''s', '3')","action_orientation":"ROW","action_timing":"BEFORE"}
--> {"trigger_name":"t2","event_manipulation":"UPDATE","action_condition":null,"action_statement":"EXECUTE FUNCTION app.tf()","action_orientation":"STATEMENT","action_timing":"AFTER"}
--> {"trigger_name":"t4","event_manipulation":"INSERT","action_condition":null,"action_statement":"EXECUTE FUNCTION tf()","action_orientation":"ROW","action_timing":"AFTER"}
--> {"trigger_name":"t5","event_manipulation":"UPDATE","action_condition":"(old.* IS DISTINCT FROM new.*)","action_statement":"EXECUTE FUNCTION tf()","action_orientation":"ROW","action_timing":"AFTER"}
--> {"trigger_name":"t6","event_manipulation":"UPDATE","action_condition":"((old.a IS NULL) OR (new.\"Odd\" <> old.\"Odd\"))","action_statement":"EXECUTE FUNCTION tf()","action_orientation":"ROW","action_timing":"AFTER"}
--> {"trigger_name":"t7","event_manipulation":"INSERT","action_condition":"((new.v)::text ~~ 'a%'::text)","action_statement":"EXECUTE FUNCTION tf()","action_orientation":"ROW","action_timing":"AFTER"}

create view v1 as select * from t;
--> no rows

create view v2 as select id, a as name from public.t where id > 3 and a = 'x' order by id desc limit 5;
--> no rows

create view v3 as select t.id, u.v, count(*) as cnt, sum(t.n) from t join app.u on u.t_id = t.id left join app.u w on w.id = t.id group by t.id, u.v having count(*) > 1;
--> no rows

create view v4 as select x.id, upper(x.a) up, coalesce(x.a, 'none') co, x.n * 2 as dbl, x.id::text idt, case when x.id = 1 then 'one' else 'many' end cs from t as x;
--> no rows

create view v5 as select 1 as one union all select id from t;
--> no rows

create view v7 as select distinct a from t where a in ('p','q') or a is null;
--> no rows

create view v8 as select id, row_number() over (partition by a order by id) rn from t;
--> no rows

create view v10 as select a || '-' || id as s, now() as n, current_user as u, at::date d, date_trunc('day', at) dt, 'lit'::text as l, null as nu, true as tr, -5 as neg, 1.5 as num from t;
--> no rows

create view v11 as select t.id from t, app.u where t.id = u.id;
--> no rows

create view v12 as select id from t where id between 1 and 5 and not (a like 'x%') and a not in ('a','b');
--> no rows

create view v13 as select id from t where id = any(array[1,2]) and n > 3;
--> no rows

create view v14 as select s.id from (select id from t) s;
--> no rows

create view v15 as select count(distinct a) c, string_agg(a, ',' order by id) sa from t;
--> no rows

create view v16 as select jsonb_build_object('id', id) j, array_agg(a) arr from t group by id;
--> no rows

select pg_get_viewdef('v1'::regclass, true) as plain, pg_get_viewdef('v1'::regclass) as full;
--> {"plain":" SELECT t.id,\n    t.a,\n    t.\"Odd\",\n    t.n,\n    t.at\n   FROM t;","full":" SELECT t.id,\n    t.a,\n    t.\"Odd\",\n    t.n,\n    t.at\n   FROM t;"}

select pg_get_viewdef('v2'::regclass, true) as plain, pg_get_viewdef('v2'::regclass) as full;
--> {"plain":" SELECT t.id,\n    t.a AS name\n   FROM t\n  WHERE t.id > 3 AND t.a = 'x'::text\n  ORDER BY t.id DESC\n LIMIT 5;","full":" SELECT t.id,\n    t.a AS name\n   FROM t\n  WHERE ((t.id > 3) AND (t.a = 'x'::text))\n  ORDER BY t.id DESC\n LIMIT 5;"}

select pg_get_viewdef('v3'::regclass, true) as plain, pg_get_viewdef('v3'::regclass) as full;
--> {"plain":" SELECT t.id,\n    u.v,\n    count(*) AS cnt,\n    sum(t.n) AS sum\n   FROM t\n     JOIN app.u ON u.t_id = t.id\n     LEFT JOIN app.u w ON w.id = t.id\n  GROUP BY t.id, u.v\n HAVING count(*) > 1;","full":" SELECT t.id,\n    u.v,\n    count(*) AS cnt,\n    sum(t.n) AS sum\n   FROM ((t\n     JOIN app.u ON ((u.t_id = t.id)))\n     LEFT JOIN app.u w ON ((w.id = t.id)))\n  GROUP BY t.id, u.v\n HAVING (count(*) > 1);"}

select pg_get_viewdef('v4'::regclass, true) as plain, pg_get_viewdef('v4'::regclass) as full;
--> {"plain":" SELECT x.id,\n    upper(x.a) AS up,\n    COALESCE(x.a, 'none'::text) AS co,\n    x.n * 2::numeric AS dbl,\n    x.id::text AS idt,\n        CASE\n            WHEN x.id = 1 THEN 'one'::text\n            ELSE 'many'::text\n        END AS cs\n   FROM t x;","full":" SELECT x.id,\n    upper(x.a) AS up,\n    COALESCE(x.a, 'none'::text) AS co,\n    (x.n * (2)::numeric) AS dbl,\n    (x.id)::text AS idt,\n        CASE\n            WHEN (x.id = 1) THEN 'one'::text\n            ELSE 'many'::text\n        END AS cs\n   FROM t x;"}

select pg_get_viewdef('v5'::regclass, true) as plain, pg_get_viewdef('v5'::regclass) as full;
--> {"plain":" SELECT 1 AS one\nUNION ALL\n SELECT t.id AS one\n   FROM t;","full":" SELECT 1 AS one\nUNION ALL\n SELECT t.id AS one\n   FROM t;"}

select pg_get_viewdef('v7'::regclass, true) as plain, pg_get_viewdef('v7'::regclass) as full;
--> {"plain":" SELECT DISTINCT t.a\n   FROM t\n  WHERE (t.a = ANY (ARRAY['p'::text, 'q'::text])) OR t.a IS NULL;","full":" SELECT DISTINCT t.a\n   FROM t\n  WHERE ((t.a = ANY (ARRAY['p'::text, 'q'::text])) OR (t.a IS NULL));"}

select pg_get_viewdef('v8'::regclass, true) as plain, pg_get_viewdef('v8'::regclass) as full;
--> {"plain":" SELECT t.id,\n    row_number() OVER (PARTITION BY t.a ORDER BY t.id) AS rn\n   FROM t;","full":" SELECT t.id,\n    row_number() OVER (PARTITION BY t.a ORDER BY t.id) AS rn\n   FROM t;"}

select pg_get_viewdef('v10'::regclass, true) as plain, pg_get_viewdef('v10'::regclass) as full;
--> {"plain":" SELECT (t.a || '-'::text) || t.id AS s,\n    now() AS n,\n    CURRENT_USER AS u,\n    t.at::date AS d,\n    date_trunc('day'::text, t.at) AS dt,\n    'lit'::text AS l,\n    NULL::text AS nu,\n    true AS tr,\n    '-5'::integer AS neg,\n    1.5 AS num\n   FROM t;","full":" SELECT ((t.a || '-'::text) || t.id) AS s,\n    now() AS n,\n    CURRENT_USER AS u,\n    (t.at)::date AS d,\n    date_trunc('day'::text, t.at) AS dt,\n    'lit'::text AS l,\n    NULL::text AS nu,\n    true AS tr,\n    '-5'::integer AS neg,\n    1.5 AS num\n   FROM t;"}

select pg_get_viewdef('v11'::regclass, true) as plain, pg_get_viewdef('v11'::regclass) as full;
--> {"plain":" SELECT t.id\n   FROM t,\n    app.u\n  WHERE t.id = u.id;","full":" SELECT t.id\n   FROM t,\n    app.u\n  WHERE (t.id = u.id);"}

select pg_get_viewdef('v12'::regclass, true) as plain, pg_get_viewdef('v12'::regclass) as full;
--> {"plain":" SELECT t.id\n   FROM t\n  WHERE t.id >= 1 AND t.id <= 5 AND NOT t.a ~~ 'x%'::text AND (t.a <> ALL (ARRAY['a'::text, 'b'::text]));","full":" SELECT t.id\n   FROM t\n  WHERE (((t.id >= 1) AND (t.id <= 5)) AND (NOT (t.a ~~ 'x%'::text)) AND (t.a <> ALL (ARRAY['a'::text, 'b'::text])));"}

select pg_get_viewdef('v13'::regclass, true) as plain, pg_get_viewdef('v13'::regclass) as full;
--> {"plain":" SELECT t.id\n   FROM t\n  WHERE (t.id = ANY (ARRAY[1, 2])) AND t.n > 3::numeric;","full":" SELECT t.id\n   FROM t\n  WHERE ((t.id = ANY (ARRAY[1, 2])) AND (t.n > (3)::numeric));"}

select pg_get_viewdef('v14'::regclass, true) as plain, pg_get_viewdef('v14'::regclass) as full;
--> {"plain":" SELECT s.id\n   FROM ( SELECT t.id\n           FROM t) s;","full":" SELECT s.id\n   FROM ( SELECT t.id\n           FROM t) s;"}

select pg_get_viewdef('v15'::regclass, true) as plain, pg_get_viewdef('v15'::regclass) as full;
--> {"plain":" SELECT count(DISTINCT t.a) AS c,\n    string_agg(t.a, ','::text ORDER BY t.id) AS sa\n   FROM t;","full":" SELECT count(DISTINCT t.a) AS c,\n    string_agg(t.a, ','::text ORDER BY t.id) AS sa\n   FROM t;"}

create view v17 as select a, count(*) filter (where id > 2) as f from t group by 1 order by 2 desc nulls last, a limit 3 offset 1;
--> no rows

create view v18 as select case a when 'x' then 1 when 'y' then 2 end as c, sum(case when id > 1 then n else 0 end) as s from t group by a;
--> no rows

create view v19 as select date_trunc('month', at) as month, count(distinct a) as n from t group by date_trunc('month', at) order by month;
--> no rows

create view v20 as select distinct on (a) a, id from t order by a, id desc;
--> no rows

create view v21 as select (id + 1) * 2 as x, id + 1 * 2 as y, id - (id - 1) as z, -id as m, id % 2 = 0 as even, not (id > 1 or a = 'x') as q, (id > 1) is true as r from t;
--> no rows

create view v22 as select t.id from t cross join app.u where t.at > now() - interval '1 day' and t.at >= '2024-01-01' and u.v = 'q' and u.v in ('a', 'b');
--> no rows

create view v23 (one, two) as select id, lower(a) || '!' from t where a ilike '%x' and length(a) > 2;
--> no rows

create view v24 as select id from t where n is not null and (a = 'p' or a = 'q') and id <> 3 union select id from app.u;
--> no rows

create view v25 as select a.id as left_id, b.id as right_id from t a join t b on a.id = b.id and a.a <> b.a;
--> no rows

create view v26 as select id from app.u;
--> no rows

create view v27 as select greatest(id, 2) as g, nullif(a, '') as nf, coalesce(n, 0) as co, round(n, 1) as r, a::varchar(5) as vc, n::int as i, id::bigint as b from t;
--> no rows

create materialized view mv as select id, a from t where id > 1;
--> no rows

create view v28 as select v2.name from v2 where v2.id = 4;
--> no rows

select pg_get_viewdef('v18'::regclass, true) as plain, pg_get_viewdef('v18'::regclass) as full;
--> {"plain":" SELECT\n        CASE t.a\n            WHEN 'x'::text THEN 1\n            WHEN 'y'::text THEN 2\n            ELSE NULL::integer\n        END AS c,\n    sum(\n        CASE\n            WHEN t.id > 1 THEN t.n\n            ELSE 0::numeric\n        END) AS s\n   FROM t\n  GROUP BY t.a;","full":" SELECT\n        CASE t.a\n            WHEN 'x'::text THEN 1\n            WHEN 'y'::text THEN 2\n            ELSE NULL::integer\n        END AS c,\n    sum(\n        CASE\n            WHEN (t.id > 1) THEN t.n\n            ELSE (0)::numeric\n        END) AS s\n   FROM t\n  GROUP BY t.a;"}

select pg_get_viewdef('v19'::regclass, true) as plain, pg_get_viewdef('v19'::regclass) as full;
--> {"plain":" SELECT date_trunc('month'::text, t.at) AS month,\n    count(DISTINCT t.a) AS n\n   FROM t\n  GROUP BY (date_trunc('month'::text, t.at))\n  ORDER BY (date_trunc('month'::text, t.at));","full":" SELECT date_trunc('month'::text, t.at) AS month,\n    count(DISTINCT t.a) AS n\n   FROM t\n  GROUP BY (date_trunc('month'::text, t.at))\n  ORDER BY (date_trunc('month'::text, t.at));"}

select pg_get_viewdef('v20'::regclass, true) as plain, pg_get_viewdef('v20'::regclass) as full;
--> {"plain":" SELECT DISTINCT ON (t.a) t.a,\n    t.id\n   FROM t\n  ORDER BY t.a, t.id DESC;","full":" SELECT DISTINCT ON (t.a) t.a,\n    t.id\n   FROM t\n  ORDER BY t.a, t.id DESC;"}

select pg_get_viewdef('v21'::regclass, true) as plain, pg_get_viewdef('v21'::regclass) as full;
--> {"plain":" SELECT (t.id + 1) * 2 AS x,\n    t.id + 1 * 2 AS y,\n    t.id - (t.id - 1) AS z,\n    - t.id AS m,\n    (t.id % 2) = 0 AS even,\n    NOT (t.id > 1 OR t.a = 'x'::text) AS q,\n    (t.id > 1) IS TRUE AS r\n   FROM t;","full":" SELECT ((t.id + 1) * 2) AS x,\n    (t.id + (1 * 2)) AS y,\n    (t.id - (t.id - 1)) AS z,\n    (- t.id) AS m,\n    ((t.id % 2) = 0) AS even,\n    (NOT ((t.id > 1) OR (t.a = 'x'::text))) AS q,\n    ((t.id > 1) IS TRUE) AS r\n   FROM t;"}

select pg_get_viewdef('v22'::regclass, true) as plain, pg_get_viewdef('v22'::regclass) as full;
--> {"plain":" SELECT t.id\n   FROM t\n     CROSS JOIN app.u\n  WHERE t.at > (now() - '1 day'::interval) AND t.at >= '2024-01-01 00:00:00+00'::timestamp with time zone AND u.v::text = 'q'::text AND (u.v::text = ANY (ARRAY['a'::character varying, 'b'::character varying]::text[]));","full":" SELECT t.id\n   FROM (t\n     CROSS JOIN app.u)\n  WHERE ((t.at > (now() - '1 day'::interval)) AND (t.at >= '2024-01-01 00:00:00+00'::timestamp with time zone) AND ((u.v)::text = 'q'::text) AND ((u.v)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])));"}

select pg_get_viewdef('v23'::regclass, true) as plain, pg_get_viewdef('v23'::regclass) as full;
--> {"plain":" SELECT t.id AS one,\n    lower(t.a) || '!'::text AS two\n   FROM t\n  WHERE t.a ~~* '%x'::text AND length(t.a) > 2;","full":" SELECT t.id AS one,\n    (lower(t.a) || '!'::text) AS two\n   FROM t\n  WHERE ((t.a ~~* '%x'::text) AND (length(t.a) > 2));"}

select pg_get_viewdef('v24'::regclass, true) as plain, pg_get_viewdef('v24'::regclass) as full;
--> {"plain":" SELECT t.id\n   FROM t\n  WHERE t.n IS NOT NULL AND (t.a = 'p'::text OR t.a = 'q'::text) AND t.id <> 3\nUNION\n SELECT u.id\n   FROM app.u;","full":" SELECT t.id\n   FROM t\n  WHERE ((t.n IS NOT NULL) AND ((t.a = 'p'::text) OR (t.a = 'q'::text)) AND (t.id <> 3))\nUNION\n SELECT u.id\n   FROM app.u;"}

select pg_get_viewdef('v25'::regclass, true) as plain, pg_get_viewdef('v25'::regclass) as full;
--> {"plain":" SELECT a.id AS left_id,\n    b.id AS right_id\n   FROM t a\n     JOIN t b ON a.id = b.id AND a.a <> b.a;","full":" SELECT a.id AS left_id,\n    b.id AS right_id\n   FROM (t a\n     JOIN t b ON (((a.id = b.id) AND (a.a <> b.a))));"}

select pg_get_viewdef('v26'::regclass, true) as plain, pg_get_viewdef('v26'::regclass) as full;
--> {"plain":" SELECT u.id\n   FROM app.u;","full":" SELECT u.id\n   FROM app.u;"}

select pg_get_viewdef('v27'::regclass, true) as plain, pg_get_viewdef('v27'::regclass) as full;
--> {"plain":" SELECT GREATEST(t.id, 2) AS g,\n    NULLIF(t.a, ''::text) AS nf,\n    COALESCE(t.n, 0::numeric) AS co,\n    round(t.n, 1) AS r,\n    t.a::character varying(5) AS vc,\n    t.n::integer AS i,\n    t.id::bigint AS b\n   FROM t;","full":" SELECT GREATEST(t.id, 2) AS g,\n    NULLIF(t.a, ''::text) AS nf,\n    COALESCE(t.n, (0)::numeric) AS co,\n    round(t.n, 1) AS r,\n    (t.a)::character varying(5) AS vc,\n    (t.n)::integer AS i,\n    (t.id)::bigint AS b\n   FROM t;"}

select pg_get_viewdef('v28'::regclass, true) as plain, pg_get_viewdef('v28'::regclass) as full;
--> {"plain":" SELECT v2.name\n   FROM v2\n  WHERE v2.id = 4;","full":" SELECT v2.name\n   FROM v2\n  WHERE (v2.id = 4);"}

select definition from pg_views where viewname = 'v2';
--> {"definition":" SELECT t.id,\n    t.a AS name\n   FROM t\n  WHERE ((t.id > 3) AND (t.a = 'x'::text))\n  ORDER BY t.id DESC\n LIMIT 5;"}

select view_definition from information_schema.views where table_name = 'v25';
--> {"view_definition":" SELECT a.id AS left_id,\n    b.id AS right_id\n   FROM (t a\n     JOIN t b ON (((a.id = b.id) AND (a.a <> b.a))));"}

select definition from pg_matviews where matviewname = 'mv';
--> {"definition":" SELECT t.id,\n    t.a\n   FROM t\n  WHERE (t.id > 1);"}
