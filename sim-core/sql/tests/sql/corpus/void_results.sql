-- What functions in SQL that return nothing give: null, or the empty value of such a function that they call.

create function v1() returns void language plpgsql as $$ begin end $$; create function v3() returns void language sql as $$ select v1() $$;
--> no rows

select v3(), v3() is null, to_jsonb(v3());
--> {"v3":"","?column?":false,"to_jsonb":""}

create function v4() returns void language sql as $$ select 1 $$; select v4(), v4() is null;
--> {"v4":null,"?column?":true}

create function v5() returns void language sql begin atomic select v1(); end; select v5() is null;
--> {"?column?":false}

create function v6() returns void language sql as $$ select v3() $$; select v6() is null, v6()::text;
--> {"?column?":false,"v6":""}

select * from v3();
--> {"v3":""}

create table c (a int); create function v7() returns void language sql as $$ insert into c values (1); select v1() $$; select v7() is null, v7();
--> {"?column?":true,"v7":null}

create function v8() returns void language sql as $$ insert into c values (1) $$; select v8() is null;
--> {"?column?":true}

create function v9() returns void language sql as $$ $$; select v9() is null;
--> {"?column?":true}

create function v10() returns void language sql security definer as $$ select v1() $$; select v10() is null;
--> {"?column?":true}

create function v11() returns void language sql set search_path = '' as $$ select public.v1() $$; select v11() is null;
--> {"?column?":true}
