-- Roles, row security and privileges in force. Each call is a session of its own, as postgres.

create table note (id int primary key, owner uuid, body text, secret text default 'x', up text generated always as (upper(body)) stored);
--> no rows

insert into note (id, owner, body) values (1, '00000000-0000-0000-0000-000000000001', 'one'), (2, '00000000-0000-0000-0000-000000000002', 'two'), (3, null, 'three');
--> no rows

set role authenticated; select current_user as a, session_user = current_user as b, current_setting('role') as c;
--> {"a":"authenticated","b":false,"c":"authenticated"}

set role authenticated; reset role; select current_user as a, current_setting('role') as c;
--> {"a":"postgres","c":"none"}

begin; set local role anon; select current_user as a; commit; select current_user as a;
--> {"a":"postgres"}

begin; set local role anon; savepoint a; set local role authenticated; rollback to a; select current_user as a;
--> {"a":"anon"}

begin; set role anon; rollback; select current_user as a;
--> {"a":"postgres"}

begin; set role anon; commit; select current_user as a;
--> {"a":"anon"}

select set_config('role', 'anon', false); select current_user as a;
--> {"a":"anon"}

select set_config('role', 'no_such', false);
--> ERROR 22023: role "no_such" does not exist

set role 'anon'; select current_role as a, user as b;
--> {"a":"anon","b":"anon"}

set role anon; set role none; select current_user as a;
--> {"a":"postgres"}

set role = anon; show role;
--> {"role":"anon"}

set role to anon; set role to default; show role;
--> {"role":"none"}

select set_config('my.name', id::text, false) from note where id = 2; select current_setting('my.name') as a;
--> {"a":"2"}

begin; select set_config('my.name', 'a', true); select current_setting('my.name') as a; commit; select current_setting('my.name', true) as a;
--> {"a":""}

set my.name = 'a'; reset my.name; select current_setting('my.name', true) as a;
--> {"a":""}

set search_path = storage; reset search_path; select count(*) from note;
--> {"count":3}

set search_path = storage; set search_path to default; select count(*) from note;
--> {"count":3}

set role anon; select id from note order by id;
--> {"id":1}
--> {"id":2}
--> {"id":3}

alter table note enable row level security;
--> no rows

set role anon; select id from note order by id;
--> no rows

set role anon; insert into note (id, body) values (9, 'nine');
--> ERROR 42501: new row violates row-level security policy for table "note"

set role anon; update note set body = 'x' returning id;
--> no rows

set role anon; delete from note returning id;
--> no rows

select id from note order by id;
--> {"id":1}
--> {"id":2}
--> {"id":3}

set role service_role; select id from note order by id;
--> {"id":1}
--> {"id":2}
--> {"id":3}

create policy mine on note for select to authenticated using (auth.uid() = owner);
--> no rows

set role anon; select id from note order by id;
--> no rows

set role authenticated; select id from note order by id;
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; select id, body, up from note order by id;
--> {"id":1,"body":"one","up":"ONE"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; update note set body = 'x' where id = 1 returning id;
--> no rows

create policy put on note for insert to authenticated with check (auth.uid() = owner);
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; insert into note (id, owner, body) values (4, '00000000-0000-0000-0000-000000000001', 'four') returning id, up;
--> {"id":4,"up":"FOUR"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; insert into note (id, owner, body) values (5, '00000000-0000-0000-0000-000000000002', 'five');
--> ERROR 42501: new row violates row-level security policy for table "note"

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; insert into note (id, owner, body) select id + 10, owner, body from note;
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; insert into note (id, owner, body) values (6, '00000000-0000-0000-0000-000000000001', 'six'), (7, null, 'seven');
--> ERROR 42501: new row violates row-level security policy for table "note"

select id from note order by id;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}
--> {"id":11}
--> {"id":14}

create policy change on note for update to authenticated using (auth.uid() = owner) with check (auth.uid() = owner and body <> 'bad');
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; update note set body = 'new' where id < 3 returning id, body, up;
--> {"id":1,"body":"new","up":"NEW"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; update note set body = 'bad' where id = 1;
--> ERROR 42501: new row violates row-level security policy for table "note"

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; update note set body = 'bad' where id = 2;
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; update note set owner = null where id = 1;
--> ERROR 42501: new row violates row-level security policy for table "note"

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; insert into note (id, owner, body) values (1, '00000000-0000-0000-0000-000000000001', 'up') on conflict (id) do update set body = excluded.body returning id, body;
--> {"id":1,"body":"up"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; insert into note (id, owner, body) values (2, '00000000-0000-0000-0000-000000000001', 'up') on conflict (id) do update set body = excluded.body;
--> ERROR 42501: new row violates row-level security policy (USING expression) for table "note"

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; insert into note (id, owner, body) values (1, '00000000-0000-0000-0000-000000000001', 'bad') on conflict (id) do update set body = excluded.body;
--> ERROR 42501: new row violates row-level security policy for table "note"

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; delete from note returning id;
--> no rows

create policy remove on note for delete using (body = 'four');
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; delete from note returning id;
--> {"id":4}
--> {"id":14}

create policy no_secrets on note as restrictive for all to authenticated using (body <> 'hidden') with check (body <> 'forbidden');
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; insert into note (id, owner, body) values (8, '00000000-0000-0000-0000-000000000001', 'forbidden');
--> ERROR 42501: new row violates row-level security policy "no_secrets" for table "note"

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; insert into note (id, owner, body) values (8, '00000000-0000-0000-0000-000000000001', 'hidden');
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; select id from note order by id;
--> {"id":1}
--> {"id":11}

-- Subqueries in policies, and functions of their owners.

create table team (id int primary key, name text);
--> no rows

create table member (team int references team, person uuid, role text, primary key (team, person));
--> no rows

insert into team values (1, 'a'), (2, 'b'), (3, 'c'); insert into member values (1, '00000000-0000-0000-0000-000000000001', 'admin'), (2, '00000000-0000-0000-0000-000000000001', 'guest'), (2, '00000000-0000-0000-0000-000000000002', 'admin');
--> no rows

alter table team enable row level security; alter table member enable row level security;
--> no rows

create policy own_teams on team for select to authenticated using (exists (select 1 from member m where m.team = team.id and m.person = auth.uid()));
--> no rows

create policy own_rows on member for select to authenticated using (person = auth.uid());
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; select t.id, m.role from team t left join member m on m.team = t.id order by 1;
--> {"id":1,"role":"admin"}
--> {"id":2,"role":"guest"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000002"}'; select id from team where id in (select team from member) order by 1;
--> {"id":2}

create function my_teams() returns setof int language sql security definer stable as $$ select team from member where person = auth.uid() $$;
--> no rows

drop policy own_rows on member; create policy same_team on member for select to authenticated using (team in (select my_teams()));
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000002"}'; select team, person from member order by 1, 2;
--> {"team":2,"person":"00000000-0000-0000-0000-000000000001"}
--> {"team":2,"person":"00000000-0000-0000-0000-000000000002"}

create policy loop on member for select to authenticated using (exists (select 1 from member m where m.person = auth.uid()));
--> no rows

set role authenticated; select * from member;
--> ERROR 42P17: infinite recursion detected in policy for relation "member"

drop policy loop on member;
--> no rows

create function am_admin(wanted int) returns boolean language sql security definer stable as $$ select exists (select 1 from member m where m.team = wanted and m.person = auth.uid() and m.role = 'admin') $$;
--> no rows

create policy admins on team for update to authenticated using (am_admin(id)) with check (am_admin(id));
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; update team set name = name || '!' returning id, name;
--> {"id":1,"name":"a!"}

create function who() returns text language sql security definer as 'select current_user::text'; create function who_calls() returns text language sql as 'select current_user::text';
--> no rows

set role authenticated; select who() = session_user as a, who_calls() as b;
--> {"a":true,"b":"authenticated"}

-- Views.

create view all_notes as select id, body from note; create view own_notes with (security_invoker = true) as select id, body from note;
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; select id from all_notes order by id;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":8}
--> {"id":11}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; select id from own_notes order by id;
--> {"id":1}
--> {"id":11}

create view whoami as select current_user::text as name;
--> no rows

set role authenticated; select * from whoami;
--> {"name":"authenticated"}

-- Force, disable, owners.

create role warden; grant all on schema public to warden;
--> no rows

set role warden; create table cell (id int); insert into cell values (1); alter table cell enable row level security; select * from cell;
--> {"id":1}

set role warden; alter table cell force row level security; select * from cell;
--> no rows

set role warden; insert into cell values (2);
--> ERROR 42501: new row violates row-level security policy for table "cell"

set role warden; alter table cell no force row level security; insert into cell values (3); select * from cell order by 1;
--> {"id":1}
--> {"id":3}

set role warden; alter table cell disable row level security; select * from cell order by 1;
--> {"id":1}
--> {"id":3}

set role anon; alter table cell enable row level security;
--> ERROR 42501: must be owner of table cell

set role anon; create policy p on cell using (true);
--> ERROR 42501: must be owner of table cell

set role anon; drop table cell;
--> ERROR 42501: must be owner of table cell

set role anon; create table stolen (id int);
--> ERROR 42501: permission denied for schema public
--> AT 29

set role anon; truncate cell;
--> ERROR 42501: permission denied for table cell

alter role warden bypassrls; alter table note owner to postgres; set role warden; select count(*) from note;
--> ERROR 42501: permission denied for table note

grant select on note to warden; set role warden; select count(*) from note;
--> {"count":0}

select relrowsecurity as a, relforcerowsecurity as b from pg_class where relname = 'note';
--> {"a":true,"b":false}

set row_security = off; select count(*) from note;
--> {"count":5}

set role authenticated; set row_security = off; select count(*) from note;
--> ERROR 42501: query would be affected by row-level security policy for table "note"

-- Policies are checked when they are made.

create policy bad on note for insert using (true);
--> ERROR 42601: only WITH CHECK expression allowed for INSERT

create policy bad on note for select with check (true);
--> ERROR 42601: WITH CHECK cannot be applied to SELECT or DELETE

create policy bad on note for select to nobody_v using (true);
--> ERROR 42704: role "nobody_v" does not exist

create policy bad on note as lenient using (true);
--> ERROR 42601: unrecognized row security option "lenient"
--> HINT: Only PERMISSIVE or RESTRICTIVE policies are supported currently.
--> AT 30

create policy bad on note using (missing = 1);
--> ERROR 42703: column "missing" does not exist

create policy bad on note using (missing() = 1);
--> ERROR 42883: function missing() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

create policy bad on note using (exists (select 1 from missing));
--> ERROR 42P01: relation "missing" does not exist

create policy bad on note using (id);
--> ERROR 42804: argument of POLICY must be type boolean, not type integer

create policy bad on note using (count(*) > 0);
--> ERROR 42803: aggregate functions are not allowed in policy expressions

create policy mine on note using (true);
--> ERROR 42710: policy "mine" for table "note" already exists

alter policy mine on note to anon using (id = 3);
--> no rows

set role anon; select id from note;
--> {"id":3}

alter policy nothing on note using (true);
--> ERROR 42704: policy "nothing" for table "note" does not exist

alter policy mine on note rename to theirs; select policyname, roles, cmd, permissive from pg_policies where tablename = 'note' order by 1;
--> {"policyname":"change","roles":"{authenticated}","cmd":"UPDATE","permissive":"PERMISSIVE"}
--> {"policyname":"no_secrets","roles":"{authenticated}","cmd":"ALL","permissive":"RESTRICTIVE"}
--> {"policyname":"put","roles":"{authenticated}","cmd":"INSERT","permissive":"PERMISSIVE"}
--> {"policyname":"remove","roles":"{public}","cmd":"DELETE","permissive":"PERMISSIVE"}
--> {"policyname":"theirs","roles":"{anon}","cmd":"SELECT","permissive":"PERMISSIVE"}

drop policy mine on note;
--> ERROR 42704: policy "mine" for table "note" does not exist

drop policy if exists mine on note; drop policy theirs on note;
--> no rows

create policy bare on note for select to anon;
--> no rows

set role anon; select id from note;
--> no rows

-- Privileges.

create table item (id int generated by default as identity primary key, name text, price int); insert into item (name, price) values ('a', 1), ('b', 2);
--> no rows

select relacl from pg_class where relname = 'item';
--> {"relacl":"{postgres=arwdDxt/postgres,anon=arwdDxt/postgres,authenticated=arwdDxt/postgres,service_role=arwdDxt/postgres}"}

revoke all on item from anon; select relacl from pg_class where relname = 'item';
--> {"relacl":"{postgres=arwdDxt/postgres,authenticated=arwdDxt/postgres,service_role=arwdDxt/postgres}"}

set role anon; select * from item;
--> ERROR 42501: permission denied for table item

set role anon; insert into item (name) values ('c');
--> ERROR 42501: permission denied for table item

set role anon; update item set name = 'c';
--> ERROR 42501: permission denied for table item

set role anon; delete from item;
--> ERROR 42501: permission denied for table item

set role anon; select nothing from item;
--> ERROR 42703: column "nothing" does not exist
--> AT 23

select has_table_privilege('anon', 'item', 'select') as a, has_table_privilege('authenticated', 'item', 'select') as b, has_table_privilege('anon', 'item', 'insert, update') as c;
--> {"a":false,"b":true,"c":false}

select has_table_privilege('item', 'select') as a, has_table_privilege('nobody_v', 'item', 'select') as b;
--> ERROR 42704: role "nobody_v" does not exist

select has_table_privilege('anon', 'missing', 'select');
--> ERROR 42P01: relation "missing" does not exist

select has_table_privilege('anon', 'item', 'fly');
--> ERROR 22023: unrecognized privilege type: "fly"

grant select (id, name) on item to anon;
--> no rows

set role anon; select id, name from item order by id;
--> {"id":1,"name":"a"}
--> {"id":2,"name":"b"}

set role anon; select * from item;
--> ERROR 42501: permission denied for table item

set role anon; select count(*) from item where price > 1;
--> ERROR 42501: permission denied for table item

set role anon; select count(*) from item;
--> {"count":2}

select has_table_privilege('anon', 'item', 'select') as a, has_column_privilege('anon', 'item', 'name', 'select') as b, has_column_privilege('anon', 'item', 'price', 'select') as c, has_any_column_privilege('anon', 'item', 'select') as d;
--> {"a":false,"b":true,"c":false,"d":true}

grant update (name) on item to anon;
--> no rows

set role anon; update item set name = 'z' where id = 1 returning id, name;
--> {"id":1,"name":"z"}

set role anon; update item set price = 5 where id = 1;
--> ERROR 42501: permission denied for table item

select attname, attacl from pg_attribute where attrelid = 'item'::regclass and attnum > 0 order by attnum;
--> {"attname":"id","attacl":"{anon=r/postgres}"}
--> {"attname":"name","attacl":"{anon=rw/postgres}"}
--> {"attname":"price","attacl":null}

revoke select on item from anon; set role anon; select id from item;
--> ERROR 42501: permission denied for table item

grant insert on item to anon;
--> no rows

set role anon; insert into item (name) values ('c');
--> no rows

set role anon; insert into item (name) values ('d') returning id;
--> {"id":4}

revoke all on all tables in schema public from anon; set role anon; select * from item;
--> ERROR 42501: permission denied for table item

grant all on all tables in schema public to anon; set role anon; select id from item order by id;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}

grant select on item to public; select relacl from pg_class where relname = 'item';
--> {"relacl":"{postgres=arwdDxt/postgres,authenticated=arwdDxt/postgres,service_role=arwdDxt/postgres,anon=arwdDxt/postgres,=r/postgres}"}

grant fly on item to anon;
--> ERROR 42601: unrecognized privilege type "fly"

grant execute on item to anon;
--> ERROR 0LP01: invalid privilege type EXECUTE for relation

grant select on item to nobody_v;
--> ERROR 42704: role "nobody_v" does not exist

grant select on nothing to anon;
--> ERROR 42P01: relation "nothing" does not exist

grant select on all tables in schema nowhere to anon;
--> ERROR 3F000: schema "nowhere" does not exist

set role anon; grant select on item to authenticated;
--> no rows

grant select on item to porter;
--> ERROR 42704: role "porter" does not exist

create role porter; grant select on item to porter with grant option; set role porter; grant select on item to anon; select relacl from pg_class where relname = 'item';
--> {"relacl":"{postgres=arwdDxt/postgres,authenticated=arwdDxt/postgres,service_role=arwdDxt/postgres,anon=arwdDxt/postgres,=r/postgres,porter=r*/postgres,anon=r/porter}"}

revoke grant option for select on item from porter; revoke select on item from porter;
--> ERROR 2BP01: dependent privileges exist
--> HINT: Use CASCADE to revoke them too.

create schema hidden; create table hidden.thing (id int);
--> no rows

set role anon; select * from hidden.thing;
--> ERROR 42501: permission denied for schema hidden
--> AT 30

grant usage on schema hidden to anon; set role anon; select * from hidden.thing;
--> ERROR 42501: permission denied for table thing

grant select on hidden.thing to anon; set role anon; select * from hidden.thing;
--> ERROR 42501: permission denied for schema hidden
--> AT 68

set role anon; create table hidden.mine (id int);
--> ERROR 42501: permission denied for schema hidden
--> AT 29

select nspacl from pg_namespace where nspname = 'hidden';
--> {"nspacl":null}

select has_schema_privilege('anon', 'hidden', 'usage') as a, has_schema_privilege('anon', 'hidden', 'create') as b;
--> {"a":false,"b":false}

create function secret() returns int language sql as 'select 7'; revoke execute on function secret() from public, anon;
--> no rows

set role anon; select secret();
--> ERROR 42501: permission denied for function secret

set role anon; select * from secret();
--> ERROR 42501: permission denied for function secret

set role authenticated; select secret();
--> {"secret":7}

select has_function_privilege('anon', 'secret()', 'execute') as a, has_function_privilege('authenticated', 'secret()', 'execute') as b;
--> {"a":false,"b":true}

select proacl from pg_proc where proname = 'secret';
--> {"proacl":"{postgres=X/postgres,authenticated=X/postgres,service_role=X/postgres}"}

create sequence turn; revoke all on sequence turn from anon;
--> no rows

set role anon; select nextval('turn');
--> ERROR 42501: permission denied for sequence turn

grant usage on sequence turn to anon; set role anon; select nextval('turn');
--> {"nextval":1}

set role anon; select setval('turn', 5);
--> ERROR 42501: permission denied for sequence turn

create view prices as select name, price from item; revoke all on item from authenticated;
--> no rows

set role authenticated; select count(*) from prices;
--> {"count":4}

create view open_prices with (security_invoker) as select name, price from item; revoke select on item from public;
--> no rows

set role authenticated; select count(*) from open_prices;
--> ERROR 42501: permission denied for table item

revoke select on prices from authenticated; set role authenticated; select count(*) from prices;
--> ERROR 42501: permission denied for view prices

select grantee, privilege_type, is_grantable from information_schema.role_table_grants where table_name = 'prices' and grantee in ('anon', 'authenticated') order by 1, 2;
--> {"grantee":"anon","privilege_type":"DELETE","is_grantable":"NO"}
--> {"grantee":"anon","privilege_type":"INSERT","is_grantable":"NO"}
--> {"grantee":"anon","privilege_type":"REFERENCES","is_grantable":"NO"}
--> {"grantee":"anon","privilege_type":"SELECT","is_grantable":"NO"}
--> {"grantee":"anon","privilege_type":"TRIGGER","is_grantable":"NO"}
--> {"grantee":"anon","privilege_type":"TRUNCATE","is_grantable":"NO"}
--> {"grantee":"anon","privilege_type":"UPDATE","is_grantable":"NO"}
--> {"grantee":"authenticated","privilege_type":"DELETE","is_grantable":"NO"}
--> {"grantee":"authenticated","privilege_type":"INSERT","is_grantable":"NO"}
--> {"grantee":"authenticated","privilege_type":"REFERENCES","is_grantable":"NO"}
--> {"grantee":"authenticated","privilege_type":"SELECT","is_grantable":"NO"}
--> {"grantee":"authenticated","privilege_type":"TRIGGER","is_grantable":"NO"}
--> {"grantee":"authenticated","privilege_type":"TRUNCATE","is_grantable":"NO"}
--> {"grantee":"authenticated","privilege_type":"UPDATE","is_grantable":"NO"}

alter default privileges in schema public revoke all on tables from anon; create table later (id int); select relacl from pg_class where relname = 'later';
--> {"relacl":"{postgres=arwdDxt/postgres,authenticated=arwdDxt/postgres,service_role=arwdDxt/postgres}"}

alter default privileges revoke execute on functions from public; create function latest() returns int language sql as 'select 1'; select proacl from pg_proc where proname = 'latest';
--> {"proacl":"{postgres=X/postgres,anon=X/postgres,authenticated=X/postgres,service_role=X/postgres}"}

alter default privileges grant execute on functions to public;
--> no rows

select defaclobjtype, defaclnamespace::regnamespace::text as schema, defaclacl from pg_default_acl order by 1;
--> {"defaclobjtype":"S","schema":"public","defaclacl":"{anon=rwU/postgres,authenticated=rwU/postgres,service_role=rwU/postgres}"}
--> {"defaclobjtype":"f","schema":"public","defaclacl":"{anon=X/postgres,authenticated=X/postgres,service_role=X/postgres}"}
--> {"defaclobjtype":"r","schema":"public","defaclacl":"{authenticated=arwdDxt/postgres,service_role=arwdDxt/postgres}"}

-- Roles and members.

create role usher in role warden; select pg_has_role('usher', 'warden', 'member') as a, pg_has_role('warden', 'usher', 'usage') as b;
--> {"a":true,"b":false}

set role usher; select count(*) from cell;
--> {"count":2}

alter role usher noinherit; set role usher; select count(*) from cell;
--> ERROR 42501: permission denied for table cell

grant usher to warden;
--> ERROR 0LP01: role "usher" is a member of role "warden"

grant usher to usher;
--> ERROR 0LP01: role "usher" is a member of role "usher"

revoke warden from usher; select pg_has_role('usher', 'warden', 'member') as a;
--> {"a":false}

set role anon; create role other;
--> ERROR 42501: permission denied to create role

drop role warden;
--> ERROR 2BP01: role "warden" cannot be dropped because some objects depend on it
--> DETAIL: privileges for schema public\nprivileges for table note\nowner of table cell

reassign owned by warden to postgres; select tableowner from pg_tables where tablename = 'cell';
--> {"tableowner":"postgres"}

drop owned by warden; drop role warden;
--> no rows

grant select on item to usher; drop role usher;
--> ERROR 2BP01: role "usher" cannot be dropped because some objects depend on it
--> DETAIL: privileges for table item

drop owned by usher; drop role usher;
--> no rows

drop owned by porter; drop role porter;
--> no rows

drop role nobody_v, anon;
--> ERROR 42704: role "nobody_v" does not exist

-- What policies need stays.

create table doc (id int primary key, team int, owner uuid, body text); alter table doc enable row level security;
--> no rows

create policy by_team on doc for select using (team in (select my_teams()) or exists (select 1 from member m where m.team = doc.team));
--> no rows

alter table doc drop column team;
--> ERROR 2BP01: cannot drop column team of table doc because other objects depend on it
--> DETAIL: policy by_team on table doc depends on column team of table doc
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop function my_teams();
--> ERROR 2BP01: cannot drop function my_teams() because other objects depend on it
--> DETAIL: policy same_team on table member depends on function my_teams()\npolicy by_team on table doc depends on function my_teams()
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop table member;
--> ERROR 2BP01: cannot drop table member because other objects depend on it
--> DETAIL: policy own_teams on table team depends on table member\npolicy by_team on table doc depends on table member
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table doc rename column team to squad; set role authenticated; select id from doc;
--> no rows

alter table doc drop column squad cascade; select count(*) from pg_policies where tablename = 'doc';
--> {"count":0}

insert into doc (id, body) values (1, 'a'); create policy own on doc for all to authenticated using (owner = auth.uid());
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; insert into doc (id, owner, body) values (2, auth.uid(), 'b') returning id; select count(*) from doc;
--> {"count":1}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; update doc d set body = d.body || '!' from (values (1), (2)) as v(id) where v.id = d.id returning d.id, d.body;
--> {"id":2,"body":"b!"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001"}'; with gone as (delete from doc returning id) select * from gone;
--> {"id":2}

select id from doc order by id;
--> {"id":1}

do $$ begin set local role anon; raise exception 'x'; exception when others then null; end $$; select current_user as a;
--> {"a":"postgres"}

begin; select set_config('request.jwt.claims', '{"sub":"00000000-0000-0000-0000-000000000001","role":"authenticated"}', true), set_config('role', 'authenticated', true); select current_user as a, auth.uid() is not null as b; rollback; select current_user as a, auth.uid() as b;
--> {"a":"postgres","b":null}

create table claimed (id int, who text);
--> no rows

insert into claimed values (1, 'a'), (2, 'b');
--> no rows

alter table claimed enable row level security;
--> no rows

create policy by_claim on claimed using (who = current_setting('request.jwt.claim.none')::json ->> 'sub');
--> no rows

create view claims as select id from claimed where who = current_setting('app.nobody');
--> no rows

create function claim() returns text language sql as $$ select current_setting('app.nobody') $$;
--> no rows

select current_setting('app.nobody') as c;
--> ERROR 42704: unrecognized configuration parameter "app.nobody"

select current_setting('app.nobody', false) as c;
--> ERROR 42704: unrecognized configuration parameter "app.nobody"

select current_setting('app.nobody', true) as c;
--> {"c":null}

select claim();
--> ERROR 42704: unrecognized configuration parameter "app.nobody"

select * from claims;
--> ERROR 42704: unrecognized configuration parameter "app.nobody"

select id from claimed where false and who = current_setting('app.nobody');
--> no rows

set app.nobody = 'b';
select claim(), (select min(id) from claims) as i;
--> {"claim":"b","i":2}
