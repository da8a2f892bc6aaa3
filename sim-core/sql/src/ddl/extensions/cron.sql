-- Jobs are recorded; nothing runs them.
create table cron.job (
  jobid bigserial primary key, schedule text not null, command text not null, nodename text not null default 'localhost',
  nodeport integer not null default 5432, database text not null default 'postgres', username text not null default 'postgres',
  active boolean not null default true, jobname text);
create unique index jobname_username_uniq on cron.job (jobname, username);
create table cron.job_run_details (
  jobid bigint, runid bigserial primary key, job_pid integer, database text, username text, command text, status text,
  return_message text, start_time timestamptz, end_time timestamptz);
create function cron.schedule(schedule text, command text) returns bigint language sql as $$
  insert into cron.job (schedule, command) values (schedule, command) returning jobid $$;
create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $$
  insert into cron.job (jobname, schedule, command) values (job_name, schedule, command)
  on conflict (jobname, username) do update set schedule = excluded.schedule, command = excluded.command returning jobid $$;
create function cron.unschedule(job_id bigint) returns boolean language sql as $$
  delete from cron.job where jobid = job_id returning true $$;
create function cron.unschedule(job_name text) returns boolean language sql as $$
  delete from cron.job where jobname = job_name returning true $$;
create function cron.alter_job(job_id bigint, schedule text default null, command text default null, database text default null,
  username text default null, active boolean default null) returns void language sql as $$
  update cron.job set schedule = coalesce($2, job.schedule), command = coalesce($3, job.command), database = coalesce($4, job.database),
    username = coalesce($5, job.username), active = coalesce($6, job.active) where jobid = $1 $$;
create function cron.schedule_in_database(job_name text, schedule text, command text, database text, username text default null,
  active boolean default true) returns bigint language sql as $$
  insert into cron.job (jobname, schedule, command, database, username, active) values ($1, $2, $3, $4, coalesce($5, 'postgres'), $6)
  on conflict (jobname, username) do update set schedule = excluded.schedule, command = excluded.command, database = excluded.database,
    active = excluded.active returning jobid $$;
