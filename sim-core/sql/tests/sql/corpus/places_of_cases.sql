-- Where the mistakes in CASE and its kin are.

create table t(a int, b text, d date);
--> no rows

select case 'text' when date '2020-01-01' then 1 end;
--> ERROR 42883: operator does not exist: text = date
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 20

select case b when date '2020-01-01' then 1 end from t;
--> ERROR 42883: operator does not exist: text = date
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 15

select case b when d then 1 end from t;
--> ERROR 42883: operator does not exist: text = date
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 15

select case d when b then 1 end from t;
--> ERROR 42883: operator does not exist: date = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 15

select case 'text'::text when 1 then 1 end;
--> ERROR 42883: operator does not exist: text = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 26

select case 'text' when 1 then 1 end;
--> ERROR 42883: operator does not exist: text = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 20

select case 1 when 'x' then 1 end;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 20

select case 1 when 2 then 1 when 'x' then 2 end;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 34

select case d when 'x' then 1 end from t;
--> ERROR 22007: invalid input syntax for type date: "x"
--> AT 20

select case a when true then 1 end from t;
--> ERROR 42883: operator does not exist: integer = boolean
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 15

select case a when 1 then 1 when d then 2 end from t;
--> ERROR 42883: operator does not exist: integer = date
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 29

select case when a then 1 end from t;
--> ERROR 42804: argument of CASE/WHEN must be type boolean, not type integer
--> AT 18

select case a when 1 then 'x' else 2 end from t;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 27

select case when true then 1 else 'x' end;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 35

select case when true then date '2020-01-01' else 1 end;
--> ERROR 42804: CASE types integer and date cannot be matched
--> AT 33

select case 'a' when 'a' then 1 end, case 'a' when 'b' then 1 else 2 end;
--> {"case":2}

select case '2020-01-01' when date '2020-01-01' then 1 end;
--> ERROR 42883: operator does not exist: text = date
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 26

select case '1' when 1 then 'y' end;
--> ERROR 42883: operator does not exist: text = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 17

select case null when 1 then 1 else 2 end;
--> ERROR 42883: operator does not exist: text = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 18

select case '{1}' when array[1] then 1 end;
--> ERROR 42883: operator does not exist: text = integer[]
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 19

select case array[1] when 1 then 1 end;
--> ERROR 42883: operator does not exist: integer[] = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 22

select case '{"a":1}' when '{"a":1}'::jsonb then 1 end;
--> ERROR 42883: operator does not exist: text = jsonb
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 23

select case '{"a":1}'::json when '{"a":1}' then 1 end;
--> ERROR 42883: operator does not exist: json = unknown
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 29

select case point(1,2) when point(1,2) then 1 end;
--> ERROR 42883: operator does not exist: point = point
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 24

select nullif('text', date '2020-01-01');
--> ERROR 22007: invalid input syntax for type date: "text"
--> AT 15

select nullif(1, 'x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 18

select nullif(a, b) from t;
--> ERROR 42883: operator does not exist: integer = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select 'x' between 1 and 2;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 8

select 1 in ('x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 14

select 'x' in (1,2);
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 8

select coalesce(1, 'x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 20

select greatest('x', 1);
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 17
