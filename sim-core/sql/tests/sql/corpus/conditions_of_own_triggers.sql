-- WHEN of triggers with the functions that PostgreSQL has from the start, and of whole rows.

create table tr (a int, b text); create trigger sr before update on tr for each row when (old.* is not distinct from new.*) execute function suppress_redundant_updates_trigger();
--> no rows

insert into tr values (1, 'x'), (2, 'y'); with u as (update tr set b = 'x' where a = 1 returning *) select count(*) from u;
--> {"count":0}

with u as (update tr set b = 'z' where a = 1 returning *) select count(*) from u;
--> {"count":1}

create table ts (a text, v tsvector, n int); create trigger tv before insert or update on ts for each row when (new.n > 0) execute procedure tsvector_update_trigger(v, 'pg_catalog.english', a); insert into ts (a, n) values ('cats dogs', 1), ('cats dogs', 0); select * from ts order by n;
--> {"a":"cats dogs","v":null,"n":0}
--> {"a":"cats dogs","v":"'cat':1 'dog':2","n":1}

select pg_get_triggerdef(oid) from pg_trigger where tgname in ('sr', 'tv') order by 1;
--> {"pg_get_triggerdef":"CREATE TRIGGER sr BEFORE UPDATE ON public.tr FOR EACH ROW WHEN ((NOT (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION suppress_redundant_updates_trigger()"}
--> {"pg_get_triggerdef":"CREATE TRIGGER tv BEFORE INSERT OR UPDATE ON public.ts FOR EACH ROW WHEN ((new.n > 0)) EXECUTE FUNCTION tsvector_update_trigger('v', 'pg_catalog.english', 'a')"}

create table tr (a int, b text); create function f() returns trigger language plpgsql as $$ begin return new; end $$; create trigger a1 before update on tr for each row when (old.* is distinct from new.*) execute function f();
--> ERROR 42P07: relation "tr" already exists

create trigger a2 before update on tr for each row when (old is distinct from new) execute function f();
--> ERROR 42883: function f() does not exist

create trigger a3 before update on tr for each row when (old.* is not distinct from new.*) execute function f();
--> ERROR 42883: function f() does not exist

create trigger a4 before update on tr for each row when ((old.a, old.b) is distinct from (new.a, new.b)) execute function f();
--> ERROR 42883: function f() does not exist

create trigger a5 before update on tr for each row when (old.a is not distinct from new.a and new.b is not null) execute function f();
--> ERROR 42883: function f() does not exist

create trigger a6 before update on tr for each row when (row(old.*) is distinct from row(new.*)) execute function f();
--> ERROR 42883: function f() does not exist

create trigger a7 before update on tr for each row when (not (old.* = new.*)) execute function f();
--> ERROR 42883: function f() does not exist

select pg_get_triggerdef(oid) from pg_trigger where tgname like 'a_' order by 1;
--> no rows
