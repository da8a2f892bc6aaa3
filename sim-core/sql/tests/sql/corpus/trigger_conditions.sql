-- What the condition of a trigger may be about.

create table t (id int, x text, g int generated always as (id * 2) stored);
--> no rows

create table u (id int);
--> no rows

create function f() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create trigger a before insert on t for each row when (old.id = 1) execute function f();
--> ERROR 42P17: INSERT trigger's WHEN condition cannot reference OLD values
--> AT 56

create trigger b before delete on t for each row when (new.id = 1) execute function f();
--> ERROR 42P17: DELETE trigger's WHEN condition cannot reference NEW values
--> AT 56

create trigger c before update on t for each statement when (new.id = 1) execute function f();
--> ERROR 42P17: statement trigger's WHEN condition cannot reference column values
--> AT 62

create trigger d before update on t for each row when (new.* is distinct from old.*) execute function f();
--> ERROR 42P17: BEFORE trigger's WHEN condition cannot reference NEW generated columns
--> DETAIL: A whole-row reference is used and the table contains generated columns.
--> AT 56

create trigger e before update on t for each row when (new.g = 1) execute function f();
--> ERROR 42P17: BEFORE trigger's WHEN condition cannot reference NEW generated columns
--> DETAIL: Column "g" is a generated column.
--> AT 56

create trigger g after update on t for each row when (new.g = 1 and old.* is distinct from new.*) execute function f();
--> no rows

create trigger h before update on t for each row when (old.g = 1) execute function f();
--> no rows

create trigger i before update on u for each row when (old.* is distinct from new.*) execute function f();
--> no rows

create trigger j before insert or update on t for each row when (old.id = 1) execute function f();
--> ERROR 42P17: INSERT trigger's WHEN condition cannot reference OLD values
--> AT 66

create trigger k before insert or delete on t for each row when (new.id = 1) execute function f();
--> ERROR 42P17: DELETE trigger's WHEN condition cannot reference NEW values
--> AT 66

create trigger l after truncate on t for each statement when (current_user = 'x') execute function f();
--> no rows

create trigger n before update on t for each row when (new.nosuch = 1) execute function f();
--> ERROR 42703: column new.nosuch does not exist
--> AT 56

create trigger o before update on t for each row when (new.id) execute function f();
--> ERROR 42804: argument of WHEN must be type boolean, not type integer
--> AT 56

create trigger p before update on t for each row when (exists (select 1)) execute function f();
--> ERROR 0A000: cannot use subquery in trigger WHEN condition
--> AT 56

create trigger q before update on t for each row when (new is distinct from old) execute function f();
--> ERROR 42P17: BEFORE trigger's WHEN condition cannot reference NEW generated columns
--> DETAIL: A whole-row reference is used and the table contains generated columns.
--> AT 56

create trigger r before update on t for each row when (count(*) > 1) execute function f();
--> ERROR 42803: aggregate functions are not allowed in trigger WHEN conditions
--> AT 56
