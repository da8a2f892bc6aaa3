-- Views that read as their caller, within views that read as their owner.

create role nobody_in_particular; create table post (id int, o int); insert into post values (1,1),(2,2); alter table post enable row level security; create policy s on post for select using (o = 1); create view vi with (security_invoker = true) as select * from post; create view vov as select * from vi; create view vvov as select * from vov; create view vj as select vi.id, post.o from vi join post using (id); create view vc with (security_invoker = on) as select * from vov; create view vs as with c as (select * from vi) select * from c where id in (select id from vi); grant select on post, vi, vov, vvov, vj, vc, vs to nobody_in_particular;
--> no rows

set role nobody_in_particular; select count(*) from vov;
--> {"count":1}

set role nobody_in_particular; select count(*) from vvov;
--> {"count":1}

set role nobody_in_particular; select count(*) from vj;
--> {"count":1}

set role nobody_in_particular; select count(*) from vc;
--> {"count":1}

set role nobody_in_particular; select count(*) from vs;
--> {"count":1}

create function df() returns bigint language sql security definer as $$ select count(*) from vov $$; set role nobody_in_particular; select df();
--> {"df":2}

revoke select on post from nobody_in_particular; set role nobody_in_particular; select count(*) from vov;
--> ERROR 42501: permission denied for table post

set role nobody_in_particular; select count(*) from vj;
--> {"count":1}

revoke select on vi from nobody_in_particular; grant select on post to nobody_in_particular; set role nobody_in_particular; select count(*) from vov;
--> {"count":1}

select count(*) from vov;
--> {"count":2}
