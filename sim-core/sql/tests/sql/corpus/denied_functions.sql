-- A function that must not be called says nothing of its body.

create schema inner_space; create table inner_space.t (i int); insert into inner_space.t values (1);
--> no rows

create function reads() returns int language sql as 'select count(*)::int from inner_space.t';
--> no rows

create function lists() returns setof int language sql as 'select i from inner_space.t';
--> no rows

revoke execute on function reads(), lists() from public, anon, authenticated, service_role;
--> no rows

set role anon; select reads();
--> ERROR 42501: permission denied for function reads

set role anon; select * from lists();
--> ERROR 42501: permission denied for function lists

set role anon; select 1 where reads() > 0;
--> ERROR 42501: permission denied for function reads

grant execute on function reads() to anon;
--> no rows

set role anon; select reads();
--> ERROR 42501: permission denied for schema inner_space

select reads(), (select count(*) from lists()) as n;
--> {"reads":1,"n":1}

select count(*) from inner_space.t;
--> {"count":1}
