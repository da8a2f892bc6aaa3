-- Functions that call themselves and each other, and how deep.

create function down(n int) returns int language plpgsql as $$ begin if n <= 1 then return 1; end if; return 1 + down(n - 1); end $$;
create function s1(n int) returns int language sql volatile as $$ select 1 $$;
create or replace function s1(n int) returns int language sql volatile as $$ select case when n > 0 then 1 + s1(n - 1) else 0 end $$;
create function px(n int) returns int language plpgsql as $$ begin if n <= 1 then return 1; end if; return 1 + py(n - 1); end $$;
create function py(n int) returns int language plpgsql as $$ declare x int; begin select px(n - 1) into x; return x + 1; end $$;
create function a(n int) returns int language plpgsql as $$ begin return b(n + 1); end $$;
create function b(n int) returns int language plpgsql as $$ begin return a(n + 1); end $$;
create function safe() returns text language plpgsql as $$ begin perform a(1); return 'no'; exception when statement_too_complex then return sqlerrm; end $$;
--> no rows

select down(600), s1(700), px(400);
--> {"down":600,"s1":700,"px":401}

select safe();
--> {"safe":"stack depth limit exceeded"}

create function st(n int) returns setof int language plpgsql as $$ begin return next n; if n > 0 then return query select * from st(n - 1); end if; end $$;
--> no rows

select count(*) from st(100);
--> {"count":101}

create function ev(n int) returns bool language plpgsql as $$ begin if n = 0 then return true; end if; return od(n - 1); end $$;
create function od(n int) returns bool language plpgsql as $$ begin if n = 0 then return false; end if; return ev(n - 1); end $$;
--> no rows

select ev(10), od(10), ev(101);
--> {"ev":false,"od":false}
