-- Texts and names with escapes for characters, texts that continue, names that need AS, FETCH FIRST of an expression, numbers with junk.

create table t (a int, b text, f boolean); insert into t values (1,'x',true),(2,'y',false),(3,null,null);
--> no rows

comment on column t.a is U&'\0061\+000062 x';
--> no rows

select col_description('t'::regclass, 1);
--> {"col_description":"ab x"}

select a as U&"d\0061ta" from t order by 1 limit 1;
--> {"data":1}

select U&'d!0061t!+000061' uescape '!' as a, u&'\0441\043B\043E\043D' as b, U&'a\\b' as c, U&'it''s' as d;
--> {"a":"data","b":"слон","c":"a\\b","d":"it's"}

select U&"\0061" from t order by 1 limit 1;
--> {"a":1}

select t.U&"\0062" from t order by a limit 1;
--> {"b":"x"}

create table U&"\0078yz" (U&"c\006Fl" int default 1);
--> no rows

select * from xyz;
--> no rows

insert into t values (4, U&'\0041');
--> no rows

select b from t where b = U&'\0041';
--> {"b":"A"}

create type u40 as enum (U&'\0061');
--> no rows

select enum_range(null::u40);
--> {"enum_range":"{a}"}

alter table t add column d text default U&'\0064';
--> no rows

select column_default from information_schema.columns where table_name = 't' and column_name = 'd';
--> {"column_default":"'d'::text"}

create view vu as select U&'\0061' x;
--> no rows

select pg_get_viewdef('vu'::regclass);
--> {"pg_get_viewdef":" SELECT 'a'::text AS x;"}

create function fu() returns text language sql as $$ select U&'\0062' || U&"a" from (values ('c')) v(a) $$;
--> no rows

select fu();
--> {"fu":"bc"}

select U&'\00zz';
--> ERROR 42601: invalid Unicode escape
--> HINT: Unicode escapes must be \XXXX or \+XXXXXX.
--> AT 11

select U&'\D800';
--> ERROR 42601: invalid Unicode surrogate pair
--> AT 16

select U&'\D83D\DE00' as a, U&'\+01F600' as b, length(U&'\D83D\DE00') as c;
--> {"a":"😀","b":"😀","c":1}

select U&'a' uescape '+';
--> ERROR 42601: invalid Unicode escape character at or near "'+'"
--> AT 22

select U& 'a' from (values (1)) v(u);
--> ERROR 22P02: invalid input syntax for type integer: "a"
--> AT 11

select u&1 as x from (values (3)) v(u);
--> {"x":1}

comment on table t is U&'d!0061' uescape '!';
--> no rows

select obj_description('t'::regclass);
--> {"obj_description":"da"}

select 'a' 'b';
--> ERROR 42601: syntax error at or near "'b'"
--> AT 12

select 'a'
'b' as x;
--> {"x":"ab"}

select 'a' -- c
 'b' as x;
--> {"x":"ab"}

select 'a' /* c */ 'b';
--> ERROR 42601: syntax error at or near "'b'"
--> AT 20

select 'a' /* c
*/ 'b';
--> ERROR 42601: syntax error at or near "'b'"
--> AT 20

select e'a'
'\n' as x;
--> {"x":"a\n"}

select 'a'
e'b';
--> ERROR 42601: syntax error at or near "e'b'"
--> AT 12

select b'10'
'01' as x;
--> {"x":"1001"}

select $$a$$ 'b';
--> ERROR 42601: syntax error at or near "'b'"
--> AT 14

do language plpgsql 'begin null; end';
--> no rows

select sum(a) as filter, 1 as over from t;
--> {"filter":10,"over":1}

select a filter from t limit 1;
--> ERROR 42601: syntax error at or near "filter"
--> AT 10

select 1 over;
--> ERROR 42601: syntax error at or near "over"
--> AT 10

select 1 day;
--> ERROR 42601: syntax error at or near "day"
--> AT 10

select 1 year;
--> ERROR 42601: syntax error at or near "year"
--> AT 10

select 1 to;
--> ERROR 42601: syntax error at or near "to"
--> AT 10

select 1 precision;
--> ERROR 42601: syntax error at or near "precision"
--> AT 10

select 1 as day, 2 "year", 3 as /* c */ hour, 4 name;
--> {"day":1,"year":2,"hour":3,"name":4}

select day.a from (values (1)) day(a);
--> {"a":1}

select a from t order by a fetch first (1 + 0) rows only;
--> {"a":1}

select a from t order by a fetch first (select 2) rows only;
--> {"a":1}
--> {"a":2}

select a from t order by a offset (1) rows fetch next (1 + 1) row only;
--> {"a":2}
--> {"a":3}

create function ff(n int) returns setof int language sql as $$ select a from t order by a fetch first (n) rows only $$;
--> no rows

select * from ff(2);
--> {"ff":1}
--> {"ff":2}

select (select a from t order by a desc fetch first (1) row only) as x;
--> {"x":4}

select substring('abc' similar 'a#"%#"c' escape '#') as x;
--> {"x":"b"}

select substring('abcdefg' similar 'a#"(b_d)#"%' escape '#') as x, substring(b similar '#"_#"' escape '#') as y from t order by a;
--> {"x":"bcd","y":"x"}
--> {"x":"bcd","y":"y"}
--> {"x":"bcd","y":null}
--> {"x":"bcd","y":"A"}

select substring('abc' from 2 for 1) as x, substring(case when 'a' similar to 'a' then 'xyz' end, 2) as y;
--> {"x":"b","y":"yz"}

select 1_000;
--> ERROR 42601: trailing junk after numeric literal at or near "1_000"
--> AT 8

select 0x1F;
--> ERROR 42601: trailing junk after numeric literal at or near "0x1F"
--> AT 8

select 1a;
--> ERROR 42601: trailing junk after numeric literal at or near "1a"
--> AT 8

select 1.5x;
--> ERROR 42601: trailing junk after numeric literal at or near "1.5x"
--> AT 8

select 1e;
--> ERROR 42601: trailing junk after numeric literal at or near "1e"
--> AT 8

select $1a;
--> ERROR 42601: trailing junk after parameter at or near "$1a"
--> AT 8

select 1"a", 1.e3 as b, .5 as c, x'1F' as d, 1e-3 as e;
--> {"a":1,"b":"1000","c":"0.5","d":"00011111","e":"0.001"}

select 10L;
--> ERROR 42601: trailing junk after numeric literal at or near "10L"
--> AT 8

select unistr('\D83D\DE00') as a, unistr('\0061\u0062\+000063\U00000064\\') as b;
--> {"a":"😀","b":"abcd\\"}

select unistr('\00zz');
--> ERROR 42601: invalid Unicode escape
--> HINT: Unicode escapes must be \XXXX, \+XXXXXX, \uXXXX, or \UXXXXXXXX.

select unistr('\D83Dx');
--> ERROR 42601: invalid Unicode surrogate pair
