-- Functions that return sets, where conditions take none.

create table o (id int primary key, v int); create table x (id int primary key, t text);
--> no rows

create policy p on o using (generate_series(1,2) > 1);
--> ERROR 0A000: set-returning functions are not allowed in policy expressions

create policy p on x using (unnest(array[true]));
--> ERROR 0A000: set-returning functions are not allowed in policy expressions

create function my_orgs() returns setof int language sql as $$ select 1 $$; create policy p on x using (id = my_orgs());
--> ERROR 0A000: set-returning functions are not allowed in policy expressions

create policy p on x using (id = any (my_orgs()));
--> ERROR 42883: function my_orgs() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

create policy p on x using (id in (my_orgs()));
--> ERROR 42883: function my_orgs() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

create policy p on x using (case when true then id = my_orgs() end);
--> ERROR 42883: function my_orgs() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

create policy p on x using (coalesce(id = my_orgs(), true));
--> ERROR 42883: function my_orgs() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

create policy p on x with check (id = my_orgs());
--> ERROR 42883: function my_orgs() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

create policy p on x using (id in (select my_orgs())); alter policy p on x using (id = my_orgs());
--> ERROR 42883: function my_orgs() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

create policy p2 on x using (id = any (array(select my_orgs()))); create policy p3 on x using (exists (select 1 from my_orgs() m where m = id)); select count(*) from x;
--> ERROR 42883: function my_orgs() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

create policy p4 on x using (count(*) > 1);
--> ERROR 42803: aggregate functions are not allowed in policy expressions

create policy p5 on x using (row_number() over () > 1);
--> ERROR 42P20: window functions are not allowed in policy expressions

create function tf() returns trigger language plpgsql as $$ begin return new; end $$; create trigger t before insert on x for each row when (new.id = my_orgs()) execute function tf();
--> ERROR 42883: function my_orgs() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 151

create trigger t before insert on x for each row when (unnest(array[true])) execute function tf();
--> ERROR 0A000: set-returning functions are not allowed in trigger WHEN conditions
--> AT 56

create trigger t before insert on x for each row when (new.id = (select 1)) execute function tf();
--> ERROR 0A000: cannot use subquery in trigger WHEN condition
--> AT 65

create table y (a int check (a = my_orgs()));
--> ERROR 42883: function my_orgs() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 34

create table y (a int default my_orgs());
--> ERROR 42883: function my_orgs() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 31

create table y (a int, b int generated always as (a + generate_series(1,2)) stored);
--> ERROR 0A000: set-returning functions are not allowed in column generation expressions
--> AT 55

create index on x ((my_orgs()));
--> ERROR 42883: function my_orgs() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 21
