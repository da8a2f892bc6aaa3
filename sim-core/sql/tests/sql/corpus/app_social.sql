-- Follows, posts, likes, feeds and counters kept by triggers.

create table member (id uuid primary key, handle text not null unique check (handle ~ '^[a-z0-9_]{3,20}$'), bio text, followers int not null default 0, following int not null default 0, is_private boolean not null default false);
--> no rows

create table follow (follower uuid references member on delete cascade, followed uuid references member on delete cascade, accepted boolean not null default true, created_at timestamptz not null default now(), primary key (follower, followed), check (follower <> followed));
--> no rows

create table post (id bigint generated always as identity primary key, author uuid not null references member on delete cascade, body text not null check (length(body) between 1 and 280), reply_to bigint references post on delete set null, likes int not null default 0, created_at timestamptz not null default now());
--> no rows

create table "like" (member_id uuid references member on delete cascade, post_id bigint references post on delete cascade, primary key (member_id, post_id));
--> no rows

create function count_follow() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update member set followers = followers + 1 where id = new.followed;
    update member set following = following + 1 where id = new.follower;
  elsif tg_op = 'DELETE' then
    update member set followers = followers - 1 where id = old.followed;
    update member set following = following - 1 where id = old.follower;
  end if;
  return null;
end $$;
--> no rows

create trigger follow_counted after insert or delete on follow for each row execute function count_follow();
--> no rows

create function count_like() returns trigger language plpgsql as $$ begin update post set likes = likes + case tg_op when 'INSERT' then 1 else -1 end where id = case tg_op when 'INSERT' then new.post_id else old.post_id end; return null; end $$;
--> no rows

create trigger like_counted after insert or delete on "like" for each row execute function count_like();
--> no rows

insert into member (id, handle, is_private) values ('00000000-0000-0000-0000-000000000001', 'ann', false), ('00000000-0000-0000-0000-000000000002', 'bob', false), ('00000000-0000-0000-0000-000000000003', 'cid', true);
--> no rows

insert into member (id, handle) values ('00000000-0000-0000-0000-000000000004', 'No Way');
--> ERROR 23514: new row for relation "member" violates check constraint "member_handle_check"
--> DETAIL: Failing row contains (00000000-0000-0000-0000-000000000004, No Way, null, 0, 0, f).

insert into follow (follower, followed) select a.id, b.id from member a, member b where a.handle = 'ann' and b.handle <> 'ann';
--> no rows

insert into follow (follower, followed) select b.id, a.id from member a, member b where a.handle = 'ann' and b.handle = 'bob';
--> no rows

select handle, followers, following from member order by handle;
--> {"handle":"ann","followers":1,"following":2}
--> {"handle":"bob","followers":1,"following":1}
--> {"handle":"cid","followers":1,"following":0}

insert into post (author, body) select id, 'Hello from ' || handle from member order by handle;
--> no rows

insert into post (author, body, reply_to) values ('00000000-0000-0000-0000-000000000001', 'A reply #fun #sql', 2), ('00000000-0000-0000-0000-000000000002', 'More @ann #sql', 4) returning id;
--> {"id":4}
--> {"id":5}

insert into "like" select m.id, p.id from member m, post p where p.id in (1, 4) and m.id <> p.author;
--> no rows

insert into "like" values ('00000000-0000-0000-0000-000000000002', 1) on conflict do nothing;
--> no rows

select id, likes from post order by id;
--> {"id":1,"likes":2}
--> {"id":2,"likes":0}
--> {"id":3,"likes":0}
--> {"id":4,"likes":2}
--> {"id":5,"likes":0}

delete from "like" where post_id = 1 and member_id = '00000000-0000-0000-0000-000000000003';
--> no rows

select likes from post where id = 1;
--> {"likes":1}

create view feed as select f.follower as reader, p.id, m.handle, p.body, p.likes, p.created_at from follow f join post p on p.author = f.followed join member m on m.id = p.author where f.accepted;
--> no rows

select id, handle, body from feed where reader = '00000000-0000-0000-0000-000000000001' order by id desc;
--> {"id":5,"handle":"bob","body":"More @ann #sql"}
--> {"id":3,"handle":"cid","body":"Hello from cid"}
--> {"id":2,"handle":"bob","body":"Hello from bob"}

with recursive thread as (select id, body, reply_to, 0 as depth, array[id] as path from post where id = 2 union all select p.id, p.body, p.reply_to, t.depth + 1, t.path || p.id from post p join thread t on p.reply_to = t.id) select depth, repeat('  ', depth) || body as line, path from thread order by path;
--> {"depth":0,"line":"Hello from bob","path":["2"]}
--> {"depth":1,"line":"  A reply #fun #sql","path":["2","4"]}
--> {"depth":2,"line":"    More @ann #sql","path":["2","4","5"]}

select lower(m[1]) as tag, count(*) from post, regexp_matches(body, '#(\w+)', 'g') as m group by 1 order by 2 desc, 1;
--> {"tag":"sql","count":2}
--> {"tag":"fun","count":1}

select handle, array(select body from post p where p.author = member.id order by id) as posts from member order by handle;
--> {"handle":"ann","posts":["Hello from ann","A reply #fun #sql"]}
--> {"handle":"bob","posts":["Hello from bob","More @ann #sql"]}
--> {"handle":"cid","posts":["Hello from cid"]}

select a.handle as suggests, count(*) as mutual from follow f1 join follow f2 on f2.follower = f1.followed join member a on a.id = f2.followed where f1.follower = '00000000-0000-0000-0000-000000000002' and f2.followed <> f1.follower group by a.handle order by 2 desc, 1;
--> {"suggests":"cid","mutual":1}

create function mention() returns trigger language plpgsql as $$ declare name text; begin for name in select m[1] from regexp_matches(new.body, '@([a-z0-9_]+)', 'g') as m loop insert into notice (member_id, post_id) select id, new.id from member where handle = name on conflict do nothing; end loop; return new; end $$;
--> no rows

create table notice (member_id uuid references member on delete cascade, post_id bigint references post on delete cascade, seen boolean default false, primary key (member_id, post_id));
--> no rows

create trigger post_mentions after insert on post for each row when (new.body like '%@%') execute function mention();
--> no rows

insert into post (author, body) values ('00000000-0000-0000-0000-000000000003', 'Hi @ann, @bob, @ann and @nobody') returning id;
--> {"id":6}

select m.handle, n.post_id from notice n join member m on m.id = n.member_id order by 1;
--> {"handle":"ann","post_id":6}
--> {"handle":"bob","post_id":6}

select handle, rank() over (order by followers desc) as place, dense_rank() over (order by following desc) as active from member order by handle;
--> {"handle":"ann","place":1,"active":1}
--> {"handle":"bob","place":1,"active":2}
--> {"handle":"cid","place":1,"active":3}

alter table post enable row level security; alter table member enable row level security; grant select, insert, update, delete on post, member, follow to authenticated;
--> no rows

create policy members on member for select to authenticated using (true); create policy visible on post for select to authenticated using (author = auth.uid() or exists (select 1 from member m where m.id = post.author and (not m.is_private or exists (select 1 from follow f where f.followed = m.id and f.follower = auth.uid() and f.accepted)))); create policy own on post for all to authenticated using (author = auth.uid()) with check (author = auth.uid());
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000002"}'; select id from post order by id;
--> {"id":1}
--> {"id":2}
--> {"id":4}
--> {"id":5}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; select id from post order by id;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}
--> {"id":5}
--> {"id":6}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; update post set body = 'mine' where id in (1, 2) returning id;
--> {"id":1}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; insert into post (author, body) values ('00000000-0000-0000-0000-000000000002', 'forged');
--> ERROR 42501: new row violates row-level security policy for table "post"

delete from member where handle = 'bob';
--> no rows

select (select count(*) from post) as posts, (select count(*) from follow) as follows, (select count(*) from "like") as likes, (select string_agg(handle || ':' || followers || ':' || following, ' ' order by handle) from member) as counters;
--> {"posts":4,"follows":1,"likes":1,"counters":"ann:0:1 cid:1:0"}

select id, reply_to from post where id = 4;
--> {"id":4,"reply_to":null}

select jsonb_agg(to_jsonb(p) - 'created_at' - 'author' order by id) as posts from post p where id < 4;
--> {"posts":[{"id":1,"body":"mine","likes":0,"reply_to":null},{"id":3,"body":"Hello from cid","likes":0,"reply_to":null}]}

select date_trunc('hour', created_at) = date_trunc('hour', now()) as same, count(*) from post group by 1;
--> {"same":true,"count":4}
