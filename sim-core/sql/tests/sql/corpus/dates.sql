-- Dates, times, intervals.

select date '2024-01-31' + 1 as a, date '2024-03-01' - 1 as b, date '2024-03-01' - date '2024-02-01' as c, date '2024-01-31' + interval '1 month' as d, date '2024-01-01' + time '10:30' as e;
--> {"a":"2024-02-01","b":"2024-02-29","c":29,"d":"2024-02-29 00:00:00","e":"2024-01-01 10:30:00"}

select timestamp '2024-01-31 10:00' + interval '1 month' as a, timestamp '2024-03-31' - interval '1 month' as b, timestamp '2024-01-01' + interval '36 hours' as c, timestamp '2024-03-01 12:00' - timestamp '2024-02-28 10:30' as d;
--> {"a":"2024-02-29 10:00:00","b":"2024-02-29 00:00:00","c":"2024-01-02 12:00:00","d":"2 days 01:30:00"}

select timestamptz '2024-06-01 12:00:00+02' as a, timestamptz '2024-06-01 12:00:00 UTC' as b, '2024-06-01T12:00:00Z'::timestamptz as c, '2024-06-01T12:00:00.123456Z'::timestamptz as d, '2024-06-01 12:00:00.100'::timestamptz as e;
--> {"a":"2024-06-01 10:00:00+00","b":"2024-06-01 12:00:00+00","c":"2024-06-01 12:00:00+00","d":"2024-06-01 12:00:00.123456+00","e":"2024-06-01 12:00:00.1+00"}

select extract(year from timestamp '2024-05-06 07:08:09.5') as a, extract(month from date '2024-05-06') as b, extract(dow from date '2024-05-05') as c, extract(isodow from date '2024-05-05') as d, extract(doy from date '2024-12-31') as e, extract(week from date '2024-12-30') as f, extract(quarter from date '2024-05-06') as g, extract(second from timestamp '2024-05-06 07:08:09.5') as h, extract(epoch from timestamptz '2024-01-01 00:00:00+00') as i;
--> {"a":"2024","b":"5","c":"0","d":"7","e":"366","f":"1","g":"2","h":"9.500000","i":"1704067200.000000"}

select date_part('hour', timestamp '2024-05-06 07:08:09') as a, date_part('day', interval '3 days 04:00') as b, extract(epoch from interval '1 day 1 hour') as c, extract(century from date '2024-01-01') as d, extract(isoyear from date '2024-12-30') as e, extract(milliseconds from time '00:00:01.5') as f, date_part('epoch', interval '1 month') as g;
--> {"a":7,"b":3,"c":"90000.000000","d":"21","e":"2025","f":"1500.000","g":2592000}

select extract(nonsense from date '2024-01-01');
--> ERROR 22023: unit "nonsense" not recognized for type date

select date_trunc('day', timestamp '2024-05-06 07:08:09') as a, date_trunc('month', timestamptz '2024-05-06 07:08:09+00') as b, date_trunc('week', date '2024-05-08') as c, date_trunc('year', timestamp '2024-05-06') as d, date_trunc('hour', interval '3 days 02:47:33') as e, date_trunc('quarter', timestamp '2024-05-06') as f, date_trunc('minute', timestamp '2024-05-06 07:08:59.9') as g;
--> {"a":"2024-05-06 00:00:00","b":"2024-05-01 00:00:00+00","c":"2024-05-06 00:00:00+00","d":"2024-01-01 00:00:00","e":"3 days 02:00:00","f":"2024-04-01 00:00:00","g":"2024-05-06 07:08:00"}

select age(timestamp '2024-05-06', timestamp '2000-02-29') as a, age(date '2024-03-01', date '2024-01-31') as b, age(timestamp '2024-01-01', timestamp '2024-01-02 03:04:05') as c;
--> {"a":"24 years 2 mons 6 days","b":"1 mon 1 day","c":"-1 days -03:04:05"}

select interval '1 day' + interval '12 hours' as a, interval '1 hour' * 2.5 as b, interval '1 day' / 2 as c, interval '1 month' * 3 as d, -interval '1 day 2 hours' as e, interval '30 days' = interval '1 month' as f, interval '25 hours' > interval '1 day' as g;
--> {"a":"1 day 12:00:00","b":"02:30:00","c":"12:00:00","d":"3 mons","e":"-1 days -02:00:00","f":true,"g":true}

select justify_days(interval '35 days') as a, justify_hours(interval '27 hours') as b, justify_interval(interval '1 mon -1 hour') as c;
--> {"a":"1 mon 5 days","b":"1 day 03:00:00","c":"29 days 23:00:00"}

select make_date(2024, 2, 29) as a, make_time(8, 15, 23.5) as b, make_timestamp(2024, 7, 15, 8, 15, 23.5) as c, make_interval(days => 10, hours => 2) as d, make_interval(1, 2, 3) as e, make_timestamptz(2024, 7, 15, 8, 15, 0) as f;
--> {"a":"2024-02-29","b":"08:15:23.5","c":"2024-07-15 08:15:23.5","d":"10 days 02:00:00","e":"1 year 2 mons 21 days","f":"2024-07-15 08:15:00+00"}

select make_date(2023, 2, 29);
--> ERROR 22008: date field value out of range: 2023-02-29

select to_timestamp(1700000000) as a, to_timestamp(1700000000.5) as b, to_timestamp('2024-05-06 07:08', 'YYYY-MM-DD HH24:MI') as c, to_date('06.05.2024', 'DD.MM.YYYY') as d, to_date('May 6, 2024', 'Mon DD, YYYY') as e;
--> {"a":"2023-11-14 22:13:20+00","b":"2023-11-14 22:13:20.5+00","c":"2024-05-06 07:08:00+00","d":"2024-05-06","e":"2024-05-06"}

select to_char(timestamp '2024-05-06 17:08:09.123', 'YYYY-MM-DD HH24:MI:SS.MS') as a, to_char(date '2024-05-06', 'FMDay, DD FMMonth YYYY') as b, to_char(timestamp '2024-05-06 17:08:09', 'HH12:MI AM') as c, to_char(date '2024-05-06', 'IYYY-"W"IW') as d, to_char(date '2024-05-06', 'Dy Mon D DDD Q') as e, to_char(timestamptz '2024-05-06 17:08:09+00', 'YYYY-MM-DD"T"HH24:MI:SSOF') as f, to_char(interval '26 hours 3 minutes', 'HH24:MI') as g;
--> {"a":"2024-05-06 17:08:09.123","b":"Monday, 06 May 2024","c":"05:08 PM","d":"2024-W19","e":"Mon May 2 127 2","f":"2024-05-06T17:08:09+00","g":"26:03"}

select '2024-01-15'::date between '2024-01-01' and '2024-01-31' as a, date '2024-01-01' < timestamp '2024-01-01 00:00:01' as b, date '2024-01-01' = timestamptz '2024-01-01 00:00:00+00' as c;
--> {"a":true,"b":true,"c":true}

select timestamptz '2024-07-01 12:00:00+00' at time zone 'Europe/Berlin' as a, timestamp '2024-07-01 12:00:00' at time zone 'America/New_York' as b, timestamptz '2024-01-01 00:30:00+00' at time zone 'UTC' as c, timezone('UTC', timestamptz '2024-01-01 00:30:00+00') as d;
--> {"a":"2024-07-01 14:00:00","b":"2024-07-01 16:00:00+00","c":"2024-01-01 00:30:00","d":"2024-01-01 00:30:00"}

select now() = current_timestamp as a, now() = transaction_timestamp() as b, current_date = now()::date as c, localtimestamp = now()::timestamp as d, clock_timestamp() >= now() as e, now() - interval '1 day' < now() as f, pg_typeof(current_date) as g;
--> {"a":true,"b":true,"c":true,"d":true,"e":true,"f":true,"g":"date"}

select generate_series::date as day from generate_series(date '2024-02-27', date '2024-03-02', interval '1 day') order by 1;
--> {"day":"2024-02-27"}
--> {"day":"2024-02-28"}
--> {"day":"2024-02-29"}
--> {"day":"2024-03-01"}
--> {"day":"2024-03-02"}

select g from generate_series(timestamp '2024-01-31', timestamp '2024-04-30', '1 month') as g;
--> {"g":"2024-01-31 00:00:00"}
--> {"g":"2024-02-29 00:00:00"}
--> {"g":"2024-03-29 00:00:00"}
--> {"g":"2024-04-29 00:00:00"}

select '2024-05-06 07:08:09'::timestamp::date as a, '2024-05-06 07:08:09'::timestamp::time as b, '2024-05-06'::date::timestamp as c, '2024-05-06'::date::timestamptz as d, '07:08:09'::time::interval as e, '2024-05-06 07:08:09.987654'::timestamp(0) as f, '2024-05-06 07:08:09.987654'::timestamptz(3) as g;
--> {"a":"2024-05-06","b":"07:08:09","c":"2024-05-06 00:00:00","d":"2024-05-06 00:00:00+00","e":"07:08:09","f":"2024-05-06 07:08:10","g":"2024-05-06 07:08:09.988+00"}

select time '23:30' + interval '1 hour' as a, time '10:00' - time '08:30' as b, time '10:00' < time '10:00:01' as c, '08:00+02'::timetz as d;
--> {"a":"00:30:00","b":"01:30:00","c":true,"d":"08:00:00+02"}

select 'infinity'::timestamp as a, '-infinity'::date as b, 'infinity'::timestamptz > now() as c, isfinite(date '2024-01-01') as d;
--> {"a":"infinity","b":"-infinity","c":true,"d":true}

select 'epoch'::timestamptz as a, 'January 8, 1999'::date as b, '19990108'::date as c, '1999-Jan-08'::date as d, '1/8/1999'::date as e, '2024-05-06 3:04 PM'::timestamp as f;
--> {"a":"1970-01-01 00:00:00+00","b":"1999-01-08","c":"1999-01-08","d":"1999-01-08","e":"1999-01-08","f":"2024-05-06 15:04:00"}

select '0044-03-15 BC'::date as a, '10000-01-01'::date as b;
--> {"a":"0044-03-15 BC","b":"10000-01-01"}

select min(d) as a, max(d) as b, count(*) as c from (values (date '2024-01-01'), ('2023-06-01'), ('2024-12-31')) as t(d);
--> {"a":"2023-06-01","b":"2024-12-31","c":3}

select sum(i) as a, avg(i) as b, max(i) as c from (values (interval '1 hour'), (interval '30 minutes')) as t(i);
--> {"a":"01:30:00","b":"00:45:00","c":"01:00:00"}

select date_bin('15 minutes', timestamp '2024-02-11 15:44:17', timestamp '2001-01-01') as a, (timestamp '2024-01-01', timestamp '2024-02-01') overlaps (timestamp '2024-01-15', timestamp '2024-03-01') as b;
--> {"a":"2024-02-11 15:30:00","b":true}

select interval '1 day 25:00:00' as a, interval '1.5 days' as b, interval '100 seconds' as c, interval '2 years 15 months' as d, '1 day -2:03'::interval as e, interval '1 decade' as f, interval '3 milliseconds' as g, interval '-1 months +2 days' as h;
--> {"a":"1 day 25:00:00","b":"1 day 12:00:00","c":"00:01:40","d":"3 years 3 mons","e":"1 day -02:03:00","f":"10 years","g":"00:00:00.003","h":"-1 mons +2 days"}

select 'once'::interval;
--> ERROR 22007: invalid input syntax for type interval: "once"
--> AT 8

select timestamp '2024-01-01' + 1;
--> ERROR 42883: operator does not exist: timestamp without time zone + integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 31

select date '2024-01-01' + date '2024-01-01';
--> ERROR 42883: operator does not exist: date + date
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 26

select date '2024-01-01' || '' as a, (timestamp '2024-01-01 10:00:00')::text as b, timestamptz '2024-01-01 10:00:00+00' || '' as c, interval '1 day' || '' as d;
--> {"a":"2024-01-01","b":"2024-01-01 10:00:00","c":"2024-01-01 10:00:00+00","d":"1 day"}
