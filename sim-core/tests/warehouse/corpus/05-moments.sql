-- # Instants, local times and days

--= source beats
--= {"id":"1","timestamp":1739181600123456,"event_message":"a","at":"2025-02-10T10:00:00.5Z","micros":1739181600000000,"odd":"soon"}

-- now: the instant of the call
select current_timestamp() as a, current_timestamp as b, current_date() as c, current_datetime() as d
--> {"a":1739183445123456,"b":1739183445123456,"c":"2025-02-10","d":"2025-02-10T10:30:45.123456"}

-- timestamp_trunc
select timestamp_trunc(t, second) as s, timestamp_trunc(t, minute) as m, timestamp_trunc(t, hour) as h, timestamp_trunc(t, day) as d, timestamp_trunc(t, month) as mo, timestamp_trunc(t, quarter) as q, timestamp_trunc(t, year) as y from (select timestamp '2025-02-12 10:20:30.5' as t)
--> {"s":1739355630000000,"m":1739355600000000,"h":1739354400000000,"d":1739318400000000,"mo":1738368000000000,"q":1735689600000000,"y":1735689600000000}

-- weeks begin on a Sunday, or on a given day
select date_trunc(d, week) as a, date_trunc(d, isoweek) as b, date_trunc(d, week(wednesday)) as c, date_trunc(d, month) as e, date_trunc(d, isoyear) as f from (select date '2025-02-12' as d)
--> {"a":"2025-02-09","b":"2025-02-10","c":"2025-02-12","e":"2025-02-01","f":"2024-12-30"}

-- truncation before 1970
select timestamp_trunc(timestamp '1969-12-31 23:30:00', hour) as a, timestamp_trunc(timestamp '1969-12-31 23:30:00', day) as b
--> {"a":-3600000000,"b":-86400000000}

-- truncation in a zone
select timestamp_trunc(timestamp '2025-07-10 03:00:00', day, 'America/New_York') as a
--> {"a":1752033600000000}

-- timestamp_add and timestamp_sub
select timestamp_add(t, interval 90 second) as a, timestamp_sub(t, interval 1 day) as b, timestamp_sub(t, interval 1 + 1 hour) as c, timestamp_add(t, interval 5 millisecond) as d from (select timestamp '2025-02-10 10:00:00' as t)
--> {"a":1739181690000000,"b":1739095200000000,"c":1739174400000000,"d":1739181600005000}

-- an interval added and taken away
select t + interval 1 hour as a, t - interval 1 minute as b, interval 1 day + t as c from (select timestamp '2025-02-10 10:00:00' as t)
--> {"a":1739185200000000,"b":1739181540000000,"c":1739268000000000}

-- an interval of a parameter
select timestamp_sub(timestamp '2025-02-10 10:00:00', interval @days day) as a
--@ days = 2
--> {"a":1739008800000000}

-- months are added to local times and days
select datetime_add(datetime '2025-01-31 10:00:00', interval 1 month) as a, date_add(date '2024-02-29', interval 1 year) as b, date_sub(date '2025-03-31', interval 1 quarter) as c, date_add(date '2025-02-10', interval 1 week) as d
--> {"a":"2025-02-28T10:00:00","b":"2025-02-28","c":"2024-12-31","d":"2025-02-17"}

-- timestamp_diff counts whole units
select timestamp_diff(timestamp '2025-02-10 12:59:59', timestamp '2025-02-10 10:00:00', hour) as a, timestamp_diff(timestamp '2025-02-10 10:00:00', timestamp '2025-02-10 12:59:59', hour) as b, timestamp_diff(timestamp '2025-02-10 10:00:01', timestamp '2025-02-10 10:00:00', millisecond) as c
--> {"a":2,"b":-2,"c":1000}

-- datetime_diff and date_diff count borders
select datetime_diff(datetime '2025-02-11 00:00:00', datetime '2025-02-10 23:59:59', day) as a, date_diff(date '2025-03-01', date '2025-02-28', month) as b, date_diff(date '2025-02-10', date '2025-02-01', day) as c, date_diff(date '2026-01-01', date '2025-12-31', year) as d, date_diff(date '2025-02-10', date '2025-02-08', week) as e
--> {"a":1,"b":1,"c":9,"d":1,"e":1}

-- extract
select extract(year from t) as y, extract(month from t) as mo, extract(day from t) as d, extract(hour from t) as h, extract(minute from t) as mi, extract(second from t) as s, extract(millisecond from t) as ms, extract(microsecond from t) as us from (select timestamp '2025-02-10 10:20:30.123456' as t)
--> {"y":2025,"mo":2,"d":10,"h":10,"mi":20,"s":30,"ms":123,"us":123456}

-- extract days and weeks
select extract(dayofweek from d) as a, extract(dayofyear from d) as b, extract(week from d) as c, extract(isoweek from d) as e, extract(isoyear from d) as f, extract(quarter from d) as g from (select date '2025-02-10' as d)
--> {"a":2,"b":41,"c":6,"e":7,"f":2025,"g":1}

-- extract in a zone, and other types
select extract(hour from t at time zone 'America/New_York') as a, extract(date from t) as b, extract(time from t) as c from (select timestamp '2025-02-10 02:00:00' as t)
--> {"a":21,"b":"2025-02-10","c":"02:00:00"}

-- casts of texts to instants
select cast('2025-02-10T10:00:00Z' as timestamp) as a, cast('2025-02-10 10:00:00' as timestamp) as b, cast('2025-02-10' as timestamp) as c, cast('2025-02-10 12:00:00+02:00' as timestamp) as d, cast('2025-2-1 1:02:03.5' as timestamp) as e
--> {"a":1739181600000000,"b":1739181600000000,"c":1739145600000000,"d":1739181600000000,"e":1738371723500000}

-- casts of instants
select cast(t as datetime) as a, cast(t as date) as b, cast(t as string) as c, cast(t as time) as d, cast(cast(t as date) as timestamp) as e, cast(cast(t as datetime) as string) as f from (select timestamp '2025-02-10 10:20:30.5' as t)
--> {"a":"2025-02-10T10:20:30.5","b":"2025-02-10","c":"2025-02-10 10:20:30.500+00","d":"10:20:30.5","e":1739145600000000,"f":"2025-02-10 10:20:30.500"}

-- safe_cast of what is no instant
select safe_cast('yesterday' as timestamp) as a, safe_cast('2025-02-30' as date) as b, safe_cast(odd as timestamp) as c, safe_cast(at as timestamp) as d, safe_cast('2025-13-01 00:00:00' as datetime) as e from beats
--> {"a":null,"b":null,"c":null,"d":1739181600500000,"e":null}

-- a parameter that is no instant
select id from beats where timestamp > @start
--@ start = yesterday
--> error Invalid timestamp: 'yesterday'

-- a parameter that is one
select id from beats where timestamp > @start
--@ start = 2025-02-10T10:00:00.1Z
--> {"id":"1"}

-- a missing parameter is null
select coalesce(@start, 'none') as a, @start is null as b
--> {"a":"none","b":true}

-- fields as instants: texts, and numbers of microseconds
select timestamp_trunc(at, minute) as a, timestamp_trunc(micros, hour) as b, timestamp_diff(timestamp, at, millisecond) as c, timestamp_trunc(odd, day) as d from beats
--> {"a":1739181600000000,"b":1739181600000000,"c":-376,"d":null}

-- timestamp, datetime and date from other types
select timestamp('2025-02-10 10:00:00') as a, timestamp(datetime '2025-02-10 10:00:00') as b, datetime(timestamp '2025-02-10 10:00:00', 'Europe/Berlin') as c, date(timestamp '2025-02-10 23:30:00', '+02:00') as d, date(2025, 2, 10) as e, datetime(2025, 2, 10, 1, 2, 3) as f, timestamp('2025-02-10 10:00:00', 'Europe/Berlin') as g
--> {"a":1739181600000000,"b":1739181600000000,"c":"2025-02-10T11:00:00","d":"2025-02-11","e":"2025-02-10","f":"2025-02-10T01:02:03","g":1739178000000000}

-- numbers of seconds, milliseconds and microseconds
select unix_seconds(t) as a, unix_millis(t) as b, unix_micros(t) as c, timestamp_seconds(1739181600) as d, timestamp_millis(1739181600123) as e, timestamp_micros(1739181600123456) as f, unix_seconds(timestamp '1969-12-31 23:59:59.5') as g from (select timestamp '2025-02-10 10:00:00.123456' as t)
--> {"a":1739181600,"b":1739181600123,"c":1739181600123456,"d":1739181600000000,"e":1739181600123000,"f":1739181600123456,"g":-1}

-- format_timestamp
select format_timestamp('%Y-%m-%d %H:%M:%S', t) as a, format_timestamp('%a %b %e %j %I %p', t) as b, format_timestamp('%F %T', t, 'Europe/Berlin') as c, format_date('%A, %d. %B %y 100%%', date '2025-02-10') as d, format_timestamp('%E3S %s', t) as e, format_datetime('%R Q%Q', datetime '2025-08-10 15:04:00') as f from (select timestamp '2025-02-05 13:04:05.678' as t)
--> {"a":"2025-02-05 13:04:05","b":"Wed Feb  5 036 01 PM","c":"2025-02-05 14:04:05","d":"Monday, 10. February 25 100%","e":"05.678 1738760645","f":"15:04 Q3"}

-- generate_timestamp_array
select t from unnest(generate_timestamp_array(timestamp '2025-02-10 10:00:00', timestamp '2025-02-10 11:00:00', interval 30 minute)) as t order by t
--> {"t":1739181600000000}
--> {"t":1739183400000000}
--> {"t":1739185200000000}

-- generate_date_array
select generate_date_array('2025-02-27', '2025-03-01') as a, generate_date_array(date '2025-01-31', date '2025-04-01', interval 1 month) as b, generate_date_array('2025-03-01', '2025-02-01') as c
--> {"a":["2025-02-27","2025-02-28","2025-03-01"],"b":["2025-01-31","2025-02-28","2025-03-31"],"c":[]}

-- last_day and unix_date
select last_day(date '2024-02-10') as a, unix_date(date '1970-01-11') as b
--> {"a":"2024-02-29","b":10}

-- days and local times compare
select date '2025-02-10' < date '2025-02-11' as a, datetime '2025-02-10 10:00:00' = '2025-02-10 10:00:00' as b, date '2025-02-10' in ('2025-02-10', '2025-02-11') as c
--> {"a":true,"b":true,"c":true}

-- the greatest and least of instants
select greatest(timestamp '2025-02-10', timestamp '2025-02-11') as a, max(timestamp) as b, min(date(timestamp)) as c from beats
--> {"a":1739232000000000,"b":1739181600123456,"c":"2025-02-10"}
