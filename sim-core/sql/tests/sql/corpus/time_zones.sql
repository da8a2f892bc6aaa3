set timezone = 'America/New_York'; show timezone;
--> {"TimeZone":"America/New_York"}

set time zone 'europe/berlin'; show time zone;
--> {"TimeZone":"Europe/Berlin"}

set timezone = 'Mars/Phobos';
--> ERROR 22023: invalid value for parameter "TimeZone": "Mars/Phobos"

set timezone = 'Europe/Berlin'; select '2026-07-01 12:00:00+00'::timestamptz, '2026-01-01 12:00'::timestamptz, '2026-07-01'::date::timestamptz;
--> {"timestamptz":"2026-07-01 00:00:00+02"}

set timezone = 'Europe/Berlin'; select timestamptz '2026-07-01 12:00+00' :: timestamp, ('2026-07-01 23:30:00+00'::timestamptz)::date, ('2026-07-01 23:30:00+00'::timestamptz)::time;
--> {"timestamp":"2026-07-01 14:00:00","date":"2026-07-02","time":"01:30:00"}

set timezone = 'Asia/Kolkata'; select '2026-07-01 12:00:00+00'::timestamptz, to_json('2026-07-01 12:00:00+00'::timestamptz), '1800-01-01 00:00+00'::timestamptz, 'infinity'::timestamptz;
--> {"timestamptz":"infinity","to_json":"2026-07-01T17:30:00+05:30"}

set timezone = 'Asia/Kolkata'; select to_timestamp('2026-07-01 12', 'YYYY-MM-DD HH24'), to_timestamp(0), 'epoch'::timestamptz;
--> {"to_timestamp":"1970-01-01 05:30:00+05:30","timestamptz":"1970-01-01 05:30:00+05:30"}

set timezone = 'Asia/Kolkata'; select 'today'::timestamptz = current_date, 'now'::timestamptz = now();
--> {"?column?":true}

create table seen (id int primary key, at timestamptz, d date); insert into seen values (1, '2026-03-28 23:30+00', '2026-03-29'), (2, '2026-03-29 01:30+00', '2026-10-25');
--> no rows

set timezone = 'Europe/Berlin'; select * from seen order by at;
--> {"id":1,"at":"2026-03-29 00:30:00+01","d":"2026-03-29"}
--> {"id":2,"at":"2026-03-29 03:30:00+02","d":"2026-10-25"}

set timezone = 'Europe/Berlin'; select id, at::text, 'x' || at, extract(hour from at), extract(epoch from at), extract(timezone_hour from at), date_part('day', at), date_trunc('day', at), to_char(at, 'YYYY-MM-DD HH24:MI') from seen order by id;
--> {"id":1,"at":"2026-03-29 00:30:00+01","?column?":"x2026-03-29 00:30:00+01","extract":"1","date_part":29,"date_trunc":"2026-03-29 00:00:00+01","to_char":"2026-03-29 00:30"}
--> {"id":2,"at":"2026-03-29 03:30:00+02","?column?":"x2026-03-29 03:30:00+02","extract":"2","date_part":29,"date_trunc":"2026-03-29 00:00:00+01","to_char":"2026-03-29 03:30"}

set timezone = 'Europe/Berlin'; select at + interval '1 day', at + interval '24 hours', at - interval '1 month', interval '1 day' + at from seen order by id;
--> {"?column?":"2026-03-30 00:30:00+02"}
--> {"?column?":"2026-03-30 03:30:00+02"}

set timezone = 'Europe/Berlin'; select at::date = d from seen order by id;
--> {"?column?":true}
--> {"?column?":false}

set timezone = 'Europe/Berlin'; select id from seen where at >= '2026-03-29' order by 1;
--> {"id":1}
--> {"id":2}

set timezone = 'Europe/Berlin'; select id from seen where at >= d order by 1;
--> {"id":1}

set timezone = 'Europe/Berlin'; select date_trunc('month', at) m, count(*) from seen group by 1 order by 1;
--> {"m":"2026-03-01 00:00:00+01","count":2}

set timezone = 'Europe/Berlin'; select generate_series('2026-03-28 00:00'::timestamptz, '2026-03-31', interval '1 day');
--> {"generate_series":"2026-03-28 00:00:00+01"}
--> {"generate_series":"2026-03-29 00:00:00+01"}
--> {"generate_series":"2026-03-30 00:00:00+02"}
--> {"generate_series":"2026-03-31 00:00:00+02"}

set timezone = 'Europe/Berlin'; select to_json(at), jsonb_build_object('a', at), row_to_json(seen) from seen order by id;
--> {"to_json":"2026-03-29T00:30:00+01:00","jsonb_build_object":{"a":"2026-03-29T00:30:00+01:00"},"row_to_json":{"id":1,"at":"2026-03-29T00:30:00+01:00","d":"2026-03-29"}}
--> {"to_json":"2026-03-29T03:30:00+02:00","jsonb_build_object":{"a":"2026-03-29T03:30:00+02:00"},"row_to_json":{"id":2,"at":"2026-03-29T03:30:00+02:00","d":"2026-10-25"}}

set timezone = 'Europe/Berlin'; select age('2026-07-01'::timestamptz, '2026-01-01'::timestamptz), make_timestamptz(2026, 7, 1, 12, 0, 0), current_date = now()::date, localtimestamp = now()::timestamp;
--> {"age":"6 mons","make_timestamptz":"2026-07-01 12:00:00+02","?column?":true}

set timezone = 'Europe/Berlin'; select at at time zone 'UTC', d::timestamp at time zone 'America/New_York' from seen order by id;
--> {"timezone":"2026-03-29 06:00:00+02"}
--> {"timezone":"2026-10-25 05:00:00+01"}

set timezone = 'Europe/Berlin'; select array_agg(at order by id)::text from seen;
--> {"array_agg":"{\"2026-03-29 00:30:00+01\",\"2026-03-29 03:30:00+02\"}"}

set timezone = 'Europe/Berlin'; select min(at), max(at), max(at) - min(at) from seen;
--> {"min":"2026-03-29 00:30:00+01","max":"2026-03-29 03:30:00+02","?column?":"02:00:00"}

set timezone = 'Europe/Berlin'; select string_to_array('2026-07-01 12:00,2026-07-02', ',')::timestamptz[]::text, '{"2026-07-01 12:00"}'::timestamptz[]::text;
--> {"string_to_array":"{\"2026-07-01 12:00:00+02\",\"2026-07-02 00:00:00+02\"}","text":"{\"2026-07-01 12:00:00+02\"}"}

set timezone = 'Europe/Berlin'; select (at, d)::text, format('%s', at), concat(at), at::varchar(10) from seen order by id;
--> {"row":"(\"2026-03-29 00:30:00+01\",2026-03-29)","format":"2026-03-29 00:30:00+01","concat":"2026-03-29 00:30:00+01","at":"2026-03-29"}
--> {"row":"(\"2026-03-29 03:30:00+02\",2026-10-25)","format":"2026-03-29 03:30:00+02","concat":"2026-03-29 03:30:00+02","at":"2026-03-29"}

set timezone = 'Europe/Berlin'; select '2026-07-01 12:00'::timestamp = '2026-07-01 12:00'::timestamptz;
--> {"?column?":true}

create function in_tokyo(t timestamptz) returns text language plpgsql set timezone = 'Asia/Tokyo' as $$ begin return t::text; end $$;
--> no rows

create function in_utc(t timestamptz) returns text language sql set timezone to 'UTC' as $$ select t::text $$;
--> no rows

set timezone = 'Europe/Berlin'; select in_tokyo('2026-07-01 12:00+00'), in_utc('2026-07-01 12:00+00'), now() = now()::text::timestamptz;
--> {"in_tokyo":"2026-07-01 21:00:00+09","in_utc":"2026-07-01 12:00:00+00","?column?":true}

begin; set local timezone = 'Asia/Tokyo'; create table local_zone as select '2026-07-01 12:00'::timestamptz as at; commit; select at from local_zone;
--> {"at":"2026-07-01 03:00:00+00"}

alter database postgres set timezone to 'Mars/Phobos';
--> ERROR 22023: invalid value for parameter "TimeZone": "Mars/Phobos"
