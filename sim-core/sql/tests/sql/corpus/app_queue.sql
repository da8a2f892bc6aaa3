-- A job queue: claims with skip locked, retries with backoff, dead letters, archives.

create type job_state as enum ('queued', 'running', 'done', 'failed', 'dead');
--> no rows

create table job (id bigserial primary key, queue text not null default 'default', payload jsonb not null, state job_state not null default 'queued', priority smallint not null default 0, attempts int not null default 0, max_attempts int not null default 3, run_at timestamptz not null default now(), locked_by text, locked_at timestamptz, error text, created_at timestamptz not null default now(), check (attempts <= max_attempts), check ((state = 'running') = (locked_by is not null)));
--> no rows

create index job_ready on job (queue, priority desc, run_at, id) where state = 'queued';
--> no rows

create unique index job_dedupe on job ((payload ->> 'key')) where state in ('queued', 'running');
--> no rows

create table job_archive (like job including defaults including constraints);
--> no rows

alter table job_archive add primary key (id);
--> no rows

create function enqueue(q text, body jsonb, delay interval default '0', prio smallint default 0) returns bigint language sql as $$ insert into job (queue, payload, run_at, priority) values (q, body, now() + delay, prio) returning id $$;
--> no rows

select enqueue('mail', '{"to":"a@x.io","key":"1"}') as a, enqueue('mail', '{"to":"b@x.io","key":"2"}', '1 hour') as b, enqueue('mail', '{"to":"c@x.io","key":"3"}', prio => 5::smallint) as c;
--> {"a":1,"b":2,"c":3}

insert into job (queue, payload) values ('mail', '{"key":"1"}') on conflict ((payload ->> 'key')) where state in ('queued', 'running') do nothing;
--> no rows

create function claim(q text, worker text, n int default 1) returns setof job language sql as $$
  with next as (select id from job where queue = q and state = 'queued' and run_at <= now() order by priority desc, run_at, id limit n for update skip locked)
  update job set state = 'running', locked_by = worker, locked_at = now(), attempts = attempts + 1 from next where job.id = next.id returning job.*
$$;
--> no rows

select id, state, locked_by, attempts from claim('mail', 'w1');
--> {"id":3,"state":"running","locked_by":"w1","attempts":1}

select id, state, locked_by from claim('mail', 'w2', 10) order by id;
--> {"id":1,"state":"running","locked_by":"w2"}

select count(*) from claim('mail', 'w3');
--> {"count":0}

create function finish(job_id bigint, worker text) returns boolean language plpgsql as $$ begin update job set state = 'done', locked_by = null where id = job_id and locked_by = worker and state = 'running'; return found; end $$;
--> no rows

select finish(3, 'w1') as mine, finish(1, 'w1') as other;
--> {"mine":true,"other":false}

create function fail(job_id bigint, message text) returns job_state language plpgsql as $$
declare j job%rowtype; next_state job_state;
begin
  select * into strict j from job where id = job_id for update;
  next_state := case when j.attempts >= j.max_attempts then 'dead'::job_state else 'queued' end;
  update job set state = next_state, locked_by = null, error = message, run_at = now() + (interval '10 seconds' * power(2, j.attempts)) where id = job_id;
  return next_state;
exception when no_data_found then raise exception 'job % does not exist', job_id using errcode = 'P0404', hint = 'Ask for a job that is there.';
end $$;
--> no rows

select fail(1, 'timeout') as state;
--> {"state":"queued"}

select fail(99, 'x');
--> ERROR P0404: job 99 does not exist
--> HINT: Ask for a job that is there.

update job set run_at = now() where id = 1;
--> no rows

select id, attempts from claim('mail', 'w2');
--> {"id":1,"attempts":2}

select fail(1, 'again'); update job set run_at = now() where id = 1; select count(*) from claim('mail', 'w2'); select fail(1, 'third') as state;
--> {"state":"dead"}

select state, count(*) from job group by state order by state;
--> {"state":"queued","count":1}
--> {"state":"done","count":1}
--> {"state":"dead","count":1}

select queue, state, avg(attempts)::float8 as tries, max(priority) as top from job group by grouping sets ((queue, state), (queue)) order by state nulls last;
--> {"queue":"mail","state":"queued","tries":0,"top":0}
--> {"queue":"mail","state":"done","tries":1,"top":5}
--> {"queue":"mail","state":"dead","tries":3,"top":0}
--> {"queue":"mail","state":null,"tries":1.3333333333333333,"top":5}

create function archive_done() returns int language sql as $$ with moved as (delete from job where state in ('done', 'dead') returning *), kept as (insert into job_archive select * from moved returning id) select count(*)::int from kept $$;
--> no rows

select archive_done() as moved;
--> {"moved":2}

select id, state, error from job_archive order by id;
--> {"id":1,"state":"dead","error":"third"}
--> {"id":3,"state":"done","error":null}

select id from job order by id;
--> {"id":2}

create function reap(older interval) returns setof bigint language plpgsql as $$ begin return query update job set state = 'queued', locked_by = null where state = 'running' and locked_at < now() - older returning id; if not found then raise notice 'nothing to reap'; end if; end $$;
--> no rows

insert into job (id, payload, state, locked_by, locked_at, attempts) values (50, '{}', 'running', 'lost', now() - interval '1 hour', 1);
--> no rows

select * from reap('10 minutes') as id;
--> {"id":50}

select * from reap('10 minutes') as id;
--> no rows

insert into job (payload, state) values ('{}', 'lost');
--> ERROR 22P02: invalid input value for enum job_state: "lost"
--> AT 48

create function notify_job() returns trigger language plpgsql as $$ begin perform pg_notify('jobs', new.id::text); return new; end $$; create trigger job_notify after insert on job for each row when (new.state = 'queued') execute function notify_job();
--> no rows

select enqueue('report', jsonb_build_object('day', date '2024-05-06', 'n', generate_series)) > 0 as ok from generate_series(1, 3);
--> {"ok":true}
--> {"ok":true}
--> {"ok":true}

select payload -> 'n' as n, row_number() over (partition by queue order by priority desc, id) as place from job where queue = 'report' order by id;
--> {"n":1,"place":1}
--> {"n":2,"place":2}
--> {"n":3,"place":3}

do $$ declare r record; begin for r in select id from job where queue = 'report' order by id loop update job set payload = payload || jsonb_build_object('seen', true) where id = r.id; end loop; end $$;
--> no rows

select count(*) filter (where payload @> '{"seen":true}') as seen from job;
--> {"seen":3}

select percentile_disc(0.5) within group (order by id) > 0 as ok from job;
--> {"ok":true}

create view queue_depth as select queue, count(*) filter (where state = 'queued' and run_at <= now()) as ready, count(*) filter (where state = 'queued' and run_at > now()) as delayed, min(run_at) filter (where state = 'queued') is not null as waits from job group by queue;
--> no rows

select * from queue_depth order by queue;
--> {"queue":"default","ready":1,"delayed":0,"waits":true}
--> {"queue":"mail","ready":0,"delayed":1,"waits":true}
--> {"queue":"report","ready":3,"delayed":0,"waits":true}

select enumlabel from pg_enum where enumtypid = 'job_state'::regtype order by enumsortorder;
--> {"enumlabel":"queued"}
--> {"enumlabel":"running"}
--> {"enumlabel":"done"}
--> {"enumlabel":"failed"}
--> {"enumlabel":"dead"}

alter type job_state add value 'paused' before 'done';
--> no rows

select enum_range(null::job_state) as states;
--> {"states":"{queued,running,paused,done,failed,dead}"}
