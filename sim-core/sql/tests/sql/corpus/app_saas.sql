-- The migrations and queries of a multi-tenant application, with plans, usage and invitations.

create table if not exists orgs (id uuid primary key default gen_random_uuid(), slug text unique not null check (slug ~ '^[a-z0-9-]+$'), plan text not null default 'free' check (plan in ('free', 'pro', 'team')), settings jsonb default '{"theme": "light", "flags": []}', created_at timestamptz default '2024-01-01 00:00:00+00');
--> no rows

create table if not exists members (org_id uuid references orgs on delete cascade, email text not null, role text default 'viewer', invited_by text, accepted boolean default false, unique nulls not distinct (org_id, email));
--> no rows

create table members2 (org_id uuid not null references orgs on delete cascade, email text not null, role text not null default 'viewer', accepted boolean not null default false, primary key (org_id, email));
--> no rows

create table usage_event (id bigint generated always as identity primary key, org_id uuid not null references orgs, kind text not null, amount bigint not null default 1, at timestamptz not null) ;
--> no rows

create index on usage_event (org_id, at); create index on usage_event (kind) where amount > 100;
--> no rows

create index on usage_event ((at::date));
--> ERROR 42P17: functions in index expression must be marked IMMUTABLE

create index usage_by_day on usage_event (org_id, date_trunc('day', at at time zone 'UTC'));
--> no rows

insert into orgs (id, slug, plan) values ('00000000-0000-0000-0000-0000000000a1', 'acme', 'pro'), ('00000000-0000-0000-0000-0000000000b2', 'blue-sky', default) returning slug, plan, settings;
--> {"slug":"acme","plan":"pro","settings":{"flags":[],"theme":"light"}}
--> {"slug":"blue-sky","plan":"free","settings":{"flags":[],"theme":"light"}}

insert into orgs (id, slug) values ('00000000-0000-0000-0000-0000000000c3', 'Not Good');
--> ERROR 23514: new row for relation "orgs" violates check constraint "orgs_slug_check"
--> DETAIL: Failing row contains (00000000-0000-0000-0000-0000000000c3, Not Good, free, {"flags": [], "theme": "light"}, 2024-01-01 00:00:00+00).

insert into orgs (id, slug, plan) values ('00000000-0000-0000-0000-0000000000c3', 'ok', 'gold');
--> ERROR 23514: new row for relation "orgs" violates check constraint "orgs_plan_check"
--> DETAIL: Failing row contains (00000000-0000-0000-0000-0000000000c3, ok, gold, {"flags": [], "theme": "light"}, 2024-01-01 00:00:00+00).

insert into members2 values ('00000000-0000-0000-0000-0000000000a1', 'x@example.com', 'owner', true), ('00000000-0000-0000-0000-0000000000a1', 'y@example.com', 'viewer', false), ('00000000-0000-0000-0000-0000000000b2', 'x@example.com', 'editor', false);
--> no rows

insert into members2 values ('00000000-0000-0000-0000-0000000000a1', 'x@example.com') on conflict (org_id, email) do update set role = 'editor', accepted = members2.accepted or excluded.accepted returning role, accepted;
--> {"role":"editor","accepted":true}

insert into members2 values (null, 'z@example.com');
--> ERROR 23502: null value in column "org_id" of relation "members2" violates not-null constraint
--> DETAIL: Failing row contains (null, z@example.com, viewer, f).

insert into usage_event (org_id, kind, amount, at) select '00000000-0000-0000-0000-0000000000a1', case n % 3 when 0 then 'read' when 1 then 'write' else 'list' end, n, '2024-05-01 00:00:00+00'::timestamptz + n * interval '7 hours' from generate_series(1, 12) as n;
--> no rows

select kind, sum(amount) as total, count(*) as n, min(at) as first, max(at)::date as last from usage_event group by kind order by total desc;
--> {"kind":"read","total":"30","n":4,"first":"2024-05-01 21:00:00+00","last":"2024-05-04"}
--> {"kind":"list","total":"26","n":4,"first":"2024-05-01 14:00:00+00","last":"2024-05-04"}
--> {"kind":"write","total":"22","n":4,"first":"2024-05-01 07:00:00+00","last":"2024-05-03"}

select at::date as day, sum(amount) as total, sum(sum(amount)) over (order by at::date) as running from usage_event group by 1 order by 1;
--> {"day":"2024-05-01","total":"6","running":"6"}
--> {"day":"2024-05-02","total":"15","running":"21"}
--> {"day":"2024-05-03","total":"34","running":"55"}
--> {"day":"2024-05-04","total":"23","running":"78"}

select d::date as day, coalesce(sum(u.amount), 0) as total from generate_series('2024-05-01'::date, '2024-05-06'::date, interval '1 day') as d left join usage_event u on u.at >= d and u.at < d + interval '1 day' group by d order by d;
--> {"day":"2024-05-01","total":"6"}
--> {"day":"2024-05-02","total":"15"}
--> {"day":"2024-05-03","total":"34"}
--> {"day":"2024-05-04","total":"23"}
--> {"day":"2024-05-05","total":"0"}
--> {"day":"2024-05-06","total":"0"}

select kind, amount, amount - lag(amount) over (partition by kind order by at) as step, round(100.0 * amount / sum(amount) over (partition by kind), 1) as percent from usage_event order by kind, at limit 4;
--> {"kind":"list","amount":2,"step":null,"percent":"7.7"}
--> {"kind":"list","amount":5,"step":3,"percent":"19.2"}
--> {"kind":"list","amount":8,"step":3,"percent":"30.8"}
--> {"kind":"list","amount":11,"step":3,"percent":"42.3"}

select date_part('hour', at)::int as hour, count(*) from usage_event group by hour having count(*) > 1 order by hour;
--> no rows

select o.slug, u.kind, u.total from orgs o left join lateral (select kind, sum(amount) as total from usage_event e where e.org_id = o.id group by kind order by 2 desc limit 1) u on true order by o.slug;
--> {"slug":"acme","kind":"read","total":"30"}
--> {"slug":"blue-sky","kind":null,"total":null}

select extract(epoch from max(at) - min(at))::int / 3600 as hours, age(max(at), min(at)) as age, justify_hours(max(at) - min(at)) as justified from usage_event;
--> {"hours":77,"age":"3 days 05:00:00","justified":"3 days 05:00:00"}

update orgs set settings = settings || jsonb_build_object('seats', 5) where slug = 'acme' returning settings;
--> {"settings":{"flags":[],"seats":5,"theme":"light"}}

update orgs set settings = jsonb_set(settings, '{flags}', (settings -> 'flags') || '"beta"') where slug = 'acme' returning settings -> 'flags' as flags;
--> {"flags":["beta"]}

select slug from orgs where settings -> 'flags' ? 'beta';
--> {"slug":"acme"}

select slug, settings ->> 'theme' as theme, coalesce((settings ->> 'seats')::int, 1) as seats, jsonb_array_length(settings -> 'flags') as flags from orgs order by slug;
--> {"slug":"acme","theme":"light","seats":5,"flags":1}
--> {"slug":"blue-sky","theme":"light","seats":1,"flags":0}

select o.slug, string_agg(m.email || ' (' || m.role || ')', ', ' order by m.email) as people from orgs o join members2 m on m.org_id = o.id group by o.slug order by 1;
--> {"slug":"acme","people":"x@example.com (editor), y@example.com (viewer)"}
--> {"slug":"blue-sky","people":"x@example.com (editor)"}

select email, count(*) as orgs, bool_or(accepted) as any_accepted from members2 group by email having count(*) > 1;
--> {"email":"x@example.com","orgs":2,"any_accepted":true}

select row_to_json(x) as doc from (select o.slug, (select count(*) from members2 m where m.org_id = o.id) as members from orgs o order by slug limit 1) x;
--> {"doc":{"slug":"acme","members":2}}

create view org_usage as with totals as (select org_id, sum(amount) as used from usage_event group by org_id) select o.slug, o.plan, coalesce(t.used, 0) as used, case o.plan when 'free' then 10 when 'pro' then 1000 end as allowed from orgs o left join totals t on t.org_id = o.id;
--> no rows

select slug, used, allowed, used > allowed as over, round(used * 100.0 / allowed, 2) as percent from org_usage order by slug;
--> {"slug":"acme","used":"78","allowed":1000,"over":false,"percent":"7.80"}
--> {"slug":"blue-sky","used":"0","allowed":10,"over":false,"percent":"0.00"}

create table quota (plan text primary key, allowed int not null, price numeric(6,2));
--> no rows

insert into quota values ('free', 10, 0), ('pro', 1000, 29.90), ('team', 5000, 99.00);
--> no rows

select q.plan, q.price * 12 as yearly, q.price / nullif(q.allowed, 0) as unit, to_char(q.price, 'FM990.00') as shown from quota q order by q.price;
--> {"plan":"free","yearly":"0.00","unit":"0.00000000000000000000","shown":"0.00"}
--> {"plan":"pro","yearly":"358.80","unit":"0.02990000000000000000","shown":"29.90"}
--> {"plan":"team","yearly":"1188.00","unit":"0.01980000000000000000","shown":"99.00"}

alter table orgs drop constraint orgs_plan_check; alter table orgs add constraint orgs_plan_fkey foreign key (plan) references quota (plan);
--> no rows

update orgs set plan = 'gold' where slug = 'acme';
--> ERROR 23503: insert or update on table "orgs" violates foreign key constraint "orgs_plan_fkey"
--> DETAIL: Key (plan)=(gold) is not present in table "quota".

delete from quota where plan = 'free';
--> ERROR 23503: update or delete on table "quota" violates foreign key constraint "orgs_plan_fkey" on table "orgs"
--> DETAIL: Key (plan)=(free) is still referenced from table "orgs".

alter table usage_event add column region text not null default 'eu', add column cost numeric(10,4) generated always as (amount * 0.0025) stored;
--> no rows

select sum(cost) as cost, count(*) filter (where region = 'eu') as eu from usage_event;
--> {"cost":"0.1950","eu":12}

create table invite (token text primary key default encode(sha256('seed'::bytea), 'hex'), org_id uuid references orgs on delete cascade, expires timestamptz not null default now() + interval '7 days');
--> no rows

insert into invite (org_id) values ('00000000-0000-0000-0000-0000000000a1') returning left(token, 8) as token, expires > now() as valid;
--> {"token":"19b25856","valid":true}

delete from invite where expires > now() + interval '6 days' returning left(token, 8) as token;
--> {"token":"19b25856"}

delete from orgs where slug = 'acme';
--> ERROR 23503: update or delete on table "orgs" violates foreign key constraint "usage_event_org_id_fkey" on table "usage_event"
--> DETAIL: Key (id)=(00000000-0000-0000-0000-0000000000a1) is still referenced from table "usage_event".

delete from usage_event; delete from orgs where slug = 'acme'; select count(*) from members2;
--> {"count":1}

create table partitioned (id int, at date) partition by range (at);
--> no rows

create table partition_2024 partition of partitioned for values from ('2024-01-01') to ('2025-01-01');
--> no rows

insert into partitioned values (1, '2024-05-05') returning id;
--> {"id":1}

select o.slug from orgs o where o.created_at > now() - interval '100 years' and o.slug like '%' || 'sky' order by o.slug collate "C";
--> {"slug":"blue-sky"}

select slug, upper(left(slug, 1)) || substr(slug, 2) as title, length(slug) as n, position('-' in slug) as dash from orgs;
--> {"slug":"blue-sky","title":"Blue-sky","n":8,"dash":5}

select concat_ws(' / ', o.slug, o.plan, null) as path, md5(o.slug) as digest, o.id::text like '0000%' as zero from orgs o;
--> {"path":"blue-sky / free","digest":"bd30968df89fde3abef79762ae874e7c","zero":true}

create or replace function public.org_count() returns bigint language sql stable as 'select count(*) from orgs';
--> no rows

select org_count() as n;
--> {"n":1}

select * from orgs where id = 'nope';
--> ERROR 22P02: invalid input syntax for type uuid: "nope"
--> AT 31

select count(*) filter (where plan = 'free')::float8 / nullif(count(*), 0) as share from orgs;
--> {"share":1}

create materialized view plan_count as select plan, count(*) as n from orgs group by plan with no data;
--> no rows

select * from plan_count;
--> ERROR 55000: materialized view "plan_count" has not been populated
--> HINT: Use the REFRESH MATERIALIZED VIEW command.

refresh materialized view plan_count; select * from plan_count;
--> {"plan":"free","n":1}
