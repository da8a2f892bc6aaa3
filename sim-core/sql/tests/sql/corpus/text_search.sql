-- Text search: documents, queries, configurations, ranks.

create table article (id int primary key, title text, body text, meta jsonb, doc tsvector generated always as (setweight(to_tsvector('english', coalesce(title, '')), 'A') || setweight(to_tsvector('english', coalesce(body, '')), 'B')) stored);

insert into article (id, title, body, meta) values (1, 'Quick brown foxes', 'The quick brown foxes are jumping over lazy dogs.', '{"tags": ["fox", "dogs"], "n": 5}'), (2, 'Databases', 'PostgreSQL databases search texts; searching is fast. See https://example.com/docs?x=1 or mail admin@example.com', '{"tags": ["db"]}'), (3, 'Cats and dogs', null, null);

create index article_doc on article using gin (doc);

create index article_title on article using gin (to_tsvector('simple', title));

create index article_gist on article using gist (doc);

select id, doc from article order by id;

select id from article where doc @@ to_tsquery('english', 'dog') order by id;

select id, round(ts_rank(doc, q)::numeric, 5) as r, round(ts_rank_cd(doc, q)::numeric, 5) as c from article, websearch_to_tsquery('english', 'dogs or search') q where doc @@ q order by r desc, id;

select id from article where to_tsvector('english', body) @@ plainto_tsquery('english', 'lazy dog');

select id from article where doc @@ phraseto_tsquery('english', 'brown fox') and not doc @@ 'cat'::tsquery;

select id, to_tsvector('english', meta) as m from article order by id;

update article set body = 'Birds' where id = 3 returning doc;

select count(*) as n from article where title @@ 'dog';

select to_tsvector('The quick brown-fox jumped over http://ex.com/a?b=1 lazy dog''s foo@bar.com 3.14 -12 v1.2.3 /usr/local/lib 1e5 &amp; <b>bold</b>') as v;

select to_tsvector('simple', 'The quick brown-fox x2-y3 jumped') as v, to_tsvector('english', '') as e, to_tsvector('english', null) as n;

select to_tsvector('german', 'Die Häuser der Städte waren schöner') as de, to_tsvector('french', 'Les chevaux mangeaient rapidement') as fr, to_tsvector('spanish', 'Las canciones más bonitas') as es, to_tsvector('russian', 'Быстрые лисы прыгали over fences') as ru, to_tsvector('italian', 'Le case bellissime') as it, to_tsvector('portuguese', 'As nações unidas') as pt;

select to_tsvector('dutch', 'De huizen lopen') as nl, to_tsvector('swedish', 'Husen springer') as sv, to_tsvector('danish', 'Husene løber') as da, to_tsvector('norwegian', 'Husene løper') as no, to_tsvector('finnish', 'Talot juoksevat') as fi, to_tsvector('hungarian', 'A házak futnak') as hu, to_tsvector('turkish', 'Evler koşuyor') as tr, to_tsvector('romanian', 'Casele aleargă') as ro;

select to_tsquery('english', 'fat & (cats | !dogs)') as a, to_tsquery('english', 'fat-cat') as b, to_tsquery('english', 'the & cat') as c, to_tsquery('simple', 'foo:*AB & bar:c') as d, to_tsquery('''fat cats'' <2> rat') as e, to_tsquery('the') as f;

select plainto_tsquery('english', 'The Fat Rats') as a, phraseto_tsquery('english', 'The fat of the rats') as b, plainto_tsquery('fat-cat') as c, phraseto_tsquery('simple', 'a b c') as d;

select websearch_to_tsquery('english', '"fat cat" or dog -bird') as a, websearch_to_tsquery('english', 'a:b c!d (e|f) g"h x"j') as b, websearch_to_tsquery('simple', 'or a or or b and - "x y" -"c d"') as c, websearch_to_tsquery('') as d, websearch_to_tsquery('simple', '"unclosed one') as e;

select 'a & b | !c'::tsquery as a, ' a & (b & c)'::tsquery as b, '!(a|b) & c'::tsquery as c, 'a <-> (b <-> c)'::tsquery as d, 'a <3> b:*'::tsquery as e, '!!a'::tsquery as f, ''::tsquery as g, 'x:ab & ''it''''s'''::tsquery as h;

select '''a b'' c:1A,2'::tsvector as a, 'it''''s:3 \x \\'::tsvector as b, 'b a b:2 a:1'::tsvector as c, ''::tsvector as d, 'a:20000,5,5B'::tsvector as e, ':1'::tsvector as f;

select 'a &'::tsquery;

select 'a b'::tsquery;

select '(a'::tsquery;

select 'a:0'::tsvector;

select 'a:1x'::tsvector;

select to_tsquery('a b');

select 'a <20000> b'::tsquery;

select to_tsvector('klingon', 'a');

select 'klingon'::regconfig;

select 'pg_catalog.english'::regconfig as a, 'simple'::regconfig::text as b, get_current_ts_config() as c, pg_typeof('english'::regconfig) as d;

select 'fat:1 cat:2'::tsvector @@ 'fat <-> cat' as a, 'fat:1 cat:3' @@ 'fat <-> cat'::tsquery as b, 'fat cat'::tsvector @@ 'fat <-> cat'::tsquery as c, 'fat:1 cat:3'::tsvector @@ 'fat <2> cat'::tsquery as d, 'a:1A'::tsvector @@ 'a:B'::tsquery as e, 'a:1A'::tsvector @@ 'a:A'::tsquery as f, 'a'::tsvector @@ 'a:A'::tsquery as g, 'super:1'::tsvector @@ 'sup:*'::tsquery as h, 'a'::tsvector @@ '!b'::tsquery as i, ''::tsvector @@ '!b'::tsquery as j, 'a:1'::tsvector @@ ''::tsquery as k;

select 'a:1 b:2 c:3'::tsvector @@ 'a <-> !c'::tsquery as a, 'a:1 c:2'::tsvector @@ 'a <-> !c'::tsquery as b, 'a:1 b:2'::tsvector @@ '(a | x) <-> b'::tsquery as c, 'a:1 b:2 c:3'::tsvector @@ 'a <-> (b <-> c)'::tsquery as d, 'a:1 b:2 c:3'::tsvector @@ 'a <-> b <-> c'::tsquery as e, 'a:1 b:1 c:2'::tsvector @@ '(a & b) <-> c'::tsquery as f, 'b:5'::tsvector @@ '!a <-> b'::tsquery as g, 'a:4 b:5'::tsvector @@ '!a <-> b'::tsquery as h, 'a:4 b:5'::tsvector @@ '!(a <-> b)'::tsquery as i;

select 'cats' @@ 'cat' as a, 'fat cats'::text @@ to_tsquery('cat') as b, to_tsquery('cat') @@ to_tsvector('cats') as c;

select 'a'::tsquery && 'b | c' as a, 'a'::tsquery || 'b' as b, !! 'a & b'::tsquery as c, 'a'::tsquery <-> 'b' as d, tsquery_phrase('a', 'b', 3) as e, numnode('a & b | !c') as f, querytree('a & !b') as g, querytree('!a') as h, querytree('a | !b') as i, querytree('a & (b | c)') as j;

select 'a:1 b:2'::tsvector || 'a:1B c:3'::tsvector as a, ''::tsvector || 'x:1' as b, setweight('a:1 b:2C c'::tsvector, 'A') as c, setweight('a:1 b:2'::tsvector, 'B', '{a}') as d, strip('a:1 b:2A') as e, length('a b c'::tsvector) as f;

select tsvector_to_array('b:1 a'::tsvector) as a, array_to_tsvector('{b,a,a}') as b, ts_delete('a b c'::tsvector, 'b') as c, ts_delete('a:1 b c'::tsvector, '{a,c}'::text[]) as d, ts_filter('a:1A,3B b:2B c'::tsvector, '{a,d}') as e;

select * from unnest('a:1A,2 b'::tsvector) order by lexeme;

select setweight('a:1'::tsvector, 'x');

select array_to_tsvector('{a,null}');

select round(ts_rank('a:1 b:2 c:9', 'a & b')::numeric, 5) as a, round(ts_rank('a:1 b:2 c:9', 'a | c')::numeric, 5) as b, round(ts_rank('a:1A b:2 c:9', 'a')::numeric, 5) as c, round(ts_rank('a b', 'a & b')::numeric, 5) as d, ts_rank('a:1', 'z') as e, round(ts_rank('a:1,5,9 b:2,30', 'a & b', 1)::numeric, 5) as f, round(ts_rank('a:1,5,9 b:2,30', 'a & b', 2 | 32)::numeric, 5) as g, round(ts_rank('{0.1,0.2,0.3,0.9}'::real[], 'a:1A b:2B'::tsvector, 'a | b'::tsquery)::numeric, 5) as h, round(ts_rank('a:1 b:2 c:9', 'a <-> b', 8)::numeric, 5) as i, round(ts_rank('a:1 ab:2', 'a:*', 16)::numeric, 5) as j;

select ts_rank('a:1A,4 b:2B', 'a & b') as a, ts_rank('a:1A,4 b:2B', 'a | b') as b, ts_rank_cd('a:1A,4 b:2B', 'a & b') as c, ts_rank('a b', 'a | b') as d;

select round(ts_rank_cd('a:1 b:2 c:9', 'a & b')::numeric, 5) as a, round(ts_rank_cd('a:1 b:5 a:7 b:8A', 'a & b')::numeric, 5) as b, round(ts_rank_cd('a:1 b:5 a:7 b:8A', 'a & b', 4)::numeric, 5) as c, round(ts_rank_cd('a:1,3 b:2', 'a | b', 1)::numeric, 5) as d, round(ts_rank_cd('a:1,3 b:2', 'a <-> b', 2|32)::numeric, 5) as e, ts_rank_cd('a b', 'a') as f, round(ts_rank_cd('{0.1,0.2,0.3,0.9}'::real[], 'a:1C,3 b:2A', 'a & b')::numeric, 5) as g;

select ts_rank('{0.1,0.2}'::real[], 'a:1'::tsvector, 'a'::tsquery);

select ts_rank('{0.1,0.2,2,1}'::real[], 'a:1'::tsvector, 'a'::tsquery);

select jsonb_to_tsvector('english', '{"a":"The cats","b":["dogs",1,true]}', '["string","numeric","key"]') as a, to_tsvector('simple', '{"a b":"x y","c":["z",1]}'::json) as b, jsonb_to_tsvector('english', '{"a":"cats","b":true}'::jsonb, '"all"') as c;

select jsonb_to_tsvector('english', '{}'::jsonb, '["words"]');

select 'a:1'::tsvector = 'a:1' as a, 'a b'::tsvector <> 'b a' as b, 'a'::tsvector < 'b' as c, 'b'::tsvector < 'a b' as d, 'a:1'::tsvector < 'a:2' as e, 'a:1'::tsvector < 'a' as f, 'a & b'::tsquery = 'a&b' as g;

select v from (values ('b'::tsvector), ('a c'), ('a:1'), ('a:2'), ('a')) t(v) order by v;

select array['a b'::tsvector, 'c:1'] as a, '{"a b","''x'':1"}'::tsvector[] as b, array['a & b'::tsquery] as c, to_json('a:1'::tsvector) as d, 'a:1'::tsvector::text as e, row('a:1'::tsvector)::text as f;

select * from ts_parse('default', 'a-b 1.5 <b>x') as t;

select ts_lexize('english_stem', 'stars') as a, ts_lexize('english_stem', 'the') as b, ts_lexize('simple', 'The') as c;

create table settings_test (t text, d tsvector generated always as (to_tsvector(t)) stored);

create index on article using gin (to_tsvector(title));

set default_text_search_config = 'simple';

select to_tsvector('The cats') as a, to_tsquery('cats') as b, get_current_ts_config() as c;

set default_text_search_config = 'pg_catalog.english';

select to_tsvector('The cats') as a, plainto_tsquery('the cats') as b;

create table lang (id int, config regconfig default 'english', t text);

insert into lang (id, t) values (1, 'the cats');

insert into lang values (2, 'simple', 'the cats'), (3, 'german', 'die Katzen');

select id, config, to_tsvector(config, t) as v from lang order by id;

select to_tsvector(x::regconfig, 'cats') as v from (values ('english'), ('simple')) t(x);

create function search(q text) returns setof article language sql stable as $$ select * from article where doc @@ websearch_to_tsquery('english', q) order by ts_rank(doc, websearch_to_tsquery('english', q)) desc, id $$;

select id from search('quick fox');

create function upd() returns trigger language plpgsql as $$ begin new.v := setweight(to_tsvector('english', coalesce(new.a, '')), 'A') || to_tsvector('english', coalesce(new.b, '')); return new; end $$;

create table page (id int, a text, b text, v tsvector);

create trigger page_upd before insert or update on page for each row execute function upd();

insert into page (id, a, b) values (1, 'Running', 'dogs ran') returning v;

select id, ts_rank(v, query) > 0 as ranked from page, to_tsquery('run') query where query @@ v;

select format_type(atttypid, atttypmod) as t from pg_attribute where attrelid = 'page'::regclass and attname = 'v';

select ts_headline('english', 'The most common type of search is to find all documents containing given query terms and return them in order of their similarity to the query.', to_tsquery('english', 'query & similarity')) as a, ts_headline('english', 'The quick brown fox', to_tsquery('cat')) as b, ts_headline('english', 'cats and <b>dogs</b> run', to_tsquery('english', 'cat | dog'), 'StartSel=<, StopSel=>') as c, ts_headline('dogs, well-known dogs', to_tsquery('dog')) as d;

select ts_headline('english', 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur.', websearch_to_tsquery('english', 'velit nostrud'), 'MaxWords=20, MinWords=5, StartSel="[", StopSel="]"') as a, ts_headline('english', 'one two three four five six seven eight nine ten eleven twelve', to_tsquery('nine'), 'MaxWords=4, MinWords=2') as b, ts_headline('english', 'one <i>two</i> three', to_tsquery('two'), 'HighlightAll=true') as c, ts_headline('simple', 'a b c d e f g h', '"c d"'::tsquery, 'MaxWords=5,MinWords=3,ShortWord=0') as d;

select ts_headline('a', to_tsquery('a'), 'MinWords=9, MaxWords=3');

create table note (id int, title varchar(50), body text, v tsvector, config regconfig);

create trigger note_v before insert or update on note for each row execute function tsvector_update_trigger(v, 'pg_catalog.english', title, body);

insert into note (id, title, body) values (1, 'Running dogs', 'are fast'), (2, null, 'cats') returning v;

update note set body = 'are slow now' where id = 1 returning v;

select event_object_table, action_statement from information_schema.triggers where trigger_name = 'note_v' and event_manipulation = 'INSERT';

drop trigger note_v on note;

create trigger note_v before insert or update on note for each row execute procedure tsvector_update_trigger_column(v, config, title, body);

update note set config = 'simple', body = 'are running' where id = 1 returning v, config;

drop trigger note_v on note;

create trigger note_v before insert on note for each row execute function tsvector_update_trigger(v, 'english', title);

insert into note (id, title) values (3, 'x');

create text search configuration es (copy = spanish);

create text search configuration es (copy = spanish);

create text search configuration fr (copy = klingon);

select to_tsvector('es', 'Las canciones') as a, to_tsvector('public.es', 'Las canciones') as b, 'es'::regconfig as c, to_tsquery('es', 'canción') as d;

create extension if not exists unaccent;

alter text search configuration es alter mapping for hword, hword_part, word with unaccent, spanish_stem;

select to_tsvector('es', 'La canción española') as a, to_tsvector('es', 'café') @@ to_tsquery('es', 'cafe') as b;

alter text search configuration es alter mapping for word with no_such_stem;

alter text search configuration es alter mapping for no_such_token with simple;

alter text search configuration es drop mapping for email, url;

select to_tsvector('es', 'x@example.com hola') as a;

create table libro (id int, t text, v tsvector generated always as (to_tsvector('es', t)) stored);

insert into libro (id, t) values (1, 'Los niños cantan') returning v;

select to_tsvector(c::regconfig, 'las canciones') as v from (values ('es'), ('simple')) t(c);

set default_text_search_config = 'public.es';

select to_tsvector('Las canciones') as a, get_current_ts_config() as b;

reset default_text_search_config;

create text search configuration empty (parser = default);

alter text search configuration empty add mapping for asciiword, word with simple;

select to_tsvector('empty', 'The cats 12') as a;

drop text search configuration empty;

drop text search configuration if exists empty;

drop text search configuration empty;

select cfgname, cfgnamespace::regnamespace::text as schema from pg_ts_config where cfgname in ('es', 'simple', 'english') order by cfgname;

do $$ begin if not exists (select 1 from pg_ts_config where cfgname = 'own') then create text search configuration own (copy = simple); end if; end $$;

select to_tsvector('own', 'The cats') as v;

select to_tsvector('english', 'see ../a/b.txt, ~/notes and /etc/x.conf; call +1-555-0100 at 10.5e3 or v2.0; user_name@mail.example.org <!DOCTYPE html><br/> semi-automated state-of-the-art C3PO') as v;

select to_tsvector('simple', 'naïve-café ÉCOLE привет 東京 ١٢٣ x--y a_b it''s 50% #tag @user $5.00 1,234') as v;

create text search configuration public.dumped (parser = pg_catalog."default");

alter text search configuration public.dumped add mapping for asciiword with english_stem;

alter text search configuration public.dumped owner to postgres;

alter text search configuration dumped rename to renamed;

select to_tsvector('public.renamed', 'Running 5 dogs') as v;

select to_tsvector('public.dumped', 'Running');
