-- Functions that run queries given as texts, and XML.

create table xx(id int, name text, at timestamptz, ok bool, j jsonb, n numeric, arr int[], by bytea, "Odd Name" text);
--> no rows

insert into xx values (1,'a<b>&c','2024-01-02 03:04:05+00',true,'{"a":1}',1.50,'{1,2}','\x0102','q'),(2,null,null,null,null,null,null,null,null);
--> no rows

select query_to_xml('select count(*) as cnt from xx', false, true, '') as x;
--> {"x":"<row xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n  <cnt>2</cnt>\n</row>\n\n"}

select query_to_xml('select * from xx', false, false, '') as x;
--> {"x":"<table xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n\n<row>\n  <id>1</id>\n  <name>a&lt;b&gt;&amp;c</name>\n  <at>2024-01-02T03:04:05+00:00</at>\n  <ok>true</ok>\n  <j>{\"a\": 1}</j>\n  <n>1.50</n>\n  <arr><element>1</element><element>2</element></arr>\n  <by>AQI=</by>\n  <Odd_x0020_Name>q</Odd_x0020_Name>\n</row>\n\n<row>\n  <id>2</id>\n</row>\n\n</table>\n"}

select query_to_xml('select * from xx', true, true, '') as x;
--> {"x":"<row xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n  <id>1</id>\n  <name>a&lt;b&gt;&amp;c</name>\n  <at>2024-01-02T03:04:05+00:00</at>\n  <ok>true</ok>\n  <j>{\"a\": 1}</j>\n  <n>1.50</n>\n  <arr><element>1</element><element>2</element></arr>\n  <by>AQI=</by>\n  <Odd_x0020_Name>q</Odd_x0020_Name>\n</row>\n\n<row xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n  <id>2</id>\n  <name xsi:nil=\"true\"/>\n  <at xsi:nil=\"true\"/>\n  <ok xsi:nil=\"true\"/>\n  <j xsi:nil=\"true\"/>\n  <n xsi:nil=\"true\"/>\n  <arr xsi:nil=\"true\"/>\n  <by xsi:nil=\"true\"/>\n  <Odd_x0020_Name xsi:nil=\"true\"/>\n</row>\n\n"}

select query_to_xml('select * from xx', true, true, 'urn:x') as x;
--> {"x":"<row xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns=\"urn:x\">\n  <id>1</id>\n  <name>a&lt;b&gt;&amp;c</name>\n  <at>2024-01-02T03:04:05+00:00</at>\n  <ok>true</ok>\n  <j>{\"a\": 1}</j>\n  <n>1.50</n>\n  <arr><element>1</element><element>2</element></arr>\n  <by>AQI=</by>\n  <Odd_x0020_Name>q</Odd_x0020_Name>\n</row>\n\n<row xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns=\"urn:x\">\n  <id>2</id>\n  <name xsi:nil=\"true\"/>\n  <at xsi:nil=\"true\"/>\n  <ok xsi:nil=\"true\"/>\n  <j xsi:nil=\"true\"/>\n  <n xsi:nil=\"true\"/>\n  <arr xsi:nil=\"true\"/>\n  <by xsi:nil=\"true\"/>\n  <Odd_x0020_Name xsi:nil=\"true\"/>\n</row>\n\n"}

select query_to_xml('select * from xx where false', true, true, '') as x;
--> {"x":""}

select query_to_xml('select * from xx where false', true, false, '') as x;
--> {"x":"<table xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n\n</table>\n"}

select table_to_xml('xx', false, false, '') as x;
--> {"x":"<xx xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n\n<row>\n  <id>1</id>\n  <name>a&lt;b&gt;&amp;c</name>\n  <at>2024-01-02T03:04:05+00:00</at>\n  <ok>true</ok>\n  <j>{\"a\": 1}</j>\n  <n>1.50</n>\n  <arr><element>1</element><element>2</element></arr>\n  <by>AQI=</by>\n  <Odd_x0020_Name>q</Odd_x0020_Name>\n</row>\n\n<row>\n  <id>2</id>\n</row>\n\n</xx>\n"}

select (xpath('/row/cnt/text()', query_to_xml('select count(*) as cnt from xx', false, true, '')))[1]::text::int as n;
--> {"n":2}

select (xpath('//row/cnt/text()', query_to_xml('select count(*) as cnt from xx', false, true, '')))[1]::text::bigint as n;
--> {"n":2}

select xpath('/a/b', '<a><b x="1">t</b><b x="2"><c/></b></a>'::xml) as x1, xpath('/a/b/@x', '<a><b x="1">t</b><b x="2"/></a>'::xml) as x2, xpath('//b[@x="2"]/text()', '<a><b x="1">t</b><b x="2">u&amp;v</b></a>'::xml) as x3, xpath('/a/b[1]/text()', '<a><b>t</b><b>s</b></a>'::xml) as x4, xpath('count(//b)', '<a><b/><b/></a>'::xml) as x5, xpath('/z','<a/>'::xml) as x6, xpath('string(/a/b)', '<a><b>q</b></a>'::xml) as last;
--> {"x1":"{\"<b x=\\\"1\\\">t</b>\",\"<b x=\\\"2\\\"><c/></b>\"}","x2":"{1,2}","x3":"{u&amp;v}","x4":"{t}","x5":"{2}","x6":"{}","last":"{q}"}

select xpath_exists('/a/b','<a><b/></a>'::xml) as a, xpath_exists('/a/c','<a><b/></a>'::xml) as b;
--> {"a":true,"b":false}

select xmlagg(x) as x, xmlagg(x order by x::text desc) as y from (values ('<a/>'::xml),('<b/>'::xml)) t(x);
--> {"x":"<a/><b/>","y":"<b/><a/>"}

select word, ndoc, nentry from ts_stat('select to_tsvector(''english'', w) from (values (''the cats cat''),(''a dog cat'')) t(w)') order by nentry desc, ndoc desc, word;
--> {"word":"cat","ndoc":2,"nentry":3}
--> {"word":"dog","ndoc":1,"nentry":1}

select * from ts_stat('select to_tsvector(''simple'', w) from (values (''b a c''),(''a d'')) t(w)') order by word;
--> {"word":"a","ndoc":2,"nentry":2}
--> {"word":"b","ndoc":1,"nentry":1}
--> {"word":"c","ndoc":1,"nentry":1}
--> {"word":"d","ndoc":1,"nentry":1}

select * from ts_stat('select setweight(to_tsvector(''simple'', ''b a''),''A'') || to_tsvector(''simple'', ''a c'')', 'a') order by word;
--> {"word":"a","ndoc":1,"nentry":1}
--> {"word":"b","ndoc":1,"nentry":1}

select ts_stat('select 1');
--> ERROR 22023: ts_stat query must return one tsvector column

select * from ts_stat('select 1, 2');
--> ERROR 22023: ts_stat query must return one tsvector column

select xmlcomment('hi') as a, xmlconcat('<a/>'::xml, null, '<b/>'::xml) as b, xmlconcat(null::xml) as c, xml_is_well_formed('<a>') as d, xml_is_well_formed_document('<a/> ') as e, xml_is_well_formed_content('a<b/>') as f;
--> {"a":"<!--hi-->","b":"<a/><b/>","c":null,"d":false,"e":true,"f":true}

select xpath('//item[2]/@id', '<list><item id="1"/><item id="2"/></list>'::xml) as a, xpath('/list/item[@id="2"]/name/text()', '<list><item id="1"/><item id="2"><name>x</name></item></list>'::xml) as b, xpath('/list/item[last()]', '<list><item>1</item><item>2</item></list>'::xml) as c, xpath('/list/*/..', '<list><a/></list>'::xml) as d, xpath('/list/item[name="b"]/@id', '<list><item id="1"><name>a</name></item><item id="2"><name>b</name></item></list>'::xml) as e;
--> {"a":"{2}","b":"{x}","c":"{<item>2</item>}","d":"{<list><a/></list>}","e":"{2}"}

select xpath('', '<a/>'::xml);
--> ERROR 22000: empty XPath expression

select unnest(xpath('//t/text()', '<r><t>1</t><t>2</t></r>'::xml))::text as v;
--> {"v":"1"}
--> {"v":"2"}

create function count_rows(schema_name text, table_name text) returns bigint language sql as $$ select (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I.%I', schema_name, table_name), false, true, '')))[1]::text::bigint $$;
--> no rows

select count_rows('public', 'xx') as n;
--> {"n":2}

select c.relname, (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %s', c.oid::regclass), false, true, '')))[1]::text::int as n from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1;
--> {"relname":"xx","n":2}

create view sizes as select (xpath('/row/c/text()', query_to_xml('select count(*) as c from xx', false, true, '')))[1]::text::int as n;
--> no rows

select n from sizes;
--> {"n":2}

select query_to_xml('select no_such from xx', false, true, '');
--> ERROR 42703: column "no_such" does not exist

create table documents (id int, fts tsvector);
--> no rows

insert into documents values (1, to_tsvector('english', 'Cats and dogs')), (2, to_tsvector('english', 'the cat sat')), (3, null);
--> no rows

create materialized view words as select word from ts_stat('select fts from documents');
--> no rows

select word from words order by word;
--> {"word":"cat"}
--> {"word":"dog"}
--> {"word":"sat"}

create extension pg_trgm;
--> no rows

select show_limit() as a, set_limit(0.5) as b;
--> {"a":0.3,"b":0.5}

select show_limit() as a, 'abc' % 'abd' as b;
--> {"a":0.3,"b":true}

select set_limit(2);
--> ERROR 22023: 2 is outside the valid range for parameter "pg_trgm.similarity_threshold" (0 .. 1)
