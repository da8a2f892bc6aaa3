-- Texts without case, and domains over types whose equal values have several texts.

create extension if not exists citext with schema extensions;
--> no rows

create domain cd as citext;
--> no rows

create domain nd as numeric;
--> no rows

create domain nd2 as numeric(10,2);
--> no rows

create domain td as text;
--> no rows

select x::nd from (values(1.0),(1.00),(1)) v(x) group by x::nd;
--> {"x":"1.0"}

select distinct x::nd from (values(1.0),(1.00),(1)) v(x);
--> {"x":"1.0"}

select count(distinct x::nd) from (values(1.0),(1.00),(1)) v(x);
--> {"count":1}

select count(distinct x::cd) from (values('a'),('A')) v(x);
--> {"count":1}

select x::cd, count(*) from (values('a'),('A')) v(x) group by 1;
--> {"x":"a","count":2}

select x::citext, count(*) from (values('a'),('A')) v(x) group by 1;
--> {"x":"a","count":2}

select count(distinct x::citext) from (values('a'),('A')) v(x);
--> {"count":1}

select count(*) from (select x::cd from (values('a'),('A')) v(x) union select 'A'::cd) s;
--> {"count":1}

select count(*) from (select x::nd from (values(1.0),(1.00)) v(x) union select 1::nd) s;
--> {"count":1}

select row_number() over (partition by x::nd) from (values(1.0),(1.00),(1)) v(x);
--> {"row_number":1}
--> {"row_number":2}
--> {"row_number":3}

select row_number() over (partition by x::cd) from (values('a'),('A')) v(x);
--> {"row_number":1}
--> {"row_number":2}

select rank() over (order by x::cd) from (values('a'),('A')) v(x);
--> {"rank":1}
--> {"rank":1}

select 'A'::cd = any(array['a'::cd,'b'::cd]), 'A'::cd in ('a','b');
--> {"?column?":true}

select string_agg(distinct x::citext, ',') from (values('a'),('A')) v(x);
--> {"string_agg":"A,a"}

select max(x::nd), sum(x::nd) from (values(1.0),(2)) v(x);
--> {"max":"2","sum":"3.0"}

select a.x, b.x from (select 'a'::cd x) a join (select 'A'::cd x) b on a.x=b.x;
--> {"x":"A"}

select a.x from (select 'a'::cd x) a natural join (select 'A'::cd x) b;
--> {"x":"a"}

select replace('Tomcat'::citext,'CAT','dog'), replace('Tomcat'::citext, 'CAT'::text, 'dog'), replace('Tomcat'::cd,'CAT','dog');
--> {"replace":"Tomdog"}

select split_part('aXbxc'::citext,'x',2), split_part('aXbxc'::citext,'x',3), split_part('aXbxc'::cd,'x',2);
--> {"split_part":"b"}

select position('C' in 'abc'::citext), strpos('abc'::citext,'C'), position('C'::citext in 'abc'::citext), strpos('abc','C'::citext), position('C' in 'abc'::cd);
--> {"position":0,"strpos":3}

select translate('abcdefABC'::citext,'ABC','xyz'), translate('abcdefABC'::cd,'ABC','xyz'), translate('abcABC'::citext,'AB','');
--> {"translate":"cC"}

select regexp_match('FooBar'::citext,'bar'), regexp_matches('FooBar'::citext,'(o+)(BAR)'), regexp_match('FooBar'::citext,'bar','c'), regexp_match('FooBar'::cd,'bar');
--> {"regexp_match":["Bar"],"regexp_matches":["oo","Bar"]}

select regexp_replace('FooBar'::citext,'BAR','x'), regexp_replace('FooBar'::citext,'O','x','g'), regexp_replace('FooBar'::citext,'O','x','c'), regexp_replace('FooBar'::cd,'O','x','gc');
--> {"regexp_replace":"FooBar"}

select regexp_split_to_array('aXbxc'::citext,'x'), regexp_split_to_array('aXbxc'::citext,'x','c'),regexp_split_to_array('aXbxc'::cd,'x');
--> {"regexp_split_to_array":["a","b","c"]}

select regexp_split_to_table('aXbxc'::citext,'x');
--> {"regexp_split_to_table":"a"}
--> {"regexp_split_to_table":"b"}
--> {"regexp_split_to_table":"c"}

select 'ABC'::citext similar to 'a%', 'ABC'::cd similar to 'abc', 'ABC'::citext not similar to 'abc';
--> {"?column?":false}

select 'ABC'::citext ~ 'b', 'ABC'::cd ~ 'b', 'ABC'::cd like 'a%', 'ABC'::citext !~ 'b', 'ABC'::citext ~~ 'abc', 'ABC'::cd not like 'abc', 'ABC'::citext ilike 'abc';
--> {"?column?":true}

select starts_with('ABC'::citext,'a'), 'ABC'::citext ^@ 'a', overlay('ABC'::citext placing 'x' from 2), ltrim('aABC'::citext,'a'), left('ABC'::citext,2), reverse('ABC'::citext);
--> {"starts_with":false,"?column?":false,"overlay":"AxC","ltrim":"ABC","left":"AB","reverse":"CBA"}

select pg_typeof(lower('A'::citext)), pg_typeof('A'::citext||'b'), pg_typeof(replace('a'::citext,'a','b')), pg_typeof(coalesce('a'::citext,'b')),pg_typeof(translate('a'::citext,'a','b')), pg_typeof(regexp_replace('a'::citext,'a','b')),pg_typeof(split_part('a'::citext,'a',1)), pg_typeof(max('a'::citext)), pg_typeof(regexp_match('a'::citext,'a')), pg_typeof(regexp_split_to_array('a'::citext,'a'));
--> {"pg_typeof":"text[]"}

select case 'A'::cd when 'a' then 1 end, nullif('A'::cd,'a'), greatest('a'::cd,'B'), 'A'::cd between 'a' and 'b', 'a'::cd is distinct from 'A'::cd;
--> {"case":1,"nullif":null,"greatest":"B","?column?":false}

select 'a'::cd = 'A', 'a'::cd = 'A'::text, 'a'::cd = 'A'::citext, 'a'::citext = 'A'::text, 'a'::citext = 'A'::varchar;
--> {"?column?":false}

create table t (c cd, n nd);
--> no rows

insert into t values ('a',1.0),('A',1.00),('b',2);
--> no rows

select c||'x', count(*) from t group by 1 order by 1;
--> {"?column?":"Ax","count":1}
--> {"?column?":"ax","count":1}
--> {"?column?":"bx","count":1}

select c, count(*) from t group by c order by 1;
--> {"c":"a","count":2}
--> {"c":"b","count":1}

select n, count(*) from t group by n order by 1;
--> {"n":"1.0","count":2}
--> {"n":"2","count":1}

select n+0 , count(*) from t group by n+0 order by 1;
--> {"?column?":"1.0","count":2}
--> {"?column?":"2","count":1}

select n*1::nd , count(*) from t group by 1 order by 1;
--> {"?column?":"1.0","count":2}
--> {"?column?":"2","count":1}

select coalesce(c,'x'), count(*) from t group by 1 order by 1;
--> {"coalesce":"a","count":2}
--> {"coalesce":"b","count":1}

select case when true then n end, count(*) from t group by 1 order by 1;
--> {"case":"1.0","count":2}
--> {"case":"2","count":1}

select n from t except select 1::nd;
--> {"n":"2"}

select min(x::cd), max(x::cd) from (values('a'),('B')) v(x);
--> {"min":"a","max":"B"}

select citext_eq('a','A'), citext_lt('a','B'), citext_ne('a','A'), citext_larger('a','B');
--> {"citext_eq":true,"citext_lt":true,"citext_ne":false,"citext_larger":"B"}

select split_part('aXbxc'::citext,'x',9), split_part('aXbxc'::citext,'x',-1), replace('a.b.A'::citext,'A','x'), replace('a.b'::citext,'.','x');
--> {"split_part":null,"replace":"axb"}

select distinct on (x::cd) x from (values('a'),('B')) v(x) order by x::cd;
--> {"x":"a"}
--> {"x":"B"}

select x::cd from (values('b'),('A'),('a')) v(x) group by x::cd order by x::cd;
--> {"x":"A"}
--> {"x":"b"}

select x::nd, rank() over (order by x::nd) from (values(1.0),(1.00),(0.5)) v(x) order by 2, 1;
--> {"x":"0.5","rank":1}
--> {"x":"1.0","rank":2}
--> {"x":"1.00","rank":2}

select array['a'::citext] = array['A'::citext] as equal, array['a'::citext, 'B'] < array['A'::citext, 'c'] as less;
--> {"equal":true,"less":true}

select x, count(*) from (values (array['a'::citext]), (array['A'::citext])) v(x) group by x;
--> {"x":"{a}","count":2}
