-- Domains over types that do not compare as their texts.

create domain amount as numeric;
--> no rows

create table a (n amount primary key, note text);
--> no rows

insert into a values (9), (10), (100), (1.0);
--> no rows

insert into a values (1.00);
--> ERROR 23505: duplicate key value violates unique constraint "a_pkey"
--> DETAIL: Key (n)=(1.00) already exists.

insert into a values (9.0, 'again') on conflict (n) do update set note = excluded.note returning *;
--> {"n":"9","note":"again"}

select n from a order by n;
--> {"n":"1.0"}
--> {"n":"9"}
--> {"n":"10"}
--> {"n":"100"}

select max(n), min(n) from a;
--> {"max":"100","min":"1.0"}

select distinct n from (values (1.0::amount), (1.0)) v(n);
--> {"n":"1.0"}

create table b (n amount references a (n));
--> no rows

insert into b values (9.00), (10.0);
--> no rows

select b.n, a.note from b join a on a.n = b.n order by b.n desc;
--> {"n":"10.0","note":null}
--> {"n":"9.00","note":"again"}

select n, count(*) from b group by n order by n;
--> {"n":"9.00","count":1}
--> {"n":"10.0","count":1}

select coalesce(b.n, a.n) as n from a left join b using (n) order by 1;
--> {"n":"1.0"}
--> {"n":"9.00"}
--> {"n":"10.0"}
--> {"n":"100"}

select case when n > 5 then n else n end as n from a order by 1;
--> {"n":"1.0"}
--> {"n":"9"}
--> {"n":"10"}
--> {"n":"100"}

with x as (select n from a union select n from b) select count(*) from x;
--> {"count":4}

select n from a except select 9.0::amount order by 1;
--> {"n":"1.0"}
--> {"n":"10"}
--> {"n":"100"}

create view va as select n from a;
--> no rows

select n from va where n in (9.00, 1) order by n;
--> {"n":"1.0"}
--> {"n":"9"}

select n, rank() over (order by n) from a order by n;
--> {"n":"1.0","rank":1}
--> {"n":"9","rank":2}
--> {"n":"10","rank":3}
--> {"n":"100","rank":4}

select array_agg(n order by n)::text as all from a;
--> {"all":"{1.0,9,10,100}"}

create table c (id int, x amount, y amount generated always as (x * 2) stored);
--> no rows

insert into c (id, x) values (1, 10), (2, 9.0), (3, 9);
--> no rows

alter table c add column z amount default 5;
--> no rows

select x, y, z from c order by y, id;
--> {"x":"9.0","y":"18.0","z":"5"}
--> {"x":"9","y":"18","z":"5"}
--> {"x":"10","y":"20","z":"5"}

create unique index on c (z) where id > 1;
--> ERROR 23505: could not create unique index "c_z_idx"
--> DETAIL: Key (z)=(5) is duplicated.

create table d (id int, v text);
--> no rows

insert into d values (1, '10'), (2, '9'), (3, '9.0');
--> no rows

alter table d alter column v type amount using v::amount;
--> no rows

select v from d order by v, id;
--> {"v":"9"}
--> {"v":"9.0"}
--> {"v":"10"}

select v, count(*) over (partition by v) from d order by v, id;
--> {"v":"9","count":2}
--> {"v":"9.0","count":2}
--> {"v":"10","count":1}

alter table d alter column v type text;
--> no rows

select v from d order by v;
--> {"v":"10"}
--> {"v":"9"}
--> {"v":"9.0"}

create extension citext;
--> no rows

create domain handle as citext;
--> no rows

create domain word as citext check (value ~ '^[a-z]+$');
--> no rows

create table e (h handle primary key, n int);
--> no rows

insert into e values ('ann', 1);
--> no rows

insert into e values ('ANN', 2);
--> ERROR 23505: duplicate key value violates unique constraint "e_pkey"
--> DETAIL: Key (h)=(ANN) already exists.

insert into e values ('aNN', 3) on conflict (h) do update set n = excluded.n returning *;
--> {"h":"ann","n":3}

create table f (h handle references e (h));
--> no rows

insert into f values ('Ann') returning *;
--> {"h":"Ann"}

create table g (w word unique);
--> no rows

insert into g values ('Bob');
--> no rows

insert into g values ('bob');
--> ERROR 23505: duplicate key value violates unique constraint "g_w_key"
--> DETAIL: Key (w)=(bob) already exists.

insert into g values ('b1');
--> ERROR 23514: value for domain word violates check constraint "word_check"

select * from e where h = 'ANN';
--> {"h":"ann","n":3}

select e.h, f.h as other from e join f on e.h = f.h;
--> {"h":"ann","other":"Ann"}

select 'a'::handle like 'A%' as a, 'abc'::handle ~ 'B' as b, 'a'::handle = 'A' as c, 'a'::handle in ('A', 'b') as d, 'B'::handle between 'a' and 'c' as e;
--> {"a":true,"b":true,"c":true,"d":true,"e":true}

select 'a'::citext like 'A%' as a, 'abc'::citext !~ 'B' as b, 'a'::citext not like 'A' as c, 'a'::text like 'A'::citext as d, 'a'::citext like 'A'::text as e, 'a' like 'A'::citext as f;
--> {"a":true,"b":false,"c":false,"d":false,"e":true,"f":true}

create table users (email citext, name text);
--> no rows

insert into users values ('Ann@X.org', 'a'), ('bob@y.org', 'B');
--> no rows

select email from users where email like 'ann%' or email ~ '^BOB' order by email;
--> {"email":"Ann@X.org"}
--> {"email":"bob@y.org"}

select email from users where email like any (array['ANN%', 'zz%']);
--> {"email":"Ann@X.org"}

select name from users where name like 'b%';
--> no rows

create domain plain as text collate "C";
--> no rows

create type collated as (x int, y text collate "C");
--> no rows

-- Domains over rows.

create type version as (major smallint, minor smallint, patch smallint);
--> no rows

create domain released as version;
--> no rows

create function shown(released) returns text language sql immutable as $$ select format('%s.%s', $1.major, $1.minor) $$;
--> no rows

create function major_of(v released) returns text language sql as $$ select (v).major::text $$;
--> no rows

create table releases (id int, v released not null);
--> no rows

insert into releases values (1, '(1,2,3)');
--> no rows

select (v).major from releases;
--> {"major":1}

alter table releases add column text_of text generated always as (shown(v)) stored;
--> no rows

select shown(v), major_of(v), text_of from releases;
--> {"shown":"1.2","major_of":"1","text_of":"1.2"}

select row(1, 2, 3)::version::released::text;
--> {"row":"(1,2,3)"}

-- Columns of views have other names.

create table w (a int, b text);
--> no rows

create view w1 as select a, b from w;
--> no rows

create view w2 as select a + 1 as c, b from w1;
--> no rows

alter view w1 rename a to z;
--> no rows

alter view w1 rename column b to y;
--> no rows

alter table w2 rename column c to more;
--> no rows

insert into w1 (z, y) values (1, 'q');
--> no rows

update w1 set y = 'r' where z = 1;
--> no rows

select * from w1;
--> {"z":1,"y":"r"}

select * from w2;
--> {"more":2,"b":"r"}

select pg_get_viewdef('w1') as first, pg_get_viewdef('w2') as second;
--> {"first":" SELECT w.a AS z,\n    w.b AS y\n   FROM w;","second":" SELECT (w1.z + 1) AS more,\n    w1.y AS b\n   FROM w1;"}

alter view w1 rename z to y;
--> ERROR 42701: column "y" of relation "w1" already exists

alter view w1 rename nope to q;
--> ERROR 42703: column "nope" does not exist

create or replace view w1 as select a as z, b as y, a as more from w;
--> no rows

select column_name from information_schema.columns where table_name = 'w1' order by ordinal_position;
--> {"column_name":"z"}
--> {"column_name":"y"}
--> {"column_name":"more"}

create materialized view wm as select a, b from w;
--> no rows

alter materialized view wm rename a to q;
--> no rows

select q from wm;
--> {"q":1}
