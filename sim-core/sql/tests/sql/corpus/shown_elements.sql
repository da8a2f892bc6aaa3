-- Elements of arrays and documents in definitions, and constants, calls and lists of rows, as the catalog shows them.

create table parcels (id uuid, label text, weight int, sent date, seen timestamptz, more jsonb, stops text[]);
--> no rows

create policy by_first_stop on parcels using (stops[1] = 'depot' and (string_to_array(label, '/'))[1] = auth.uid()::text);
--> no rows

create policy by_part on parcels using (stops[2:3] = array['a', 'b'] and more['state'] = '"open"');
--> no rows

create policy by_case on parcels using (weight = 1 or case when weight = 2 then true else false end);
--> no rows

create policy by_constant on parcels using ((select true) and not (select false));
--> no rows

create policy by_list on parcels using (weight = any ((select array[1, 2])::int[]) and (label, weight) in (('a', 1), ('b', 2)));
--> no rows

create policy by_other_list on parcels to service_role, anon using ((label, weight) not in (('a', 1)));
--> no rows

select policyname, roles, qual from pg_policies where tablename = 'parcels' order by policyname;
--> {"policyname":"by_case","roles":"{public}","qual":"((weight = 1) OR\nCASE\n    WHEN (weight = 2) THEN true\n    ELSE false\nEND)"}
--> {"policyname":"by_constant","roles":"{public}","qual":"(( SELECT true) AND (NOT ( SELECT false)))"}
--> {"policyname":"by_first_stop","roles":"{public}","qual":"((stops[1] = 'depot'::text) AND ((string_to_array(label, '/'::text))[1] = (auth.uid())::text))"}
--> {"policyname":"by_list","roles":"{public}","qual":"((weight = ANY (( SELECT ARRAY[1, 2] AS \"array\")::integer[])) AND (((label = 'a'::text) AND (weight = 1)) OR ((label = 'b'::text) AND (weight = 2))))"}
--> {"policyname":"by_other_list","roles":"{anon,service_role}","qual":"((label <> 'a'::text) OR (weight <> 1))"}
--> {"policyname":"by_part","roles":"{public}","qual":"((stops[2:3] = ARRAY['a'::text, 'b'::text]) AND (more['state'::text] = '\"open\"'::jsonb))"}

alter table parcels add check (stops[1] <> ''), add check (char_length(trim(both from label)) > 0), add check (length(trim(from label)) > 0), add check (more['a'] is not null);
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'parcels'::regclass order by conname;
--> {"conname":"parcels_label_check","pg_get_constraintdef":"CHECK ((char_length(TRIM(BOTH FROM label)) > 0))"}
--> {"conname":"parcels_label_check1","pg_get_constraintdef":"CHECK ((length(TRIM(BOTH FROM label)) > 0))"}
--> {"conname":"parcels_more_check","pg_get_constraintdef":"CHECK ((more['a'::text] IS NOT NULL))"}
--> {"conname":"parcels_stops_check","pg_get_constraintdef":"CHECK ((stops[1] <> ''::text))"}

insert into parcels (label, stops, more) values ('  ', array['x'], '{"a": 1}');
--> ERROR 23514: new row for relation "parcels" violates check constraint "parcels_label_check"
--> DETAIL: Failing row contains (null,   , null, null, null, {"a": 1}, {x}).

insert into parcels (label, stops, more) values ('a', array[''], '{"a": 1}');
--> ERROR 23514: new row for relation "parcels" violates check constraint "parcels_stops_check"
--> DETAIL: Failing row contains (null, a, null, null, null, {"a": 1}, {""}).

insert into parcels (label, stops, more) values ('a', array['x'], '{"b": 1}');
--> ERROR 23514: new row for relation "parcels" violates check constraint "parcels_more_check"
--> DETAIL: Failing row contains (null, a, null, null, null, {"b": 1}, {x}).

insert into parcels (label, stops, more) values ('a', array['x', 'y'], '{"a": 1}');
--> no rows

create index parcels_on on parcels (date(seen at time zone 'utc'), (stops[1])) where stops[1] = 'x' and weight in (1, 2);
--> no rows

select indexdef from pg_indexes where indexname = 'parcels_on';
--> {"indexdef":"CREATE INDEX parcels_on ON public.parcels USING btree (date((seen AT TIME ZONE 'utc'::text)), (stops[1])) WHERE ((stops[1] = 'x'::text) AND (weight = ANY (ARRAY[1, 2])))"}

select true, false as no, (select true), (true);
--> {"?column?":true,"no":false}

create view constants as select true, (select false) as b, .5 as half, +weight as same from parcels;
--> no rows

select pg_get_viewdef('constants');
--> {"pg_get_viewdef":" SELECT true AS \"?column?\",\n    ( SELECT false) AS b,\n    0.5 AS half,\n    (+ parcels.weight) AS same\n   FROM parcels;"}

create view cases as select concat(label, case when weight = 1 then 'a' else 'b' end, 'z') as x, sum(case when weight = 1 then 1 else 0 end) over (order by case label when 'a' then 1 end desc) as y from parcels order by case when weight is null then 1 else 0 end, label;
--> no rows

select pg_get_viewdef('cases');
--> {"pg_get_viewdef":" SELECT concat(parcels.label,\n        CASE\n            WHEN (parcels.weight = 1) THEN 'a'::text\n            ELSE 'b'::text\n        END, 'z') AS x,\n    sum(\n        CASE\n            WHEN (parcels.weight = 1) THEN 1\n            ELSE 0\n        END) OVER (ORDER BY\n        CASE parcels.label\n            WHEN 'a'::text THEN 1\n            ELSE NULL::integer\n        END DESC) AS y\n   FROM parcels\n  ORDER BY\n        CASE\n            WHEN (parcels.weight IS NULL) THEN 1\n            ELSE 0\n        END, parcels.label;"}

create view keys as select label, (date_trunc('day', seen)) as day from parcels group by label, (date_trunc('day', seen)) order by (max(seen)) desc;
--> no rows

select pg_get_viewdef('keys');
--> {"pg_get_viewdef":" SELECT parcels.label,\n    date_trunc('day'::text, parcels.seen) AS day\n   FROM parcels\n  GROUP BY parcels.label, (date_trunc('day'::text, parcels.seen))\n  ORDER BY (max(parcels.seen)) DESC;"}

create view unions as select id, null as day from parcels union all select null, sent from parcels union select gen_random_uuid(), '2024-01-01' from parcels where false;
--> no rows

select pg_get_viewdef('unions');
--> {"pg_get_viewdef":"(\n         SELECT parcels.id,\n            NULL::date AS day\n           FROM parcels\n        UNION ALL\n         SELECT NULL::uuid AS id,\n            parcels.sent AS day\n           FROM parcels\n) UNION\n SELECT gen_random_uuid() AS id,\n    '2024-01-01'::date AS day\n   FROM parcels\n  WHERE false;"}

create view calls as select make_interval(days => weight, hours => 2) as lasts, d.d, r.a from parcels, generate_series(sent, current_date, '1 day') d, jsonb_to_recordset(more) as r(a int, b text[]);
--> no rows

select pg_get_viewdef('calls');
--> {"pg_get_viewdef":" SELECT make_interval(days => parcels.weight, hours => 2) AS lasts,\n    d.d,\n    r.a\n   FROM parcels,\n    LATERAL generate_series((parcels.sent)::timestamp with time zone, (CURRENT_DATE)::timestamp with time zone, '1 day'::interval) d(d),\n    LATERAL jsonb_to_recordset(parcels.more) r(a integer, b text[]);"}

create view of_catalog as select c.relname, n.nspname from pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r';
--> no rows

select pg_get_viewdef('of_catalog');
--> {"pg_get_viewdef":" SELECT c.relname,\n    n.nspname\n   FROM (pg_class c\n     JOIN pg_namespace n ON ((n.oid = c.relnamespace)))\n  WHERE (c.relkind = 'r'::\"char\");"}

create type stop_part as (name text, place int);
--> no rows

create view parts as select case when weight = 1 then row(label, case when weight = 2 then 3 end)::stop_part end as part from parcels;
--> no rows

select pg_get_viewdef('parts');
--> {"pg_get_viewdef":" SELECT\n        CASE\n            WHEN (parcels.weight = 1) THEN ROW(parcels.label,\n            CASE\n                WHEN (parcels.weight = 2) THEN 3\n                ELSE NULL::integer\n            END)::stop_part\n            ELSE NULL::stop_part\n        END AS part\n   FROM parcels;"}

select 'stop_part'::regclass, to_regclass('stop_part'), oid::regclass from pg_class where relname = 'stop_part';
--> {"regclass":"stop_part","to_regclass":"stop_part","oid":"stop_part"}

create view sorted as select weight::text collate "C" as w from parcels order by label::varchar collate "C", (sent::text || 'x')::text collate "C" desc;
--> no rows

select pg_get_viewdef('sorted');
--> {"pg_get_viewdef":" SELECT ((parcels.weight)::text COLLATE \"C\") AS w\n   FROM parcels\n  ORDER BY ((parcels.label)::character varying COLLATE \"C\"), (((parcels.sent)::text || 'x'::text) COLLATE \"C\") DESC;"}

select w::text collate "C" from (values (1), (10), (2)) v(w) order by w::text collate "C";
--> {"w":"1"}
--> {"w":"10"}
--> {"w":"2"}

create sequence parcels_number_seq;
--> no rows

alter table parcels add number int;
--> no rows

alter table only public.parcels alter column number set default "nextval"('"public"."parcels_number_seq"'::"regclass");
--> no rows

select column_default from information_schema.columns where table_name = 'parcels' and column_name = 'number';
--> {"column_default":"nextval('parcels_number_seq'::regclass)"}

insert into parcels (label, stops, more) values ('b', array['x'], '{"a": 2}') returning number;
--> {"number":1}

create schema depot;
--> no rows

create table depot.gates (id int);
--> no rows

create publication of_depot for tables in schema depot;
--> no rows

create table depot.later (id int);
--> no rows

select pubname, schemaname, tablename from pg_publication_tables where pubname like 'of_%' order by 1, 2, 3;
--> {"pubname":"of_depot","schemaname":"depot","tablename":"gates"}
--> {"pubname":"of_depot","schemaname":"depot","tablename":"later"}

select pubname, pnnspid::regnamespace from pg_publication_namespace join pg_publication p on p.oid = pnpubid where pubname like 'of_%' order by 1;
--> {"pubname":"of_depot","pnnspid":"depot"}

drop schema depot cascade;
--> no rows

select pubname, schemaname, tablename from pg_publication_tables where pubname like 'of_%' order by 1, 2, 3;
--> no rows

drop publication of_depot;
--> no rows

create table spans (a int check (a between symmetric 5 and 1), r real check (r > 1 and r * 2 < 100), label text, seen timestamptz, more jsonb);
--> no rows

insert into spans (a) values (3);
--> no rows

insert into spans (a) values (7);
--> ERROR 23514: new row for relation "spans" violates check constraint "spans_a_check"
--> DETAIL: Failing row contains (7, null, null, null, null).

create policy within on spans using (a not between symmetric 5 and 1 and a between 1 and 5);
--> no rows

select qual from pg_policies where tablename = 'spans';
--> {"qual":"((((a < 5) OR (a > 1)) AND ((a < 1) OR (a > 5))) AND ((a >= 1) AND (a <= 5)))"}

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'spans'::regclass order by conname;
--> {"conname":"spans_a_check","pg_get_constraintdef":"CHECK ((((a >= 5) AND (a <= 1)) OR ((a >= 1) AND (a <= 5))))"}
--> {"conname":"spans_r_check","pg_get_constraintdef":"CHECK (((r > (1)::double precision) AND ((r * (2)::double precision) < (100)::double precision)))"}

create view by_keys as select count(*) as n, lag(count(*)) over (order by seen::date) as before from spans group by seen::date, coalesce(label, ''), extract(year from seen), trim(label), seen at time zone 'utc', a::text, a::numeric, (more -> 'n')::int, more ->> 'n', date(seen), current_date order by seen::date desc, coalesce(label, ''), trim(label);
--> no rows

select pg_get_viewdef('by_keys');
--> {"pg_get_viewdef":" SELECT count(*) AS n,\n    lag(count(*)) OVER (ORDER BY ((spans.seen)::date)) AS before\n   FROM spans\n  GROUP BY ((spans.seen)::date), COALESCE(spans.label, ''::text), (EXTRACT(year FROM spans.seen)), (TRIM(BOTH FROM spans.label)), ((spans.seen AT TIME ZONE 'utc'::text)), (spans.a)::text, ((spans.a)::numeric), (((spans.more -> 'n'::text))::integer), (spans.more ->> 'n'::text), CURRENT_DATE\n  ORDER BY ((spans.seen)::date) DESC, COALESCE(spans.label, ''::text), (TRIM(BOTH FROM spans.label));"}

create view by_alias as select spans.a, o.label from spans spans join spans o on o.a = spans.a;
--> no rows

select pg_get_viewdef('by_alias');
--> {"pg_get_viewdef":" SELECT spans.a,\n    o.label\n   FROM (spans spans\n     JOIN spans o ON ((o.a = spans.a)));"}

create schema far;
--> no rows

create table far.away (id int);
--> no rows

create view of_far as select away.id, (select max(away.id) from far.away away) as most from far.away away;
--> no rows

select pg_get_viewdef('of_far');
--> {"pg_get_viewdef":" SELECT away.id,\n    ( SELECT max(away_1.id) AS max\n           FROM far.away away_1) AS most\n   FROM far.away away;"}
