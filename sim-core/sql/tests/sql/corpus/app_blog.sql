-- Posts with slugs, tags, comment trees, full text search and revisions.

create extension if not exists unaccent;
--> no rows

create function slugify(value text) returns text language sql immutable strict as $$ select trim(both '-' from regexp_replace(lower(unaccent(value)), '[^a-z0-9]+', '-', 'g')) $$;
--> no rows

select slugify('  Hello, Wörld! ') as a, slugify('Ça va -- bien?') as b, slugify('') as c, slugify(null) as d;
--> {"a":"hello-world","b":"ca-va-bien","c":"","d":null}

create table author (id serial primary key, name text not null, email text unique);
--> no rows

create table article (id serial primary key, author_id int not null references author, title text not null, slug text not null unique, body text not null default '', status text not null default 'draft' check (status in ('draft', 'published', 'archived')), published_at timestamptz, words int generated always as (array_length(regexp_split_to_array(trim(body), '\s+'), 1)) stored, search tsvector generated always as (setweight(to_tsvector('english', coalesce(title, '')), 'A') || setweight(to_tsvector('english', body), 'B')) stored, check ((status = 'published') = (published_at is not null)));
--> no rows

create index article_search on article using gin (search);
--> no rows

create table tag (name text primary key); create table article_tag (article_id int references article on delete cascade, tag text references tag on update cascade on delete cascade, primary key (article_id, tag));
--> no rows

create function set_slug() returns trigger language plpgsql as $$
declare base text := slugify(new.title); n int := 1;
begin
  if new.slug is null then
    new.slug := base;
    while exists (select 1 from article where slug = new.slug and id <> new.id) loop n := n + 1; new.slug := base || '-' || n; end loop;
  end if;
  return new;
end $$;
--> no rows

create trigger article_slug before insert or update of title on article for each row execute function set_slug();
--> no rows

insert into author (name, email) values ('Ann', 'ann@x.io'), ('Bob', null) returning id;
--> {"id":1}
--> {"id":2}

insert into article (author_id, title, body) values (1, 'Hello World', 'The first post about databases.'), (1, 'Hello World', 'Another post with the same title.'), (2, 'Indexes explained', 'An index makes queries faster. Indexes cost writes.') returning slug, words;
--> {"slug":"hello-world","words":5}
--> {"slug":"hello-world-2","words":6}
--> {"slug":"indexes-explained","words":8}

insert into article (author_id, title, status) values (1, 'No date', 'published');
--> ERROR 23514: new row for relation "article" violates check constraint "article_check"
--> DETAIL: Failing row contains (4, 1, No date, no-date, , published, null, 1, 'date':2A).

update article set status = 'published', published_at = '2024-03-01' where id in (1, 3) returning slug;
--> {"slug":"hello-world"}
--> {"slug":"indexes-explained"}

insert into tag values ('sql'), ('meta'); insert into article_tag values (1, 'meta'), (3, 'sql'), (1, 'sql');
--> no rows

insert into article_tag values (2, 'unknown');
--> ERROR 23503: insert or update on table "article_tag" violates foreign key constraint "article_tag_tag_fkey"
--> DETAIL: Key (tag)=(unknown) is not present in table "tag".

update tag set name = 'postgres' where name = 'sql';
--> no rows

select a.slug, array_agg(t.tag order by t.tag) filter (where t.tag is not null) as tags from article a left join article_tag t on t.article_id = a.id group by a.id order by a.id;
--> {"slug":"hello-world","tags":["meta","postgres"]}
--> {"slug":"hello-world-2","tags":null}
--> {"slug":"indexes-explained","tags":["postgres"]}

select slug, ts_rank(search, q)::numeric(6,4) as rank from article, websearch_to_tsquery('english', 'index or post') q where search @@ q order by rank desc, slug;
--> {"slug":"indexes-explained","rank":"0.3479"}
--> {"slug":"hello-world","rank":"0.1216"}
--> {"slug":"hello-world-2","rank":"0.1216"}

select slug from article where search @@ plainto_tsquery('english', 'query') order by 1;
--> {"slug":"indexes-explained"}

select ts_headline('english', body, to_tsquery('english', 'index'), 'MaxWords=5, MinWords=2') as h from article where id = 3;
--> {"h":"<b>index</b> makes"}

create table comment (id serial primary key, article_id int not null references article on delete cascade, parent_id int references comment on delete cascade, author text, body text not null, approved boolean default false);
--> no rows

insert into comment (article_id, parent_id, author, body, approved) values (1, null, 'x', 'First!', true), (1, 1, 'y', 'Reply', true), (1, 2, 'z', 'Deep', false), (1, null, 'w', 'Second', true), (3, null, 'v', 'Nice', true);
--> no rows

with recursive tree as (select id, parent_id, body, 1 as level, array[id] as path from comment where article_id = 1 and parent_id is null union all select c.id, c.parent_id, c.body, t.level + 1, t.path || c.id from comment c join tree t on c.parent_id = t.id) select level, body, path from tree order by path;
--> {"level":1,"body":"First!","path":[1]}
--> {"level":2,"body":"Reply","path":[1,2]}
--> {"level":3,"body":"Deep","path":[1,2,3]}
--> {"level":1,"body":"Second","path":[4]}

with recursive up as (select id, parent_id from comment where id = 3 union all select c.id, c.parent_id from comment c join up on c.id = up.parent_id) select array_agg(id order by id) as chain from up;
--> {"chain":[1,2,3]}

create view published as select a.id, a.slug, a.title, au.name as author, a.published_at, count(c.id) filter (where c.approved) as comments from article a join author au on au.id = a.author_id left join comment c on c.article_id = a.id where a.status = 'published' group by a.id, au.name;
--> no rows

select slug, author, comments from published order by slug;
--> {"slug":"hello-world","author":"Ann","comments":3}
--> {"slug":"indexes-explained","author":"Bob","comments":1}

create table revision (article_id int, n int, title text, body text, at timestamptz default now(), primary key (article_id, n));
--> no rows

create function keep_revision() returns trigger language plpgsql as $$ begin insert into revision (article_id, n, title, body) select old.id, coalesce(max(n), 0) + 1, old.title, old.body from revision where article_id = old.id; return null; end $$;
--> no rows

create trigger article_revision after update on article for each row when (old.title is distinct from new.title or old.body is distinct from new.body) execute function keep_revision();
--> no rows

update article set body = body || ' More.' where id = 1; update article set body = 'Short.', title = 'Hello again' where id = 1; update article set status = 'archived', published_at = null where id = 3;
--> no rows

select article_id, n, title, body from revision order by 1, 2;
--> {"article_id":1,"n":1,"title":"Hello World","body":"The first post about databases."}
--> {"article_id":1,"n":2,"title":"Hello World","body":"The first post about databases. More."}

select slug, words from article where id = 1;
--> {"slug":"hello-world","words":1}

select title, lag(title) over (order by n) as before, first_value(body) over (order by n) as original from revision where article_id = 1 order by n;
--> {"title":"Hello World","before":null,"original":"The first post about databases."}
--> {"title":"Hello World","before":"Hello World","original":"The first post about databases."}

select to_char(published_at, 'FMMonth YYYY') as month, count(*) from article where published_at is not null group by 1;
--> {"month":"March 2024","count":1}

select string_agg(initial, '' order by initial) as index from (select distinct upper(left(title, 1)) as initial from article) t;
--> {"index":"HI"}

select json_build_object('title', a.title, 'comments', (select coalesce(json_agg(json_build_object('by', c.author, 'body', c.body) order by c.id), '[]') from comment c where c.article_id = a.id and c.approved)) as doc from article a order by a.id;
--> {"doc":{"title":"Hello again","comments":[{"by":"x","body":"First!"},{"by":"y","body":"Reply"},{"by":"w","body":"Second"}]}}
--> {"doc":{"title":"Hello World","comments":[]}}
--> {"doc":{"title":"Indexes explained","comments":[{"by":"v","body":"Nice"}]}}

select jsonb_pretty(jsonb_build_object('slug', slug, 'words', words)) as doc from article where id = 2;
--> {"doc":"{\n    \"slug\": \"hello-world-2\",\n    \"words\": 6\n}"}

delete from article where id = 1;
--> no rows

select (select count(*) from comment) as comments, (select count(*) from article_tag) as tags, (select count(*) from revision) as revisions;
--> {"comments":1,"tags":1,"revisions":2}

delete from author where id = 1;
--> ERROR 23503: update or delete on table "author" violates foreign key constraint "article_author_id_fkey" on table "article"
--> DETAIL: Key (id)=(1) is still referenced from table "article".

alter table article drop constraint article_author_id_fkey, add constraint article_author_fk foreign key (author_id) references author on delete cascade;
--> no rows

delete from author where id = 1 returning name;
--> {"name":"Ann"}

select slug from article order by id;
--> {"slug":"indexes-explained"}

create rule no_delete as on delete to tag do instead nothing;
--> no rows

delete from tag;
--> no rows

select count(*) from tag;
--> {"count":2}

select table_name, column_name, is_generated from information_schema.columns where table_name = 'article' and is_generated = 'ALWAYS' order by 2;
--> {"table_name":"article","column_name":"search","is_generated":"ALWAYS"}
--> {"table_name":"article","column_name":"words","is_generated":"ALWAYS"}
