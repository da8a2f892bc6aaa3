-- Text search: documents, queries, configurations, ranks.

create table article (id int primary key, title text, body text, meta jsonb, doc tsvector generated always as (setweight(to_tsvector('english', coalesce(title, '')), 'A') || setweight(to_tsvector('english', coalesce(body, '')), 'B')) stored);
--> no rows

insert into article (id, title, body, meta) values (1, 'Quick brown foxes', 'The quick brown foxes are jumping over lazy dogs.', '{"tags": ["fox", "dogs"], "n": 5}'), (2, 'Databases', 'PostgreSQL databases search texts; searching is fast. See https://example.com/docs?x=1 or mail admin@example.com', '{"tags": ["db"]}'), (3, 'Cats and dogs', null, null);
--> no rows

create index article_doc on article using gin (doc);
--> no rows

create index article_title on article using gin (to_tsvector('simple', title));
--> no rows

create index article_gist on article using gist (doc);
--> no rows

select id, doc from article order by id;
--> {"id":1,"doc":"'brown':2A,6B 'dog':12B 'fox':3A,7B 'jump':9B 'lazi':11B 'quick':1A,5B"}
--> {"id":2,"doc":"'/docs?x=1':12B 'admin@example.com':15B 'databas':1A,3B 'example.com':11B 'example.com/docs?x=1':10B 'fast':8B 'mail':14B 'postgresql':2B 'search':4B,6B 'see':9B 'text':5B"}
--> {"id":3,"doc":"'cat':1A 'dog':3A"}

select id from article where doc @@ to_tsquery('english', 'dog') order by id;
--> {"id":1}
--> {"id":3}

select id, round(ts_rank(doc, q)::numeric, 5) as r, round(ts_rank_cd(doc, q)::numeric, 5) as c from article, websearch_to_tsquery('english', 'dogs or search') q where doc @@ q order by r desc, id;
--> {"id":3,"r":"0.30396","c":"1.00000"}
--> {"id":2,"r":"0.15198","c":"0.80000"}
--> {"id":1,"r":"0.12159","c":"0.40000"}

select id from article where to_tsvector('english', body) @@ plainto_tsquery('english', 'lazy dog');
--> {"id":1}

select id from article where doc @@ phraseto_tsquery('english', 'brown fox') and not doc @@ 'cat'::tsquery;
--> {"id":1}

select id, to_tsvector('english', meta) as m from article order by id;
--> {"id":1,"m":"'dog':3 'fox':1"}
--> {"id":2,"m":"'db':1"}
--> {"id":3,"m":null}

update article set body = 'Birds' where id = 3 returning doc;
--> {"doc":"'bird':4B 'cat':1A 'dog':3A"}

select count(*) as n from article where title @@ 'dog';
--> {"n":1}

select to_tsvector('The quick brown-fox jumped over http://ex.com/a?b=1 lazy dog''s foo@bar.com 3.14 -12 v1.2.3 /usr/local/lib 1e5 &amp; <b>bold</b>') as v;
--> {"v":"'-12':16 '/a?b=1':10 '/usr/local/lib':18 '1e5':19 '3.14':15 'bold':20 'brown':4 'brown-fox':3 'dog':12 'ex.com':9 'ex.com/a?b=1':8 'foo@bar.com':14 'fox':5 'jump':6 'lazi':11 'quick':2 'v1.2.3':17"}

select to_tsvector('simple', 'The quick brown-fox x2-y3 jumped') as v, to_tsvector('english', '') as e, to_tsvector('english', null) as n;
--> {"v":"'brown':4 'brown-fox':3 'fox':5 'jumped':9 'quick':2 'the':1 'x2':7 'x2-y3':6 'y3':8","e":"","n":null}

select to_tsvector('german', 'Die Häuser der Städte waren schöner') as de, to_tsvector('french', 'Les chevaux mangeaient rapidement') as fr, to_tsvector('spanish', 'Las canciones más bonitas') as es, to_tsvector('russian', 'Быстрые лисы прыгали over fences') as ru, to_tsvector('italian', 'Le case bellissime') as it, to_tsvector('portuguese', 'As nações unidas') as pt;
--> {"de":"'haus':2 'schon':6 'stadt':4","fr":"'cheval':2 'le':1 'mang':3 'rapid':4","es":"'bonit':4 'cancion':2","ru":"'fenc':5 'быстр':1 'лис':2 'прыга':3","it":"'bellissim':3 'cas':2","pt":"'naçõ':2 'unid':3"}

select to_tsvector('dutch', 'De huizen lopen') as nl, to_tsvector('swedish', 'Husen springer') as sv, to_tsvector('danish', 'Husene løber') as da, to_tsvector('norwegian', 'Husene løper') as no, to_tsvector('finnish', 'Talot juoksevat') as fi, to_tsvector('hungarian', 'A házak futnak') as hu, to_tsvector('turkish', 'Evler koşuyor') as tr, to_tsvector('romanian', 'Casele aleargă') as ro;
--> {"nl":"'huiz':2 'lop':3","sv":"'hus':1 'spring':2","da":"'hus':1 'løb':2","no":"'hus':1 'løp':2","fi":"'juoksev':2 'talo':1","hu":"'fut':3 'ház':2","tr":"'ev':1 'koşuyor':2","ro":"'alearg':2 'cas':1"}

select to_tsquery('english', 'fat & (cats | !dogs)') as a, to_tsquery('english', 'fat-cat') as b, to_tsquery('english', 'the & cat') as c, to_tsquery('simple', 'foo:*AB & bar:c') as d, to_tsquery('''fat cats'' <2> rat') as e, to_tsquery('the') as f;
--> {"a":"'fat' & ( 'cat' | !'dog' )","b":"'fat-cat' <-> 'fat' <-> 'cat'","c":"'cat'","d":"'foo':*AB & 'bar':C","e":"'fat' <-> 'cat' <2> 'rat'","f":""}

select plainto_tsquery('english', 'The Fat Rats') as a, phraseto_tsquery('english', 'The fat of the rats') as b, plainto_tsquery('fat-cat') as c, phraseto_tsquery('simple', 'a b c') as d;
--> {"a":"'fat' & 'rat'","b":"'fat' <3> 'rat'","c":"'fat-cat' & 'fat' & 'cat'","d":"'a' <-> 'b' <-> 'c'"}

select websearch_to_tsquery('english', '"fat cat" or dog -bird') as a, websearch_to_tsquery('english', 'a:b c!d (e|f) g"h x"j') as b, websearch_to_tsquery('simple', 'or a or or b and - "x y" -"c d"') as c, websearch_to_tsquery('') as d, websearch_to_tsquery('simple', '"unclosed one') as e;
--> {"a":"'fat' <-> 'cat' | 'dog' & !'bird'","b":"'b' & 'c' & 'd' & 'e' & 'f' & 'g' & 'h' <-> 'x' & 'j'","c":"'or' & 'a' | 'or' & 'b' & 'and' & !( 'x' <-> 'y' ) & !( 'c' <-> 'd' )","d":"","e":"'unclosed' <-> 'one'"}

select 'a & b | !c'::tsquery as a, ' a & (b & c)'::tsquery as b, '!(a|b) & c'::tsquery as c, 'a <-> (b <-> c)'::tsquery as d, 'a <3> b:*'::tsquery as e, '!!a'::tsquery as f, ''::tsquery as g, 'x:ab & ''it''''s'''::tsquery as h;
--> {"a":"'a' & 'b' | !'c'","b":"'a' & 'b' & 'c'","c":"!( 'a' | 'b' ) & 'c'","d":"'a' <-> ( 'b' <-> 'c' )","e":"'a' <3> 'b':*","f":"!!'a'","g":"","h":"'x':AB & 'it''s'"}

select '''a b'' c:1A,2'::tsvector as a, 'it''''s:3 \x \\'::tsvector as b, 'b a b:2 a:1'::tsvector as c, ''::tsvector as d, 'a:20000,5,5B'::tsvector as e, ':1'::tsvector as f;
--> {"a":"'a b' 'c':1A,2","b":"'\\\\' 'it''''s':3 'x'","c":"'a':1 'b':2","d":"","e":"'a':5B,16383","f":"':1'"}

select 'a &'::tsquery;
--> ERROR 42601: no operand in tsquery: "a &"
--> AT 8

select 'a b'::tsquery;
--> ERROR 42601: syntax error in tsquery: "a b"
--> AT 8

select '(a'::tsquery;
--> ERROR 42601: syntax error in tsquery: "(a"
--> AT 8

select 'a:0'::tsvector;
--> ERROR 42601: wrong position info in tsvector: "a:0"
--> AT 8

select 'a:1x'::tsvector;
--> ERROR 42601: syntax error in tsvector: "a:1x"
--> AT 8

select to_tsquery('a b');
--> ERROR 42601: syntax error in tsquery: "a b"

select 'a <20000> b'::tsquery;
--> ERROR 22023: distance in phrase operator must be an integer value between zero and 16384 inclusive
--> AT 8

select to_tsvector('klingon', 'a');
--> ERROR 42704: text search configuration "klingon" does not exist
--> AT 20

select 'klingon'::regconfig;
--> ERROR 42704: text search configuration "klingon" does not exist
--> AT 8

select 'pg_catalog.english'::regconfig as a, 'simple'::regconfig::text as b, get_current_ts_config() as c, pg_typeof('english'::regconfig) as d;
--> {"a":"english","b":"simple","c":"english","d":"regconfig"}

select 'fat:1 cat:2'::tsvector @@ 'fat <-> cat' as a, 'fat:1 cat:3' @@ 'fat <-> cat'::tsquery as b, 'fat cat'::tsvector @@ 'fat <-> cat'::tsquery as c, 'fat:1 cat:3'::tsvector @@ 'fat <2> cat'::tsquery as d, 'a:1A'::tsvector @@ 'a:B'::tsquery as e, 'a:1A'::tsvector @@ 'a:A'::tsquery as f, 'a'::tsvector @@ 'a:A'::tsquery as g, 'super:1'::tsvector @@ 'sup:*'::tsquery as h, 'a'::tsvector @@ '!b'::tsquery as i, ''::tsvector @@ '!b'::tsquery as j, 'a:1'::tsvector @@ ''::tsquery as k;
--> {"a":true,"b":false,"c":false,"d":true,"e":false,"f":true,"g":true,"h":true,"i":true,"j":true,"k":false}

select 'a:1 b:2 c:3'::tsvector @@ 'a <-> !c'::tsquery as a, 'a:1 c:2'::tsvector @@ 'a <-> !c'::tsquery as b, 'a:1 b:2'::tsvector @@ '(a | x) <-> b'::tsquery as c, 'a:1 b:2 c:3'::tsvector @@ 'a <-> (b <-> c)'::tsquery as d, 'a:1 b:2 c:3'::tsvector @@ 'a <-> b <-> c'::tsquery as e, 'a:1 b:1 c:2'::tsvector @@ '(a & b) <-> c'::tsquery as f, 'b:5'::tsvector @@ '!a <-> b'::tsquery as g, 'a:4 b:5'::tsvector @@ '!a <-> b'::tsquery as h, 'a:4 b:5'::tsvector @@ '!(a <-> b)'::tsquery as i;
--> {"a":true,"b":false,"c":true,"d":true,"e":true,"f":true,"g":true,"h":false,"i":false}

select 'cats' @@ 'cat' as a, 'fat cats'::text @@ to_tsquery('cat') as b, to_tsquery('cat') @@ to_tsvector('cats') as c;
--> {"a":true,"b":true,"c":true}

select 'a'::tsquery && 'b | c' as a, 'a'::tsquery || 'b' as b, !! 'a & b'::tsquery as c, 'a'::tsquery <-> 'b' as d, tsquery_phrase('a', 'b', 3) as e, numnode('a & b | !c') as f, querytree('a & !b') as g, querytree('!a') as h, querytree('a | !b') as i, querytree('a & (b | c)') as j;
--> {"a":"'a' & ( 'b' | 'c' )","b":"'a' | 'b'","c":"!( 'a' & 'b' )","d":"'a' <-> 'b'","e":"'a' <3> 'b'","f":6,"g":"'a'","h":"T","i":"T","j":"'a' & ( 'b' | 'c' )"}

select 'a:1 b:2'::tsvector || 'a:1B c:3'::tsvector as a, ''::tsvector || 'x:1' as b, setweight('a:1 b:2C c'::tsvector, 'A') as c, setweight('a:1 b:2'::tsvector, 'B', '{a}') as d, strip('a:1 b:2A') as e, length('a b c'::tsvector) as f;
--> {"a":"'a':1,3B 'b':2 'c':5","b":"'x':1","c":"'a':1A 'b':2A 'c'","d":"'a':1B 'b':2","e":"'a' 'b'","f":3}

select tsvector_to_array('b:1 a'::tsvector) as a, array_to_tsvector('{b,a,a}') as b, ts_delete('a b c'::tsvector, 'b') as c, ts_delete('a:1 b c'::tsvector, '{a,c}'::text[]) as d, ts_filter('a:1A,3B b:2B c'::tsvector, '{a,d}') as e;
--> {"a":["a","b"],"b":"'a' 'b'","c":"'a' 'c'","d":"'b'","e":"'a':1A"}

select * from unnest('a:1A,2 b'::tsvector) order by lexeme;
--> {"lexeme":"a","positions":[1,2],"weights":["A","D"]}
--> {"lexeme":"b","positions":null,"weights":null}

select setweight('a:1'::tsvector, 'x');
--> ERROR XX000: unrecognized weight: 120

select array_to_tsvector('{a,null}');
--> ERROR 22004: lexeme array may not contain nulls

select round(ts_rank('a:1 b:2 c:9', 'a & b')::numeric, 5) as a, round(ts_rank('a:1 b:2 c:9', 'a | c')::numeric, 5) as b, round(ts_rank('a:1A b:2 c:9', 'a')::numeric, 5) as c, round(ts_rank('a b', 'a & b')::numeric, 5) as d, ts_rank('a:1', 'z') as e, round(ts_rank('a:1,5,9 b:2,30', 'a & b', 1)::numeric, 5) as f, round(ts_rank('a:1,5,9 b:2,30', 'a & b', 2 | 32)::numeric, 5) as g, round(ts_rank('{0.1,0.2,0.3,0.9}'::real[], 'a:1A b:2B'::tsvector, 'a | b'::tsquery)::numeric, 5) as h, round(ts_rank('a:1 b:2 c:9', 'a <-> b', 8)::numeric, 5) as i, round(ts_rank('a:1 ab:2', 'a:*', 16)::numeric, 5) as j;
--> {"a":"0.09910","b":"0.06079","c":"0.60793","d":"0.00000","e":0,"f":"0.09665","g":"0.04759","h":"0.36476","i":"0.03303","j":"0.07671"}

select ts_rank('a:1A,4 b:2B', 'a & b') as a, ts_rank('a:1A,4 b:2B', 'a | b') as b, ts_rank_cd('a:1A,4 b:2B', 'a & b') as c, ts_rank('a b', 'a | b') as d;
--> {"a":0.700308,"b":0.4331481,"c":0.6514286,"d":0.06079271}

select round(ts_rank_cd('a:1 b:2 c:9', 'a & b')::numeric, 5) as a, round(ts_rank_cd('a:1 b:5 a:7 b:8A', 'a & b')::numeric, 5) as b, round(ts_rank_cd('a:1 b:5 a:7 b:8A', 'a & b', 4)::numeric, 5) as c, round(ts_rank_cd('a:1,3 b:2', 'a | b', 1)::numeric, 5) as d, round(ts_rank_cd('a:1,3 b:2', 'a <-> b', 2|32)::numeric, 5) as e, ts_rank_cd('a b', 'a') as f, round(ts_rank_cd('{0.1,0.2,0.3,0.9}'::real[], 'a:1C,3 b:2A', 'a & b')::numeric, 5) as g;
--> {"a":"0.10000","b":"0.25682","c":"0.08561","d":"0.21640","e":"0.03226","f":0,"g":"0.50727"}

select ts_rank('{0.1,0.2}'::real[], 'a:1'::tsvector, 'a'::tsquery);
--> ERROR 2202E: array of weight is too short

select ts_rank('{0.1,0.2,2,1}'::real[], 'a:1'::tsvector, 'a'::tsquery);
--> ERROR 22023: weight out of range

select jsonb_to_tsvector('english', '{"a":"The cats","b":["dogs",1,true]}', '["string","numeric","key"]') as a, to_tsvector('simple', '{"a b":"x y","c":["z",1]}'::json) as b, jsonb_to_tsvector('english', '{"a":"cats","b":true}'::jsonb, '"all"') as c;
--> {"a":"'1':9 'b':5 'cat':3 'dog':7","b":"'x':1 'y':2 'z':4","c":"'b':4 'cat':2 'true':6"}

select jsonb_to_tsvector('english', '{}'::jsonb, '["words"]');
--> ERROR 22023: wrong flag in flag array: "words"
--> HINT: Possible values are: "string", "numeric", "boolean", "key", and "all".

select 'a:1'::tsvector = 'a:1' as a, 'a b'::tsvector <> 'b a' as b, 'a'::tsvector < 'b' as c, 'b'::tsvector < 'a b' as d, 'a:1'::tsvector < 'a:2' as e, 'a:1'::tsvector < 'a' as f, 'a & b'::tsquery = 'a&b' as g;
--> {"a":true,"b":false,"c":true,"d":true,"e":false,"f":false,"g":true}

select v from (values ('b'::tsvector), ('a c'), ('a:1'), ('a:2'), ('a')) t(v) order by v;
--> {"v":"'a'"}
--> {"v":"'b'"}
--> {"v":"'a':2"}
--> {"v":"'a':1"}
--> {"v":"'a' 'c'"}

select array['a b'::tsvector, 'c:1'] as a, '{"a b","''x'':1"}'::tsvector[] as b, array['a & b'::tsquery] as c, to_json('a:1'::tsvector) as d, 'a:1'::tsvector::text as e, row('a:1'::tsvector)::text as f;
--> {"a":"{\"'a' 'b'\",'c':1}","b":"{\"'a' 'b'\",'x':1}","c":"{\"'a' & 'b'\"}","d":"'a':1","e":"'a':1","f":"('a':1)"}

select * from ts_parse('default', 'a-b 1.5 <b>x') as t;
--> {"tokid":16,"token":"a-b"}
--> {"tokid":11,"token":"a"}
--> {"tokid":12,"token":"-"}
--> {"tokid":11,"token":"b"}
--> {"tokid":12,"token":" "}
--> {"tokid":20,"token":"1.5"}
--> {"tokid":12,"token":" "}
--> {"tokid":13,"token":"<b>"}
--> {"tokid":1,"token":"x"}

select ts_lexize('english_stem', 'stars') as a, ts_lexize('english_stem', 'the') as b, ts_lexize('simple', 'The') as c;
--> {"a":["star"],"b":[],"c":["the"]}

create table settings_test (t text, d tsvector generated always as (to_tsvector(t)) stored);
--> ERROR 42P17: generation expression is not immutable

create index on article using gin (to_tsvector(title));
--> ERROR 42P17: functions in index expression must be marked IMMUTABLE

set default_text_search_config = 'simple';
--> no rows

select to_tsvector('The cats') as a, to_tsquery('cats') as b, get_current_ts_config() as c;
--> {"a":"'cat':2","b":"'cat'","c":"english"}

set default_text_search_config = 'pg_catalog.english';
--> no rows

select to_tsvector('The cats') as a, plainto_tsquery('the cats') as b;
--> {"a":"'cat':2","b":"'cat'"}

create table lang (id int, config regconfig default 'english', t text);
--> no rows

insert into lang (id, t) values (1, 'the cats');
--> no rows

insert into lang values (2, 'simple', 'the cats'), (3, 'german', 'die Katzen');
--> no rows

select id, config, to_tsvector(config, t) as v from lang order by id;
--> {"id":1,"config":"english","v":"'cat':2"}
--> {"id":2,"config":"simple","v":"'cats':2 'the':1"}
--> {"id":3,"config":"german","v":"'katz':2"}

select to_tsvector(x::regconfig, 'cats') as v from (values ('english'), ('simple')) t(x);
--> {"v":"'cat':1"}
--> {"v":"'cats':1"}

create function search(q text) returns setof article language sql stable as $$ select * from article where doc @@ websearch_to_tsquery('english', q) order by ts_rank(doc, websearch_to_tsquery('english', q)) desc, id $$;
--> no rows

select id from search('quick fox');
--> {"id":1}

create function upd() returns trigger language plpgsql as $$ begin new.v := setweight(to_tsvector('english', coalesce(new.a, '')), 'A') || to_tsvector('english', coalesce(new.b, '')); return new; end $$;
--> no rows

create table page (id int, a text, b text, v tsvector);
--> no rows

create trigger page_upd before insert or update on page for each row execute function upd();
--> no rows

insert into page (id, a, b) values (1, 'Running', 'dogs ran') returning v;
--> {"v":"'dog':2 'ran':3 'run':1A"}

select id, ts_rank(v, query) > 0 as ranked from page, to_tsquery('run') query where query @@ v;
--> {"id":1,"ranked":true}

select format_type(atttypid, atttypmod) as t from pg_attribute where attrelid = 'page'::regclass and attname = 'v';
--> {"t":"tsvector"}

select ts_headline('english', 'The most common type of search is to find all documents containing given query terms and return them in order of their similarity to the query.', to_tsquery('english', 'query & similarity')) as a, ts_headline('english', 'The quick brown fox', to_tsquery('cat')) as b, ts_headline('english', 'cats and <b>dogs</b> run', to_tsquery('english', 'cat | dog'), 'StartSel=<, StopSel=>') as c, ts_headline('dogs, well-known dogs', to_tsquery('dog')) as d;
--> {"a":"containing given <b>query</b> terms and return them in order of their <b>similarity</b> to the <b>query</b>.","b":"The quick brown fox","c":"<cats> and  <dogs>  run","d":"<b>dogs</b>, well-known <b>dogs</b>"}

select ts_headline('english', 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur.', websearch_to_tsquery('english', 'velit nostrud'), 'MaxWords=20, MinWords=5, StartSel="[", StopSel="]"') as a, ts_headline('english', 'one two three four five six seven eight nine ten eleven twelve', to_tsquery('nine'), 'MaxWords=4, MinWords=2') as b, ts_headline('english', 'one <i>two</i> three', to_tsquery('two'), 'HighlightAll=true') as c, ts_headline('simple', 'a b c d e f g h', '"c d"'::tsquery, 'MaxWords=5,MinWords=3,ShortWord=0') as d;
--> ERROR 42601: syntax error in tsquery: ""c d""
--> AT 754

select ts_headline('a', to_tsquery('a'), 'MinWords=9, MaxWords=3');
--> ERROR 22023: MinWords should be less than MaxWords

create table note (id int, title varchar(50), body text, v tsvector, config regconfig);
--> no rows

create trigger note_v before insert or update on note for each row execute function tsvector_update_trigger(v, 'pg_catalog.english', title, body);
--> no rows

insert into note (id, title, body) values (1, 'Running dogs', 'are fast'), (2, null, 'cats') returning v;
--> {"v":"'dog':2 'fast':4 'run':1"}
--> {"v":"'cat':1"}

update note set body = 'are slow now' where id = 1 returning v;
--> {"v":"'dog':2 'run':1 'slow':4"}

select event_object_table, action_statement from information_schema.triggers where trigger_name = 'note_v' and event_manipulation = 'INSERT';
--> {"event_object_table":"note","action_statement":"EXECUTE FUNCTION tsvector_update_trigger('v', 'pg_catalog.english', 'title', 'body')"}

drop trigger note_v on note;
--> no rows

create trigger note_v before insert or update on note for each row execute procedure tsvector_update_trigger_column(v, config, title, body);
--> no rows

update note set config = 'simple', body = 'are running' where id = 1 returning v, config;
--> {"v":"'are':3 'dogs':2 'running':1,4","config":"simple"}

drop trigger note_v on note;
--> no rows

create trigger note_v before insert on note for each row execute function tsvector_update_trigger(v, 'english', title);
--> no rows

insert into note (id, title) values (3, 'x');
--> ERROR 22023: text search configuration name "english" must be schema-qualified

create text search configuration es (copy = spanish);
--> no rows

create text search configuration es (copy = spanish);
--> ERROR 23505: duplicate key value violates unique constraint "pg_ts_config_cfgname_index"
--> DETAIL: Key (cfgname, cfgnamespace)=(es, 2200) already exists.

create text search configuration fr (copy = klingon);
--> ERROR 42704: text search configuration "klingon" does not exist

select to_tsvector('es', 'Las canciones') as a, to_tsvector('public.es', 'Las canciones') as b, 'es'::regconfig as c, to_tsquery('es', 'canción') as d;
--> {"a":"'cancion':2","b":"'cancion':2","c":"es","d":"'cancion'"}

create extension if not exists unaccent;
--> no rows

alter text search configuration es alter mapping for hword, hword_part, word with unaccent, spanish_stem;
--> no rows

select to_tsvector('es', 'La canción española') as a, to_tsvector('es', 'café') @@ to_tsquery('es', 'cafe') as b;
--> {"a":"'cancion':2 'espanol':3","b":true}

alter text search configuration es alter mapping for word with no_such_stem;
--> ERROR 42704: text search dictionary "no_such_stem" does not exist

alter text search configuration es alter mapping for no_such_token with simple;
--> ERROR 22023: token type "no_such_token" does not exist

alter text search configuration es drop mapping for email, url;
--> no rows

select to_tsvector('es', 'x@example.com hola') as a;
--> {"a":"'hol':1"}

create table libro (id int, t text, v tsvector generated always as (to_tsvector('es', t)) stored);
--> no rows

insert into libro (id, t) values (1, 'Los niños cantan') returning v;
--> {"v":"'cant':3 'nin':2"}

select to_tsvector(c::regconfig, 'las canciones') as v from (values ('es'), ('simple')) t(c);
--> {"v":"'cancion':2"}
--> {"v":"'canciones':2 'las':1"}

set default_text_search_config = 'public.es';
--> no rows

select to_tsvector('Las canciones') as a, get_current_ts_config() as b;
--> {"a":"'cancion':2 'las':1","b":"english"}

reset default_text_search_config;
--> no rows

create text search configuration empty (parser = default);
--> no rows

alter text search configuration empty add mapping for asciiword, word with simple;
--> no rows

select to_tsvector('empty', 'The cats 12') as a;
--> {"a":"'cats':2 'the':1"}

drop text search configuration empty;
--> no rows

drop text search configuration if exists empty;
--> no rows

drop text search configuration empty;
--> ERROR 42704: text search configuration "empty" does not exist

select cfgname, cfgnamespace::regnamespace::text as schema from pg_ts_config where cfgname in ('es', 'simple', 'english') order by cfgname;
--> {"cfgname":"english","schema":"pg_catalog"}
--> {"cfgname":"es","schema":"public"}
--> {"cfgname":"simple","schema":"pg_catalog"}

do $$ begin if not exists (select 1 from pg_ts_config where cfgname = 'own') then create text search configuration own (copy = simple); end if; end $$;
--> no rows

select to_tsvector('own', 'The cats') as v;
--> {"v":"'cats':2 'the':1"}

select to_tsvector('english', 'see ../a/b.txt, ~/notes and /etc/x.conf; call +1-555-0100 at 10.5e3 or v2.0; user_name@mail.example.org <!DOCTYPE html><br/> semi-automated state-of-the-art C3PO') as v;
--> {"v":"'+1':7 '-0100':9 '-555':8 '/a/b.txt':2 '/etc/x.conf':5 '/notes':3 '10.5e3':11 'art':22 'autom':17 'c3po':23 'call':6 'see':1 'semi':16 'semi-autom':15 'state':19 'state-of-the-art':18 'user_name@mail.example.org':14 'v2.0':13"}

select to_tsvector('simple', 'naïve-café ÉCOLE привет 東京 ١٢٣ x--y a_b it''s 50% #tag @user $5.00 1,234') as v;
--> {"v":"'1':18 '234':19 '5.00':17 '50':14 'a':10 'b':11 'café':3 'it':12 'naïve':2 'naïve-café':1 's':13 'tag':15 'user':16 'x':8 'y':9 'école':4 'привет':5 '١٢٣':7 '東京':6"}

create text search configuration public.dumped (parser = pg_catalog."default");
--> no rows

alter text search configuration public.dumped add mapping for asciiword with english_stem;
--> no rows

alter text search configuration public.dumped owner to postgres;
--> no rows

alter text search configuration dumped rename to renamed;
--> no rows

select to_tsvector('public.renamed', 'Running 5 dogs') as v;
--> {"v":"'dog':2 'run':1"}

select to_tsvector('public.dumped', 'Running');
--> ERROR 42704: text search configuration "public.dumped" does not exist
--> AT 20
