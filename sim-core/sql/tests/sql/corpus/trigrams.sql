-- The extensions pg_trgm, unaccent and fuzzystrmatch.

select similarity('a', 'b');

select unaccent('é');

select levenshtein('a', 'b');

create table early (t text);

create index on early using gin (t gin_trgm_ops);

create extension pg_trgm;

create extension if not exists unaccent with schema public;

create extension fuzzystrmatch;

select similarity('word', 'two words') as a, similarity('Hello', 'hello') as b, similarity('abc', 'xyz') as c, similarity('', '') as d, similarity('naïve', 'naive') as e, similarity('a b', 'b a') as f;

select show_trgm('word') as a, show_trgm('Two, words!') as b, show_trgm('') as c, show_trgm('a1_b') as d;

select word_similarity('word', 'two words') as a, strict_word_similarity('word', 'two words') as b, word_similarity('hello world', 'say hello to the world') as c, strict_word_similarity('hello world', 'say hello to the world') as d, word_similarity('', 'x') as e, word_similarity('cat', 'concatenate') as f, strict_word_similarity('cat', 'concatenate the cat') as g;

select 'word' % 'words' as a, 'word' % 'xyz' as b, 'word' <-> 'words' as c, 'word' <% 'two words' as d, 'two words' %> 'word' as e, 'word' <<% 'two words' as f, 'two words' %>> 'word' as g, 'word' <<-> 'two words' as h, 'two words' <->> 'word' as i, show_limit() as j;

create table product (id int primary key, name text not null);

insert into product values (1, 'Postgres database'), (2, 'Postgraduate course'), (3, 'Data base'), (4, 'Coffee');

create index product_trgm on product using gin (name gin_trgm_ops);

create index product_gist on product using gist (name gist_trgm_ops);

create index product_expr on product using gin ((lower(name)) gin_trgm_ops);

select id, similarity(name, 'postgres') as s from product where name % 'postgres' order by s desc, id;

select id from product where name ilike '%base%' order by id;

select id from product order by name <-> 'database', id;

select id, round(word_similarity('databse', name)::numeric, 4) as s from product order by s desc, id;

select set_limit(0.8) as l;

select unaccent('Hôtel Łódź Ægir ½ ﬁ Straße ①') as a, unaccent('') as b, unaccent('unaccent', 'é') as c, lower(unaccent('ÀÉÎ')) as d, unaccent(null) as e;

select levenshtein('GUMBO', 'GAMBOL') as a, levenshtein('GUMBO', 'GAMBOL', 2, 1, 1) as b, levenshtein_less_equal('extensive', 'exhaustive', 2) as c, levenshtein_less_equal('extensive', 'exhaustive', 4) as d, levenshtein('', 'abc') as e, levenshtein('naïve', 'naive') as f, levenshtein('kitten', 'sitting') as g;

select soundex('hello world!') as a, soundex('Anne') as b, soundex('Ann') as c, soundex('Andrew') as d, soundex('') as e, soundex('Pfister') as f, soundex('Tymczak') as g, difference('Anne', 'Andrew') as h, difference('Anne', 'Margaret') as i, soundex('123') as j, soundex('O''Hara') as k;

set pg_trgm.similarity_threshold = 0.6;

select 'word' % 'words' as a, 'word' % 'wordsmith' as b, show_limit() as c;

reset pg_trgm.similarity_threshold;

drop extension unaccent;

select unaccent('é');
