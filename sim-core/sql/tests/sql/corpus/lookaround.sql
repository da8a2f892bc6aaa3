-- Regular expressions with look-around and back references.

create table users (id int primary key, password text check (password ~ '^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,}$'));
--> no rows

insert into users values (1, 'Secret1!'), (2, 'Correct9$Horse');
--> no rows

insert into users values (3, 'secret1!');
--> ERROR 23514: new row for relation "users" violates check constraint "users_password_check"
--> DETAIL: Failing row contains (3, secret1!).

insert into users values (4, 'SECRET1!');
--> ERROR 23514: new row for relation "users" violates check constraint "users_password_check"
--> DETAIL: Failing row contains (4, SECRET1!).

insert into users values (5, 'Short1!');
--> ERROR 23514: new row for relation "users" violates check constraint "users_password_check"
--> DETAIL: Failing row contains (5, Short1!).

insert into users values (6, 'Secret12');
--> ERROR 23514: new row for relation "users" violates check constraint "users_password_check"
--> DETAIL: Failing row contains (6, Secret12).

select id, password from users order by id;
--> {"id":1,"password":"Secret1!"}
--> {"id":2,"password":"Correct9$Horse"}

create domain slug as text check (value ~ '^(?!-)(?!.*--)[a-z0-9-]+(?<!-)$');
--> no rows

select 'my-slug-1'::slug as a;
--> {"a":"my-slug-1"}

select '-my-slug'::slug;
--> ERROR 23514: value for domain slug violates check constraint "slug_check"

select 'my--slug'::slug;
--> ERROR 23514: value for domain slug violates check constraint "slug_check"

select 'my-slug-'::slug;
--> ERROR 23514: value for domain slug violates check constraint "slug_check"

create table pages (id int primary key, slug text not null, constraint slug_format check (slug !~ '(.)\1\1' and slug ~* '^(?!admin$|api$)[A-Z0-9_]+$'));
--> no rows

insert into pages values (1, 'home'), (2, 'administration'), (3, 'bookkeeper');
--> no rows

insert into pages values (4, 'Admin');
--> ERROR 23514: new row for relation "pages" violates check constraint "slug_format"
--> DETAIL: Failing row contains (4, Admin).

insert into pages values (5, 'hellooo');
--> ERROR 23514: new row for relation "pages" violates check constraint "slug_format"
--> DETAIL: Failing row contains (5, hellooo).

select id from pages where slug ~ '(.)\1' order by id;
--> {"id":3}

select regexp_replace('1234567', '(?<=\d)(?=(\d{3})+$)', ',', 'g') as a, regexp_replace('123', '(?<=\d)(?=(\d{3})+$)', ',', 'g') as b, regexp_replace('123456', '(?<=\d)(?=(?:\d{3})+$)', '.', 'g') as c;
--> {"a":"1,234,567","b":"123","c":"123.456"}

select regexp_replace('1234567.891', '(\d)(?=(\d{3})+\.)', '\1,', 'g') as a, regexp_replace('priceInUsd', '(?<!^)([A-Z])', '_\1', 'g') as b, lower(regexp_replace('HTMLParserId', '(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])', '_', 'g')) as c;
--> {"a":"1,234,567.891","b":"price_In_Usd","c":"html_parser_id"}

select regexp_split_to_array('camelCaseText', '(?=[A-Z])') as a, regexp_split_to_array('camelCaseText', '(?<=[a-z])(?=[A-Z])') as b, regexp_split_to_array('a,b\,c', '(?<!\\),') as c;
--> {"a":["camel","Case","Text"],"b":["camel","Case","Text"],"c":["a","b\\,c"]}

select part from regexp_split_to_table('oneTwoThree', '(?<=[a-z])(?=[A-Z])') as part order by part;
--> {"part":"Three"}
--> {"part":"Two"}
--> {"part":"one"}

select m from regexp_matches('price: $10, cost: $25, 30', '(?<=\$)\d+', 'g') as m;
--> {"m":["10"]}
--> {"m":["25"]}

select m from regexp_matches('foobar foobaz', 'foo(?!bar)(\w+)', 'g') as m;
--> {"m":["baz"]}

select regexp_match('key=value;other=thing', '(?<=other=)[a-z]+') as a, regexp_match('abcabc', '(abc)\1') as b, regexp_match('abcabd', '(abc)\1') as c, regexp_match('foobar', '(?=(foo))(foo)(bar)') as d;
--> {"a":["thing"],"b":["abc"],"c":null,"d":["foo","bar"]}

select substring('order-123-x' from '(?<=order-)\d+') as a, substring('hello' from '(.)\1') as b, substring('path/to/file.txt' from '[^/]+(?=\.txt$)') as c, substring('abc' from '(?<=z)b') as d;
--> {"a":"123","b":"l","c":"file","d":null}

select 'abcabc' ~ '^(...)\1$' as a, 'aBcAbC' ~ '^(...)\1$' as b, 'aBcAbC' ~* '^(...)\1$' as c, 'abab' !~ '^(ab)\1$' as d, 'ÄÖäö' ~* '^(..)\1$' as e;
--> {"a":true,"b":false,"c":true,"d":false,"e":true}

select regexp_replace('the the cat sat sat', '\m(\w+) \1\M', '\1', 'g') as a, regexp_replace('aabbccd', '(.)\1', '<\1>', 'g') as b, regexp_replace('aabbccd', '(.)\1', '<\&>') as c;
--> {"a":"the cat sat","b":"<a><b><c>d","c":"<aa>bbccd"}

select regexp_count('banana', '(?<=a)n') as a, regexp_like('foobar', 'foo(?=BAR)', 'i') as b, regexp_substr('a1b22c333', '(?<=c)\d+') as c, regexp_instr('hello world', '(?<= )w') as d;
--> {"a":2,"b":true,"c":"333","d":7}

select '<b>x</b>' ~ '^<(\w+)>.*</\1>$' as a, '<b>x</i>' ~ '^<(\w+)>.*</\1>$' as b, '''quoted''' ~ '^(["'']).*\1$' as c, '''quoted"' ~ '^(["'']).*\1$' as d;
--> {"a":true,"b":false,"c":true,"d":false}

select 'abcdefghijj' ~ '(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\10' as a, 'abcdefghija' ~ '(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\10' as b, 'ab' ~ '(a)|b\1' as c, 'b' ~ '^(a)?b\1$' as d;
--> {"a":true,"b":false,"c":true,"d":false}

select 'x' ~ '(?=x' as a;
--> ERROR 2201B: invalid regular expression: parentheses () not balanced

select 'x' ~ 'a(?=b)*' as a;
--> ERROR 2201B: invalid regular expression: quantifier operand invalid

select 'x' ~ '(?=b){2}' as a;
--> ERROR 2201B: invalid regular expression: quantifier operand invalid

select 'x' ~ '\1' as a;
--> ERROR 2201B: invalid regular expression: invalid backreference number

select 'x' ~ '(a)\2' as a;
--> ERROR 2201B: invalid regular expression: invalid backreference number

select 'x' ~ '(a\1)' as a;
--> ERROR 2201B: invalid regular expression: invalid backreference number

select 'aa' ~ '(a)(?=\1)' as a;
--> ERROR 2201B: invalid regular expression: invalid backreference number

select 'aa' ~ '(?=(a))\1' as a;
--> ERROR 2201B: invalid regular expression: invalid backreference number

select 'x' ~ '(?<x)' as a;
--> ERROR 2201B: invalid regular expression: quantifier operand invalid

select 'foo
bar' ~ '(?n)o(?=$)' as a, 'foo
bar' ~ 'o(?=$)' as b, 'foo
bar' ~ '(?n)(?<=^)bar' as c, 'foo
bar' ~ 'foo(?=.bar)' as d, 'foo
bar' ~ '(?p)foo(?=.bar)' as e;
--> {"a":true,"b":false,"c":true,"d":true,"e":false}

select 'aXb' ~ '(?x) a (?= [A-Z] ) # a letter
 . b' as a, 'étude' ~ '(?<=é)t' as b, 'naïve café' ~ '(?<!\w)café(?!\w)' as c, 'a😀b' ~ '(?<=😀)b' as d, 'ab12' ~ '(?<=[[:alpha:]]{2})[[:digit:]]{2}(?![[:alnum:]])' as e;
--> {"a":true,"b":true,"c":true,"d":true,"e":true}

select 'aab' ~ '(?<=a+)b' as a, 'foo12' ~ '(?<=foo\d*)2' as b, 'xb' ~ '(?<=a*)b' as c, 'ab' ~ '(?<=^a)b' as d, 'cab' ~ '(?<=^a)b' as e, 'cab' ~ '(?<!^|c)ab' as f;
--> {"a":true,"b":true,"c":true,"d":true,"e":false,"f":false}

select 'foobar' ~ '(?=foo(?=bar))foo' as a, 'foobaz' ~ '(?=foo(?=bar))foo' as b, 'foobaz' ~ 'foo(?!bar|qux)' as c, 'aXbX' ~ '(?=.*?X)a' as d, regexp_replace('a1b2', '(?=.*?\d)[a-z]+', '-', 'g') as e;
--> {"a":true,"b":false,"c":true,"d":true,"e":"-1-2"}

select 'user@example.com' ~* '^(?=.{1,254}$)(?=.{1,64}@)[a-z0-9.]+@(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+[a-z]{2,63}$' as a, 'user@-example.com' ~* '^(?=.{1,254}$)(?=.{1,64}@)[a-z0-9.]+@(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)+[a-z]{2,63}$' as b;
--> {"a":true,"b":false}

select regexp_replace('a-b_c', '(?<=[-_])([a-z])', '<\1>', 'g') as a, regexp_replace('  two  spaces  ', '(?<=\S)\s+(?=\S)', ' ', 'g') as b, regexp_replace('4111111111111111', '\d(?=\d{4})', '*', 'g') as c, regexp_replace('aaa', '(?=a)', '-', 'g') as d, regexp_replace('aaa', '(?<=a)', '-', 'g') as e;
--> {"a":"a-<b>_<c>","b":"  two spaces  ","c":"************1111","d":"-a-a-a","e":"a-a-a-"}

select 'aa' similar to '(a)a' as a, regexp_replace('x', '(?=x)(?:)', 'y') as b;
--> {"a":true,"b":"yx"}

select 'a{2' ~ '(?=a)a{2' as a;
--> ERROR 2201B: invalid regular expression: braces {} not balanced

select 'secret_name_9' ~ '^(?=.*\d)\w{8,64}$' as a, 'Secret1!' ~ '^(?=.*[A-Z])(?=.*\d)[A-Za-z\d@$!%*?&]{8,128}$' as b;
--> {"a":true,"b":true}

select 'x' ~ '(?=x)(*)' as a;
--> ERROR 2201B: invalid regular expression: quantifier operand invalid

select 'x' ~ '(?=a)a{2}+' as a, 'x' ~ '(?=x)x{1}?' as b;
--> ERROR 2201B: invalid regular expression: quantifier operand invalid

select 'x' ~ '(?=x)x{1}?' as a, 'xyx' ~ '^(?:(x)|(y)|\1)+$' as b, '2024-01-02' ~ '^\d{4}([-/])\d{2}\1\d{2}$' as c, '2024-01/02' ~ '^\d{4}([-/])\d{2}\1\d{2}$' as d;
--> {"a":true,"b":true,"c":true,"d":false}

select regexp_split_to_array('a1b22', '(?<=\d)(?=\D)|(?<=\D)(?=\d)') as a, regexp_replace(' a  b ', '^\s+|\s+$|\s+(?=\s)', '', 'g') as b, regexp_matches('k=v', '(\w)=(?!x)(\w)') as c;
--> {"a":["a","1","b","22"],"b":"a b","c":["k","v"]}

create function has_repeats(value text) returns boolean language plpgsql as $$ begin return value ~ '(\w)\1{2}'; end $$;
--> no rows

select has_repeats('aab') as a, has_repeats('baaa') as b;
--> {"a":false,"b":true}

create index on pages ((substring(slug from '(?<=^.)\w+')));
--> no rows

select id from pages where substring(slug from '(?<=^.)\w+') = 'ome';
--> {"id":1}
