-- Text search in the languages whose stemmers came with newer versions of Snowball.

create table books (id int primary key, title text, fts tsvector generated always as (to_tsvector('indonesian', title)) stored);
--> no rows

insert into books values (1, 'Pembelajaran mendalam untuk mahasiswa'), (2, 'Makanan dan minuman dari pulau-pulaunya'), (3, 'Membaca buku perpustakaan');
--> no rows

create index books_fts on books using gin (fts);
--> no rows

select id, fts from books order by id;
--> {"id":1,"fts":"'ajar':1 'dalam':2 'mahasiswa':4 'untuk':3"}
--> {"id":2,"fts":"'dan':2 'dari':4 'makan':1 'minum':3 'pulau':6,7 'pulau-pulau':5"}
--> {"id":3,"fts":"'baca':1 'buku':2 'pustaka':3"}

select id from books where fts @@ to_tsquery('indonesian', 'baca & bukunya') order by id;
--> {"id":3}

select id from books where fts @@ websearch_to_tsquery('indonesian', 'belajar') order by id;
--> {"id":1}

create index books_ca on books using gin (to_tsvector('catalan', title));
--> no rows

select to_tsvector('catalan', 'Les cançons tradicionals catalanes i les biblioteques públiques de la ciutat') as v;
--> {"v":"'bibliot':7 'cançon':2 'catalan':4 'ciut':11 'de':9 'i':5 'la':10 'les':1,6 'publ':8 'tradicion':3"}

select to_tsvector('hindi', 'लड़कियों ने किताबें पढ़ीं और लड़के खेल रहे थे') as v;
--> {"v":"'और':5 'किताब':3 'खेल':7 'थ':9 'न':2 'पढ़':4 'रह':8 'लड़क':1,6"}

select to_tsvector('serbian', 'Књижевност и уметност српских градова, deca i knjige') as v;
--> {"v":"'dec':6 'gradov':5 'i':2,7 'knjig':8 'književn':1 'srpsk':4 'umetn':3"}

select to_tsvector('lithuanian', 'Lietuvos miestai ir gražiausios bibliotekos vaikams') as v;
--> {"v":"'bibliotek':5 'graž':4 'ir':3 'lietuv':1 'miest':2 'vaik':6"}

select to_tsvector('irish', 'Na leabhair agus an bhfuinneog sa leabharlann') as v;
--> {"v":"'agus':3 'an':4 'fuinneog':5 'leabhair':2 'leabharlann':7 'na':1 'sa':6"}

select to_tsvector('nepali', 'नेपालको राजधानी काठमाडौं हो र यहाँका मानिसहरू') as v;
--> {"v":"'काठमाडौं':3 'नेपाल':1 'मानिस':7 'यहाँ':6 'राजधानी':2 'हो':4"}

select to_tsvector('armenian', 'Գրադարանները և մարդկանց գրքերը') as v;
--> {"v":"'գրադար':1 'գրքերը':4 'մարդկ':3 'և':2"}

select to_tsvector('basque', 'Liburutegiak eta umeentzako liburuak') as v;
--> {"v":"'eta':2 'liburu':1,4 'ume':3"}

select to_tsvector('yiddish', 'די ביכער און די קינדער אין שול') as v;
--> {"v":"'אונ':3 'אינ':6 'ביכ':2 'די':1,4 'קינד':5 'שול':7"}

select ts_lexize('indonesian_stem', 'perpustakaannya') as a, ts_lexize('pg_catalog.catalan_stem', 'biblioteques') as b, ts_lexize('nepali_stem', 'छ') as c, ts_lexize('irish_stem', 'b''') as d;
--> {"a":["pustaka"],"b":["bibliot"],"c":[],"d":["b'"]}

-- Words with letters that newer versions read otherwise, and words that are nothing but an ending.
select to_tsvector('russian', 'ёлка ёлки пёс всё самолёты') as v;
--> {"v":"'все':4 'елк':1,2 'пес':3 'самолет':5"}

select to_tsvector('french', 'noël canoë maïs ambiguë naïves héroïques française') as v;
--> {"v":"'ambigu':4 'cano':2 'français':7 'héro':6 'maï':3 'naïv':5 'noël':1"}

select ts_lexize('turkish_stem', 'leri') as a, ts_lexize('tamil_stem', 'கள்') as b, ts_lexize('greek_stem', 'έών') as c;
--> {"a":["leri"],"b":["கள்"],"c":["έών"]}

create text search configuration toko (copy = indonesian);
--> no rows

alter text search configuration toko alter mapping for asciiword with simple;
--> no rows

select to_tsvector('toko', 'Makanannya') as v, to_tsvector('pg_catalog.indonesian', 'Makanannya') as w;
--> {"v":"'makanannya':1","w":"'makan':1"}

select ts_headline('indonesian', 'Perpustakaan kota meminjamkan buku', to_tsquery('indonesian', 'pinjam | buku')) as h;
--> {"h":"Perpustakaan kota <b>meminjamkan</b> <b>buku</b>"}

select cfgname from pg_ts_config where cfgnamespace = 'pg_catalog'::regnamespace order by 1;
--> {"cfgname":"arabic"}
--> {"cfgname":"armenian"}
--> {"cfgname":"basque"}
--> {"cfgname":"catalan"}
--> {"cfgname":"danish"}
--> {"cfgname":"dutch"}
--> {"cfgname":"english"}
--> {"cfgname":"finnish"}
--> {"cfgname":"french"}
--> {"cfgname":"german"}
--> {"cfgname":"greek"}
--> {"cfgname":"hindi"}
--> {"cfgname":"hungarian"}
--> {"cfgname":"indonesian"}
--> {"cfgname":"irish"}
--> {"cfgname":"italian"}
--> {"cfgname":"lithuanian"}
--> {"cfgname":"nepali"}
--> {"cfgname":"norwegian"}
--> {"cfgname":"portuguese"}
--> {"cfgname":"romanian"}
--> {"cfgname":"russian"}
--> {"cfgname":"serbian"}
--> {"cfgname":"simple"}
--> {"cfgname":"spanish"}
--> {"cfgname":"swedish"}
--> {"cfgname":"tamil"}
--> {"cfgname":"turkish"}
--> {"cfgname":"yiddish"}
