-- A scheduler in tables: cron expressions parsed in PL/pgSQL, due runs, locks, time zones.

create table task (id int primary key, name text not null unique, schedule text not null, command text not null, zone text not null default 'UTC', enabled boolean not null default true, last_run timestamptz);
--> no rows

create table run (id bigint generated always as identity primary key, task_id int not null references task on delete cascade, due timestamptz not null, started timestamptz, ended timestamptz, ok boolean, output text, unique (task_id, due));
--> no rows

create type cron_field as (low int, high int);
--> no rows

create function field_values(spec text, low int, high int) returns int[] language plpgsql immutable strict as $$
declare part text; step int; a int; b int; found int[] := '{}'; i int;
begin
  foreach part in array string_to_array(spec, ',') loop
    step := 1;
    if position('/' in part) > 0 then step := split_part(part, '/', 2)::int; part := split_part(part, '/', 1); end if;
    if part = '*' then a := low; b := high;
    elsif part like '%-%' then a := split_part(part, '-', 1)::int; b := split_part(part, '-', 2)::int;
    else a := part::int; b := case when step > 1 then high else part::int end;
    end if;
    if a < low or b > high or a > b then raise exception 'bad field "%"', spec using errcode = '22023', hint = format('Values are from %s to %s.', low, high); end if;
    i := a;
    while i <= b loop found := found || i; i := i + step; end loop;
  end loop;
  return array(select distinct v from unnest(found) v order by v);
end $$;
--> no rows

select field_values('*/15', 0, 59) as a, field_values('1,5-7', 0, 59) as b, field_values('3', 0, 6) as c, field_values('10/20', 0, 59) as d;
--> {"a":[0,15,30,45],"b":[1,5,6,7],"c":[3],"d":[10,30,50]}

select field_values('70', 0, 59);
--> ERROR 22023: bad field "70"
--> HINT: Values are from 0 to 59.

select field_values('x', 0, 59);
--> ERROR 22P02: invalid input syntax for type integer: "x"

create function is_due(schedule text, at timestamp) returns boolean language plpgsql immutable as $$
declare f text[] := regexp_split_to_array(trim(schedule), '\s+');
begin
  if cardinality(f) <> 5 then raise exception 'a schedule has five fields, not %', cardinality(f) using errcode = '22023'; end if;
  return extract(minute from at)::int = any (field_values(f[1], 0, 59)) and extract(hour from at)::int = any (field_values(f[2], 0, 23)) and extract(day from at)::int = any (field_values(f[3], 1, 31)) and extract(month from at)::int = any (field_values(f[4], 1, 12)) and extract(dow from at)::int = any (field_values(f[5], 0, 6));
end $$;
--> no rows

select is_due('0 9 * * 1', '2024-05-06 09:00') as monday, is_due('0 9 * * 1', '2024-05-07 09:00') as tuesday, is_due('*/10 * * * *', '2024-05-07 09:20') as ten;
--> {"monday":true,"tuesday":false,"ten":true}

select is_due('* * *', now()::timestamp);
--> ERROR 22023: a schedule has five fields, not 3

create function next_run(schedule text, after timestamp, n int default 1) returns setof timestamp language plpgsql immutable as $$
declare t timestamp := date_trunc('minute', after); made int := 0; tries int := 0;
begin
  while made < n and tries < 2000 loop
    t := t + interval '1 minute'; tries := tries + 1;
    if is_due(schedule, t) then made := made + 1; return next t; end if;
  end loop;
end $$;
--> no rows

select * from next_run('30 10 * * *', '2024-05-06 10:00') as t;
--> {"t":"2024-05-06 10:30:00"}

select t from next_run('*/20 * * * *', '2024-05-06 10:05', 3) as t;
--> {"t":"2024-05-06 10:20:00"}
--> {"t":"2024-05-06 10:40:00"}
--> {"t":"2024-05-06 11:00:00"}

alter table task add constraint schedule_valid check (is_due(schedule, '2024-01-01') is not null);
--> no rows

insert into task values (1, 'sweep', '*/30 * * * *', 'delete from run where false'), (2, 'report', '0 8 * * 1-5', 'select 1', 'Europe/Berlin');
--> ERROR 42601: VALUES lists must all be the same length
--> AT 87

insert into task values (3, 'bad', '99 * * * *', 'x');
--> ERROR 22023: bad field "99"
--> HINT: Values are from 0 to 59.

insert into task values (3, 'bad', 'every day', 'x');
--> ERROR 22023: a schedule has five fields, not 2

create function plan_runs(from_ts timestamptz, to_ts timestamptz) returns int language plpgsql as $$
declare n int := 0; t task; m timestamptz;
begin
  for t in select * from task where enabled order by id loop
    for m in select generate_series(date_trunc('minute', from_ts), to_ts, interval '10 minutes') loop
      if is_due(t.schedule, m at time zone t.zone) then
        insert into run (task_id, due) values (t.id, m) on conflict do nothing;
        if found then n := n + 1; end if;
      end if;
    end loop;
  end loop;
  return n;
end $$;
--> no rows

select plan_runs('2024-05-06 05:00+00', '2024-05-06 07:00+00') as planned;
--> {"planned":0}

select plan_runs('2024-05-06 05:00+00', '2024-05-06 07:00+00') as again;
--> {"again":0}

select task_id, due from run order by task_id, due;
--> no rows

create function work(at timestamptz, n int default 10) returns table (task text, done boolean, said text) language plpgsql as $$
declare r record;
begin
  for r in select run.id, t.name, t.command from run join task t on t.id = run.task_id where run.started is null and run.due <= at order by run.due, run.id limit n for update of run skip locked loop
    update run set started = at where run.id = r.id;
    begin
      execute r.command;
      done := true; said := null;
    exception when others then done := false; said := sqlstate || ' ' || sqlerrm;
    end;
    update run set ended = at, ok = done, output = said where run.id = r.id;
    task := r.name;
    return next;
  end loop;
  update task k set last_run = at where k.id in (select x.task_id from run x where x.ended = at);
end $$;
--> no rows

select * from work('2024-05-06 05:30+00');
--> no rows

update task set command = 'select 1/0' where id = 1;
--> no rows

select * from work('2024-05-06 07:00+00', 3);
--> no rows

select t.name, count(*) filter (where ok) as good, count(*) filter (where not ok) as bad, count(*) filter (where started is null) as waiting from task t left join run r on r.task_id = t.id group by t.id order by t.id;
--> no rows

select name, last_run at time zone zone as local from task order by id;
--> no rows

select due, lag(due) over (order by due) as before, due - lag(due) over (order by due) as gap from run where task_id = 1 order by due;
--> no rows

create view late as select t.name, r.due, timestamptz '2024-05-06 08:00+00' - r.due as late from run r join task t on t.id = r.task_id where r.started is null;
--> no rows

select * from late order by due;
--> no rows

select to_char(due at time zone 'America/New_York', 'Dy HH24:MI') as ny, to_char(due at time zone 'Asia/Tokyo', 'Dy HH24:MI') as tokyo from run where task_id = 2;
--> no rows

select timestamptz '2024-03-31 00:30+00' at time zone 'Europe/Berlin' as before, timestamptz '2024-03-31 01:30+00' at time zone 'Europe/Berlin' as after, timestamp '2024-03-31 02:30' at time zone 'Europe/Berlin' as gap;
--> {"before":"2024-03-31 01:30:00","after":"2024-03-31 03:30:00","gap":"2024-03-31 01:30:00+00"}

select (row(1, 5)::cron_field).high as h, (f).low as l from (select row(2, 3)::cron_field as f) t;
--> {"h":5,"l":2}

update task set enabled = false where name = 'sweep' returning name, enabled;
--> no rows

select plan_runs('2024-05-07 05:00+00', '2024-05-07 07:00+00') as planned;
--> {"planned":0}

select output, count(*) from run where not ok group by output;
--> no rows

create procedure keep_last(n int) language plpgsql as $$ begin delete from run r using (select id, row_number() over (partition by task_id order by due desc) as place from run) p where p.id = r.id and p.place > n; end $$;
--> no rows

call keep_last(1);
--> no rows

select task_id, count(*) from run group by 1 order by 1;
--> no rows

delete from task where id = 2;
--> no rows

select count(*) from run;
--> {"count":0}

drop function is_due(text, timestamp);
--> ERROR 2BP01: cannot drop function is_due(text,timestamp without time zone) because other objects depend on it
--> DETAIL: constraint schedule_valid on table task depends on function is_due(text,timestamp without time zone)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop function is_due(text, timestamp) cascade;
--> no rows

insert into task values (4, 'free', 'anything', 'x') returning id;
--> {"id":4}
