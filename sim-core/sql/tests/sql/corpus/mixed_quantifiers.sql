-- Greedy and non-greedy quantifiers in one pattern, and brackets at line ends.

select regexp_replace('<script src="a">x</script> t', '<script[^>]*>.*?</script>', '', 'gi') as a;
--> {"a":" t"}

select regexp_replace('x ```json {"a":1} ``` y', '```(?:json)?\s*(.*?)\s*```', '\1', 'gs') as a;
--> {"a":"x {\"a\":1} y"}

select substring('https://a.b/c?d=1' from '^https?://(.*?)/') as a;
--> {"a":"a.b"}

select (regexp_matches('key: "val" other', '(\w+):\s*"(.*?)"'))[2] as a;
--> {"a":"val"}

select regexp_replace('img ![alt](url) [t](u)', '!?\[([^\]]*?)\]\(([^)]+)\)', '\1', 'g') as a;
--> {"a":"img alt t"}

select regexp_replace('foo.bar.baz', '^(.*?)\.(.*)$', '\2') as a, regexp_match('foo.bar.baz', '^(.*?)\.(.*)$') as b, regexp_match('foo.bar.baz', '^(.*)\.(.*?)$') as c;
--> {"a":"bar.baz","b":["foo","bar.baz"],"c":["foo.bar","baz"]}

select regexp_match('aXbXc', 'a(.*?)X(.*)') as a, regexp_match('aXbXc', 'a.+?X.*') as b, regexp_match('aXbXc', '.*?X.*') as c, regexp_match('aXbXcX', '.*X.*?') as d;
--> {"a":["",""],"b":["aXbX"],"c":["aX"],"d":["aXbXcX"]}

select regexp_match('XY1234Z', 'Y*([0-9]{1,3})') as a, regexp_match('XY1234Z', 'Y*?([0-9]{1,3})') as b, regexp_match('abc01234xyz', '(.*)(\d+)(.*)') as c, regexp_match('abc01234xyz', '(.*?)(\d+)(.*)') as d, regexp_match('abc01234xyz', '(?:(.*?)(\d+)(.*)){1,1}') as e;
--> {"a":["123"],"b":["1"],"c":["abc0123","4","xyz"],"d":["abc","0",""],"e":["abc","01234","xyz"]}

select regexp_match('abcd', '(a|ab)(c|bcd)?(d*?)') as a, regexp_match('foobar', '(fo*?)(o*)(b(a|ar)?)?') as b, regexp_match('a1b22', '([a-z])(\d+?)') as c, regexp_match('a1b22', '([a-z]+?)(\d+)') as d;
--> {"a":["ab","c","d"],"b":["f","",null,null],"c":["a","1"],"d":["a","1"]}

select regexp_split_to_array('a--b---c', '-+?-*') as a, regexp_split_to_array('k1=v1;k2=v2', ';|=+?') as b, regexp_matches('a="1" b="2"', '(\w+)="(.*?)"', 'g') as m;
--> {"a":["a","","b","","","c"],"b":["k1","v1","k2","v2"],"m":["a","1\" b=\"2"]}

select regexp_replace('<p class="x">hi</p><p>you</p>', '<p.*?>(.*?)</p>', '[\1]', 'g') as a, regexp_replace('<p class="x">hi</p><p>you</p>', '<p[^>]*>(.*?)</p>', '[\1]', 'g') as b;
--> {"a":"[hi][you]","b":"[hi</p><p>you]"}

select substring('name: "x", v: "y"' from '"(.+?)".*') as a, substring('aaa bbb' from '(a+?)\s*b') as b, substring('2024-01-02T03' from '^(\d+?)-(\d{2})') as c;
--> {"a":"x","b":"aaa","c":"2024"}

select regexp_match(E'line1\nline2 end', '^(.*?)$.*', 'n') as a, regexp_match(E'line1\nline2', 'l(.*?)\n(.*)') as b, regexp_match('ünï cödé wörd', '(\w+?)\s(\w*)') as c;
--> {"a":["line1"],"b":["ine1",""],"c":["ünï",""]}

select regexp_match('xabcabcy', '(abc)*?y?') as a, regexp_match('aab', '(a*?)(a|b)*') as b;
--> {"a":[null],"b":["",null]}

select regexp_match('one two', '\y(\w+?)\y.*') as a, regexp_instr('aXbXc', 'b.*?X.*') as b, regexp_substr('abcXdefX', '[a-z]+?X[a-z]*') as c, regexp_count('aXbXcX', '[a-z]X*?') as d;
--> {"a":["one"],"b":3,"c":"abcX","d":3}

select regexp_match('path/to/file.tar.gz', '^(.*/)?(.*?)(\.[^.]+)?$') as a, regexp_match('user.name+tag@host.tld', '^(.+?)(\+.*)?@(.*)$') as b, regexp_replace('  a   b  ', '^\s+?(.*?)\s*$', '\1') as c, regexp_match('((a))', '\((.*?)\)+') as d;
--> {"a":["path/to/","file.tar",".gz"],"b":["user.name","+tag","host.tld"],"c":" a   b","d":["(a"]}

select regexp_match('aaaa', '(?:a{1,2}?){2}a*') as a, regexp_match('aaaa', 'a{2}?a*') as b, regexp_match('aaaa', 'a{2}a*?') as c, regexp_match('ababab', '(?:ab)*?(ab)(.*)') as d;
--> {"a":["aa"],"b":["aaaa"],"c":["aa"],"d":["ab",""]}

select 'abcabc' ~ 'a.*?c$', 'x' ~ 'a*?b+', regexp_replace('{{a}} and {{b}}', '\{\{(.*?)\}\}+', '<\1>', 'g') as r;
--> {"?column?":false,"r":"<a> and <b>"}

select E'a\nb' ~ '(?n)a\Wb' as w, E'a\nb' ~ '(?n)a\Db' as d, E'a\nb' ~ '(?n)a[^x]b' as x, E'a\nb' ~ '(?n)a\Sb' as s, E'a\nb' ~ '(?n)a[\W]b' as bw, E'a\nb' ~ '(?n)a[^[:alpha:]]b' as al, E'a\nb' ~ '(?p)a[^x]b' as p, E'a\nb' ~ '(?w)a[^x]b' as ww, E'a\nb' ~ '(?n)a\sb' as sp, E'a\nb' ~ '(?n)a[^\d]b' as nd;
--> {"w":true,"d":true,"x":false,"s":false,"bw":true,"al":false,"p":false,"ww":true,"sp":true,"nd":false}

select regexp_replace(E'a\nb', 'a\Wb', 'X', 'n') as w, regexp_replace(E'a\nb', 'a\Db', 'X', 'm') as d;
--> {"w":"X","d":"X"}
