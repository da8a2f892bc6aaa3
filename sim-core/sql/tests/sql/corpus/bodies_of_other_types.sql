-- Bodies in SQL with values and comparisons of types that do not fit: refused when the function is created.

create type lt as enum ('A','B'); create table p (id int, k lt, u uuid, j jsonb, d date, n numeric);
--> no rows

create function g1(a text) returns int language sql as $$ select id from p where k = a $$;
--> ERROR 42883: operator does not exist: lt = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 84

create function g2() returns int language sql as $$ select id from p where k = 'A'::text $$;
--> ERROR 42883: operator does not exist: lt = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 78

create function g3(a text) returns int language sql as $$ select id from p where u = a $$;
--> ERROR 42883: operator does not exist: uuid = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 84

create function g7(a text) returns int language sql as $$ update p set k = a returning id $$;
--> ERROR 42804: column "k" is of type lt but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 76

create function g8(a text) returns int language sql as $$ insert into p (u) values (a) returning id $$;
--> ERROR 42804: column "u" is of type uuid but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 85

create function g9(a text) returns void language sql as $$ insert into p (id, u) select 1, a $$;
--> ERROR 42804: column "u" is of type uuid but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 92

create function g10(a text[]) returns bigint language sql as $$ select count(*) from p where k = any(a) $$;
--> ERROR 42883: operator does not exist: lt = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 96

create function g11(a text[]) returns bigint language sql as $$ select count(*) from p where j = 'x'::text or d > 5 $$;
--> ERROR 42883: operator does not exist: jsonb = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 96

create function g12(a uuid) returns bigint language sql as $$ select count(*) from p where id in (select a) $$;
--> ERROR 42883: operator does not exist: integer = uuid
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 95

create function g13(a uuid) returns bigint language sql as $$ select count(*) from p where exists (select 1 from p q where q.u = p.j) $$;
--> ERROR 42883: operator does not exist: uuid = jsonb
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 128

create function g14(a uuid) returns void language sql as $$ delete from p where u = 5 $$;
--> ERROR 42883: operator does not exist: uuid = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 83

create function g16(a text) returns void language sql as $$ update p set k = a::lt where u::text = a; update p set d = a $$;
--> ERROR 42804: column "d" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 120

create function g17(a varchar) returns void language sql as $$ update p set n = a $$;
--> ERROR 42804: column "n" is of type numeric but expression is of type character varying
--> HINT: You will need to rewrite or cast the expression.
--> AT 81
