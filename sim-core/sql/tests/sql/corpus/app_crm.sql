-- Companies, contacts and deals: custom fields in JSON, fuzzy duplicates, a pipeline with history.

create extension if not exists pg_trgm;
--> no rows

create table company (id int generated always as identity primary key, name text not null, domain text, fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'), created date not null default '2024-01-01');
--> no rows

create unique index company_domain on company (lower(domain)) where domain is not null;
--> no rows

create table contact (id int generated always as identity primary key, company_id int references company on delete set null, first_name text, last_name text, email text, phones text[] default '{}', full_name text generated always as (trim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) stored, constraint named check (first_name is not null or last_name is not null or email is not null));
--> no rows

create table field_def (entity text, key text, kind text not null check (kind in ('text', 'number', 'date', 'bool', 'choice')), choices text[], required boolean not null default false, primary key (entity, key));
--> no rows

insert into field_def values ('company', 'size', 'number', null, true), ('company', 'tier', 'choice', '{gold,silver}', false), ('company', 'since', 'date', null, false);
--> no rows

create function check_fields() returns trigger language plpgsql as $$
declare d field_def; v jsonb;
begin
  for d in select * from field_def where entity = tg_argv[0] order by key loop
    v := new.fields -> d.key;
    if v is null then
      if d.required then raise exception 'field "%" is required', d.key using errcode = '23502', column = d.key; end if;
      continue;
    end if;
    case d.kind
      when 'number' then if jsonb_typeof(v) <> 'number' then raise exception 'field "%" must be a number', d.key using errcode = '22P02'; end if;
      when 'choice' then if not (v #>> '{}') = any (d.choices) then raise exception 'field "%" must be one of %', d.key, array_to_string(d.choices, ', ') using errcode = '22P02'; end if;
      when 'date' then perform (v #>> '{}')::date;
      else null;
    end case;
  end loop;
  return new;
end $$;
--> no rows

create trigger company_fields before insert or update of fields on company for each row execute function check_fields('company');
--> no rows

insert into company (name, domain, fields) values ('Acme GmbH', 'acme.io', '{"size":12,"tier":"gold","since":"2020-02-30"}');
--> ERROR 22008: date/time field value out of range: "2020-02-30"

insert into company (name, domain, fields) values ('Acme GmbH', 'acme.io', '{"size":12,"tier":"gold","since":"2020-02-29"}'), ('Bolt Ltd', 'BOLT.dev', '{"size":3}'), ('Acme Gmbh & Co', null, '{"size":400,"tier":"silver"}') returning id;
--> {"id":2}
--> {"id":3}
--> {"id":4}

insert into company (name, fields) values ('Nope', '{}');
--> ERROR 23502: field "size" is required

insert into company (name, fields) values ('Nope', '{"size":"big"}');
--> ERROR 22P02: field "size" must be a number

insert into company (name, fields) values ('Nope', '{"size":1,"tier":"bronze"}');
--> ERROR 22P02: field "tier" must be one of gold, silver

insert into company (name, fields) values ('Nope', '[]');
--> ERROR 23502: field "size" is required

insert into company (name, domain, fields) values ('Bolt again', 'bolt.dev', '{"size":1}');
--> ERROR 23505: duplicate key value violates unique constraint "company_domain"
--> DETAIL: Key (lower(domain))=(bolt.dev) already exists.

select id, name, similarity(name, 'acme')::numeric(4,2) as s from company where name % 'acme' order by s desc, id;
--> {"id":2,"name":"Acme GmbH","s":"0.50"}
--> {"id":4,"name":"Acme Gmbh & Co","s":"0.38"}

select a.id as a, b.id as b, round(similarity(a.name, b.name)::numeric, 2) as s from company a join company b on a.id < b.id and similarity(a.name, b.name) > 0.3 order by 1, 2;
--> {"a":2,"b":4,"s":"0.77"}

insert into contact (company_id, first_name, last_name, email, phones) values (1, 'Ann', 'Lee', 'ann@acme.io', '{+49 30 1,+49 171 2}'), (1, 'Bob', null, null, null), (2, null, 'Chu', 'chu@bolt.dev', '{}'), (null, null, null, 'x@y.z', '{}') returning id, full_name;
--> ERROR 23503: insert or update on table "contact" violates foreign key constraint "contact_company_id_fkey"
--> DETAIL: Key (company_id)=(1) is not present in table "company".

insert into contact (company_id) values (1);
--> ERROR 23514: new row for relation "contact" violates check constraint "named"
--> DETAIL: Failing row contains (5, 1, null, null, null, {}, ).

select c.full_name, coalesce(array_length(c.phones, 1), 0) as phones, c.phones[1] as first from contact c order by c.id;
--> no rows

select split_part(email, '@', 2) as host, count(*) from contact where email is not null group by 1 order by 1;
--> no rows

select co.name, string_agg(c.full_name, ', ' order by c.full_name) filter (where c.full_name <> '') as people from company co left join contact c on c.company_id = co.id group by co.id order by co.id;
--> {"name":"Acme GmbH","people":null}
--> {"name":"Bolt Ltd","people":null}
--> {"name":"Acme Gmbh & Co","people":null}

create type stage as enum ('lead', 'qualified', 'offer', 'won', 'lost');
--> no rows

create table deal (id int generated always as identity primary key, company_id int not null references company on delete cascade, title text not null, amount numeric(12,2), stage stage not null default 'lead', closes date, position float8 not null default 0);
--> no rows

create table stage_change (deal_id int references deal on delete cascade, seq int, from_stage stage, to_stage stage not null, at timestamptz not null default now(), primary key (deal_id, seq));
--> no rows

create function track_stage() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.stage in ('won', 'lost') and new.stage not in ('won', 'lost') then raise exception 'deal % is closed', old.id; end if;
  insert into stage_change (deal_id, seq, from_stage, to_stage) select new.id, coalesce(max(seq), 0) + 1, case when tg_op = 'UPDATE' then old.stage end, new.stage from stage_change where deal_id = new.id;
  return null;
end $$;
--> no rows

create trigger deal_stage after insert or update of stage on deal for each row execute function track_stage();
--> no rows

insert into deal (company_id, title, amount, closes) values (1, 'Licence', 1200, '2024-06-01'), (1, 'Support', 300.50, '2024-07-15'), (2, 'Pilot', null, '2024-05-31');
--> ERROR 23503: insert or update on table "deal" violates foreign key constraint "deal_company_id_fkey"
--> DETAIL: Key (company_id)=(1) is not present in table "company".

update deal set stage = 'offer' where id in (1, 2); update deal set stage = 'won' where id = 1; update deal set amount = 350 where id = 2;
--> no rows

update deal set stage = 'lead' where id = 1;
--> no rows

select deal_id, seq, from_stage, to_stage from stage_change order by deal_id, seq;
--> no rows

select stage, count(*), sum(amount) as amount from deal group by stage order by stage;
--> no rows

select s.stage, count(d.id) as n from unnest(enum_range(null::stage)) as s(stage) left join deal d using (stage) group by s.stage order by s.stage;
--> {"stage":"lead","n":0}
--> {"stage":"qualified","n":0}
--> {"stage":"offer","n":0}
--> {"stage":"won","n":0}
--> {"stage":"lost","n":0}

select stage, stage > 'qualified' as far, stage between 'lead' and 'offer' as open from deal order by id;
--> no rows

select date_trunc('quarter', closes)::date as quarter, sum(amount * case stage when 'won' then 1 when 'offer' then 0.5 else 0.1 end)::numeric(12,2) as forecast from deal group by 1 order by 1;
--> no rows

update deal set position = sub.place from (select id, row_number() over (partition by company_id order by amount desc nulls last) as place from deal) sub where sub.id = deal.id returning deal.id, position;
--> no rows

select jsonb_object_agg(stage, deals order by stage) as board from (select stage, jsonb_agg(jsonb_build_object('t', title, 'a', amount) order by id) as deals from deal group by stage) t;
--> {"board":null}

select c.name, c.fields ->> 'tier' as tier, (c.fields ->> 'size')::int as size, c.fields @> '{"tier":"gold"}' as gold, c.fields ?| array['tier', 'since'] as extra from company c order by c.id;
--> {"name":"Acme GmbH","tier":"gold","size":12,"gold":true,"extra":true}
--> {"name":"Bolt Ltd","tier":null,"size":3,"gold":false,"extra":false}
--> {"name":"Acme Gmbh & Co","tier":"silver","size":400,"gold":false,"extra":true}

select key, count(*), min(value::text) as least from company, jsonb_each(fields) group by key order by key;
--> {"key":"since","count":1,"least":"\"2020-02-29\""}
--> {"key":"size","count":3,"least":"12"}
--> {"key":"tier","count":2,"least":"\"gold\""}

create function merge_companies(keep int, gone int) returns company language plpgsql as $$ declare r company; begin update contact set company_id = keep where company_id = gone; update deal set company_id = keep where company_id = gone; update company set fields = (select fields from company where id = gone) || fields where id = keep returning * into r; delete from company where id = gone; return r; end $$;
--> no rows

select (merge_companies(1, 3)).name as name;
--> {"name":null}

select id, fields from company order by id;
--> {"id":2,"fields":{"size":12,"tier":"gold","since":"2020-02-29"}}
--> {"id":4,"fields":{"size":400,"tier":"silver"}}

select (m).id, (m).domain from (select merge_companies(1, 2) as m) t;
--> {"id":null,"domain":null}

select company_id, count(*) from deal group by 1;
--> no rows

select name from company where fields @? '$.size ? (@ > 10)' and created >= '2024-01-01';
--> {"name":"Acme Gmbh & Co"}

delete from company where id = 1;
--> no rows

select id, company_id from contact order by id;
--> no rows
