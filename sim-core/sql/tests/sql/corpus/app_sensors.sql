-- Readings in monthly partitions: rollups, gaps, alerts, retention.

create table device (id text primary key, kind text not null, location point, meta jsonb default '{}', active boolean default true);
--> no rows

create table reading (device_id text not null references device on delete cascade, at timestamptz not null, metric text not null, value float8 not null, primary key (device_id, metric, at)) partition by range (at);
--> no rows

create function make_partition(month date) returns text language plpgsql as $$ declare called text := 'reading_' || to_char(month, 'YYYY_MM'); begin execute format('create table if not exists %I partition of reading for values from (%L) to (%L)', called, month, (month + interval '1 month')::date); return called; end $$;
--> no rows

select make_partition(m::date) as p from generate_series('2024-01-01'::date, '2024-03-01', '1 month') m;
--> {"p":"reading_2024_01"}
--> {"p":"reading_2024_02"}
--> {"p":"reading_2024_03"}

select make_partition('2024-01-01') as again;
--> {"again":"reading_2024_01"}

create table reading_old partition of reading default;
--> no rows

insert into device (id, kind) values ('t1', 'temp'), ('t2', 'temp'), ('h1', 'humidity');
--> no rows

insert into reading select d.id, t, d.kind, extract(hour from t) + case d.id when 't1' then 0.5 else 10 end from device d, generate_series('2024-01-31 20:00+00'::timestamptz, '2024-02-01 03:00+00', '1 hour') t;
--> no rows

insert into reading values ('t1', '2024-01-31 20:00+00', 'temp', 1);
--> ERROR 23505: duplicate key value violates unique constraint "reading_2024_01_pkey"
--> DETAIL: Key (device_id, metric, at)=(t1, temp, 2024-01-31 20:00:00+00) already exists.

insert into reading values ('zz', '2024-01-31 20:00+00', 'temp', 1);
--> ERROR 23503: insert or update on table "reading_2024_01" violates foreign key constraint "reading_device_id_fkey"
--> DETAIL: Key (device_id)=(zz) is not present in table "device".

insert into reading values ('t1', '2023-01-01', 'temp', -5), ('t1', '2024-03-10 10:00+00', 'temp', 99);
--> no rows

select tableoid::regclass::text as part, count(*) from reading group by 1 order by 1;
--> {"part":"reading_2024_01","count":12}
--> {"part":"reading_2024_02","count":12}
--> {"part":"reading_2024_03","count":1}
--> {"part":"reading_old","count":1}

insert into reading values ('t1', '2024-01-31 20:00+00', 'temp', 3) on conflict (device_id, metric, at) do update set value = excluded.value where reading.value <> excluded.value returning value;
--> {"value":3}

select device_id, date_trunc('day', at) as day, count(*) as n, min(value), max(value), avg(value)::numeric(6,2) as mean from reading group by 1, 2 order by 1, 2;
--> {"device_id":"h1","day":"2024-01-31 00:00:00+00","n":4,"min":30,"max":33,"mean":"31.50"}
--> {"device_id":"h1","day":"2024-02-01 00:00:00+00","n":4,"min":10,"max":13,"mean":"11.50"}
--> {"device_id":"t1","day":"2023-01-01 00:00:00+00","n":1,"min":-5,"max":-5,"mean":"-5.00"}
--> {"device_id":"t1","day":"2024-01-31 00:00:00+00","n":4,"min":3,"max":23.5,"mean":"17.63"}
--> {"device_id":"t1","day":"2024-02-01 00:00:00+00","n":4,"min":0.5,"max":3.5,"mean":"2.00"}
--> {"device_id":"t1","day":"2024-03-10 00:00:00+00","n":1,"min":99,"max":99,"mean":"99.00"}
--> {"device_id":"t2","day":"2024-01-31 00:00:00+00","n":4,"min":30,"max":33,"mean":"31.50"}
--> {"device_id":"t2","day":"2024-02-01 00:00:00+00","n":4,"min":10,"max":13,"mean":"11.50"}

select device_id, time_bucket, avg(value)::numeric(6,2) as mean from (select device_id, date_bin('4 hours', at, '2024-01-01') as time_bucket, value from reading where at >= '2024-01-31') t group by 1, 2 order by 1, 2 limit 4;
--> {"device_id":"h1","time_bucket":"2024-01-31 20:00:00+00","mean":"31.50"}
--> {"device_id":"h1","time_bucket":"2024-02-01 00:00:00+00","mean":"11.50"}
--> {"device_id":"t1","time_bucket":"2024-01-31 20:00:00+00","mean":"17.63"}
--> {"device_id":"t1","time_bucket":"2024-02-01 00:00:00+00","mean":"2.00"}

select at, value, value - lag(value) over w as change, avg(value) over (w rows between 2 preceding and current row)::numeric(6,2) as smooth from reading where device_id = 't2' window w as (order by at) order by at;
--> {"at":"2024-01-31 20:00:00+00","value":30,"change":null,"smooth":"30.00"}
--> {"at":"2024-01-31 21:00:00+00","value":31,"change":1,"smooth":"30.50"}
--> {"at":"2024-01-31 22:00:00+00","value":32,"change":1,"smooth":"31.00"}
--> {"at":"2024-01-31 23:00:00+00","value":33,"change":1,"smooth":"32.00"}
--> {"at":"2024-02-01 00:00:00+00","value":10,"change":-23,"smooth":"25.00"}
--> {"at":"2024-02-01 01:00:00+00","value":11,"change":1,"smooth":"18.00"}
--> {"at":"2024-02-01 02:00:00+00","value":12,"change":1,"smooth":"11.00"}
--> {"at":"2024-02-01 03:00:00+00","value":13,"change":1,"smooth":"12.00"}

select device_id, at, at - lag(at) over (partition by device_id order by at) as gap from reading where device_id = 't1' order by gap desc nulls last, at limit 2;
--> {"device_id":"t1","at":"2024-01-31 20:00:00+00","gap":"395 days 20:00:00"}
--> {"device_id":"t1","at":"2024-03-10 10:00:00+00","gap":"38 days 07:00:00"}

select at, count(*) over (order by at range between interval '2 hours' preceding and current row) as n from reading where device_id = 'h1' order by at;
--> {"at":"2024-01-31 20:00:00+00","n":1}
--> {"at":"2024-01-31 21:00:00+00","n":2}
--> {"at":"2024-01-31 22:00:00+00","n":3}
--> {"at":"2024-01-31 23:00:00+00","n":3}
--> {"at":"2024-02-01 00:00:00+00","n":3}
--> {"at":"2024-02-01 01:00:00+00","n":3}
--> {"at":"2024-02-01 02:00:00+00","n":3}
--> {"at":"2024-02-01 03:00:00+00","n":3}

select distinct on (device_id) device_id, at, value from reading order by device_id, at desc;
--> {"device_id":"h1","at":"2024-02-01 03:00:00+00","value":13}
--> {"device_id":"t1","at":"2024-03-10 10:00:00+00","value":99}
--> {"device_id":"t2","at":"2024-02-01 03:00:00+00","value":13}

select d.id, l.value from device d left join lateral (select value from reading r where r.device_id = d.id order by at desc limit 1) l on true order by d.id;
--> {"id":"h1","value":13}
--> {"id":"t1","value":99}
--> {"id":"t2","value":13}

create table alert (id int generated always as identity, device_id text, at timestamptz, message text);
--> no rows

create function watch() returns trigger language plpgsql as $$ begin if new.value > 50 then insert into alert (device_id, at, message) values (new.device_id, new.at, format('%s is %s', new.metric, new.value)); end if; return null; end $$;
--> no rows

create trigger reading_watch after insert on reading for each row execute function watch();
--> no rows

insert into reading values ('t2', '2024-03-11 10:00+00', 'temp', 51), ('t2', '2024-03-11 11:00+00', 'temp', 20);
--> no rows

select device_id, message from alert;
--> {"device_id":"t2","message":"temp is 51"}

create materialized view daily as select device_id, metric, at::date as day, min(value) as low, max(value) as high, count(*) as n from reading group by 1, 2, 3 with data;
--> no rows

create unique index daily_key on daily (device_id, metric, day);
--> no rows

select * from daily where device_id = 't2' order by day;
--> {"device_id":"t2","metric":"temp","day":"2024-01-31","low":30,"high":33,"n":4}
--> {"device_id":"t2","metric":"temp","day":"2024-02-01","low":10,"high":13,"n":4}
--> {"device_id":"t2","metric":"temp","day":"2024-03-11","low":20,"high":51,"n":2}

with days as (select generate_series('2024-03-09'::date, '2024-03-12', '1 day')::date as day) select days.day, coalesce(sum(n), 0) as n from days left join daily using (day) group by 1 order by 1;
--> {"day":"2024-03-09","n":"0"}
--> {"day":"2024-03-10","n":"1"}
--> {"day":"2024-03-11","n":"2"}
--> {"day":"2024-03-12","n":"0"}

with marked as (select at, value, value > 12 as hot, row_number() over (order by at) - row_number() over (partition by value > 12 order by at) as island from reading where device_id = 't2') select hot, min(at) as starts, count(*) as n from marked group by hot, island order by starts;
--> {"hot":true,"starts":"2024-01-31 20:00:00+00","n":4}
--> {"hot":false,"starts":"2024-02-01 00:00:00+00","n":3}
--> {"hot":true,"starts":"2024-02-01 03:00:00+00","n":3}

select percentile_cont(0.5) within group (order by value) as median, stddev_samp(value)::numeric(8,4) as dev, corr(value, extract(epoch from at))::numeric(6,4) as trend from reading where device_id = 't1' and at between '2024-01-31' and '2024-02-02';
--> {"median":3.25,"dev":"10.5591","trend":"-0.4902"}

select width_bucket(value, 0, 50, 5) as bucket, count(*) from reading group by 1 order by 1;
--> {"bucket":0,"count":1}
--> {"bucket":1,"count":5}
--> {"bucket":2,"count":8}
--> {"bucket":3,"count":4}
--> {"bucket":4,"count":8}
--> {"bucket":6,"count":2}

alter table reading detach partition reading_2024_01;
--> no rows

select count(*) from reading;
--> {"count":16}

select count(*), min(at) from reading_2024_01;
--> {"count":12,"min":"2024-01-31 20:00:00+00"}

drop table reading_2024_01;
--> no rows

alter table reading add column quality smallint default 1;
--> no rows

insert into reading (device_id, at, metric, value, quality) values ('h1', '2024-02-20', 'humidity', 40, 2) returning quality, tableoid::regclass::text as part;
--> {"quality":2,"part":"reading_2024_02"}

select quality, count(*) from reading_2024_02 group by 1 order by 1;
--> {"quality":1,"count":12}
--> {"quality":2,"count":1}

update reading set at = at + interval '1 month' where device_id = 'h1' and quality = 2 returning tableoid::regclass::text as part;
--> {"part":"reading_2024_03"}

delete from device where id = 't2';
--> no rows

select count(*) from reading where device_id = 't2';
--> {"count":0}

select relname from pg_class where relispartition and relkind = 'r' order by 1;
--> {"relname":"reading_2024_02"}
--> {"relname":"reading_2024_03"}
--> {"relname":"reading_old"}

select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = 'reading_2024_02';
--> {"bound":"FOR VALUES FROM ('2024-02-01 00:00:00+00') TO ('2024-03-01 00:00:00+00')"}

truncate reading_2024_03;
--> no rows

select tableoid::regclass::text as part, count(*) from reading group by 1 order by 1;
--> {"part":"reading_2024_02","count":8}
--> {"part":"reading_old","count":1}

drop table reading;
--> ERROR 2BP01: cannot drop table reading because other objects depend on it
--> DETAIL: materialized view daily depends on table reading
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

select count(*) from pg_class where relname like 'reading%' and relkind in ('r', 'p');
--> {"count":4}
