-- Frames of windows by months, years and computed distances.

create table m (id int primary key, g text, d date, ts timestamp, tz timestamptz, n numeric, x int, f float8, b bytea, j jsonb, iv interval);
--> no rows

insert into m values (1,'a','2023-12-29','2023-12-29 16:30:15.5','2023-12-29 16:30:15.5Z',0.6,14,0.3034012626245255,'\x01','{"a": 1}','5 days'), (2,'a','2023-10-28','2023-10-28 20:00:00','2023-10-28 20:00:00Z',3.3,2,0.05955110516885498,'\x02','{"a": 2}','12 days'), (3,'a','2023-10-01','2023-10-01 10:30:15.5','2023-10-01 10:30:15.5Z',3.3,7,0.6402917079191771,'\x03','{"a": 3}','31 days'), (4,'b','2024-05-31','2024-05-31 02:30:15.5','2024-05-31 02:30:15.5Z',4.8,7,0.5128846413570638,'\x04','{"a": 4}','1 days'), (5,'a','2024-12-30','2024-12-30 02:00:00','2024-12-30 02:00:00Z',1.3,6,0.9270421483387942,'\x05','{"a": 5}','3 days'), (6,'a','2023-08-31','2023-08-31 08:30:15.5','2023-08-31 08:30:15.5Z',1.9,10,0.015149511129231796,'\x06','{"a": 6}','26 days'), (7,'a',null,null,null,null,4,0.1,'\x07','{"a": 7}',null), (8,'b','2024-07-29','2024-07-29 21:00:00','2024-07-29 21:00:00Z',3.2,6,0.9852814058355556,'\x08','{"a": 8}','8 days'), (9,'a','2023-07-29','2023-07-29 08:30:15.5','2023-07-29 08:30:15.5Z',1.3,5,0.39427463707205435,'\x09','{"a": 9}','38 days'), (10,'b','2023-05-31','2023-05-31 10:30:15.5','2023-05-31 10:30:15.5Z',0.4,2,0.09011717296193023,'\x00','{"a": 10}','37 days'), (11,'b','2023-07-31','2023-07-31 15:00:00','2023-07-31 15:00:00Z',1.1,20,0.1541353189260608,'\x01','{"a": 11}','14 days'), (12,'a','2023-10-31','2023-10-31 12:30:15.5','2023-10-31 12:30:15.5Z',2.6,1,0.10383968136494803,'\x02','{"a": 12}','2 days'), (14,'a','2023-07-30','2023-07-30 06:00:00','2023-07-30 06:00:00Z',0.4,8,0.4114265624113792,'\x04','{"a": 14}','15 days'), (15,'b','2023-08-29','2023-08-29 11:00:00','2023-08-29 11:00:00Z',2.1,16,0.5844402681801789,'\x05','{"a": 15}','8 days'), (16,'a','2023-01-28','2023-01-28 22:30:15.5','2023-01-28 22:30:15.5Z',0.1,19,0.6361845215770129,'\x06','{"a": 16}','30 days'), (17,'a','2023-01-30','2023-01-30 17:30:15.5','2023-01-30 17:30:15.5Z',4.7,4,0.793266676093484,'\x07','{"a": 17}','21 days'), (18,'b','2024-02-28','2024-02-28 13:00:00','2024-02-28 13:00:00Z',3.6,0,0.6249605466594192,'\x08','{"a": 18}','24 days'), (19,'a','2024-10-01','2024-10-01 02:00:00','2024-10-01 02:00:00Z',1.6,13,0.7282070765655478,'\x09','{"a": 19}','24 days'), (20,'b','2024-08-28','2024-08-28 02:00:00','2024-08-28 02:00:00Z',3.8,2,0.48095681534924106,'\x00','{"a": 20}','14 days'), (21,'a','2024-01-30','2024-01-30 04:00:00','2024-01-30 04:00:00Z',4.8,10,0.659990004675846,'\x01','{"a": 21}','28 days'), (23,'b','2024-08-29','2024-08-29 04:00:00','2024-08-29 04:00:00Z',2.2,1,0.7112177615176067,'\x03','{"a": 23}','17 days'), (24,'b','2024-03-30','2024-03-30 20:30:15.5','2024-03-30 20:30:15.5Z',4.5,19,0.45247733831663584,'\x04','{"a": 24}','4 days'), (25,'b','2023-05-01','2023-05-01 08:30:15.5','2023-05-01 08:30:15.5Z',4.1,18,0.019114014811706048,'\x05','{"a": 25}','8 days'), (26,'a','2024-12-29','2024-12-29 04:00:00','2024-12-29 04:00:00Z',2.8,3,0.6299642364337412,'\x06','{"a": 26}','40 days'), (29,'a','2024-10-29','2024-10-29 14:30:15.5','2024-10-29 14:30:15.5Z',4.0,0,0.37680276893089015,'\x09','{"a": 29}','36 days'), (30,'a','2024-08-15','2024-08-15 06:00:00','2024-08-15 06:00:00Z',1.3,7,0.8999837367998255,'\x00','{"a": 30}','5 days'), (31,'a','2023-10-30','2023-10-30 16:00:00','2023-10-30 16:00:00Z',2.8,10,0.5503019274876791,'\x01','{"a": 31}','17 days'), (32,'a','2024-01-02','2024-01-02 02:30:15.5','2024-01-02 02:30:15.5Z',1.1,17,0.3350043273462612,'\x02','{"a": 32}','8 days'), (33,'a','2024-03-28','2024-03-28 15:00:00','2024-03-28 15:00:00Z',2.8,16,0.5587749726337915,'\x03','{"a": 33}','35 days'), (35,'a','2023-09-15','2023-09-15 06:30:15.5','2023-09-15 06:30:15.5Z',3.2,0,0.6052277488785253,'\x05','{"a": 35}','1 days'), (36,'b','2023-09-28','2023-09-28 18:00:00','2023-09-28 18:00:00Z',0.5,5,0.06590022840221099,'\x06','{"a": 36}','34 days'), (38,'b','2024-07-28','2024-07-28 03:00:00','2024-07-28 03:00:00Z',3.9,0,0.9252706785516646,'\x08','{"a": 38}','8 days'), (41,'b','2024-12-02','2024-12-02 13:00:00','2024-12-02 13:00:00Z',4.0,13,0.8251797521810806,'\x01','{"a": 41}','39 days'), (42,'a','2023-09-02','2023-09-02 17:00:00','2023-09-02 17:00:00Z',3.4,19,0.5866446633395866,'\x02','{"a": 42}','8 days'), (43,'a','2023-12-15','2023-12-15 10:30:15.5','2023-12-15 10:30:15.5Z',1.3,6,0.8875416897003484,'\x03','{"a": 43}','8 days'), (45,'a','2023-04-28','2023-04-28 00:00:00','2023-04-28 00:00:00Z',3.6,11,0.9113729731811138,'\x05','{"a": 45}','23 days'), (47,'a','2024-01-29','2024-01-29 06:00:00','2024-01-29 06:00:00Z',1.3,5,0.8402142909022217,'\x07','{"a": 47}','18 days'), (49,'a','2024-08-30','2024-08-30 06:30:15.5','2024-08-30 06:30:15.5Z',4.0,1,0.8442628696581048,'\x09','{"a": 49}','11 days'), (51,'a','2023-12-30','2023-12-30 02:30:15.5','2023-12-30 02:30:15.5Z',3.2,18,0.9826802487743984,'\x01','{"a": 51}','16 days'), (52,'b','2024-02-02','2024-02-02 12:00:00','2024-02-02 12:00:00Z',3.4,11,0.767269800839154,'\x02','{"a": 52}','11 days'), (53,'b','2024-05-30','2024-05-30 03:00:00','2024-05-30 03:00:00Z',4.0,19,0.04956980967601532,'\x03','{"a": 53}','17 days'), (54,'a','2024-06-02','2024-06-02 18:00:00','2024-06-02 18:00:00Z',2.4,16,0.9998870156526192,'\x04','{"a": 54}','13 days'), (56,'a','2024-07-01','2024-07-01 20:30:15.5','2024-07-01 20:30:15.5Z',0.6,8,0.25088745561012393,'\x06','{"a": 56}','21 days'), (57,'a','2024-09-01','2024-09-01 20:00:00','2024-09-01 20:00:00Z',2.4,5,0.3859024828058595,'\x07','{"a": 57}','10 days'), (58,'b','2024-07-30','2024-07-30 16:30:15.5','2024-07-30 16:30:15.5Z',2.3,16,0.28575041505130094,'\x08','{"a": 58}','17 days'), (59,'b','2023-12-31','2023-12-31 01:00:00','2023-12-31 01:00:00Z',4.8,12,0.05279145313458222,'\x09','{"a": 59}','20 days'), (60,'a','2024-03-31','2024-03-31 15:30:15.5','2024-03-31 15:30:15.5Z',0.2,16,0.09847295237534448,'\x00','{"a": 60}','29 days');
--> no rows

select id, jsonb_agg(j) over (partition by g order by tz nulls first range between make_interval(months => 1) following and unbounded following) as v from m where id <= 20 order by id;
--> {"id":1,"v":[{"a":19},{"a":5}]}
--> {"id":2,"v":[{"a":1},{"a":19},{"a":5}]}
--> {"id":3,"v":[{"a":1},{"a":19},{"a":5}]}
--> {"id":4,"v":[{"a":8},{"a":20}]}
--> {"id":5,"v":null}
--> {"id":6,"v":[{"a":3},{"a":2},{"a":12},{"a":1},{"a":19},{"a":5}]}
--> {"id":7,"v":[{"a":7},{"a":16},{"a":17},{"a":9},{"a":14},{"a":6},{"a":3},{"a":2},{"a":12},{"a":1},{"a":19},{"a":5}]}
--> {"id":8,"v":null}
--> {"id":9,"v":[{"a":6},{"a":3},{"a":2},{"a":12},{"a":1},{"a":19},{"a":5}]}
--> {"id":10,"v":[{"a":11},{"a":15},{"a":18},{"a":4},{"a":8},{"a":20}]}
--> {"id":11,"v":[{"a":18},{"a":4},{"a":8},{"a":20}]}
--> {"id":12,"v":[{"a":1},{"a":19},{"a":5}]}
--> {"id":14,"v":[{"a":6},{"a":3},{"a":2},{"a":12},{"a":1},{"a":19},{"a":5}]}
--> {"id":15,"v":[{"a":18},{"a":4},{"a":8},{"a":20}]}
--> {"id":16,"v":[{"a":9},{"a":14},{"a":6},{"a":3},{"a":2},{"a":12},{"a":1},{"a":19},{"a":5}]}
--> {"id":17,"v":[{"a":9},{"a":14},{"a":6},{"a":3},{"a":2},{"a":12},{"a":1},{"a":19},{"a":5}]}
--> {"id":18,"v":[{"a":4},{"a":8},{"a":20}]}
--> {"id":19,"v":[{"a":5}]}
--> {"id":20,"v":null}

select id, sum(n) over (partition by g order by ts range between unbounded preceding and unbounded following) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":"33.2"}
--> {"id":6,"v":"33.2"}
--> {"id":7,"v":"33.2"}
--> {"id":9,"v":"33.2"}
--> {"id":12,"v":"33.2"}
--> {"id":15,"v":"10.7"}
--> {"id":18,"v":"10.7"}
--> {"id":21,"v":"33.2"}
--> {"id":24,"v":"10.7"}
--> {"id":30,"v":"33.2"}
--> {"id":33,"v":"33.2"}
--> {"id":36,"v":"10.7"}
--> {"id":42,"v":"33.2"}
--> {"id":45,"v":"33.2"}
--> {"id":51,"v":"33.2"}
--> {"id":54,"v":"33.2"}
--> {"id":57,"v":"33.2"}
--> {"id":60,"v":"33.2"}

select id, nth_value(id, 2) over (order by d desc range between interval '10 days' preceding and interval '1' month preceding) as v from m where id <= 20 order by id;
--> {"id":1,"v":null}
--> {"id":2,"v":null}
--> {"id":3,"v":null}
--> {"id":4,"v":null}
--> {"id":5,"v":null}
--> {"id":6,"v":null}
--> {"id":7,"v":null}
--> {"id":8,"v":null}
--> {"id":9,"v":null}
--> {"id":10,"v":null}
--> {"id":11,"v":null}
--> {"id":12,"v":null}
--> {"id":14,"v":null}
--> {"id":15,"v":null}
--> {"id":16,"v":null}
--> {"id":17,"v":null}
--> {"id":18,"v":null}
--> {"id":19,"v":null}
--> {"id":20,"v":null}

select id, count(*) filter (where x > 5) over (partition by g order by tz desc nulls last range between interval '10 days' preceding and current row) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":1}
--> {"id":6,"v":2}
--> {"id":7,"v":0}
--> {"id":9,"v":0}
--> {"id":12,"v":0}
--> {"id":15,"v":1}
--> {"id":18,"v":0}
--> {"id":21,"v":1}
--> {"id":24,"v":1}
--> {"id":30,"v":1}
--> {"id":33,"v":2}
--> {"id":36,"v":0}
--> {"id":42,"v":1}
--> {"id":45,"v":1}
--> {"id":51,"v":1}
--> {"id":54,"v":1}
--> {"id":57,"v":0}
--> {"id":60,"v":1}

select id, sum(n) over (partition by g order by d nulls first range between unbounded preceding and unbounded following exclude group) as v from m where id <= 20 order by id;
--> {"id":1,"v":"20.5"}
--> {"id":2,"v":"17.8"}
--> {"id":3,"v":"17.8"}
--> {"id":4,"v":"14.2"}
--> {"id":5,"v":"19.8"}
--> {"id":6,"v":"19.2"}
--> {"id":7,"v":"21.1"}
--> {"id":8,"v":"15.8"}
--> {"id":9,"v":"19.8"}
--> {"id":10,"v":"18.6"}
--> {"id":11,"v":"17.9"}
--> {"id":12,"v":"18.5"}
--> {"id":14,"v":"20.7"}
--> {"id":15,"v":"16.9"}
--> {"id":16,"v":"21.0"}
--> {"id":17,"v":"16.4"}
--> {"id":18,"v":"15.4"}
--> {"id":19,"v":"19.5"}
--> {"id":20,"v":"15.2"}

select id, sum(x) filter (where g = 'a') over (order by ts range between current row and '2 months' following) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":8}
--> {"id":6,"v":36}
--> {"id":7,"v":4}
--> {"id":9,"v":34}
--> {"id":12,"v":19}
--> {"id":15,"v":36}
--> {"id":18,"v":32}
--> {"id":21,"v":26}
--> {"id":24,"v":16}
--> {"id":30,"v":12}
--> {"id":33,"v":32}
--> {"id":36,"v":8}
--> {"id":42,"v":27}
--> {"id":45,"v":11}
--> {"id":51,"v":28}
--> {"id":54,"v":16}
--> {"id":57,"v":5}
--> {"id":60,"v":16}

select id, array_agg(tz) over (partition by g order by d desc range between unbounded preceding and current row) as v from m where id <= 20 order by id;
--> {"id":1,"v":[null,"2024-12-30 02:00:00+00","2024-10-01 02:00:00+00","2023-12-29 16:30:15.5+00"]}
--> {"id":2,"v":[null,"2024-12-30 02:00:00+00","2024-10-01 02:00:00+00","2023-12-29 16:30:15.5+00","2023-10-31 12:30:15.5+00","2023-10-28 20:00:00+00"]}
--> {"id":3,"v":[null,"2024-12-30 02:00:00+00","2024-10-01 02:00:00+00","2023-12-29 16:30:15.5+00","2023-10-31 12:30:15.5+00","2023-10-28 20:00:00+00","2023-10-01 10:30:15.5+00"]}
--> {"id":4,"v":["2024-08-28 02:00:00+00","2024-07-29 21:00:00+00","2024-05-31 02:30:15.5+00"]}
--> {"id":5,"v":[null,"2024-12-30 02:00:00+00"]}
--> {"id":6,"v":[null,"2024-12-30 02:00:00+00","2024-10-01 02:00:00+00","2023-12-29 16:30:15.5+00","2023-10-31 12:30:15.5+00","2023-10-28 20:00:00+00","2023-10-01 10:30:15.5+00","2023-08-31 08:30:15.5+00"]}
--> {"id":7,"v":[null]}
--> {"id":8,"v":["2024-08-28 02:00:00+00","2024-07-29 21:00:00+00"]}
--> {"id":9,"v":[null,"2024-12-30 02:00:00+00","2024-10-01 02:00:00+00","2023-12-29 16:30:15.5+00","2023-10-31 12:30:15.5+00","2023-10-28 20:00:00+00","2023-10-01 10:30:15.5+00","2023-08-31 08:30:15.5+00","2023-07-30 06:00:00+00","2023-07-29 08:30:15.5+00"]}
--> {"id":10,"v":["2024-08-28 02:00:00+00","2024-07-29 21:00:00+00","2024-05-31 02:30:15.5+00","2024-02-28 13:00:00+00","2023-08-29 11:00:00+00","2023-07-31 15:00:00+00","2023-05-31 10:30:15.5+00"]}
--> {"id":11,"v":["2024-08-28 02:00:00+00","2024-07-29 21:00:00+00","2024-05-31 02:30:15.5+00","2024-02-28 13:00:00+00","2023-08-29 11:00:00+00","2023-07-31 15:00:00+00"]}
--> {"id":12,"v":[null,"2024-12-30 02:00:00+00","2024-10-01 02:00:00+00","2023-12-29 16:30:15.5+00","2023-10-31 12:30:15.5+00"]}
--> {"id":14,"v":[null,"2024-12-30 02:00:00+00","2024-10-01 02:00:00+00","2023-12-29 16:30:15.5+00","2023-10-31 12:30:15.5+00","2023-10-28 20:00:00+00","2023-10-01 10:30:15.5+00","2023-08-31 08:30:15.5+00","2023-07-30 06:00:00+00"]}
--> {"id":15,"v":["2024-08-28 02:00:00+00","2024-07-29 21:00:00+00","2024-05-31 02:30:15.5+00","2024-02-28 13:00:00+00","2023-08-29 11:00:00+00"]}
--> {"id":16,"v":[null,"2024-12-30 02:00:00+00","2024-10-01 02:00:00+00","2023-12-29 16:30:15.5+00","2023-10-31 12:30:15.5+00","2023-10-28 20:00:00+00","2023-10-01 10:30:15.5+00","2023-08-31 08:30:15.5+00","2023-07-30 06:00:00+00","2023-07-29 08:30:15.5+00","2023-01-30 17:30:15.5+00","2023-01-28 22:30:15.5+00"]}
--> {"id":17,"v":[null,"2024-12-30 02:00:00+00","2024-10-01 02:00:00+00","2023-12-29 16:30:15.5+00","2023-10-31 12:30:15.5+00","2023-10-28 20:00:00+00","2023-10-01 10:30:15.5+00","2023-08-31 08:30:15.5+00","2023-07-30 06:00:00+00","2023-07-29 08:30:15.5+00","2023-01-30 17:30:15.5+00"]}
--> {"id":18,"v":["2024-08-28 02:00:00+00","2024-07-29 21:00:00+00","2024-05-31 02:30:15.5+00","2024-02-28 13:00:00+00"]}
--> {"id":19,"v":[null,"2024-12-30 02:00:00+00","2024-10-01 02:00:00+00"]}
--> {"id":20,"v":["2024-08-28 02:00:00+00"]}

select id, first_value(b) over (partition by g order by d desc nulls last range between interval '1 year' preceding and current row exclude group) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":{"type":"Buffer","data":[7]}}
--> {"id":6,"v":{"type":"Buffer","data":[0]}}
--> {"id":7,"v":null}
--> {"id":9,"v":{"type":"Buffer","data":[4]}}
--> {"id":12,"v":{"type":"Buffer","data":[7]}}
--> {"id":15,"v":{"type":"Buffer","data":[4]}}
--> {"id":18,"v":{"type":"Buffer","data":[4]}}
--> {"id":21,"v":{"type":"Buffer","data":[7]}}
--> {"id":24,"v":null}
--> {"id":30,"v":{"type":"Buffer","data":[7]}}
--> {"id":33,"v":{"type":"Buffer","data":[7]}}
--> {"id":36,"v":{"type":"Buffer","data":[4]}}
--> {"id":42,"v":{"type":"Buffer","data":[7]}}
--> {"id":45,"v":{"type":"Buffer","data":[0]}}
--> {"id":51,"v":{"type":"Buffer","data":[7]}}
--> {"id":54,"v":{"type":"Buffer","data":[7]}}
--> {"id":57,"v":null}
--> {"id":60,"v":{"type":"Buffer","data":[7]}}

select id, bool_or(x > 10) over (partition by g order by ts nulls first range between unbounded preceding and unbounded following exclude current row) as v from m where id <= 20 order by id;
--> {"id":1,"v":true}
--> {"id":2,"v":true}
--> {"id":3,"v":true}
--> {"id":4,"v":true}
--> {"id":5,"v":true}
--> {"id":6,"v":true}
--> {"id":7,"v":true}
--> {"id":8,"v":true}
--> {"id":9,"v":true}
--> {"id":10,"v":true}
--> {"id":11,"v":true}
--> {"id":12,"v":true}
--> {"id":14,"v":true}
--> {"id":15,"v":true}
--> {"id":16,"v":true}
--> {"id":17,"v":true}
--> {"id":18,"v":true}
--> {"id":19,"v":true}
--> {"id":20,"v":true}

select id, json_agg(x) over (order by tz desc range between unbounded preceding and current row) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":[4,5,7,16,16,19,16,0,10,18,1,7]}
--> {"id":6,"v":[4,5,7,16,16,19,16,0,10,18,1,7,5,19,10]}
--> {"id":7,"v":[4]}
--> {"id":9,"v":[4,5,7,16,16,19,16,0,10,18,1,7,5,19,10,16,5]}
--> {"id":12,"v":[4,5,7,16,16,19,16,0,10,18,1]}
--> {"id":15,"v":[4,5,7,16,16,19,16,0,10,18,1,7,5,19,10,16]}
--> {"id":18,"v":[4,5,7,16,16,19,16,0]}
--> {"id":21,"v":[4,5,7,16,16,19,16,0,10]}
--> {"id":24,"v":[4,5,7,16,16,19]}
--> {"id":30,"v":[4,5,7]}
--> {"id":33,"v":[4,5,7,16,16,19,16]}
--> {"id":36,"v":[4,5,7,16,16,19,16,0,10,18,1,7,5]}
--> {"id":42,"v":[4,5,7,16,16,19,16,0,10,18,1,7,5,19]}
--> {"id":45,"v":[4,5,7,16,16,19,16,0,10,18,1,7,5,19,10,16,5,11]}
--> {"id":51,"v":[4,5,7,16,16,19,16,0,10,18]}
--> {"id":54,"v":[4,5,7,16]}
--> {"id":57,"v":[4,5]}
--> {"id":60,"v":[4,5,7,16,16]}

select id, max(d) over (partition by g order by ts desc nulls last range between unbounded preceding and unbounded following exclude ties) as v from m where id <= 20 order by id;
--> {"id":1,"v":"2024-12-30"}
--> {"id":2,"v":"2024-12-30"}
--> {"id":3,"v":"2024-12-30"}
--> {"id":4,"v":"2024-08-28"}
--> {"id":5,"v":"2024-12-30"}
--> {"id":6,"v":"2024-12-30"}
--> {"id":7,"v":"2024-12-30"}
--> {"id":8,"v":"2024-08-28"}
--> {"id":9,"v":"2024-12-30"}
--> {"id":10,"v":"2024-08-28"}
--> {"id":11,"v":"2024-08-28"}
--> {"id":12,"v":"2024-12-30"}
--> {"id":14,"v":"2024-12-30"}
--> {"id":15,"v":"2024-08-28"}
--> {"id":16,"v":"2024-12-30"}
--> {"id":17,"v":"2024-12-30"}
--> {"id":18,"v":"2024-08-28"}
--> {"id":19,"v":"2024-12-30"}
--> {"id":20,"v":"2024-08-28"}

select id, count(*) over (partition by g order by d range between current row and '2 months' following exclude current row) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":1}
--> {"id":6,"v":3}
--> {"id":7,"v":0}
--> {"id":9,"v":2}
--> {"id":12,"v":1}
--> {"id":15,"v":1}
--> {"id":18,"v":1}
--> {"id":21,"v":1}
--> {"id":24,"v":0}
--> {"id":30,"v":1}
--> {"id":33,"v":1}
--> {"id":36,"v":0}
--> {"id":42,"v":2}
--> {"id":45,"v":0}
--> {"id":51,"v":1}
--> {"id":54,"v":0}
--> {"id":57,"v":0}
--> {"id":60,"v":0}

select id, count(*) over (order by f range between (select 0.1) preceding and (select 0.1) following) as v from m where id <= 20 order by id;
--> {"id":1,"v":2}
--> {"id":2,"v":6}
--> {"id":3,"v":5}
--> {"id":4,"v":3}
--> {"id":5,"v":2}
--> {"id":6,"v":5}
--> {"id":7,"v":6}
--> {"id":8,"v":2}
--> {"id":9,"v":4}
--> {"id":10,"v":6}
--> {"id":11,"v":5}
--> {"id":12,"v":6}
--> {"id":14,"v":3}
--> {"id":15,"v":5}
--> {"id":16,"v":5}
--> {"id":17,"v":2}
--> {"id":18,"v":4}
--> {"id":19,"v":4}
--> {"id":20,"v":4}

select id, array_agg(id) over (order by d desc range between interval '1 month' preceding and interval '1 month' * 2 following) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":[12,3,36,42,6,15]}
--> {"id":6,"v":[36,42,6,15,9]}
--> {"id":7,"v":[7]}
--> {"id":9,"v":[15,9]}
--> {"id":12,"v":[12,3,36,42,6]}
--> {"id":15,"v":[36,42,6,15,9]}
--> {"id":18,"v":[33,18,21,51]}
--> {"id":21,"v":[18,21,51]}
--> {"id":24,"v":[60,24,33,18,21]}
--> {"id":30,"v":[57,30]}
--> {"id":33,"v":[60,24,33,18,21]}
--> {"id":36,"v":[3,36,42,6,15,9]}
--> {"id":42,"v":[3,36,42,6,15,9]}
--> {"id":45,"v":[45]}
--> {"id":51,"v":[21,51,12]}
--> {"id":54,"v":[54]}
--> {"id":57,"v":[57,30]}
--> {"id":60,"v":[60,24,33,18]}

select id, count(*) over (order by tz desc nulls last range between make_interval(months => 1) preceding and '0'::interval preceding exclude ties) as v from m where id <= 20 order by id;
--> {"id":1,"v":1}
--> {"id":2,"v":2}
--> {"id":3,"v":3}
--> {"id":4,"v":1}
--> {"id":5,"v":1}
--> {"id":6,"v":1}
--> {"id":7,"v":1}
--> {"id":8,"v":2}
--> {"id":9,"v":3}
--> {"id":10,"v":1}
--> {"id":11,"v":3}
--> {"id":12,"v":1}
--> {"id":14,"v":3}
--> {"id":15,"v":2}
--> {"id":16,"v":2}
--> {"id":17,"v":1}
--> {"id":18,"v":1}
--> {"id":19,"v":1}
--> {"id":20,"v":1}

select id, lag(id) over (partition by g order by d desc range between (interval '1 month' + interval '2 days') preceding and unbounded following) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":12}
--> {"id":6,"v":42}
--> {"id":7,"v":null}
--> {"id":9,"v":6}
--> {"id":12,"v":51}
--> {"id":15,"v":36}
--> {"id":18,"v":24}
--> {"id":21,"v":33}
--> {"id":24,"v":null}
--> {"id":30,"v":57}
--> {"id":33,"v":60}
--> {"id":36,"v":18}
--> {"id":42,"v":3}
--> {"id":45,"v":9}
--> {"id":51,"v":21}
--> {"id":54,"v":30}
--> {"id":57,"v":7}
--> {"id":60,"v":54}

select id, array_agg(tz) over (order by ts desc nulls last range between current row and current row) as v from m where id <= 20 order by id;
--> {"id":1,"v":["2023-12-29 16:30:15.5+00"]}
--> {"id":2,"v":["2023-10-28 20:00:00+00"]}
--> {"id":3,"v":["2023-10-01 10:30:15.5+00"]}
--> {"id":4,"v":["2024-05-31 02:30:15.5+00"]}
--> {"id":5,"v":["2024-12-30 02:00:00+00"]}
--> {"id":6,"v":["2023-08-31 08:30:15.5+00"]}
--> {"id":7,"v":[null]}
--> {"id":8,"v":["2024-07-29 21:00:00+00"]}
--> {"id":9,"v":["2023-07-29 08:30:15.5+00"]}
--> {"id":10,"v":["2023-05-31 10:30:15.5+00"]}
--> {"id":11,"v":["2023-07-31 15:00:00+00"]}
--> {"id":12,"v":["2023-10-31 12:30:15.5+00"]}
--> {"id":14,"v":["2023-07-30 06:00:00+00"]}
--> {"id":15,"v":["2023-08-29 11:00:00+00"]}
--> {"id":16,"v":["2023-01-28 22:30:15.5+00"]}
--> {"id":17,"v":["2023-01-30 17:30:15.5+00"]}
--> {"id":18,"v":["2024-02-28 13:00:00+00"]}
--> {"id":19,"v":["2024-10-01 02:00:00+00"]}
--> {"id":20,"v":["2024-08-28 02:00:00+00"]}

select id, array_agg(j) over (order by tz desc range between interval '1 day' - interval '1 microsecond' preceding and interval '1 month' preceding exclude current row) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":null}
--> {"id":6,"v":null}
--> {"id":7,"v":null}
--> {"id":9,"v":null}
--> {"id":12,"v":null}
--> {"id":15,"v":null}
--> {"id":18,"v":null}
--> {"id":21,"v":null}
--> {"id":24,"v":null}
--> {"id":30,"v":null}
--> {"id":33,"v":null}
--> {"id":36,"v":null}
--> {"id":42,"v":null}
--> {"id":45,"v":null}
--> {"id":51,"v":null}
--> {"id":54,"v":null}
--> {"id":57,"v":null}
--> {"id":60,"v":null}

select id, array_agg(id) over (partition by g order by d desc nulls last range between interval '1 day' - interval '1 microsecond' preceding and (interval '1 month' + interval '2 days') preceding exclude current row) as v from m where id <= 20 order by id;
--> {"id":1,"v":null}
--> {"id":2,"v":null}
--> {"id":3,"v":null}
--> {"id":4,"v":null}
--> {"id":5,"v":null}
--> {"id":6,"v":null}
--> {"id":7,"v":null}
--> {"id":8,"v":null}
--> {"id":9,"v":null}
--> {"id":10,"v":null}
--> {"id":11,"v":null}
--> {"id":12,"v":null}
--> {"id":14,"v":null}
--> {"id":15,"v":null}
--> {"id":16,"v":null}
--> {"id":17,"v":null}
--> {"id":18,"v":null}
--> {"id":19,"v":null}
--> {"id":20,"v":null}

select id, avg(n) over (order by ts range between unbounded preceding and interval '1 month' * 2 preceding exclude ties) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":"2.4500000000000000"}
--> {"id":6,"v":"3.6000000000000000"}
--> {"id":7,"v":"2.5823529411764706"}
--> {"id":9,"v":"3.6000000000000000"}
--> {"id":12,"v":"2.2250000000000000"}
--> {"id":15,"v":"3.6000000000000000"}
--> {"id":18,"v":"2.3375000000000000"}
--> {"id":21,"v":"2.3375000000000000"}
--> {"id":24,"v":"2.6700000000000000"}
--> {"id":30,"v":"2.6800000000000000"}
--> {"id":33,"v":"2.4333333333333333"}
--> {"id":36,"v":"3.6000000000000000"}
--> {"id":42,"v":"3.6000000000000000"}
--> {"id":45,"v":null}
--> {"id":51,"v":"2.3000000000000000"}
--> {"id":54,"v":"2.7000000000000000"}
--> {"id":57,"v":"2.6800000000000000"}
--> {"id":60,"v":"2.6700000000000000"}

select id, count(*) over (order by x range between 3 preceding and 3 following) as v from m where id <= 20 order by id;
--> {"id":1,"v":3}
--> {"id":2,"v":8}
--> {"id":3,"v":9}
--> {"id":4,"v":9}
--> {"id":5,"v":8}
--> {"id":6,"v":5}
--> {"id":7,"v":11}
--> {"id":8,"v":8}
--> {"id":9,"v":11}
--> {"id":10,"v":8}
--> {"id":11,"v":2}
--> {"id":12,"v":7}
--> {"id":14,"v":7}
--> {"id":15,"v":4}
--> {"id":16,"v":3}
--> {"id":17,"v":11}
--> {"id":18,"v":5}
--> {"id":19,"v":4}
--> {"id":20,"v":8}

select id, nth_value(id, 2) over (partition by g order by d nulls first range between make_interval(months => 1) preceding and unbounded following) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":3}
--> {"id":6,"v":42}
--> {"id":7,"v":45}
--> {"id":9,"v":6}
--> {"id":12,"v":12}
--> {"id":15,"v":36}
--> {"id":18,"v":24}
--> {"id":21,"v":21}
--> {"id":24,"v":null}
--> {"id":30,"v":57}
--> {"id":33,"v":60}
--> {"id":36,"v":36}
--> {"id":42,"v":42}
--> {"id":45,"v":9}
--> {"id":51,"v":21}
--> {"id":54,"v":30}
--> {"id":57,"v":57}
--> {"id":60,"v":60}

select id, max(d) over (partition by g order by tz range between interval '1 month' preceding and (interval '1 month' + interval '2 days') following) as v from m where id <= 20 order by id;
--> {"id":1,"v":"2023-12-29"}
--> {"id":2,"v":"2023-10-31"}
--> {"id":3,"v":"2023-10-31"}
--> {"id":4,"v":"2024-05-31"}
--> {"id":5,"v":"2024-12-30"}
--> {"id":6,"v":"2023-10-01"}
--> {"id":7,"v":null}
--> {"id":8,"v":"2024-08-28"}
--> {"id":9,"v":"2023-08-31"}
--> {"id":10,"v":"2023-05-31"}
--> {"id":11,"v":"2023-08-29"}
--> {"id":12,"v":"2023-10-31"}
--> {"id":14,"v":"2023-08-31"}
--> {"id":15,"v":"2023-08-29"}
--> {"id":16,"v":"2023-01-30"}
--> {"id":17,"v":"2023-01-30"}
--> {"id":18,"v":"2024-02-28"}
--> {"id":19,"v":"2024-10-01"}
--> {"id":20,"v":"2024-08-28"}

select id, row_number() over (order by tz range between unbounded preceding and (interval '1 month' + interval '2 days') following) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":7}
--> {"id":6,"v":4}
--> {"id":7,"v":18}
--> {"id":9,"v":2}
--> {"id":12,"v":8}
--> {"id":15,"v":3}
--> {"id":18,"v":11}
--> {"id":21,"v":10}
--> {"id":24,"v":13}
--> {"id":30,"v":16}
--> {"id":33,"v":12}
--> {"id":36,"v":6}
--> {"id":42,"v":5}
--> {"id":45,"v":1}
--> {"id":51,"v":9}
--> {"id":54,"v":15}
--> {"id":57,"v":17}
--> {"id":60,"v":14}

select id, rank() over (order by tz desc range between current row and unbounded following) as v from m where id <= 20 order by id;
--> {"id":1,"v":8}
--> {"id":2,"v":10}
--> {"id":3,"v":11}
--> {"id":4,"v":6}
--> {"id":5,"v":2}
--> {"id":6,"v":12}
--> {"id":7,"v":1}
--> {"id":8,"v":5}
--> {"id":9,"v":16}
--> {"id":10,"v":17}
--> {"id":11,"v":14}
--> {"id":12,"v":9}
--> {"id":14,"v":15}
--> {"id":15,"v":13}
--> {"id":16,"v":19}
--> {"id":17,"v":18}
--> {"id":18,"v":7}
--> {"id":19,"v":3}
--> {"id":20,"v":4}

select id, sum(x) over (partition by g order by n desc range 1 preceding) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":37}
--> {"id":6,"v":48}
--> {"id":7,"v":4}
--> {"id":9,"v":22}
--> {"id":12,"v":72}
--> {"id":15,"v":16}
--> {"id":18,"v":19}
--> {"id":21,"v":10}
--> {"id":24,"v":19}
--> {"id":30,"v":22}
--> {"id":33,"v":71}
--> {"id":36,"v":5}
--> {"id":42,"v":30}
--> {"id":45,"v":11}
--> {"id":51,"v":55}
--> {"id":54,"v":82}
--> {"id":57,"v":82}
--> {"id":60,"v":16}

select id, last_value(id) over (partition by g order by ts desc range between (interval '1 month' + interval '2 days') following and interval '1 year' following) as v from m where id <= 20 order by id;
--> {"id":1,"v":16}
--> {"id":2,"v":16}
--> {"id":3,"v":16}
--> {"id":4,"v":10}
--> {"id":5,"v":19}
--> {"id":6,"v":16}
--> {"id":7,"v":7}
--> {"id":8,"v":11}
--> {"id":9,"v":16}
--> {"id":10,"v":null}
--> {"id":11,"v":10}
--> {"id":12,"v":16}
--> {"id":14,"v":16}
--> {"id":15,"v":10}
--> {"id":16,"v":null}
--> {"id":17,"v":null}
--> {"id":18,"v":10}
--> {"id":19,"v":3}
--> {"id":20,"v":15}

select id, min(n) over (partition by g order by d desc range between interval '1 year' preceding and current row exclude current row) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":"0.2"}
--> {"id":6,"v":"0.2"}
--> {"id":7,"v":null}
--> {"id":9,"v":"0.2"}
--> {"id":12,"v":"0.2"}
--> {"id":15,"v":"0.5"}
--> {"id":18,"v":"4.5"}
--> {"id":21,"v":"0.2"}
--> {"id":24,"v":null}
--> {"id":30,"v":"2.4"}
--> {"id":33,"v":"0.2"}
--> {"id":36,"v":"3.6"}
--> {"id":42,"v":"0.2"}
--> {"id":45,"v":"0.2"}
--> {"id":51,"v":"0.2"}
--> {"id":54,"v":"1.3"}
--> {"id":57,"v":null}
--> {"id":60,"v":"1.3"}

select id, nth_value(id, 2) over (order by d desc range between current row and interval '1 month 3 days' following) as v from m where id <= 20 order by id;
--> {"id":1,"v":null}
--> {"id":2,"v":3}
--> {"id":3,"v":6}
--> {"id":4,"v":null}
--> {"id":5,"v":null}
--> {"id":6,"v":15}
--> {"id":7,"v":null}
--> {"id":8,"v":null}
--> {"id":9,"v":null}
--> {"id":10,"v":null}
--> {"id":11,"v":14}
--> {"id":12,"v":2}
--> {"id":14,"v":9}
--> {"id":15,"v":11}
--> {"id":16,"v":null}
--> {"id":17,"v":16}
--> {"id":18,"v":null}
--> {"id":19,"v":null}
--> {"id":20,"v":8}

select id, count(*) over (order by n range between 0.1 + 0.2 preceding and 0.1 + 0.2 following) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":5}
--> {"id":6,"v":2}
--> {"id":7,"v":1}
--> {"id":9,"v":2}
--> {"id":12,"v":4}
--> {"id":15,"v":4}
--> {"id":18,"v":4}
--> {"id":21,"v":2}
--> {"id":24,"v":2}
--> {"id":30,"v":2}
--> {"id":33,"v":2}
--> {"id":36,"v":2}
--> {"id":42,"v":5}
--> {"id":45,"v":4}
--> {"id":51,"v":3}
--> {"id":54,"v":4}
--> {"id":57,"v":4}
--> {"id":60,"v":2}

select id, count(*) over (order by n range between (select 1.5) preceding and (select 1.5) following) as v from m where id <= 20 order by id;
--> {"id":1,"v":10}
--> {"id":2,"v":10}
--> {"id":3,"v":10}
--> {"id":4,"v":6}
--> {"id":5,"v":11}
--> {"id":6,"v":13}
--> {"id":7,"v":1}
--> {"id":8,"v":9}
--> {"id":9,"v":11}
--> {"id":10,"v":9}
--> {"id":11,"v":11}
--> {"id":12,"v":12}
--> {"id":14,"v":9}
--> {"id":15,"v":12}
--> {"id":16,"v":8}
--> {"id":17,"v":7}
--> {"id":18,"v":9}
--> {"id":19,"v":11}
--> {"id":20,"v":8}

select id, bool_or(x > 10) over (partition by g order by ts desc range between unbounded preceding and unbounded following) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":true}
--> {"id":6,"v":true}
--> {"id":7,"v":true}
--> {"id":9,"v":true}
--> {"id":12,"v":true}
--> {"id":15,"v":true}
--> {"id":18,"v":true}
--> {"id":21,"v":true}
--> {"id":24,"v":true}
--> {"id":30,"v":true}
--> {"id":33,"v":true}
--> {"id":36,"v":true}
--> {"id":42,"v":true}
--> {"id":45,"v":true}
--> {"id":51,"v":true}
--> {"id":54,"v":true}
--> {"id":57,"v":true}
--> {"id":60,"v":true}

select id, rank() over (partition by g order by d desc nulls last range between interval '10 days' following and '2 months' following) as v from m where id <= 20 order by id;
--> {"id":1,"v":3}
--> {"id":2,"v":5}
--> {"id":3,"v":6}
--> {"id":4,"v":3}
--> {"id":5,"v":1}
--> {"id":6,"v":7}
--> {"id":7,"v":12}
--> {"id":8,"v":2}
--> {"id":9,"v":9}
--> {"id":10,"v":7}
--> {"id":11,"v":6}
--> {"id":12,"v":4}
--> {"id":14,"v":8}
--> {"id":15,"v":5}
--> {"id":16,"v":11}
--> {"id":17,"v":10}
--> {"id":18,"v":4}
--> {"id":19,"v":2}
--> {"id":20,"v":1}

select id, row_number() over (order by ts desc nulls last range between unbounded preceding and interval '1 month' preceding exclude current row) as v from m where id % 3 = 0 or d is null order by id;
--> {"id":3,"v":11}
--> {"id":6,"v":14}
--> {"id":7,"v":18}
--> {"id":9,"v":16}
--> {"id":12,"v":10}
--> {"id":15,"v":15}
--> {"id":18,"v":7}
--> {"id":21,"v":8}
--> {"id":24,"v":5}
--> {"id":30,"v":2}
--> {"id":33,"v":6}
--> {"id":36,"v":12}
--> {"id":42,"v":13}
--> {"id":45,"v":17}
--> {"id":51,"v":9}
--> {"id":54,"v":3}
--> {"id":57,"v":1}
--> {"id":60,"v":4}

select g, date_trunc('month', ts) as mo, sum(x) as s, sum(sum(x)) over (partition by g order by date_trunc('month', ts) range between interval '2 months' preceding and current row) as r from m where ts is not null group by 1, 2 order by 1, 2;
--> {"g":"a","mo":"2023-01-01 00:00:00","s":23,"r":"23"}
--> {"g":"a","mo":"2023-04-01 00:00:00","s":11,"r":"11"}
--> {"g":"a","mo":"2023-07-01 00:00:00","s":13,"r":"13"}
--> {"g":"a","mo":"2023-08-01 00:00:00","s":10,"r":"23"}
--> {"g":"a","mo":"2023-09-01 00:00:00","s":19,"r":"42"}
--> {"g":"a","mo":"2023-10-01 00:00:00","s":20,"r":"49"}
--> {"g":"a","mo":"2023-12-01 00:00:00","s":38,"r":"58"}
--> {"g":"a","mo":"2024-01-01 00:00:00","s":32,"r":"70"}
--> {"g":"a","mo":"2024-03-01 00:00:00","s":32,"r":"64"}
--> {"g":"a","mo":"2024-06-01 00:00:00","s":16,"r":"16"}
--> {"g":"a","mo":"2024-07-01 00:00:00","s":8,"r":"24"}
--> {"g":"a","mo":"2024-08-01 00:00:00","s":8,"r":"32"}
--> {"g":"a","mo":"2024-09-01 00:00:00","s":5,"r":"21"}
--> {"g":"a","mo":"2024-10-01 00:00:00","s":13,"r":"26"}
--> {"g":"a","mo":"2024-12-01 00:00:00","s":9,"r":"22"}
--> {"g":"b","mo":"2023-05-01 00:00:00","s":20,"r":"20"}
--> {"g":"b","mo":"2023-07-01 00:00:00","s":20,"r":"40"}
--> {"g":"b","mo":"2023-08-01 00:00:00","s":16,"r":"36"}
--> {"g":"b","mo":"2023-09-01 00:00:00","s":5,"r":"41"}
--> {"g":"b","mo":"2023-12-01 00:00:00","s":12,"r":"12"}
--> {"g":"b","mo":"2024-02-01 00:00:00","s":11,"r":"23"}
--> {"g":"b","mo":"2024-03-01 00:00:00","s":19,"r":"30"}
--> {"g":"b","mo":"2024-05-01 00:00:00","s":26,"r":"45"}
--> {"g":"b","mo":"2024-07-01 00:00:00","s":22,"r":"48"}
--> {"g":"b","mo":"2024-08-01 00:00:00","s":3,"r":"25"}
--> {"g":"b","mo":"2024-12-01 00:00:00","s":13,"r":"13"}

select g, sum(x) as s from m group by g having sum(x) > (select avg(q) from (select sum(x) over (order by d range interval '1 month' preceding) as q from m) z) order by 1;
--> {"g":"a","s":261}
--> {"g":"b","s":167}

select distinct g, max(x) over (partition by g order by d range between interval '1 month' preceding and interval '1 month' following) as w from m order by 1, 2;
--> {"g":"a","w":4}
--> {"g":"a","w":6}
--> {"g":"a","w":7}
--> {"g":"a","w":8}
--> {"g":"a","w":10}
--> {"g":"a","w":11}
--> {"g":"a","w":13}
--> {"g":"a","w":16}
--> {"g":"a","w":18}
--> {"g":"a","w":19}
--> {"g":"b","w":11}
--> {"g":"b","w":12}
--> {"g":"b","w":13}
--> {"g":"b","w":16}
--> {"g":"b","w":18}
--> {"g":"b","w":19}
--> {"g":"b","w":20}

select id from m order by count(*) over (order by d range between interval '1 month' preceding and current row) desc, id limit 5;
--> {"id":20}
--> {"id":21}
--> {"id":23}
--> {"id":32}
--> {"id":36}

select id, generate_series(1, 2) as s, count(*) over (order by d range between interval '1 month' preceding and current row) as c from m where id < 5 order by 1, 2;
--> {"id":1,"s":1,"c":1}
--> {"id":1,"s":2,"c":1}
--> {"id":2,"s":1,"c":2}
--> {"id":2,"s":2,"c":2}
--> {"id":3,"s":1,"c":1}
--> {"id":3,"s":2,"c":1}
--> {"id":4,"s":1,"c":1}
--> {"id":4,"s":2,"c":1}

select id, count(*) over w as a, sum(x) over w as b, first_value(id) over (order by ts range between interval '1 month' preceding and current row exclude current row) as c from m window w as (order by ts range between interval '1 month' preceding and current row) order by id limit 10;
--> {"id":1,"a":2,"b":20,"c":43}
--> {"id":2,"a":2,"b":9,"c":3}
--> {"id":3,"a":4,"b":31,"c":42}
--> {"id":4,"a":2,"b":26,"c":53}
--> {"id":5,"a":3,"b":22,"c":41}
--> {"id":6,"a":3,"b":46,"c":11}
--> {"id":7,"a":1,"b":4,"c":null}
--> {"id":8,"a":3,"b":14,"c":56}
--> {"id":9,"a":1,"b":5,"c":null}
--> {"id":10,"a":2,"b":20,"c":25}

create view mv as select id, sum(x) over (order by d range between interval '1 month' preceding and current row) as s from m;
--> no rows

select * from mv order by id limit 4;
--> {"id":1,"s":20}
--> {"id":2,"s":14}
--> {"id":3,"s":31}
--> {"id":4,"s":26}

create function fw(p interval) returns table (i int, c bigint) language plpgsql as $$ begin return query select id, count(*) over (order by d range between p preceding and current row) from m order by id limit 5; end $$;
--> no rows

select * from fw('1 month');
--> {"i":1,"c":2}
--> {"i":2,"c":3}
--> {"i":3,"c":4}
--> {"i":4,"c":2}
--> {"i":5,"c":3}

select * from fw('40 days');
--> {"i":1,"c":2}
--> {"i":2,"c":3}
--> {"i":3,"c":6}
--> {"i":4,"c":2}
--> {"i":5,"c":3}

select * from fw('-1 day');
--> ERROR 22013: invalid preceding or following size in window function

create function fq(p interval) returns table (i int, c bigint) language sql as $$ select id, count(*) over (order by d range between p preceding and current row) from m order by id limit 5 $$;
--> no rows

select * from fq('1 month');
--> {"i":1,"c":2}
--> {"i":2,"c":3}
--> {"i":3,"c":4}
--> {"i":4,"c":2}
--> {"i":5,"c":3}

create function fr(p int) returns table (i int, c bigint) language plpgsql as $$ begin return query select id, count(*) over (order by id rows between p preceding and current row) from m order by id limit 5; end $$;
--> no rows

select * from fr(2);
--> {"i":1,"c":1}
--> {"i":2,"c":2}
--> {"i":3,"c":3}
--> {"i":4,"c":3}
--> {"i":5,"c":3}

select * from fr(-1);
--> ERROR 22013: frame starting offset must not be negative

prepare pq(interval) as select id, count(*) over (order by d range between $1 preceding and current row) from m order by id limit 3;
--> no rows

execute pq('1 month');
--> ERROR 26000: prepared statement "pq" does not exist

set timezone = 'America/New_York';
--> no rows

select id, count(*) over (order by tz range between interval '1 month' preceding and current row) as v from m order by id;
--> {"id":1,"v":2}
--> {"id":2,"v":2}
--> {"id":3,"v":4}
--> {"id":4,"v":2}
--> {"id":5,"v":3}
--> {"id":6,"v":3}
--> {"id":7,"v":1}
--> {"id":8,"v":3}
--> {"id":9,"v":1}
--> {"id":10,"v":2}
--> {"id":11,"v":3}
--> {"id":12,"v":4}
--> {"id":14,"v":2}
--> {"id":15,"v":3}
--> {"id":16,"v":1}
--> {"id":17,"v":2}
--> {"id":18,"v":4}
--> {"id":19,"v":2}
--> {"id":20,"v":5}
--> {"id":21,"v":4}
--> {"id":23,"v":5}
--> {"id":24,"v":2}
--> {"id":25,"v":2}
--> {"id":26,"v":2}
--> {"id":29,"v":2}
--> {"id":30,"v":4}
--> {"id":31,"v":3}
--> {"id":32,"v":5}
--> {"id":33,"v":1}
--> {"id":35,"v":4}
--> {"id":36,"v":5}
--> {"id":38,"v":2}
--> {"id":41,"v":1}
--> {"id":42,"v":3}
--> {"id":43,"v":1}
--> {"id":45,"v":1}
--> {"id":47,"v":5}
--> {"id":49,"v":5}
--> {"id":51,"v":3}
--> {"id":52,"v":3}
--> {"id":53,"v":1}
--> {"id":54,"v":3}
--> {"id":56,"v":2}
--> {"id":57,"v":5}
--> {"id":58,"v":4}
--> {"id":59,"v":4}
--> {"id":60,"v":3}

select id, array_agg(id) over (order by d range between 1 preceding and current row) from m order by id;
--> ERROR 0A000: RANGE with offset PRECEDING/FOLLOWING is not supported for column type date and offset type integer
--> HINT: Cast the offset value to an appropriate type.
--> AT 57

select id, array_agg(id) over (order by g range between 1 preceding and current row) from m order by id;
--> ERROR 0A000: RANGE with offset PRECEDING/FOLLOWING is not supported for column type text
--> AT 57

select id, count(*) over (order by x range between 1.5 preceding and current row) from m order by id;
--> ERROR 0A000: RANGE with offset PRECEDING/FOLLOWING is not supported for column type integer and offset type numeric
--> HINT: Cast the offset value to an appropriate type.
--> AT 52

select id, count(*) over (order by x range between interval '1 day' preceding and current row) from m order by id;
--> ERROR 0A000: RANGE with offset PRECEDING/FOLLOWING is not supported for column type integer and offset type interval
--> HINT: Cast the offset value to an appropriate type.
--> AT 61

select id, count(*) over (order by x range between '3' preceding and current row) as n from m where id < 10 order by id;
--> {"id":1,"n":1}
--> {"id":2,"n":1}
--> {"id":3,"n":6}
--> {"id":4,"n":6}
--> {"id":5,"n":4}
--> {"id":6,"n":3}
--> {"id":7,"n":2}
--> {"id":8,"n":4}
--> {"id":9,"n":3}

select id, count(*) over (order by d range between interval '-1 month' preceding and current row) from m order by id;
--> ERROR 22013: invalid preceding or following size in window function

select id, count(*) over (order by d range between interval '1 day' - interval '2 days' preceding and current row) from m order by id;
--> ERROR 22013: invalid preceding or following size in window function

select id, count(*) over (order by d range between null preceding and current row) from m order by id;
--> ERROR 22004: frame starting offset must not be null

select id, count(*) over (order by d range between current row and null following) from m order by id;
--> ERROR 22004: frame ending offset must not be null

select id, count(*) over (order by d rows between id preceding and current row) from m order by id;
--> ERROR 42P10: argument of ROWS must not contain variables
--> AT 51

select id, count(*) over (order by d rows between -1 preceding and current row) from m order by id;
--> ERROR 22013: frame starting offset must not be negative

select id, count(*) over (order by d groups between current row and -1 following) from m order by id;
--> ERROR 22013: frame ending offset must not be negative

select id, count(*) over (order by x range between current row and -1 following) from m order by id;
--> ERROR 22013: invalid preceding or following size in window function

select id, count(*) over (order by id rows between 1 following and 1 preceding) from m order by id;
--> ERROR 42P20: frame starting from following row cannot have preceding rows
--> AT 68

select id, count(*) over (order by id rows 1 following) from m order by id;
--> ERROR 42P20: frame starting from following row cannot end with current row
--> AT 44

select id, count(*) over (order by id rows 1.5 preceding) as n from m where id < 6 order by id;
--> {"id":1,"n":1}
--> {"id":2,"n":2}
--> {"id":3,"n":3}
--> {"id":4,"n":3}
--> {"id":5,"n":3}

select id, count(*) over (order by id rows '1' preceding) as n from m where id < 6 order by id;
--> {"id":1,"n":1}
--> {"id":2,"n":2}
--> {"id":3,"n":2}
--> {"id":4,"n":2}
--> {"id":5,"n":2}

select id, count(*) over (order by id rows 'a' preceding) from m order by id;
--> ERROR 22P02: invalid input syntax for type bigint: "a"
--> AT 44

select id, count(*) over (order by id rows interval '1 day' preceding) from m order by id;
--> ERROR 42804: argument of ROWS must be type bigint, not type interval
--> AT 53
