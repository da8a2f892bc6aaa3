-- CASE in bodies of SQL's own form.

create function a1(d text) returns int language sql begin atomic select case when d = 'a' then 1 else 2 end; end;
--> no rows

select a1('a');
--> {"a1":1}

create function a2(d text) returns int language sql begin atomic select 1 + case d when 'a' then 1 else 2 end; end;
--> no rows

select a2('b');
--> {"a2":3}

create function a3(d text) returns bigint language sql begin atomic select sum(case when d = 'a' then 1 else case when d = 'b' then 5 else 2 end end) from (select case when true then 1 end) q order by max(case when true then 1 end); end;
--> no rows

select a3('b');
--> {"a3":5}

create table te ("end" int, d text); insert into te values (7, 'x');
--> no rows

create function a4() returns int language sql begin atomic select "end" from te; end;
--> no rows

select a4();
--> {"a4":7}

create function a5() returns int language sql begin atomic with q as (select case when d = 'x' then "end" else 0 end as v from te) select v from q where case when v > 1 then true end; end; select a5();
--> {"a5":7}

create function a6(v int) returns void begin atomic
  insert into te select case when v > 0 then v else 0 end, 'y';
  update te set "end" = case when d = 'y' then 1 else "end" end;
end;
--> no rows

select a6(3);
--> {"a6":null}

select * from te order by d;
--> {"end":7,"d":"x"}
--> {"end":1,"d":"y"}

create function a7(v int) returns int language sql return case v when 1 then 10 else 20 end; select a7(1);
--> {"a7":10}

create procedure a8(v int) language sql begin atomic delete from te where case when "end" = v then true else false end; select coalesce(case when true then 1 end, 2); end; call a8(7); select count(*) from te;
--> {"count":1}
