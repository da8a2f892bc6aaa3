-- # Intervals as values in PostgreSQL's dialect; the rows are those of a PostgreSQL server

--= source edge
--= {"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200","ms":10,"kind":"a","tags":["x","y"],"r":{"method":"GET","path":"/a"}}
--= {"id":"2","timestamp":1739181660500000,"event_message":"PUT /b 500","ms":20,"kind":"b","tags":["y"]}
--= {"id":"3","timestamp":1739270400000000,"event_message":"GET /c 200","ms":40,"kind":"a"}

-- the span of events
select max(timestamp) - min(timestamp) as span from edge
--> {"span":"1 day 00:40:00"}

-- its seconds
select extract(epoch from max(timestamp) - min(timestamp)) as s from edge
--> {"s":88800.000000}

-- an age that is shorter than an interval
select id from edge where timestamp '2025-02-11 12:00:00' - timestamp < interval '2 days' order by id
--> {"id":"1"}
--> {"id":"2"}
--> {"id":"3"}

-- an interval times a number
select id from edge where timestamp > timestamp '2025-02-11 12:00:00' - interval '1 hour' * 20 order by id
--> {"id":"3"}

-- a number times an interval
select id from edge where timestamp > timestamp '2025-02-11 12:00:00' - 20 * interval '1 hour' order by id
--> {"id":"3"}

-- a cast text
select id from edge where timestamp > timestamp '2025-02-11 12:00:00' - '20 hours'::interval order by id
--> {"id":"3"}

-- a text that is put together
select id from edge where timestamp > timestamp '2025-02-11 12:00:00' - ('20' || ' hours')::interval order by id
--> {"id":"3"}

-- make_interval
select id from edge where timestamp > timestamp '2025-02-11 12:00:00' - make_interval(hours => 20) order by id
--> {"id":"3"}

-- parts of make_interval by place
select make_interval(1, 2, 3, 4, 5, 6, 7.5)::text as v
--> {"v":"1 year 2 mons 25 days 05:06:07.5"}

-- several units
select id from edge where timestamp > timestamp '2025-02-11 12:00:00' - interval '1 day 2 hours' order by id
--> {"id":"2"}
--> {"id":"3"}

-- an interval by itself
select interval '1 hour 30 minutes' as v
--> {"v":"01:30:00"}

-- days and hours stay apart
select interval '1 day' + interval '26 hours' as v
--> {"v":"1 day 26:00:00"}

-- months and years
select interval '14 months -3 days 04:05:06.7' as v
--> {"v":"1 year 2 mons -3 days +04:05:06.7"}

-- ago
select interval '1 year 2 days ago' as v
--> {"v":"-1 years -2 days"}

-- negative days before positive hours
select interval '-1 day' + interval '2 hours' as v
--> {"v":"-1 days +02:00:00"}

-- parts of units
select interval '1.5 days' + interval '1.5 months' as v
--> {"v":"1 mon 16 days 12:00:00"}

-- weeks
select interval '2 weeks' as v
--> {"v":"14 days"}

-- nothing
select interval '0' as v
--> {"v":"00:00:00"}

-- a unit outside of the text
select interval '3' hour as v
--> {"v":"03:00:00"}

-- short units
select interval '1h 30m 5s' as v
--> {"v":"01:30:05"}

-- difference of intervals
select interval '1 day' - interval '1 hour' as v
--> {"v":"1 day -01:00:00"}

-- division
select interval '1 day' / 7 as v
--> {"v":"03:25:42.857143"}

-- product with a fraction
select interval '1 month 1 day' * 1.5 as v
--> {"v":"1 mon 16 days 12:00:00"}

-- negation
select - interval '1 day 02:00' as v
--> {"v":"-1 days -02:00:00"}

-- equal intervals of other parts
select interval '24 hours' = interval '1 day' as v
--> {"v":true}

-- order of intervals
select x::text as v from (values (interval '1 month'), (interval '29 days'), (interval '31 days')) t(x) order by x
--> {"v":"29 days"}
--> {"v":"1 mon"}
--> {"v":"31 days"}

-- epoch of an interval
select extract(epoch from interval '1 day 01:00') as v
--> {"v":90000.000000}

-- parts of an interval
select extract(year from x) as y, extract(month from x) as mo, extract(day from x) as d, extract(hour from x) as h, extract(minute from x) as m, extract(second from x) as s from (values (interval '1 year 14 months 40 days 30:05:06.25')) t(x)
--> {"y":2,"mo":2,"d":40,"h":30,"m":5,"s":6.250000}

-- date_part of an interval
select date_part('hour', interval '90 minutes') as v
--> {"v":1}

-- milliseconds of an interval
select extract(milliseconds from interval '2.5 seconds') as v
--> {"v":2500.000}

-- date_trunc of an interval
select date_trunc('hour', interval '2 days 01:59:59') as v
--> {"v":"2 days 01:00:00"}

-- date_trunc of an interval to days
select date_trunc('day', interval '2 days 01:59:59') as v
--> {"v":"2 days"}

-- to_char of an interval
select to_char(interval '26:05:09.5', 'HH24:MI:SS.MS') as v
--> {"v":"26:05:09.500"}

-- justify_hours
select justify_hours(interval '27 hours') as v
--> {"v":"1 day 03:00:00"}

-- justify_days
select justify_days(interval '65 days') as v
--> {"v":"2 mons 5 days"}

-- justify_interval
select justify_interval(interval '1 mon -1 hour') as v
--> {"v":"29 days 23:00:00"}

-- age of two instants
select age(timestamp '2025-03-10 10:00', timestamp '2024-01-31 12:30') as v
--> {"v":"1 year 1 mon 9 days 21:30:00"}

-- age backwards
select age(timestamp '2024-01-31 12:30', timestamp '2025-03-10 10:00') as v
--> {"v":"-1 years -1 mons -9 days -21:30:00"}

-- the sum of intervals
select sum(timestamp - timestamp '2025-02-10') as v from edge
--> {"v":"1 day 30:41:00.5"}

-- the mean of intervals
select avg(timestamp - timestamp '2025-02-10') as v from edge
--> {"v":"18:13:40.166667"}

-- the greatest and the least
select max(timestamp - timestamp '2025-02-10') as a, min(timestamp - timestamp '2025-02-10') as b from edge
--> {"a":"1 day 10:40:00","b":"10:00:00"}

-- gaps between events
select id, timestamp - lag(timestamp) over (order by timestamp) as gap from edge order by id
--> {"id":"1","gap":null}
--> {"id":"2","gap":"00:01:00.5"}
--> {"id":"3","gap":"1 day 00:38:59.5"}

-- the mean gap
select avg(gap) as v from (select timestamp - lag(timestamp) over (order by timestamp) as gap from edge) q
--> {"v":"12:20:00"}

-- the seconds of a gap
select id, extract(epoch from timestamp - lag(timestamp) over (order by timestamp)) as s from edge order by id
--> {"id":"1","s":null}
--> {"id":"2","s":60.500000}
--> {"id":"3","s":88739.500000}

-- groups by an interval
select timestamp - timestamp '2025-02-10 10:00:00' > interval '1 hour' as late, count(*) as n from edge group by 1 order by 1
--> {"late":false,"n":2}
--> {"late":true,"n":1}

-- BETWEEN
select id from edge where timestamp - timestamp '2025-02-10 10:00' between interval '0' and interval '1 hour' order by id
--> {"id":"1"}
--> {"id":"2"}

-- a text beside an interval
select id from edge where timestamp - timestamp '2025-02-10 10:00' > '1 hour' order by id
--> {"id":"3"}

-- a day plus an interval of several units
select date '2025-02-10' + interval '1 day 01:00' as v
--> {"v":"2025-02-11T01:00:00"}

-- an instant plus months
select to_char(timestamp '2025-01-31 10:00' + interval '1 month 1 day', 'YYYY-MM-DD') as v
--> {"v":"2025-03-01"}

-- an instant minus a day
select timestamp '2025-02-10 10:00' - date '2025-02-09' as v
--> {"v":"1 day 10:00:00"}

-- coalesce of intervals
select coalesce(max(timestamp) - min(timestamp), interval '0') as v from edge where id = 'none'
--> {"v":"00:00:00"}

-- CASE of intervals
select case when true then interval '1 hour' else interval '2 hours' end as v
--> {"v":"01:00:00"}

-- a list of intervals
select array_agg(timestamp - timestamp '2025-02-10 10:00:00' order by id) as v from edge
--> {"v":["00:00:00","00:01:00.5","1 day 00:40:00"]}

-- distinct intervals
select count(distinct x) as n from (values (interval '1 day'), (interval '24 hours'), (interval '2 days')) t(x)
--> {"n":2}

-- no interval
select interval 'soon' as v
--> refused Invalid: invalid input syntax for type interval: "soon"

-- a cast of what is none
select ('x' || id)::interval as v from edge where id = '1'
--> error
