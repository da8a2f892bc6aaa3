-- # The log explorer

--= source edge.logs.prod
--= {"id":"e1","timestamp":1739181600000000,"event_message":"GET | 200 | /rest/v1/todos","project":"default","metadata":{"request":{"method":"GET","path":"/rest/v1/todos","search":"?select=id","cf":{"country":"DE"}},"response":{"status_code":200,"origin_time":12}}}
--= {"id":"e2","timestamp":1739181660000000,"event_message":"POST | 401 | /auth/v1/token","project":"default","metadata":{"request":{"method":"POST","path":"/auth/v1/token","cf":{"country":"FR"}},"response":{"status_code":401,"origin_time":30}}}
--= {"id":"e3","timestamp":1739181661500000,"event_message":"GET | 500 | /rest/v1/todos","project":"default","metadata":{"request":{"method":"GET","path":"/rest/v1/todos","cf":{"country":"DE"}},"response":{"status_code":500,"origin_time":99}}}
--= {"id":"e4","timestamp":1739181780000000,"event_message":"GET | 200 | /storage/v1/object","project":"other","metadata":{"request":{"method":"GET","path":"/storage/v1/object"},"response":{"status_code":200}}}
--= {"id":"e5","timestamp":1739181790000000,"event_message":"no request","project":"default","metadata":{"response":{"status_code":204}}}

--= source postgres.logs
--= {"id":"p1","timestamp":1739181600000000,"event_message":"connection received","project":"default","metadata":{"host":"db-default","parsed":{"error_severity":"LOG"}}}
--= {"id":"p2","timestamp":1739181601000000,"event_message":"relation \"x\" does not exist","project":"default","metadata":{"host":"db-default","parsed":{"error_severity":"ERROR","detail":"in line 1","hint":"create it","sql_state_code":"42P01"}}}
--= {"id":"p3","timestamp":1739181602000000,"event_message":"shutdown","project":"default","metadata":{"host":"db-default","parsed":{"error_severity":"FATAL"}}}

--= source function.logs
--= {"id":"f1","timestamp":1739181600000000,"event_message":"booted","metadata":{"project_ref":"default","function_id":"fn-1","event_type":"Boot","level":"log"}}
--= {"id":"f2","timestamp":1739181601000000,"event_message":"failed","metadata":{"project_ref":"default","function_id":"fn-1","event_type":"Log","level":"error"}}
--= {"id":"f3","timestamp":1739181602000000,"event_message":"booted","metadata":{"project_ref":"default","function_id":"fn-2","event_type":"Boot","level":"log"}}

--= source function.edge.logs
--= {"id":"r1","timestamp":1739181600000000,"event_message":"POST | 200","metadata":{"project_ref":"default","function_id":"fn-1","execution_time_ms":25,"deployment_id":"fn-1_1","version":"1","request":{"method":"POST","pathname":"/hello"},"response":{"status_code":200}}}
--= {"id":"r2","timestamp":1739181660000000,"event_message":"POST | 546","metadata":{"project_ref":"default","function_id":"fn-1","execution_time_ms":1900,"deployment_id":"fn-1_2","version":"2","request":{"method":"POST","pathname":"/hello"},"response":{"status_code":546}}}

--= source auth.logs
--= {"id":"a1","timestamp":1739181600000000,"event_message":"{\"msg\":\"ok\"}","project":"default","metadata":{"level":"info","status":200,"path":"/token","msg":"ok"}}
--= {"id":"a2","timestamp":1739181601000000,"event_message":"{\"msg\":\"bad\"}","project":"default","metadata":{"level":"error","status":"400","path":"/token","msg":"bad","error":"invalid grant"}}
--= {"id":"a3","timestamp":1739181602000000,"event_message":"{\"msg\":\"start\"}","project":"default","metadata":{"level":"info","status":"none","msg":"start"}}

--= source storage.logs
--= {"id":"s1","timestamp":1739181600000000,"event_message":"GET object","metadata":{"project":"default","tenantId":"default","level":"info","context":[{"host":"st-1","pid":7}]}}

--= source realtime.logs
--= {"id":"t1","timestamp":1739181600000000,"event_message":"joined","metadata":{"project":"default","external_id":"default","level":"info"}}

-- the default query of the endpoint
with edge_logs as (
select t.timestamp, t.id, t.event_message, t.metadata
from `edge.logs.prod` as t cross join unnest(t.metadata) as m
where
  t.project = @project
  AND CASE WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE ELSE cast(t.timestamp as timestamp) > cast(@iso_timestamp_start as timestamp) END
  AND CASE WHEN COALESCE(@iso_timestamp_end, '') = '' THEN TRUE ELSE cast(t.timestamp as timestamp) <= cast(@iso_timestamp_end as timestamp) END
order by cast(t.timestamp as timestamp) desc
),
postgres_logs as (
select t.timestamp, t.id, t.event_message, t.metadata from `postgres.logs` as t where t.project = @project
order by cast(t.timestamp as timestamp) desc
)
select id, timestamp, event_message from edge_logs as t order by timestamp desc limit 100
--@ project = default
--@ iso_timestamp_start = 2025-02-10T10:00:00Z
--@ iso_timestamp_end = 2025-02-10T10:01:01.500Z
--> {"id":"e3","timestamp":1739181661500000,"event_message":"GET | 500 | /rest/v1/todos"}
--> {"id":"e2","timestamp":1739181660000000,"event_message":"POST | 401 | /auth/v1/token"}

-- the same without bounds
with edge_logs as (
select t.timestamp, t.id, t.event_message, t.metadata
from `edge.logs.prod` as t cross join unnest(t.metadata) as m
where
  t.project = @project
  AND CASE WHEN COALESCE(@iso_timestamp_start, '') = '' THEN TRUE ELSE cast(t.timestamp as timestamp) > cast(@iso_timestamp_start as timestamp) END
order by cast(t.timestamp as timestamp) desc
)
select id from edge_logs as t limit 100
--@ project = other
--> {"id":"e4"}

-- retention by tier, joined with a comma
with retention as (
select (CASE WHEN @project_tier = 'FREE' THEN timestamp_trunc(timestamp_sub(current_timestamp(), interval 1 day), day)
  WHEN @project_tier = 'PRO' THEN timestamp_trunc(timestamp_sub(current_timestamp(), interval 7 day), day)
  ELSE timestamp_trunc(timestamp_sub(current_timestamp(), interval 90 day), day) END) AS date
),
edge_logs as (
select t.timestamp, t.id from retention, `edge.logs.prod` as t
where t.project = @project and cast(t.timestamp as timestamp) > retention.date
)
select count(id) as count, max(retention.date) as since from edge_logs, retention
--@ project = default
--@ project_tier = FREE
--> {"count":4,"since":1739059200000000}

-- list of requests: three chained lists
with edge_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `edge.logs.prod` as t where t.project = @project)
select id, timestamp, event_message, request.method, request.path, request.search, response.status_code
from edge_logs
  cross join unnest(metadata) as metadata
  cross join unnest(metadata.request) as request
  cross join unnest(metadata.response) as response
order by timestamp desc limit 100
--@ project = default
--> {"id":"e3","timestamp":1739181661500000,"event_message":"GET | 500 | /rest/v1/todos","method":"GET","path":"/rest/v1/todos","search":null,"status_code":500}
--> {"id":"e2","timestamp":1739181660000000,"event_message":"POST | 401 | /auth/v1/token","method":"POST","path":"/auth/v1/token","search":null,"status_code":401}
--> {"id":"e1","timestamp":1739181600000000,"event_message":"GET | 200 | /rest/v1/todos","method":"GET","path":"/rest/v1/todos","search":"?select=id","status_code":200}

-- list of requests: filters on status, path and method
with edge_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `edge.logs.prod` as t)
select id, request.path
from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response
where (response.status_code between 400 and 499 or response.status_code between 500 and 599) and (request.method = 'GET') and (request.path like '/rest/%')
order by timestamp desc limit 100
--> {"id":"e3","path":"/rest/v1/todos"}

-- list of requests: a pattern in the message
with edge_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `edge.logs.prod` as t)
select id from edge_logs where regexp_contains(event_message, '40[0-9]|500') order by id
--> {"id":"e2"}
--> {"id":"e3"}

-- list of database messages
with postgres_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `postgres.logs` as t)
select identifier, postgres_logs.timestamp, id, event_message, parsed.error_severity, parsed.detail, parsed.hint from postgres_logs
  cross join unnest(metadata) as m
  cross join unnest(m.parsed) as parsed
where parsed.error_severity in ('ERROR', 'FATAL', 'PANIC')
order by timestamp desc
limit 100
--> {"identifier":null,"timestamp":1739181602000000,"id":"p3","event_message":"shutdown","error_severity":"FATAL","detail":null,"hint":null}
--> {"identifier":null,"timestamp":1739181601000000,"id":"p2","event_message":"relation \"x\" does not exist","error_severity":"ERROR","detail":"in line 1","hint":"create it"}

-- list of database messages: the other severities
with postgres_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `postgres.logs` as t)
select id, parsed.error_severity from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as parsed
where parsed.error_severity not in ('ERROR', 'FATAL', 'PANIC')
--> {"id":"p1","error_severity":"LOG"}

-- list of function messages
with function_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `function.logs` as t cross join unnest(t.metadata) as m where m.project_ref = @project)
select id, function_logs.timestamp, event_message, metadata.event_type, metadata.function_id, metadata.level from function_logs
  cross join unnest(metadata) as metadata
where metadata.function_id = 'fn-1' order by timestamp desc
--@ project = default
--> {"id":"f2","timestamp":1739181601000000,"event_message":"failed","event_type":"Log","function_id":"fn-1","level":"error"}
--> {"id":"f1","timestamp":1739181600000000,"event_message":"booted","event_type":"Boot","function_id":"fn-1","level":"log"}

-- list of authentication messages: IFNULL and SAFE_CAST
with auth_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `auth.logs` as t)
select id, metadata.level, metadata.status, metadata.path, metadata.msg as msg, metadata.error from auth_logs
  cross join unnest(metadata) as metadata
where IFNULL(metadata.level, '') = 'error' or SAFE_CAST(metadata.status AS INT64) between 400 and 499
order by timestamp desc
--> {"id":"a2","level":"error","status":"400","path":"/token","msg":"bad","error":"invalid grant"}

-- list of invocations
with function_edge_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `function.edge.logs` as t)
select id, function_edge_logs.timestamp, event_message, response.status_code, request.method, m.function_id, m.execution_time_ms, m.deployment_id, m.version from function_edge_logs
  cross join unnest(metadata) as m
  cross join unnest(m.response) as response
  cross join unnest(m.request) as request
where response.status_code >= 500 order by timestamp desc
--> {"id":"r2","timestamp":1739181660000000,"event_message":"POST | 546","status_code":546,"method":"POST","function_id":"fn-1","execution_time_ms":1900,"deployment_id":"fn-1_2","version":"2"}

-- one event with all it has
with edge_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `edge.logs.prod` as t)
select id, timestamp, event_message, metadata from edge_logs where id = 'e2' limit 1
--> {"id":"e2","timestamp":1739181660000000,"event_message":"POST | 401 | /auth/v1/token","metadata":[{"request":[{"method":"POST","path":"/auth/v1/token","cf":[{"country":"FR"}]}],"response":[{"status_code":401,"origin_time":30}]}]}

-- one event with a list of objects
with storage_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `storage.logs` as t)
select id, metadata from storage_logs where id = 's1' limit 1
--> {"id":"s1","metadata":[{"project":"default","tenantId":"default","level":"info","context":[{"host":"st-1","pid":7}]}]}

-- count
with edge_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `edge.logs.prod` as t)
SELECT count(*) as count FROM edge_logs
--> {"count":5}

-- count with filters
with edge_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `edge.logs.prod` as t)
SELECT count(*) as count FROM edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as response where response.status_code = 200
--> {"count":2}

-- chart by minute
-- edge-logs-chart
with edge_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `edge.logs.prod` as t)
select
  timestamp_trunc(t.timestamp, minute) as timestamp,
  count(CASE WHEN response.status_code BETWEEN 200 AND 299 THEN 1 END) as ok_count,
  count(CASE WHEN response.status_code BETWEEN 400 AND 499 THEN 1 END) as warning_count,
  count(CASE WHEN response.status_code >= 500 THEN 1 END) as error_count,
from edge_logs t
  cross join unnest(metadata) as metadata
  cross join unnest(metadata.response) as response
where t.timestamp > '2025-02-10T09:00:00.000Z'
group by timestamp
order by timestamp asc
--> {"timestamp":1739181600000000,"ok_count":1,"warning_count":0,"error_count":0}
--> {"timestamp":1739181660000000,"ok_count":0,"warning_count":1,"error_count":1}
--> {"timestamp":1739181780000000,"ok_count":2,"warning_count":0,"error_count":0}

-- chart by hour
with postgres_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `postgres.logs` as t)
select timestamp_trunc(t.timestamp, hour) as timestamp, count(t.timestamp) as count
from postgres_logs t where t.timestamp > '2025-02-10T10:00:00.000Z' group by timestamp order by timestamp
--> {"timestamp":1739181600000000,"count":2}

-- chart by day
with auth_logs as (select t.timestamp, t.id from `auth.logs` as t)
select timestamp_trunc(t.timestamp, day) as timestamp, count(t.timestamp) as count from auth_logs t group by timestamp order by timestamp
--> {"timestamp":1739145600000000,"count":3}

-- template: slowest paths
select cast(t.timestamp as datetime) as timestamp, r.path, s.origin_time
from `edge.logs.prod` as t
  left join unnest(t.metadata) as m on true
  left join unnest(m.request) as r on true
  left join unnest(m.response) as s on true
where starts_with(r.path, '/rest') order by s.origin_time desc limit 1
--> {"timestamp":"2025-02-10T10:01:01.5","path":"/rest/v1/todos","origin_time":99}

-- template: paths by number of requests
with edge_logs as (select t.timestamp, t.id, t.event_message, t.metadata from `edge.logs.prod` as t)
select r.path as path, r.method, count(path) as count
from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r
group by path, r.method order by count desc, path
--> {"path":"/rest/v1/todos","method":"GET","count":2}
--> {"path":"/auth/v1/token","method":"POST","count":1}
--> {"path":"/storage/v1/object","method":"GET","count":1}

-- template: countries
select cf.country, count(*) as count
from `edge.logs.prod` as t
  cross join unnest(t.metadata) as m
  cross join unnest(m.request) as r
  left join unnest(r.cf) as cf on true
group by cf.country order by count desc, country
--> {"country":"DE","count":2}
--> {"country":null,"count":1}
--> {"country":"FR","count":1}

-- template: severities
select count(t.timestamp) as count, p.error_severity
from `postgres.logs` as t cross join unnest(metadata) as m cross join unnest(m.parsed) as p
group by p.error_severity order by count desc, error_severity
--> {"count":1,"error_severity":"ERROR"}
--> {"count":1,"error_severity":"FATAL"}
--> {"count":1,"error_severity":"LOG"}

-- messages of the realtime service
select t.id, t.event_message, m.level from `realtime.logs` t cross join unnest(t.metadata) m where m.project = 'default'
--> {"id":"t1","event_message":"joined","level":"info"}

-- requests of each product over time
with
dates as (
  select (case when @interval = 'hourly' then timestamp_sub(current_timestamp(), interval 1 day)
    when @interval = 'daily' then timestamp_sub(current_timestamp(), interval 7 day)
    when @interval = 'minutely' then timestamp_sub(current_timestamp(), interval 60 minute) end) as start
),
chart_counts as (
select
  (case when @interval = 'hourly' then timestamp_trunc(f0.timestamp, hour)
    when @interval = 'daily' then timestamp_trunc(f0.timestamp, day)
    when @interval = 'minutely' then timestamp_trunc(f0.timestamp, minute) end) as timestamp,
  COUNTIF(REGEXP_CONTAINS(f2.path, '/rest')) as total_rest_requests,
  COUNTIF(REGEXP_CONTAINS(f2.path, '/storage')) as total_storage_requests,
  COUNTIF(REGEXP_CONTAINS(f2.path, '/auth')) as total_auth_requests
FROM dates, `edge.logs.prod` as f0
  LEFT JOIN UNNEST(f0.metadata) AS f1 ON TRUE
  LEFT JOIN UNNEST(f1.request) AS f2 ON TRUE
where f0.project = @project and f0.timestamp >= dates.start
GROUP BY timestamp
)
SELECT datetime(chart_counts.timestamp, 'UTC') as timestamp,
  coalesce(SUM(chart_counts.total_rest_requests), 0) as total_rest_requests,
  coalesce(SUM(chart_counts.total_storage_requests), 0) as total_storage_requests,
  coalesce(SUM(chart_counts.total_auth_requests), 0) as total_auth_requests
FROM chart_counts
GROUP BY timestamp
ORDER BY timestamp asc
--@ project = default
--@ interval = minutely
--> {"timestamp":"2025-02-10T10:00:00","total_rest_requests":1,"total_storage_requests":0,"total_auth_requests":0}
--> {"timestamp":"2025-02-10T10:01:00","total_rest_requests":1,"total_storage_requests":0,"total_auth_requests":1}
--> {"timestamp":"2025-02-10T10:03:00","total_rest_requests":0,"total_storage_requests":0,"total_auth_requests":0}

-- latency and outcomes of a function over time, gaps included
with buckets as (
  select bucket from unnest(generate_timestamp_array(timestamp '2025-02-10 09:59:00', timestamp '2025-02-10 10:01:00', interval 1 minute)) as bucket
),
counts as (
  select timestamp_trunc(t.timestamp, minute) as bucket, count(*) as requests, countif(r.status_code >= 500) as failures,
    approx_quantiles(m.execution_time_ms, 100)[offset(95)] as p95
  from `function.edge.logs` t cross join unnest(t.metadata) m cross join unnest(m.response) r
  where m.function_id = @function_id group by bucket
)
select b.bucket, coalesce(c.requests, 0) as requests, c.failures, c.p95
from buckets b left join counts c on b.bucket = c.bucket order by b.bucket
--@ function_id = fn-1
--> {"bucket":1739181540000000,"requests":0,"failures":null,"p95":null}
--> {"bucket":1739181600000000,"requests":1,"failures":0,"p95":25}
--> {"bucket":1739181660000000,"requests":1,"failures":1,"p95":1900}
