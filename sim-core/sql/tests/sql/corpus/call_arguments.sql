-- Arguments of CALL have no queries, aggregates and sets, and the value of a CASE is a text if it is a literal

create procedure p(a int[]) language plpgsql as $$ begin null; end $$; create procedure q(a int) language plpgsql as $$ begin null; end $$;
--> no rows

call p(array(select 1));
--> ERROR 0A000: cannot use subquery in CALL argument
--> AT 8

call q((select 1));
--> ERROR 0A000: cannot use subquery in CALL argument
--> AT 8

call q(case when exists (select 1) then 1 end);
--> ERROR 0A000: cannot use subquery in CALL argument
--> AT 18

call q(count(*));
--> ERROR 42803: aggregate functions are not allowed in CALL arguments
--> AT 8

call q(generate_series(1,2)::int);
--> ERROR 0A000: set-returning functions are not allowed in CALL arguments
--> AT 8

call q(row_number() over ());
--> ERROR 42P20: window functions are not allowed in CALL arguments
--> AT 8

select case 'a' when 1 then 2 end;
--> ERROR 42883: operator does not exist: text = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 17

select case ' pad ' when 1 then 'x'::text when 2 then 'y' end;
--> ERROR 42883: operator does not exist: text = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 21

select case null when 1 then 2 else 3 end;
--> ERROR 42883: operator does not exist: text = integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 18

select case 'a' when 'a' then 1 end, case '1' when '1'::varchar then 3 end;
--> {"case":3}
