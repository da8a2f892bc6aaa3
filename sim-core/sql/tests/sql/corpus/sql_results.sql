create table results (a int, b text);
--> no rows

create function result_1() returns int language sql as $$ select 1, 2 $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Final statement must return exactly one column.

create function result_2() returns int language sql as $$ $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.

create function result_3() returns int language sql as $$ select 'a'::text $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Actual return type is text.

create function result_4() returns setof results language sql as $$ select 1 $$;
--> ERROR 42P13: return type mismatch in function declared to return results
--> DETAIL: Final statement returns too few columns.

create function result_5() returns int language sql as $$ insert into results values (1,'a') $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.

create function result_6() returns int language sql as $$ insert into results values (1,'a') returning a $$;
--> no rows

create function result_7() returns void language sql as $$ select 1, 2 $$;
--> no rows

create function result_8() returns table(x int, y text) language sql as $$ select a, b from results $$;
--> no rows

create function result_9() returns table(x int, y text) language sql as $$ select a from results $$;
--> ERROR 42P13: return type mismatch in function declared to return record
--> DETAIL: Final statement returns too few columns.

create function result_10() returns bigint language sql as $$ select 1 $$;
--> no rows

create function result_11() returns int language sql as $$ select 1::bigint $$;
--> no rows

create function result_12() returns int language sql as $$ select 'x' $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Actual return type is text.

create function result_13() returns text language sql as $$ select 1 $$;
--> no rows

create function result_14(out x int, out y int) language sql as $$ select 1 $$;
--> ERROR 42P13: return type mismatch in function declared to return record
--> DETAIL: Final statement returns too few columns.

create function result_15() returns results language sql as $$ select results from results $$;
--> no rows

create function result_16() returns record language sql as $$ select 1, 2 $$;
--> no rows

create function result_18() returns int language sql as $$ update results set a = 1 $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.

create function result_19() returns int language sql as $$ select a, b from results; select 1 $$;
--> no rows

create function result_20() returns varchar language sql as $$ select 'a'::text $$;
--> no rows

select from results;
--> no rows

create function result_21() returns setof record language sql as $$ select 1, 'a' $$;
--> no rows

create function result_22(out x int, out y text) language sql as $$ select 1, 'a', 2 $$;
--> ERROR 42P13: return type mismatch in function declared to return record
--> DETAIL: Final statement returns too many columns.

create function result_23() returns results language sql as $$ select 1, 2::numeric $$;
--> no rows

create function result_24() returns results language sql as $$ select row(1, 'a') $$;
--> no rows

create function result_25() returns results language sql as $$ select 'a'::text, 'b' $$;
--> ERROR 42P13: return type mismatch in function declared to return results
--> DETAIL: Final statement returns text instead of integer at column 1.

create function result_26() returns setof int language sql as $$ select a from results order by b $$;
--> no rows

create function result_27() returns int language sql as $$ values (1), (2) $$;
--> no rows

create function result_28() returns int language sql as $$ with one as (select 1 as x) select x, x from one $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Final statement must return exactly one column.

create function result_29() returns void language sql as $$ $$;
--> no rows

create function result_30() returns int language sql as $$ create table never (a int) $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.

create function result_31(inout x int, inout y int) language sql as $$ select y, x $$;
--> no rows

create function result_32() returns json language sql as $$ select '{}'::jsonb $$;
--> no rows

create domain small as int check (value < 10);
--> no rows

create function result_33() returns small language sql as $$ select 1 $$;
--> no rows

create procedure result_34() language sql as $$ select 1, 2 $$;
--> no rows

select * from result_31(1, 2);
--> {"x":2,"y":1}
