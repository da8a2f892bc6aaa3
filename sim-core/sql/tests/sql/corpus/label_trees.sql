-- The extension ltree.

create extension ltree;
--> no rows

create table node (id int primary key, path ltree not null, paths ltree[]);
--> no rows

create index node_path on node using gist (path);
--> no rows

create index node_path2 on node using btree (path);
--> no rows

insert into node values (1, 'Top'), (2, 'Top.Science'), (3, 'Top.Science.Astronomy'), (4, 'Top.Hobbies'), (5, 'Top.Hobbies.Amateurs_Astronomy', '{Top,Top.a}'), (6, 'Other.science');
--> ERROR 42601: VALUES lists must all be the same length
--> AT 108

select id from node where path <@ 'Top.Science' order by id;
--> no rows

select id from node where path @> 'Top.Science.Astronomy' order by id;
--> no rows

select id from node where path ~ '*.Astronomy' order by id;
--> no rows

select id from node where path ~ '*.science@.*' order by id;
--> no rows

select id from node where path ~ 'Top.*{1}' order by id;
--> no rows

select id from node where path ~ 'Top.!Hobbies.*' order by id;
--> no rows

select id from node where path ~ '*.Astro*%.*' order by id;
--> no rows

select id from node where path ~ 'Top.Science|Hobbies.*{,1}' order by id;
--> no rows

select id from node where path ? array['Top', 'Other.*']::lquery[] order by id;
--> no rows

select id from node where path @ 'Astro*% & !Science' order by id;
--> no rows

select 'Top.Child1.Child2'::ltree || 'x', 'Top'::ltree || 'Sub'::ltree, 'a'::text || 'b'::ltree;
--> {"?column?":"a.b"}

select nlevel('a.b.c'), subpath('a.b.c.d', 1, 2), subpath('a.b.c.d', 1), subpath('a.b.c.d', -2), subpath('a.b.c.d', 0, -1), subltree('a.b.c.d', 1, 3);
--> {"nlevel":3,"subpath":"a.b.c","subltree":"b.c"}

select subpath('a.b', 5);
--> ERROR 22023: invalid positions

select index('0.1.2.3.5.4.5.6.8.5.6.8', '5.6'), index('0.1.2.3.5.4.5.6.8.5.6.8', '5.6', -4), index('a.b', 'c');
--> {"index":-1}

select lca('1.2.3', '1.2.3.4.5.6'), lca(array['1.2.2.3', '1.2.3']::ltree[]), lca('a', 'a.b');
--> {"lca":""}

select text2ltree('a.b'), ltree2text('a.b'), 'a.b'::ltree::text, 'a.b'::text::ltree;
--> {"text2ltree":"a.b","ltree2text":"a.b","text":"a.b","ltree":"a.b"}

select path from node order by path desc limit 2;
--> no rows

select subpath(path, 0, 1) as top, count(*), max(nlevel(path)) from node group by 1 order by 1;
--> no rows

select 'a..b'::ltree;
--> ERROR 42601: ltree syntax error at character 3
--> AT 8

select 'a.'::ltree;
--> ERROR 42601: ltree syntax error
--> DETAIL: Unexpected end of input.
--> AT 8

select 'a b'::ltree;
--> ERROR 42601: ltree syntax error at character 2
--> AT 8

select ''::ltree = subpath('a', 0, 0), 'a.b'::ltree < 'a.c', 'a'::ltree > 'a.b';
--> {"?column?":false}

create function path_of() returns trigger language plpgsql as $$ begin new.path := coalesce((select path from node where id = new.id - 1), '') || new.id::text; return new; end $$;
--> no rows

create trigger path_of before insert on node for each row execute function path_of();
--> no rows

insert into node (id) values (7) returning path;
--> {"path":"7"}

update node set path = 'New' || subpath(path, 1) where path <@ 'Top.Hobbies' returning path;
--> no rows

select parent.id, child.id from node parent join node child on child.path <@ parent.path and nlevel(child.path) = nlevel(parent.path) + 1 order by 1, 2;
--> no rows

alter table node add column pattern lquery default '*.x', add constraint deep check (nlevel(path) < 9);
--> no rows

drop extension ltree cascade;
--> no rows
