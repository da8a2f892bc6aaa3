-- # Sources whose fields are known

--= source typed
--= known name STRING, count INT64, ratio FLOAT64, ok BOOL, tags STRINGS, metadata ANY
--= {"id":"1","timestamp":1739181600000000,"event_message":"a","name":"x","count":3,"ratio":0.5,"ok":true,"tags":["a","b"],"metadata":{"level":"info"}}
--= {"id":"2","timestamp":1739181601000000,"event_message":"b","name":"y","count":4,"ratio":1.5,"ok":false}

-- values have the types of their fields
select name, count + 1 as next, ratio, ok, tags from typed order by id
--> {"name":"x","next":4,"ratio":0.5,"ok":true,"tags":["a","b"]}
--> {"name":"y","next":5,"ratio":1.5,"ok":false,"tags":[]}

-- conditions on known fields
select id from typed where ok and count between 3 and 4 and name like 'x%' and ratio < 1
--> {"id":"1"}

-- aggregates of known fields
select sum(count) as s, avg(ratio) as a, max(name) as m, countif(ok) as c from typed
--> {"s":7,"a":1.0,"m":"y","c":1}

-- lists of known type
select id, tag from typed, unnest(tags) as tag order by tag desc
--> {"id":"1","tag":"b"}
--> {"id":"1","tag":"a"}

-- objects of unknown fields
select t.id, m.level from typed t, unnest(t.metadata) as m
--> {"id":"1","level":"info"}

-- a bare name is the known field's, not that of an unnested object
select count, level from typed cross join unnest(metadata) m
--> {"count":3,"level":"info"}

-- another name
select nonsense from typed
--> refused UnknownField: Field "nonsense" does not exist.

-- another name behind an alias
select t.nonsense from typed t
--> refused UnknownField: Field "t.nonsense" does not exist.

-- a text for a number
select id from typed where count = 'x'
--> refused Invalid: No matching signature for operator = for argument types: INT64, STRING
