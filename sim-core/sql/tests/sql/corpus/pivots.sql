-- Rows turned into columns, and trees: the extension tablefunc.

create extension tablefunc;
--> no rows

select count(*) from normal_rand(10, 5, 3);
--> {"count":10}

create table ct(id serial, rowid text, attribute text, value text);
--> no rows

insert into ct(rowid, attribute, value) values ('test1','att1','val1'),('test1','att2','val2'),('test1','att3','val3'),('test1','att4','val4'),('test2','att1','val5'),('test2','att2','val6'),('test2','att3','val7'),('test2','att4','val8');
--> no rows

select * from crosstab('select rowid, attribute, value from ct where attribute = ''att2'' or attribute = ''att3'' order by 1,2') as ct(row_name text, category_1 text, category_2 text, category_3 text);
--> {"row_name":"test1","category_1":"val2","category_2":"val3","category_3":null}
--> {"row_name":"test2","category_1":"val6","category_2":"val7","category_3":null}

select * from crosstab3('select rowid, attribute, value from ct order by 1,2');
--> {"row_name":"test1","category_1":"val1","category_2":"val2","category_3":"val3"}
--> {"row_name":"test2","category_1":"val5","category_2":"val6","category_3":"val7"}

create table cth(rowid text, rowdt timestamp, attribute text, val text);
--> no rows

insert into cth values ('test1','01 March 2003','temperature','42'),('test1','01 March 2003','test_result','PASS'),('test1','01 March 2003','volts','2.6987'),('test2','02 March 2003','temperature','53'),('test2','02 March 2003','test_result','FAIL'),('test2','02 March 2003','test_startdate','01 March 2003'),('test2','02 March 2003','volts','3.1234');
--> no rows

select * from crosstab('select rowid, rowdt, attribute, val from cth order by 1', 'select distinct attribute from cth order by 1') as (rowid text, rowdt timestamp, temperature int4, test_result text, test_startdate timestamp, volts float8);
--> {"rowid":"test1","rowdt":"2003-03-01 00:00:00","temperature":42,"test_result":"PASS","test_startdate":null,"volts":2.6987}
--> {"rowid":"test2","rowdt":"2003-03-02 00:00:00","temperature":53,"test_result":"FAIL","test_startdate":"2003-03-01 00:00:00","volts":3.1234}

select * from crosstab($$values ('a', 1, 10), ('b', 2, 20)$$, $$values (1),(2)$$) as t(n text, x int, y int);
--> {"n":"a","x":10,"y":null}
--> {"n":"b","x":null,"y":20}

select * from crosstab('select 1') as t(a text, b text);
--> ERROR 22023: invalid source data SQL statement
--> DETAIL: The provided SQL must return 3 columns: rowid, category, and values.

select * from crosstab('select 1');
--> ERROR 42601: a column definition list is required for functions returning "record"
--> AT 15

create table tree(keyid text, parent_keyid text, pos int);
--> no rows

insert into tree values('row1',NULL,0),('row2','row1',0),('row3','row1',0),('row4','row2',1),('row5','row2',0),('row6','row4',0),('row7','row3',0),('row8','row6',0),('row9','row5',0);
--> no rows

select * from connectby('tree','keyid','parent_keyid','row2',0,'~') as t(keyid text, parent_keyid text, level int, branch text);
--> {"keyid":"row2","parent_keyid":null,"level":0,"branch":"row2"}
--> {"keyid":"row4","parent_keyid":"row2","level":1,"branch":"row2~row4"}
--> {"keyid":"row6","parent_keyid":"row4","level":2,"branch":"row2~row4~row6"}
--> {"keyid":"row8","parent_keyid":"row6","level":3,"branch":"row2~row4~row6~row8"}
--> {"keyid":"row5","parent_keyid":"row2","level":1,"branch":"row2~row5"}
--> {"keyid":"row9","parent_keyid":"row5","level":2,"branch":"row2~row5~row9"}

select * from connectby('tree','keyid','parent_keyid','row2',0) as t(keyid text, parent_keyid text, level int);
--> {"keyid":"row2","parent_keyid":null,"level":0}
--> {"keyid":"row4","parent_keyid":"row2","level":1}
--> {"keyid":"row6","parent_keyid":"row4","level":2}
--> {"keyid":"row8","parent_keyid":"row6","level":3}
--> {"keyid":"row5","parent_keyid":"row2","level":1}
--> {"keyid":"row9","parent_keyid":"row5","level":2}

select * from connectby('tree','keyid','parent_keyid','pos','row2',0,'~') as t(keyid text, parent_keyid text, level int, branch text, pos int);
--> {"keyid":"row2","parent_keyid":null,"level":0,"branch":"row2","pos":1}
--> {"keyid":"row5","parent_keyid":"row2","level":1,"branch":"row2~row5","pos":2}
--> {"keyid":"row9","parent_keyid":"row5","level":2,"branch":"row2~row5~row9","pos":3}
--> {"keyid":"row4","parent_keyid":"row2","level":1,"branch":"row2~row4","pos":4}
--> {"keyid":"row6","parent_keyid":"row4","level":2,"branch":"row2~row4~row6","pos":5}
--> {"keyid":"row8","parent_keyid":"row6","level":3,"branch":"row2~row4~row6~row8","pos":6}

select * from connectby('tree','keyid','parent_keyid','pos','row2',1) as t(keyid text, parent_keyid text, level int, pos int);
--> {"keyid":"row2","parent_keyid":null,"level":0,"pos":1}
--> {"keyid":"row5","parent_keyid":"row2","level":1,"pos":2}
--> {"keyid":"row4","parent_keyid":"row2","level":1,"pos":3}

create view cv as select * from crosstab('select rowid, attribute, value from ct order by 1,2') as ct(row_name text, category_1 text);
--> no rows

select * from cv;
--> {"row_name":"test1","category_1":"val1"}
--> {"row_name":"test2","category_1":"val5"}

select pg_get_viewdef('cv'::regclass) as v;
--> {"v":" SELECT ct.row_name,\n    ct.category_1\n   FROM crosstab('select rowid, attribute, value from ct order by 1,2'::text) ct(row_name text, category_1 text);"}

select pg_get_ruledef(oid) as d from pg_rewrite where ev_class='cv'::regclass;
--> {"d":"CREATE RULE \"_RETURN\" AS\n    ON SELECT TO public.cv DO INSTEAD  SELECT ct.row_name,\n    ct.category_1\n   FROM crosstab('select rowid, attribute, value from ct order by 1,2'::text) ct(row_name text, category_1 text);"}
