-- An upsert can't change a row of the same statement, even if its condition wants no change

create table u (id int primary key, n int unique); create function f() returns trigger language plpgsql as $$ begin return new; end $$; create trigger g before update on u for each row execute function f();
--> no rows

insert into u values (1, 5), (2, 5) on conflict (n) do update set n = 7 where u.id > 2;
--> ERROR 21000: ON CONFLICT DO UPDATE command cannot affect row a second time
--> HINT: Ensure that no rows proposed for insertion within the same command have duplicate constrained values.

insert into u values (1, 5) on conflict (n) do update set n = 7 where u.id > 2; insert into u values (3, 5), (4, 5) on conflict (n) do update set n = u.n where u.id > 2;
--> no rows

drop trigger g on u; insert into u values (11, 55), (12, 55) on conflict (n) do update set n = 7 where u.id > 20;
--> ERROR 21000: ON CONFLICT DO UPDATE command cannot affect row a second time
--> HINT: Ensure that no rows proposed for insertion within the same command have duplicate constrained values.
