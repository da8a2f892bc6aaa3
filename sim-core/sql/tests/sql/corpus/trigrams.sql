-- The extensions pg_trgm, unaccent and fuzzystrmatch.

select similarity('a', 'b');
--> ERROR 42883: function similarity(unknown, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select unaccent('é');
--> ERROR 42883: function unaccent(unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select levenshtein('a', 'b');
--> ERROR 42883: function levenshtein(unknown, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create table early (t text);
--> no rows

create index on early using gin (t gin_trgm_ops);
--> ERROR 42704: operator class "gin_trgm_ops" does not exist for access method "gin"

create extension pg_trgm;
--> no rows

create extension if not exists unaccent with schema public;
--> no rows

create extension fuzzystrmatch;
--> no rows

select similarity('word', 'two words') as a, similarity('Hello', 'hello') as b, similarity('abc', 'xyz') as c, similarity('', '') as d, similarity('naïve', 'naive') as e, similarity('a b', 'b a') as f;
--> {"a":0.36363637,"b":1,"c":0,"d":0,"e":0.33333334,"f":1}

select show_trgm('word') as a, show_trgm('Two, words!') as b, show_trgm('') as c, show_trgm('a1_b') as d;
--> {"a":["  w"," wo","ord","rd ","wor"],"b":["  t","  w"," tw"," wo","ds ","ord","rds","two","wo ","wor"],"c":[],"d":["  a","  b"," a1"," b ","a1 "]}

select word_similarity('word', 'two words') as a, strict_word_similarity('word', 'two words') as b, word_similarity('hello world', 'say hello to the world') as c, strict_word_similarity('hello world', 'say hello to the world') as d, word_similarity('', 'x') as e, word_similarity('cat', 'concatenate') as f, strict_word_similarity('cat', 'concatenate the cat') as g;
--> {"a":0.8,"b":0.5714286,"c":0.6666667,"d":0.6666667,"e":0,"f":0.25,"g":1}

select 'word' % 'words' as a, 'word' % 'xyz' as b, 'word' <-> 'words' as c, 'word' <% 'two words' as d, 'two words' %> 'word' as e, 'word' <<% 'two words' as f, 'two words' %>> 'word' as g, 'word' <<-> 'two words' as h, 'two words' <->> 'word' as i, show_limit() as j;
--> {"a":true,"b":false,"c":0.4285714,"d":true,"e":true,"f":true,"g":true,"h":0.19999999,"i":0.19999999,"j":0.3}

create table product (id int primary key, name text not null);
--> no rows

insert into product values (1, 'Postgres database'), (2, 'Postgraduate course'), (3, 'Data base'), (4, 'Coffee');
--> no rows

create index product_trgm on product using gin (name gin_trgm_ops);
--> no rows

create index product_gist on product using gist (name gist_trgm_ops);
--> no rows

create index product_expr on product using gin ((lower(name)) gin_trgm_ops);
--> no rows

select id, similarity(name, 'postgres') as s from product where name % 'postgres' order by s desc, id;
--> {"id":1,"s":0.5}

select id from product where name ilike '%base%' order by id;
--> {"id":1}
--> {"id":3}

select id from product order by name <-> 'database', id;
--> {"id":3}
--> {"id":1}
--> {"id":2}
--> {"id":4}

select id, round(word_similarity('databse', name)::numeric, 4) as s from product order by s desc, id;
--> {"id":1,"s":"0.6250"}
--> {"id":3,"s":"0.5000"}
--> {"id":2,"s":"0.1250"}
--> {"id":4,"s":"0.0000"}

select set_limit(0.8) as l;
--> {"l":0.8}

select unaccent('Hôtel Łódź Ægir ½ ﬁ Straße ①') as a, unaccent('') as b, unaccent('unaccent', 'é') as c, lower(unaccent('ÀÉÎ')) as d, unaccent(null) as e;
--> {"a":"Hotel Lodz AEgir 1/2 fi Strasse ①","b":"","c":"e","d":"aei","e":null}

select levenshtein('GUMBO', 'GAMBOL') as a, levenshtein('GUMBO', 'GAMBOL', 2, 1, 1) as b, levenshtein_less_equal('extensive', 'exhaustive', 2) as c, levenshtein_less_equal('extensive', 'exhaustive', 4) as d, levenshtein('', 'abc') as e, levenshtein('naïve', 'naive') as f, levenshtein('kitten', 'sitting') as g;
--> {"a":2,"b":3,"c":3,"d":4,"e":3,"f":1,"g":3}

select soundex('hello world!') as a, soundex('Anne') as b, soundex('Ann') as c, soundex('Andrew') as d, soundex('') as e, soundex('Pfister') as f, soundex('Tymczak') as g, difference('Anne', 'Andrew') as h, difference('Anne', 'Margaret') as i, soundex('123') as j, soundex('O''Hara') as k;
--> {"a":"H464","b":"A500","c":"A500","d":"A536","e":"","f":"P236","g":"T522","h":2,"i":0,"j":"","k":"O600"}

set pg_trgm.similarity_threshold = 0.6;
--> no rows

select 'word' % 'words' as a, 'word' % 'wordsmith' as b, show_limit() as c;
--> {"a":true,"b":true,"c":0.3}

reset pg_trgm.similarity_threshold;
--> no rows

drop extension unaccent;
--> no rows

select unaccent('é');
--> ERROR 42883: function unaccent(unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8
