-- Variables that take several columns, and cursors with a query.

create table t(a int,b int); insert into t values (1, 2);
--> no rows

create function f1() returns void language plpgsql as $$ declare r record; s record; begin select 1, 2 into r, s; end $$;
--> ERROR 42601: record variable cannot be part of multiple-item INTO list
--> AT 110

create function f1() returns void language plpgsql as $$ declare r record; n int; begin select 1, 2 into n, r; end $$;
--> ERROR 42601: "r" is not a scalar variable
--> AT 109

create function f1() returns void language plpgsql as $$ declare r t%rowtype; n int; begin select 1, 2 into n, r; end $$;
--> ERROR 42601: "r" is not a scalar variable
--> AT 112

create function f1() returns void language plpgsql as $$ declare r t%rowtype; n int; begin execute 'select 1, 2' into r, n; end $$;
--> ERROR 42601: record variable cannot be part of multiple-item INTO list
--> AT 120

do $$ declare r record; n int; begin for n, r in select 1, 2 loop null; end loop; end $$;
--> ERROR 42601: "r" is not a scalar variable
--> AT 45

do $$ declare r record; n int; begin for r, n in select 1, 2 loop null; end loop; end $$;
--> ERROR 42601: syntax error at or near ","
--> AT 43

do $$ declare r record; n int; c cursor for select 1, 2; begin open c; fetch c into n, r; end $$;
--> ERROR 42601: "r" is not a scalar variable
--> AT 88

do $$ declare r record; n int; begin insert into t values (3, 4) returning a, b into n, r; end $$;
--> ERROR 42601: "r" is not a scalar variable
--> AT 89

do $$ declare r record; n int; begin select 1, 2 into r.a, n; end $$;
--> ERROR 55000: record "r" is not assigned yet
--> DETAIL: The tuple structure of a not-yet-assigned record is indeterminate.

do $$ declare r record; begin declare r int; n int; begin select 1, 2 into r, n; raise exception '% %', r, n; end; end $$;
--> ERROR P0001: 1 2

do $$ declare c cursor for select 1; begin open c for select 2; end $$;
--> ERROR 42601: syntax error at or near "for"
--> AT 51

do $$ declare c cursor for select 1; begin open c scroll for select 2; end $$;
--> ERROR 42601: syntax error at or near "scroll"
--> AT 51

do $$ declare c refcursor; n int; begin open c for select 2; fetch c into n; raise exception '%', n; end $$;
--> ERROR P0001: 2

do $$ declare c cursor (k int) for select k; n int; begin open c (7); fetch c into n; raise exception '%', n; end $$;
--> ERROR P0001: 7

do $$ declare k constant int := 1; n int; begin select 1, 2 into n, k; end $$;
--> ERROR 22005: variable "k" is declared CONSTANT
--> AT 69
