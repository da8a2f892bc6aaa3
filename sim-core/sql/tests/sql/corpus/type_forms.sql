-- Forms of literals and calls of every type.

select date(timestamp '2024-02-03 04:05') as a, date('2024-02-03') as b, text(1) as c, int4('3') as d, timestamptz('2024-01-01 10:00:00+02') as e, int8(4) as f, float8(3) as g, bool('t') as h, int2('7') as j, float4('1.5') as k;
--> {"a":"2024-02-03","b":"2024-02-03","c":"1","d":3,"e":"2024-01-01 08:00:00+00","f":4,"g":3,"h":true,"j":7,"k":1.5}

select date(now()) = current_date as a, date(timestamptz '2024-02-03 23:05:00+00') as b, pg_typeof(date(now())) as c, uuid('11111111-1111-1111-1111-111111111111') as d, jsonb('{"a":1}') as e, inet('10.0.0.1') as f, name('x') as g, bytea('\x01') as h, json('[1]') as i;
--> {"a":true,"b":"2024-02-03","c":"date","d":"11111111-1111-1111-1111-111111111111","e":{"a":1},"f":"10.0.0.1","g":"x","h":{"type":"Buffer","data":[1]},"i":[1]}

select int4(true) as a, text('x'::varchar) as b, date(timestamp '2024-01-01') + 1 as c;
--> {"a":1,"b":"x","c":"2024-01-02"}

select date(1);
--> ERROR 42883: function date(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select int4(2, 3);
--> ERROR 42883: function int4(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select jsonb(1);
--> ERROR 42883: function jsonb(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select date('nonsense');
--> ERROR 22007: invalid input syntax for type date: "nonsense"
--> AT 13

create type mood as enum ('sad', 'happy');
--> no rows

select mood('happy') as a, mood 'sad' as b, mood 'sad' < mood 'happy' as c;
--> {"a":"happy","b":"sad","c":true}

select mood 'angry';
--> ERROR 22P02: invalid input value for enum mood: "angry"
--> AT 13

create table days (id int, at timestamptz);
--> no rows

insert into days values (1, '2024-01-01 10:00+00'), (2, '2024-01-02 11:00+00'), (3, '2024-01-02 12:00+00');
--> no rows

select date(at) as day, count(*) as n from days group by date(at) order by date(at);
--> {"day":"2024-01-01","n":1}
--> {"day":"2024-01-02","n":2}

select id from days where date(at) = '2024-01-02' order by id;
--> {"id":2}
--> {"id":3}

create index on days (date(at));
--> ERROR 42P17: functions in index expression must be marked IMMUTABLE

create index on days (date(at at time zone 'UTC'));
--> no rows

select pg_typeof(current_time) as a, current_time is not null as b, pg_typeof(localtime) as c, localtime = localtimestamp::time as d, current_time::time = localtime as e, pg_typeof(current_time(0)) as f;
--> {"a":"time with time zone","b":true,"c":"time without time zone","d":true,"e":true,"f":"time with time zone"}

select time with time zone '10:00+02' as a, '10:00:01.5-03'::timetz as b, timetz '23:59' as c, '10:00+02'::timetz = '08:00+00'::timetz as d, '10:00+02'::timetz < '10:00+00'::timetz as e, '10:00:00+02'::timetz::text as f, '10:00+02'::timetz::time as g;
--> {"a":"10:00:00+02","b":"10:00:01.5-03","c":"23:59:00+00","d":false,"e":true,"f":"10:00:00+02","g":"10:00:00"}

select timetz '25:00';
--> ERROR 22008: date/time field value out of range: "25:00"
--> AT 15

create table clocks (t timetz default '01:00+00');
--> no rows

insert into clocks values ('10:00+02'), ('07:00+00'), (default);
--> no rows

select t from clocks order by t;
--> {"t":"01:00:00+00"}
--> {"t":"07:00:00+00"}
--> {"t":"10:00:00+02"}

select inet '10.0.0.1' as a, cidr '10.0.0.0/8' as b, macaddr '08:00:2b:01:02:03' as c, money '12.34' as d, oid '5' as e, name 'abc' as f, regclass 'days' as g, inet '10.0.0.1' = '10.0.0.1' as h;
--> {"a":"10.0.0.1","b":"10.0.0.0/8","c":"08:00:2b:01:02:03","d":"$12.34","e":5,"f":"abc","g":"days","h":true}

select inet 'nonsense';
--> ERROR 22P02: invalid input syntax for type inet: "nonsense"
--> AT 13

select cidr '10.0.0.1/8';
--> ERROR 22P02: invalid cidr value: "10.0.0.1/8"
--> DETAIL: Value has bits set to right of mask.
--> AT 13

select macaddr '1';
--> ERROR 22P02: invalid input syntax for type macaddr: "1"
--> AT 16

select '08002b010203'::macaddr as a, '0800.2b01.0203'::macaddr as b, '08-00-2b-01-02-03'::macaddr as c, '08002b:010203'::macaddr as d, trunc(macaddr '12:34:56:78:90:ab') as e, macaddr '08:00:2b:01:02:03' < macaddr '08:00:2b:01:02:04' as f;
--> {"a":"08:00:2b:01:02:03","b":"08:00:2b:01:02:03","c":"08:00:2b:01:02:03","d":"08:00:2b:01:02:03","e":"12:34:56:00:00:00","f":true}

select host('192.168.1.5/24'::inet) as a, abbrev('10.1.0.0/16'::inet) as b, abbrev('10.1.0.0/16'::cidr) as c, broadcast('192.168.1.5/24'::inet) as d, family('::1'::inet) as e, hostmask('192.168.23.20/30'::inet) as f, masklen('192.168.1.5/24'::inet) as g, netmask('192.168.1.5/24'::inet) as h, network('192.168.1.5/24'::inet) as i, set_masklen('192.168.1.5/24'::inet, 16) as j, text('192.168.1.5'::inet) as k, inet_same_family('192.168.1.5/24', '::1') as l, inet_merge('192.168.1.5/24', '192.168.2.5/24') as m;
--> {"a":"192.168.1.5","b":"10.1.0.0/16","c":"10.1/16","d":"192.168.1.255/24","e":6,"f":"0.0.0.3","g":24,"h":"255.255.255.0","i":"192.168.1.0/24","j":"192.168.1.5/16","k":"192.168.1.5/32","l":false,"m":"192.168.0.0/22"}

select inet '192.168.1.5' << inet '192.168.1/24' as a, inet '192.168.1/24' <<= inet '192.168.1/24' as b, inet '192.168.1/24' >> inet '192.168.1.5' as c, inet '192.168.1/24' >>= inet '192.168.1/24' as d, inet '192.168.1/24' && inet '192.168.1.80/28' as e;
--> {"a":true,"b":true,"c":true,"d":true,"e":true}

select cidr '192.168.1' as a, cidr '10' as b, cidr '192.168.100.128/25' as c, cidr '2001:4f8:3:ba::/64' as d, inet '192.168.1.5/24' as e, set_masklen('192.168.1.0/24'::cidr, 16) as f, inet '192.168.1.6' + 25 as g, inet '192.168.1.43' - 36 as h, inet '192.168.1.43' - inet '192.168.1.19' as i, ~ inet '192.168.1.6' as j, inet '192.168.1.6' & inet '0.0.0.255' as k, inet '192.168.1.6' | inet '0.0.0.255' as l;
--> {"a":"192.168.1.0/24","b":"10.0.0.0/8","c":"192.168.100.128/25","d":"2001:4f8:3:ba::/64","e":"192.168.1.5/24","f":"192.168.0.0/16","g":"192.168.1.31","h":"192.168.1.7","i":24,"j":"63.87.254.249","k":"0.0.0.6","l":"192.168.1.255"}

select jsonb '[7,8]'->-1 as a, jsonb '[7,8]'->>-1 as b, json '[7,8]'->-2 as c, '[1,2,3]'::jsonb->-1->>-1 as d, 5*-3 as e, 5<-3 as f, 5>-3 as g, 2=-2 as h, 5<>-5 as i, 5>=-5 as j, 7% -2 as k, 5+-3 as l, 3-+2 as m, 6/-2 as n, '[1,[2,3]]'::jsonb->-1->-1 as o;
--> {"a":8,"b":"8","c":7,"d":"3","e":-15,"f":false,"g":true,"h":false,"i":true,"j":true,"k":1,"l":2,"m":1,"n":-3,"o":3}

select jsonb '[7,8]' - -1 as a, jsonb '[7,8]'#>'{-1}' as b, array[1,2] || -1 as c, 2^ -1 as d;
--> {"a":[7],"b":8,"c":[1,2,-1],"d":0.5}

select interval '1 month - 1 day' as a, interval '1-2' as b, interval 'P1Y2M' as c, interval '@ 1 day ago' as d, interval '-1-2' as e, interval '1 year - 2 months + 3 days' as f, interval 'P1Y2M3DT4H5M6S' as g, interval 'P0001-02-03T04:05:06' as h, interval 'PT36H' as i, interval 'P2W' as j, interval '@ 1 year 2 mons -3 days 4 hours 5 mins 6 secs ago' as k;
--> {"a":"1 mon -1 days","b":"1 year 2 mons","c":"1 year 2 mons","d":"-1 days","e":"-1 years -2 mons","f":"10 mons 3 days","g":"1 year 2 mons 3 days 04:05:06","h":"1 year 2 mons 3 days 04:05:06","i":"36:00:00","j":"14 days","k":"-1 years -2 mons +3 days -04:05:06"}

select interval '1 2:03:04' as a, interval '1.5 hours' as b, interval '1-2 3 4:05:06' as c, interval '- 1 day' as d, interval '+1 day -2 hours' as e, interval '1 day -00:00:01' as f, interval '1.5 months' as g, interval '1 week 2 days' as h, interval '-1 day +2:03' as i, interval '2h30m' as j, interval '1y2mon3d' as k, interval '.5 day' as l;
--> {"a":"1 day 02:03:04","b":"01:30:00","c":"1 year 2 mons 3 days 04:05:06","d":"-1 days","e":"1 day -02:00:00","f":"1 day -00:00:01","g":"1 mon 15 days","h":"9 days","i":"-1 days +02:03:00","j":"02:30:00","k":"1 year 2 mons 3 days","l":"12:00:00"}

select interval '1' year as a, interval '2' day as b, interval '3' hour as c, interval '1-2' year to month as d, interval '1 2' day to hour as e, interval '10' minute as f, interval '1.5' second as g, interval '90' second as h, interval '1 12:30' day to minute as i;
--> {"a":"1 year","b":"2 days","c":"03:00:00","d":"1 year 2 mons","e":"1 day 02:00:00","f":"00:10:00","g":"00:00:01.5","h":"00:01:30","i":"1 day 12:30:00"}

select interval '1 fortnight';
--> ERROR 22007: invalid input syntax for type interval: "1 fortnight"
--> AT 17

select interval '';
--> ERROR 22007: invalid input syntax for type interval: ""
--> AT 17

select interval '1 day 1 day';
--> ERROR 22007: invalid input syntax for type interval: "1 day 1 day"
--> AT 17

select '2024-01-01 10:00 Europe/Berlin'::timestamptz as a, '2024-07-01 10:00:00 America/New_York'::timestamptz as b, timestamptz '2024-01-01 10:00 EST' as c, timestamptz '2024-01-01 10:00 PST' as d, timestamptz '2024-01-01 10:00 CET' as e, timestamptz '2024-01-01 10:00 UTC' as f, timestamptz '2024-01-01T10:00:00Z' as g, timestamp '2024-01-01 10:00 Europe/Berlin' as h, timestamptz '2024-01-01 Asia/Tokyo' as i, timestamptz '2024-01-01 10:00 utc' as j, timestamptz '2024-01-01 10:00:00.5 EDT' as k;
--> {"a":"2024-01-01 09:00:00+00","b":"2024-07-01 14:00:00+00","c":"2024-01-01 15:00:00+00","d":"2024-01-01 18:00:00+00","e":"2024-01-01 09:00:00+00","f":"2024-01-01 10:00:00+00","g":"2024-01-01 10:00:00+00","h":"2024-01-01 10:00:00","i":"2023-12-31 15:00:00+00","j":"2024-01-01 10:00:00+00","k":"2024-01-01 14:00:00.5+00"}

select timestamptz '2024-01-01 10:00 Nowhere/Land';
--> ERROR 22023: time zone "nowhere/land" not recognized
--> AT 20

select timestamptz '2024-01-01 10:00 nowhere';
--> ERROR 22007: invalid input syntax for type timestamp with time zone: "2024-01-01 10:00 nowhere"
--> AT 20

select normalize(U&'\0061\0308', NFC) = U&'\00e4' as a, normalize('abc') as b, length(normalize('ä', NFD)) as c, length(normalize(U&'\FB01', NFKC)) as d, length(normalize('ä')) as e, normalize(null) as f;
--> {"a":true,"b":"abc","c":2,"d":2,"e":1,"f":null}

select 'abc' is normalized as a, U&'\0061\0308' is nfc normalized as b, U&'\0061\0308' is not normalized as c, 'abc' is nfd normalized as d, 'x' is nfkd normalized as e, 'x' is not nfkc normalized as f, null::text is normalized as g;
--> {"a":true,"b":false,"c":true,"d":true,"e":true,"f":false,"g":null}

create function twice(i int) returns int language sql as 'select i * 2';
--> no rows

select to_regprocedure('twice(int)') as a, to_regprocedure('twice(text)') as b, to_regprocedure('nothing()') as c, to_regproc('twice') as d, to_regproc('nothing') as e, to_regrole('postgres') as f, to_regrole('nobody') as g, to_regnamespace('public') as h, to_regnamespace('nothing') as i, to_regclass('days') as j, to_regclass('nothing') as k, to_regtype('mood') as l, to_regtype('nothing') as m;
--> {"a":"twice(integer)","b":null,"c":null,"d":"twice","e":null,"f":"postgres","g":null,"h":"public","i":null,"j":"days","k":null,"l":"mood","m":null}

select to_regprocedure('public.twice(integer)') is not null as a, to_regprocedure('public.twice(text)') is null as b;
--> {"a":true,"b":true}

select 'twice(int)'::regprocedure as a, 'twice'::regproc as b;
--> {"a":"twice(integer)","b":"twice"}

select 'nothing(int)'::regprocedure;
--> ERROR 42883: function "nothing(int)" does not exist
--> AT 8

select '[0:2]={1,2,3}'::int[] as a, array_lower('[0:2]={1,2,3}'::int[], 1) as b, array_upper('[0:2]={1,2,3}'::int[], 1) as c, array_length('[0:2]={1,2,3}'::int[], 1) as d, ('[0:2]={1,2,3}'::int[])[0] as e, ('[0:2]={1,2,3}'::int[])[3] as f, array_dims('[0:2]={1,2,3}'::int[]) as g, '[1:2]={1,2}'::int[] as h, cardinality('[5:6]={1,2}'::int[]) as i;
--> {"a":[1,2,3],"b":0,"c":2,"d":3,"e":1,"f":null,"g":"[0:2]","h":[1,2],"i":2}

select ('[0:2]={1,2,3}'::int[])[0:1] as a, array_to_string('[0:2]={1,2,3}'::int[], ',') as b, '[0:1]={1,2}'::int[] = array[1,2] as c, array_position('[0:2]={1,2,3}'::int[], 1) as d, 2 = any('[0:2]={1,2,3}'::int[]) as e, '[0:1]={1,2}'::int[] || 3 as f, array_append('[0:1]={1,2}'::int[], 9) as g, array_ndims('[0:1]={1,2}'::int[]) as h, to_json('[0:1]={1,2}'::int[]) as i;
--> {"a":[1,2],"b":"1,2,3","c":false,"d":0,"e":true,"f":[1,2,3],"g":[1,2,9],"h":1,"i":[1,2]}

select unnest('[0:2]={1,2,3}'::int[]) as a;
--> {"a":1}
--> {"a":2}
--> {"a":3}

select generate_subscripts('[0:2]={1,2,3}'::int[], 1) as a;
--> {"a":0}
--> {"a":1}
--> {"a":2}

select array_agg(x) as a, '[-1:0][2:3]={{1,2},{3,4}}'::int[] as b, array_lower('[-1:0][2:3]={{1,2},{3,4}}'::int[], 2) as c, ('[-1:0][2:3]={{1,2},{3,4}}'::int[])[-1][3] as d from unnest(array[1,2]) x;
--> {"a":[1,2],"b":[[1,2],[3,4]],"c":2,"d":2}

select '[0:3]={1,2,3}'::int[];
--> ERROR 22P02: malformed array literal: "[0:3]={1,2,3}"
--> DETAIL: Specified array dimensions do not match array contents.
--> AT 8

select '[2:1]={1}'::int[];
--> ERROR 2202E: upper bound cannot be less than lower bound
--> AT 8

select '[0:2]{1,2,3}'::int[];
--> ERROR 22P02: malformed array literal: "[0:2]{1,2,3}"
--> DETAIL: Missing "=" after array dimensions.
--> AT 8

select array_fill(7, array[3], array[2]) as a, array_fill(0, array[2]) as b;
--> {"a":[7,7,7],"b":[0,0]}

create table bounds (a int[]);
--> no rows

insert into bounds values ('[0:1]={1,2}'), ('{1,2}'), ('[3:3]={9}');
--> no rows

select a, a[0] as z, array_lower(a, 1) as l from bounds order by array_lower(a, 1), a;
--> {"a":[1,2],"z":1,"l":0}
--> {"a":[1,2],"z":null,"l":1}
--> {"a":[9],"z":null,"l":3}

select '12.34'::money as a, '$1,234.56'::money as b, 5::money as c, 12.345::numeric::money as d, '1.5'::money + '2'::money as e, '10'::money * 2 as f, '10'::money / 4 as g, '10'::money / '4'::money as h, '10'::money::numeric as i, '-5'::money as j, '1'::money < '2'::money as k, sum(x::money) as l, max(x::money) as m from unnest(array[1,2]) x;
--> {"a":"$12.34","b":"$1,234.56","c":"$5.00","d":"$12.35","e":"$3.50","f":"$20.00","g":"$2.50","h":2.5,"i":"10.00","j":"-$5.00","k":true,"l":"$3.00","m":"$2.00"}

create table prices (id int, price money default 3);
--> no rows

insert into prices (id, price) values (1, '$10.00'), (2, 2.5), (3, '1000000');
--> no rows

insert into prices (id) values (4);
--> no rows

select id, price, price::numeric as n, price::text as t from prices order by price;
--> {"id":2,"price":"$2.50","n":"2.50","t":"$2.50"}
--> {"id":4,"price":"$3.00","n":"3.00","t":"$3.00"}
--> {"id":1,"price":"$10.00","n":"10.00","t":"$10.00"}
--> {"id":3,"price":"$1,000,000.00","n":"1000000.00","t":"$1,000,000.00"}

select sum(price) as total, min(price) as least from prices;
--> {"total":"$1,000,015.50","least":"$2.50"}

select 'x'::money;
--> ERROR 22P02: invalid input syntax for type money: "x"
--> AT 8

create table l (id int, a text);
--> no rows

create table r (lid int, b text);
--> no rows

insert into l values (1, 'x'), (2, null), (null, null);
--> no rows

insert into r values (1, null), (2, 'y');
--> no rows

select l.id, r.* is null as a, r.* is not null as b, l.* is null as c from l left join r on r.lid = l.id order by 1;
--> {"id":1,"a":false,"b":false,"c":false}
--> {"id":2,"a":false,"b":true,"c":false}
--> {"id":null,"a":true,"b":false,"c":true}

select id from l where not (l.* is null) order by id;
--> {"id":1}
--> {"id":2}

select l.id, r is null as a, r is not distinct from null as b from l left join r on r.lid = l.id order by 1;
--> {"id":1,"a":false,"b":false}
--> {"id":2,"a":false,"b":false}
--> {"id":null,"a":true,"b":true}

create function pair() returns table (x int, y text) language sql as $$ select 1, 'one'::text $$;
--> no rows

create function one_pair(out x int, out y text) language sql as $$ select 2, 'two'::text $$;
--> no rows

select (pair()).*;
--> {"x":1,"y":"one"}

select (one_pair()).*;
--> {"x":2,"y":"two"}

select (one_pair()).x as a, (pair()).y as b;
--> {"a":2,"b":"one"}

create type point2 as (px int, py int);
--> no rows

create function make_point(a int, b int) returns point2 language sql as $$ select row(a, b)::point2 $$;
--> no rows

select (make_point(1, 2)).*;
--> {"px":1,"py":2}

select l.id, (make_point(l.id, 5)).* from l where id is not null order by 1;
--> {"id":1,"px":1,"py":5}
--> {"id":2,"px":2,"py":5}

select (row(3, 4)::point2).*;
--> {"px":3,"py":4}

select (make_point(1, 2)).px + 1 as a;
--> {"a":2}

select (jsonb_each('{"a":1}')).*;
--> {"key":"a","value":1}

select (l).* from l where id = 1;
--> {"id":1,"a":"x"}

select (select 1) as a, (l.id) from l where id = 1;
--> {"a":1,"id":1}
