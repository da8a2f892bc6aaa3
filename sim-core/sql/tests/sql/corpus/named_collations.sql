-- Collations by name, the places of casts that there are not, texts that are no XML.

select 'a' collate "C", array['a'] collate "C";
--> {"?column?":"a","array":["a"]}

select 'a' collate nosuch;
--> ERROR 42704: collation "nosuch" for encoding "UTF8" does not exist
--> AT 12

select x collate "nosuch" from (values ('a')) t(x);
--> ERROR 42704: collation "nosuch" for encoding "UTF8" does not exist
--> AT 10

select 1 collate "C";
--> ERROR 42804: collations are not supported by type integer
--> AT 10

select 'a' collate public.nosuch;
--> ERROR 42704: collation "public.nosuch" for encoding "UTF8" does not exist
--> AT 12

create table cc (a text collate "nosuch");
--> ERROR 42704: collation "nosuch" for encoding "UTF8" does not exist
--> AT 25

create table cc (a text collate "C", b varchar(3) collate "en-x-icu");
--> no rows

alter table cc alter a type varchar collate "nope";
--> ERROR 42704: collation "nope" for encoding "UTF8" does not exist

alter table cc add e text collate "nope";
--> ERROR 42704: collation "nope" for encoding "UTF8" does not exist
--> AT 27

create index on cc (a collate "nope");
--> ERROR 42704: collation "nope" for encoding "UTF8" does not exist

create index on cc ((lower(a)) collate "C");
--> no rows

create domain dd as text collate "nope";
--> ERROR 42704: collation "nope" for encoding "UTF8" does not exist

select a from cc order by a collate "nope";
--> ERROR 42704: collation "nope" for encoding "UTF8" does not exist
--> AT 29

select 'a' < 'b' collate "C", 'x' || 'y' collate "C" as xy;
--> {"?column?":true,"xy":"xy"}

select max(a collate "C") from cc;
--> {"max":null}

select true::uuid;
--> ERROR 42846: cannot cast type boolean to uuid
--> AT 12

select '1'::int::uuid;
--> ERROR 42846: cannot cast type integer to uuid
--> AT 16

select x::uuid from (values (1)) t(x);
--> ERROR 42846: cannot cast type integer to uuid
--> AT 9

select cast(1 as uuid);
--> ERROR 42846: cannot cast type integer to uuid
--> AT 8

select (1 + 2)::uuid;
--> ERROR 42846: cannot cast type integer to uuid
--> AT 15

select 1 where true::uuid is null;
--> ERROR 42846: cannot cast type boolean to uuid
--> AT 20

select '1'::text::bool::uuid;
--> ERROR 42846: cannot cast type boolean to uuid
--> AT 23

select '<a/>'::xml, '<a>b &amp; c</a>text<b x="1"/>'::xml as content, ''::xml as empty;
--> {"xml":"<a/>","content":"<a>b &amp; c</a>text<b x=\"1\"/>","empty":""}

do $$ begin perform '<a>'::xml; exception when invalid_xml_content then raise notice 'refused'; end $$;
--> no rows

do $$ begin perform '<a></b>'::xml; exception when invalid_xml_content then raise notice 'refused'; end $$;
--> no rows

do $$ begin perform xml '<a'; exception when invalid_xml_content then raise notice 'refused'; end $$;
--> no rows

do $$ begin perform '<a x=1/>'::xml; exception when invalid_xml_content then raise notice 'refused'; end $$;
--> no rows

create table docs (id int, body xml);
--> no rows

insert into docs values (1, '<p>one</p>'), (2, '<p>two</p>');
--> no rows

do $$ begin insert into docs values (3, '<p>three'); exception when invalid_xml_content then raise notice 'refused'; end $$;
--> no rows

do $$ begin insert into docs select 4, t::xml from (values ('<p>'::text)) v(t); exception when invalid_xml_content then raise notice 'refused'; end $$;
--> no rows

insert into docs select 5, t::xml from (values ('<p>five</p>'::text)) v(t);
--> no rows

select id, body from docs order by id;
--> {"id":1,"body":"<p>one</p>"}
--> {"id":2,"body":"<p>two</p>"}
--> {"id":5,"body":"<p>five</p>"}

do $$ begin update docs set body = '<p>&</p>' where id = 1; exception when invalid_xml_content then raise notice 'refused'; end $$;
--> no rows
