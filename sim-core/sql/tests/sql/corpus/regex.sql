-- Regular expressions and pattern matching.

select 'abc' ~ '^a' as a, 'ABC' ~* 'abc' as b, 'abc' !~ 'z' as c, 'ABC' !~* 'abc' as d, null ~ 'a' as e;
--> {"a":true,"b":true,"c":true,"d":false,"e":null}

select 'foo123' ~ '\d+' as a, 'foo bar' ~ '\mbar\M' as b, 'foobar' ~ '\mbar' as c, 'a.b' ~ 'a\.b' as d, 'tab' ~ '^[[:alpha:]]+$' as e, 'x y' ~ '\s' as f;
--> {"a":true,"b":true,"c":false,"d":true,"e":true,"f":true}

select regexp_replace('foo123bar45', '\d+', '#') as first_only, regexp_replace('foo123bar45', '\d+', '#', 'g') as every, regexp_replace('Hello', 'L', '_', 'gi') as insensitive, regexp_replace('john smith', '(\w+) (\w+)', '\2, \1') as groups, regexp_replace('abc', 'b', '[\&]') as whole;
--> {"first_only":"foo#bar45","every":"foo#bar#","insensitive":"He__o","groups":"smith, john","whole":"a[b]c"}

select regexp_match('foobarbequebaz', 'bar.*que') as a, regexp_match('foobarbequebaz', '(bar)(beque)') as b, regexp_match('abc', 'x') as c, (regexp_match('v1.2.3', '(\d+)\.(\d+)'))[2] as d;
--> {"a":["barbeque"],"b":["bar","beque"],"c":null,"d":"2"}

select m[1] as m from regexp_matches('a1b22c333', '\d+', 'g') as m;
--> {"m":"1"}
--> {"m":"22"}
--> {"m":"333"}

select regexp_split_to_array('a, b,c', ',\s*') as a, regexp_split_to_array('abc', '') as b, regexp_split_to_array('a1b2', '\d') as c;
--> {"a":["a","b","c"],"b":["a","b","c"],"c":["a","b",""]}

select * from regexp_split_to_table('one two  three', '\s+') as t(word);
--> {"word":"one"}
--> {"word":"two"}
--> {"word":"three"}

select substring('foobar' from 'o+b') as a, substring('foobar' from 'o(.)b') as b, substring('abc' from 'z') as c, substring('2024-05-06' from '\d{4}-(\d{2})') as d;
--> {"a":"oob","b":"o","c":null,"d":"05"}

select regexp_count('banana', 'an') as a, regexp_like('Steven', '^ste(v|ph)en$', 'i') as b, regexp_substr('a1b22', '\d+', 1, 2) as c, regexp_instr('hello world', 'o') as d;
--> {"a":2,"b":true,"c":"22","d":5}

select 'user@example.com' ~* '^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$' as a, 'not an email' ~* '^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$' as b;
--> {"a":true,"b":false}

select 'abc' similar to '(a|b)%' as a, 'abc' similar to 'b%' as b, 'abc' not similar to '_' as c;
--> {"a":true,"b":false,"c":true}

select 'abc' like any (array['z%', 'a%']) as a, 'abc' ilike all (array['A%', '%c']) as b, 'abc' = any (array['x', 'abc']) as c;
--> {"a":true,"b":true,"c":true}

select 'a' ~ '(';
--> ERROR 2201B: invalid regular expression: parentheses () not balanced

select 'a' ~ '[z-a]';
--> ERROR 2201B: invalid regular expression: invalid character range

select regexp_replace('a', 'a', 'b', 'q1');
--> ERROR 22023: invalid regular expression option: "1"

select regexp_replace('aaa', 'a{2}', 'b') as a, regexp_replace('Aa', '(?i)a', 'x', 'g') as b, 'line1
line2' ~ '^line2' as c, regexp_replace('a.b.c', '.', '-', 'g') as d;
--> {"a":"ba","b":"xx","c":false,"d":"-----"}

select 'some_name' ~ '^\w{3,50}$' as a, 'x' ~ '^\w{8,64}$' as b, 'a-b' ~ '^[[:alnum:]-]{2,63}$' as c;
--> {"a":true,"b":false,"c":true}
