-- Bodies that are refused when the function is created.

create function tg(x int) returns trigger language plpgsql as $$ begin return new; end $$;
--> ERROR 42P13: trigger functions cannot have declared arguments
--> HINT: The arguments of the trigger can be accessed through TG_NARGS and TG_ARGV instead.

create function tg2(x int) returns event_trigger language plpgsql as $$ begin end $$;
--> ERROR 42P13: event trigger functions cannot have declared arguments

create table t (id int, n text, g int generated always as identity);
--> no rows

create function a39() returns int language sql as $$ insert into t (id) values (1, 2) returning id $$;
--> ERROR 42601: INSERT has more expressions than target columns
--> AT 84

create function a40() returns void language sql as $$ insert into t (id, n) values (1) $$;
--> ERROR 42601: INSERT has more target columns than expressions
--> AT 74

create function a41() returns void language sql as $$ insert into t (g) values (1) $$;
--> ERROR 428C9: cannot insert a non-DEFAULT value into column "g"
--> DETAIL: Column "g" is an identity column defined as GENERATED ALWAYS.
--> HINT: Use OVERRIDING SYSTEM VALUE to override.

create function a48() returns int language sql as $$ begin return 1; end; $$;
--> ERROR 42601: syntax error at or near "return"
--> AT 60

create function a49() returns void language sql as $$ BEGIN insert into t (id) values (1); END; $$;
--> ERROR 42601: syntax error at or near "insert"
--> AT 61

create function a50() returns void language sql as $$ if true then select 1; end if; $$;
--> ERROR 42601: syntax error at or near "if"
--> AT 55

create function a51() returns boolean language sql as $$ return true $$;
--> ERROR 42601: syntax error at or near "return"
--> AT 58

create function a52() returns void language sql as $$ perform 1; select 1 $$;
--> ERROR 42601: syntax error at or near "perform"
--> AT 55

create function a53() returns void language sql as $$ update t set id = 'x'::text $$;
--> ERROR 42804: column "id" is of type integer but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 73
