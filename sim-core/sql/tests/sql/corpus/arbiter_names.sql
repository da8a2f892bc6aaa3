-- Names of arbiters that are also those of variables.

create table l (id int primary key, v int);
--> no rows

create function f2() returns table(id int, v int) language plpgsql as $$ begin insert into l values (60,1) on conflict (id) do nothing; return query select l.id, l.v from l; end $$;
--> no rows

select * from f2();
--> ERROR 42702: column reference "id" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function f3() returns table(id int, v int) language plpgsql as $$
#variable_conflict use_column
begin insert into l values (60,1) on conflict (id) do nothing; return query select l.id, l.v from l; end $$;
--> no rows

select * from f3();
--> {"id":60,"v":1}

create function f4() returns table(id int, v int) language plpgsql as $$ begin insert into l values (61,1) on conflict on constraint l_pkey do nothing; return query select l.id, l.v from l; end $$;
--> no rows

select * from f4();
--> {"id":60,"v":1}
--> {"id":61,"v":1}

create function f5(i int) returns int language plpgsql as $$ declare v int := 3; begin insert into l values (i,v) on conflict (id) do update set v = excluded.v; return v; end $$;
--> no rows

select f5(60);
--> {"f5":3}

create function f6() returns int language plpgsql as $$ declare id int := 3; begin insert into l values (62, 1) on conflict (id) do nothing; return id; end $$;
--> no rows

select f6();
--> ERROR 42702: column reference "id" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function f7() returns int language plpgsql as $$
#variable_conflict use_variable
declare id int := 3; begin insert into l values (62, 1) on conflict (id) do nothing; return id; end $$;
--> no rows

select f7();
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

select * from l order by 1;
--> {"id":60,"v":3}
--> {"id":61,"v":1}
