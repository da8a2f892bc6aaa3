-- Forms of functions that are seldom used: angles in degrees, encodings, places and numbers of matches, times with offsets, sizes.

select sind(30), cosd(60), tand(45), cotd(45), asind(0.5), acosd(0.5), atand(1), atan2d(1,1);
--> {"sind":0.5,"cosd":0.5,"tand":1,"cotd":1,"asind":30,"acosd":60,"atand":45,"atan2d":45}

select sind(x), cosd(x), tand(x), cotd(x) from unnest(array[0,30,45,60,90,120,135,150,180,210,225,240,270,300,315,330,360,-30,-90,-200,725.5]::float8[]) x;
--> {"sind":0,"cosd":1,"tand":0,"cotd":null}
--> {"sind":0.5,"cosd":0.8660254037844387,"tand":0.5773502691896257,"cotd":1.7320508075688774}
--> {"sind":0.7071067811865475,"cosd":0.7071067811865475,"tand":1,"cotd":1}
--> {"sind":0.8660254037844387,"cosd":0.5,"tand":1.7320508075688774,"cotd":0.5773502691896257}
--> {"sind":1,"cosd":0,"tand":null,"cotd":0}
--> {"sind":0.8660254037844387,"cosd":-0.5,"tand":-1.7320508075688774,"cotd":-0.5773502691896257}
--> {"sind":0.7071067811865475,"cosd":-0.7071067811865475,"tand":-1,"cotd":-1}
--> {"sind":0.5,"cosd":-0.8660254037844387,"tand":-0.5773502691896257,"cotd":-1.7320508075688774}
--> {"sind":0,"cosd":-1,"tand":0,"cotd":null}
--> {"sind":-0.5,"cosd":-0.8660254037844387,"tand":0.5773502691896257,"cotd":1.7320508075688774}
--> {"sind":-0.7071067811865475,"cosd":-0.7071067811865475,"tand":1,"cotd":1}
--> {"sind":-0.8660254037844387,"cosd":-0.5,"tand":1.7320508075688774,"cotd":0.5773502691896257}
--> {"sind":-1,"cosd":0,"tand":null,"cotd":0}
--> {"sind":-0.8660254037844387,"cosd":0.5,"tand":-1.7320508075688774,"cotd":-0.5773502691896257}
--> {"sind":-0.7071067811865475,"cosd":0.7071067811865475,"tand":-1,"cotd":-1}
--> {"sind":-0.5,"cosd":0.8660254037844387,"tand":-0.5773502691896257,"cotd":-1.7320508075688774}
--> {"sind":0,"cosd":1,"tand":0,"cotd":null}
--> {"sind":-0.5,"cosd":0.8660254037844387,"tand":-0.5773502691896257,"cotd":-1.7320508075688774}
--> {"sind":-1,"cosd":0,"tand":null,"cotd":0}
--> {"sind":0.34202014332566877,"cosd":-0.9396926207859084,"tand":-0.3639702342662024,"cotd":-2.747477419454622}
--> {"sind":0.095845752520224,"cosd":0.9953961983671789,"tand":0.09628904819753861,"cotd":10.385397080138159}

select asind(x), acosd(x), atand(x) from unnest(array[-1,-0.75,-0.5,-0.1,0,0.1,0.5,0.75,1]::float8[]) x;
--> {"asind":-90,"acosd":180,"atand":-45}
--> {"asind":-48.59037789072914,"acosd":138.59037789072914,"atand":-36.86989764584402}
--> {"asind":-30,"acosd":120,"atand":-26.565051177077986}
--> {"asind":-5.739170477266786,"acosd":95.73917047726678,"atand":-5.710593137499643}
--> {"asind":0,"acosd":90,"atand":0}
--> {"asind":5.739170477266786,"acosd":84.26082952273322,"atand":5.710593137499643}
--> {"asind":30,"acosd":60,"atand":26.565051177077986}
--> {"asind":48.59037789072914,"acosd":41.40962210927086,"atand":36.86989764584402}
--> {"asind":90,"acosd":0,"atand":45}

select asind(1.1);
--> ERROR 22003: input is out of range

select acosd(-1.1);
--> ERROR 22003: input is out of range

select asinh(1) _a, acosh(2) _b, atanh(0.5) _c, atanh(1) _d, atanh(-1) _e, acosh('infinity') _f, asinh('-infinity') _g
--> {"_a":0.881373587019543,"_b":1.3169578969248166,"_c":0.5493061443340548,"_d":null,"_e":null,"_f":null,"_g":null}

select acosh(0.5);
--> ERROR 22003: input is out of range

select atanh(2);
--> ERROR 22003: input is out of range

select sin('infinity'::float8);
--> ERROR 22003: input is out of range

select cosd('infinity'::float8);
--> ERROR 22003: input is out of range

select sinh(1000) _a, cosh(1000) _b, tanh(1000) _c, sinh(-1000) _d
--> {"_a":null,"_b":null,"_c":1,"_d":null}

select exp(1000::float8);
--> ERROR 22003: value out of range: overflow

select exp(-1000::float8);
--> ERROR 22003: value out of range: underflow

select degrees(1e308::float8);
--> ERROR 22003: value out of range: overflow

select cot(0);
--> {"cot":null}

select bit_length('\xaabb'::bytea) _a, ltrim('\x000102'::bytea,'\x00') _b, rtrim('\x000102'::bytea,'\x02') _c, substr('\x010203'::bytea,2) _d, substr('\x010203'::bytea,2,1) _e
--> {"_a":16,"_b":{"type":"Buffer","data":[1,2]},"_c":{"type":"Buffer","data":[0,1]},"_d":{"type":"Buffer","data":[2,3]},"_e":{"type":"Buffer","data":[2]}}

select length('\xc3a4'::bytea,'UTF8') _a, length('\xe4f6'::bytea, 'LATIN1') _b
--> {"_a":1,"_b":2}

select convert('\xc3a4'::bytea,'UTF8','LATIN1') _a, convert_to('ä','LATIN1') _b, convert_from('\xe4'::bytea,'LATIN1') _c, convert_to('ä','utf-8') _d
--> {"_a":{"type":"Buffer","data":[228]},"_b":{"type":"Buffer","data":[228]},"_c":"ä","_d":{"type":"Buffer","data":[195,164]}}

select convert_to('€','LATIN1');
--> ERROR 22P05: character with byte sequence 0xe2 0x82 0xac in encoding "UTF8" has no equivalent in encoding "LATIN1"

select convert_from('\xff','UTF8');
--> ERROR 22021: invalid byte sequence for encoding "UTF8": 0xff

select convert_to('ä','nonsense');
--> ERROR 22023: invalid destination encoding name "nonsense"

select bit_count('\xff01'::bytea) _a, bit_count(b'1011') _b, position(b'11' in b'0110') _c, overlay(b'0000' placing b'11' from 2) _d, overlay(b'00000' placing b'11' from 2 for 3) _e
--> {"_a":9,"_b":3,"_c":2,"_d":"0110","_e":"0110"}

select trim(both '\x00'::bytea from '\x000100'::bytea) _a, trim(leading '\x00'::bytea from '\x000100'::bytea) _b, trim(trailing '\x00'::bytea from '\x000100'::bytea) _c
--> {"_a":{"type":"Buffer","data":[1]},"_b":{"type":"Buffer","data":[1,0]},"_c":{"type":"Buffer","data":[0,1]}}

select parse_ident('Foo.bar') _a, parse_ident('foo.Bar xyz', false) _b, parse_ident('"a""b".c') _c
--> {"_a":["foo","bar"],"_b":["foo","bar"],"_c":["a\"b","c"]}

select parse_ident('foo.Bar xyz', true);
--> ERROR 22023: string is not a valid identifier: "foo.Bar xyz"

select parse_ident('foo..b');
--> ERROR 22023: string is not a valid identifier: "foo..b"
--> DETAIL: No valid identifier before ".".

select parse_ident('foo.');
--> ERROR 22023: string is not a valid identifier: "foo."
--> DETAIL: No valid identifier after ".".

select parse_ident('.foo');
--> ERROR 22023: string is not a valid identifier: ".foo"
--> DETAIL: No valid identifier before ".".

select parse_ident('1foo');
--> ERROR 22023: string is not a valid identifier: "1foo"

select to_ascii('abc');
--> ERROR 0A000: encoding conversion from UTF8 to ASCII not supported

select cash_words('12.34'::money) _a, cash_words('-1234567.01'::money) _b, cash_words('0'::money) _c, cash_words('100'::money) _d
--> {"_a":"Twelve dollars and thirty four cents","_b":"Minus one million two hundred thirty four thousand five hundred sixty seven dollars and one cent","_c":"Zero dollars and zero cents","_d":"One hundred dollars and zero cents"}

select regexp_instr('foobarbaz','b(..)',1,2) _a, regexp_instr('foobarbaz','b(..)',1,2,1) _b, regexp_instr('ABCABC','b(.)',1,1,0,'i',1) _c, regexp_instr('abc','z') _d
--> {"_a":7,"_b":10,"_c":3,"_d":0}

select regexp_instr('abc','b',0);
--> ERROR 22023: invalid value for parameter "start": 0

select regexp_instr('abc','b',1,0);
--> ERROR 22023: invalid value for parameter "n": 0

select regexp_instr('abc','b',1,1,2);
--> ERROR 22023: invalid value for parameter "endoption": 2

select regexp_instr('abc','b',1,1,0,'g');
--> ERROR 22023: regexp_instr() does not support the "global" option

select regexp_instr('abc','b',1,1,0,'',-1);
--> ERROR 22023: invalid value for parameter "subexpr": -1

select regexp_replace('foobarbaz','b','X',4) _a, regexp_replace('foobarbaz','b','X',1,2) _b, regexp_replace('foobarBaz','b','X',1,0,'i') _c, regexp_replace('abcabcabc','b','X',3,2) _d, regexp_replace('aaa','a','b',2,0) _e
--> {"_a":"fooXarbaz","_b":"foobarXaz","_c":"fooXarXaz","_d":"abcabcaXc","_e":"abb"}

select regexp_replace('aaa','a','b',0);
--> ERROR 22023: invalid value for parameter "start": 0

select regexp_replace('aaa','a','b',1,-1);
--> ERROR 22023: invalid value for parameter "n": -1

select regexp_replace('aaa','a','b',1,1,'g');
--> {"regexp_replace":"baa"}

select regexp_replace('aaa','a','b','1');
--> ERROR 22023: invalid regular expression option: "1"
--> HINT: If you meant to use regexp_replace() with a start parameter, cast the fourth argument to integer explicitly.

select regexp_count('abcabc','b') _a, regexp_count('abcabc','B',1,'i') _b, regexp_count('abc','b',3) _c
--> {"_a":2,"_b":2,"_c":0}

select regexp_count('abc','b',0);
--> ERROR 22023: invalid value for parameter "start": 0

select regexp_count('abc','b',1,'g');
--> ERROR 22023: regexp_count() does not support the "global" option

select regexp_like('abc','B','i');
--> {"regexp_like":true}

select regexp_like('abc','B','g');
--> ERROR 22023: regexp_like() does not support the "global" option

select regexp_substr('foobarbaz','b..',1,2) _a, regexp_substr('foobarbaz','b(.)(.)',1,1,'',2) _b, regexp_substr('abc','z') _c
--> {"_a":"baz","_b":"r","_c":null}

select regexp_substr('abc','b',1,0);
--> ERROR 22023: invalid value for parameter "n": 0

select regexp_substr('abc','b',1,1,'g');
--> ERROR 22023: regexp_substr() does not support the "global" option

select regexp_matches('abc','b','q') _a, regexp_split_to_array('a1b2c','[0-9]') _b, regexp_split_to_array('aXbxc','x','i') _c
--> {"_a":["b"],"_b":["a","b","c"],"_c":["a","b","c"]}

select regexp_split_to_array('a','b','g');
--> ERROR 22023: regexp_split_to_array() does not support the "global" option

select regexp_match('abc','b','z');
--> ERROR 22023: invalid regular expression option: "z"

select regexp_match('abc','(');
--> ERROR 2201B: invalid regular expression: parentheses () not balanced

select array_to_json(array[[1,2],[3,4]],true) _a, array_to_json(array[1,2],false) _b, row_to_json(row(1,'a,b'),true) _c, row_to_json(row(1,2),false) _d
--> {"_a":[[1,2],[3,4]],"_b":[1,2],"_c":{"f1":1,"f2":"a,b"},"_d":{"f1":1,"f2":2}}

select row_to_json(t,true) from (select 1 as a, array[1,2] as b, 'x' as c) t;
--> {"row_to_json":{"a":1,"b":[1,2],"c":"x"}}

select make_timestamptz(2020,1,2,3,4,5.5,'America/New_York') _a, make_timestamptz(2020,1,2,3,4,5,'+02') _b
--> {"_a":"2020-01-02 08:04:05.5+00","_b":"2020-01-02 01:04:05+00"}

select make_timestamptz(2020,1,2,3,4,5,'nowhere');
--> ERROR 22023: time zone "nowhere" not recognized

select date_part('hour','10:20:30.5+02'::timetz) _a, date_part('timezone','10:20:30+02:30'::timetz) _b, date_part('epoch','10:20:30+02'::timetz) _c, extract(minute from '10:20:30+02'::timetz) _d, extract(timezone_hour from '10:20:30-02:30'::timetz) _e, extract(timezone_minute from '10:20:30-02:30'::timetz) _f, extract(second from '10:20:30.25+02'::timetz) _g, extract(epoch from '10:20:30.25+02'::timetz) _h
--> {"_a":10,"_b":9000,"_c":30030,"_d":"20","_e":"-2","_f":"-30","_g":"30.250000","_h":"30030.250000"}

select extract(day from '10:00+01'::timetz);
--> ERROR 0A000: unit "day" not supported for type time with time zone

select extract(nonsense from '10:00+01'::timetz);
--> ERROR 22023: unit "nonsense" not recognized for type time with time zone

select timezone('UTC','10:00+02'::timetz) _a, timezone('-03:00'::interval, '10:00+02'::timetz) _b, '10:00+02'::timetz at time zone 'Asia/Tokyo' _c
--> {"_a":"08:00:00+00","_b":"05:00:00-03","_c":"17:00:00+09"}

select '10:00+02'::timetz + interval '1 hour' _a, interval '1 hour' + '10:00+02'::timetz _b, '10:00+02'::timetz - interval '11 hours' _c, '2020-01-01'::date + '10:00+02'::timetz _d, '10:00+02'::timetz + '2020-01-01'::date _e
--> {"_a":"11:00:00+02","_b":"11:00:00+02","_c":"23:00:00+02","_d":"2020-01-01 08:00:00+00","_e":"2020-01-01 08:00:00+00"}

select ('10:00+02'::timetz,'11:00+02'::timetz) overlaps ('10:30+02'::timetz,'12:00+02'::timetz);
--> {"overlaps":true}

select (timestamp '2020-01-01', interval '1 day') overlaps (timestamp '2020-01-01 12:00', interval '2 hours') _a, (date '2020-01-01', interval '1 day') overlaps (date '2020-01-02', interval '1 day') _b, (timestamptz '2020-01-01', timestamptz '2020-02-01') overlaps (timestamptz '2020-01-15', interval '1 day') _c, (time '10:00', interval '1 hour') overlaps (time '10:30', time '12:00') _d, (time '10:00', interval '1 hour') overlaps (time '10:30', interval '1 hour') _e
--> {"_a":true,"_b":false,"_c":true,"_d":true,"_e":true}

select "timestamp"(date '2020-01-02', time '03:04'), "timestamptz"(date '2020-01-02', timetz '03:04+02');
--> {"timestamp":"2020-01-02 03:04:00","timestamptz":"2020-01-02 01:04:00+00"}

select pg_size_bytes('1'), pg_size_bytes('10 kB'), pg_size_bytes('1.5 GB'), pg_size_bytes('-1MB'), pg_size_bytes(' 2 TB '), pg_size_bytes('3PB'), pg_size_bytes('4 bytes'), pg_size_bytes('1e3'), pg_size_bytes('.5 kb'), pg_size_bytes('4 B');
--> ERROR 22023: invalid size: "4 B"
--> DETAIL: Invalid size unit: "B".
--> HINT: Valid units are "bytes", "kB", "MB", "GB", "TB", and "PB".

select pg_size_bytes('x');
--> ERROR 22023: invalid size: "x"

select pg_size_bytes('1 XB');
--> ERROR 22023: invalid size: "1 XB"
--> DETAIL: Invalid size unit: "XB".
--> HINT: Valid units are "bytes", "kB", "MB", "GB", "TB", and "PB".

select pg_size_bytes('9999999 PB');
--> ERROR 22003: bigint out of range

select pg_size_bytes('');
--> ERROR 22023: invalid size: ""

select pg_size_pretty(10::bigint) _a, pg_size_pretty(1000000::bigint) _b, pg_size_pretty(1000000000000::numeric) _c, pg_size_pretty(1.5::numeric) _d, pg_size_pretty(-20480::bigint) _e, pg_size_pretty(1e20::numeric) _f, pg_size_pretty(10239::bigint) _g, pg_size_pretty(10240::bigint) _h
--> {"_a":"10 bytes","_b":"977 kB","_c":"931 GB","_d":"1.5 bytes","_e":"-20 kB","_f":"88818 PB","_g":"10239 bytes","_h":"10 kB"}

select pg_client_encoding(), pg_encoding_max_length(6), pg_blocking_pids(0), pg_notification_queue_usage(), pg_safe_snapshot_blocking_pids(0);
--> {"pg_client_encoding":"UTF8","pg_encoding_max_length":4,"pg_blocking_pids":[],"pg_notification_queue_usage":0,"pg_safe_snapshot_blocking_pids":[]}

select * from pg_listening_channels();
--> no rows

select pg_postmaster_start_time() <= now(), pg_conf_load_time() <= now(), pg_is_wal_replay_paused();
--> ERROR 55000: recovery is not in progress
--> HINT: Recovery control functions can only be executed during recovery.

select pg_relation_size('pg_class','main') >= 0 _a, pg_relation_size('pg_class','fsm')>=0 _b, pg_database_size('postgres')>=0 _c, pg_database_size(current_database())>=0 _d
--> {"_a":true,"_b":true,"_c":true,"_d":true}

select pg_relation_size('pg_class','nonsense');
--> ERROR 22023: invalid fork name
--> HINT: Valid fork names are "main", "fsm", "vm", and "init".

select setseed(0.5);
--> {"setseed":""}

select setseed(0.5), random();
--> {"setseed":"","random":0.9851677175347999}

select setseed(2);
--> ERROR 22023: setseed parameter 2 is out of allowed range [-1,1]

select word, catcode, barelabel, catdesc, baredesc from pg_get_keywords() where word in ('select','abort','between','authorization','as') order by 1
--> {"word":"abort","catcode":"U","barelabel":true,"catdesc":"unreserved","baredesc":"can be bare label"}
--> {"word":"as","catcode":"R","barelabel":false,"catdesc":"reserved","baredesc":"requires AS"}
--> {"word":"authorization","catcode":"T","barelabel":true,"catdesc":"reserved (can be function or type name)","baredesc":"can be bare label"}
--> {"word":"between","catcode":"C","barelabel":true,"catdesc":"unreserved (cannot be function or type name)","baredesc":"can be bare label"}
--> {"word":"select","catcode":"R","barelabel":true,"catdesc":"reserved","baredesc":"can be bare label"}

select count(*) from pg_get_keywords();
--> {"count":460}

select getpgusername() = current_user;
--> {"?column?":true}

select timeofday() is not null;
--> {"?column?":true}

select jsonb_path_exists_tz('{"a":1}','$.a'), jsonb_path_query_first_tz('[1,2]','$[*] ? (@ > 1)'), jsonb_path_match_tz('{"a":1}','$.a == 1'), jsonb_path_query_array_tz('[1,2]','$[*]');
--> {"jsonb_path_exists_tz":true,"jsonb_path_query_first_tz":2,"jsonb_path_match_tz":true,"jsonb_path_query_array_tz":[1,2]}

select * from jsonb_path_query_tz('[1,2]','$[*]');
--> {"jsonb_path_query_tz":1}
--> {"jsonb_path_query_tz":2}

select to_json(26::oid) _a, to_json('pg_class'::regclass) _b, to_jsonb(1::oid) _c, json_build_object('a', 1::oid) _d, to_json(array[1::oid]) _e
--> {"_a":"26","_b":"pg_class","_c":"1","_d":{"a":"1"},"_e":["1"]}

select 1 for update;
--> {"?column?":1}

select 1 for share;
--> {"?column?":1}

select ts_headline('english','{"a":"the quick fox","b":[1,"foxes"]}'::jsonb, to_tsquery('fox')) _a, ts_headline('{"a":"the quick fox"}'::json, to_tsquery('fox')) _b
--> {"_a":{"a":"the quick <b>fox</b>","b":[1,"<b>foxes</b>"]},"_b":{"a":"the quick <b>fox</b>"}}

select * from ts_token_type('default') limit 3;
--> {"tokid":1,"alias":"asciiword","description":"Word, all ASCII"}
--> {"tokid":2,"alias":"word","description":"Word, all letters"}
--> {"tokid":3,"alias":"numword","description":"Word, letters and digits"}

select substring('foobar', 'o(.)b', '#') _a, substring('foobar' from '%#"o_b#"%' for '#') _b, substring('foobar' from '#"o_b#"%' for '#') _c, substring('foobar', '%', '#') _d
--> {"_a":null,"_b":"oob","_c":null,"_d":"foobar"}

select substring('abc' from '%#"a#"#"b#"%' for '#')
--> ERROR 2200C: SQL regular expression may not contain more than two escape-double-quote separators

select 'foobar' similar to '%#"o_b#"%' escape '#', dexp(0), dlog1(1), dlog10(100), dround(2.5), dtrunc(-2.5)
--> {"?column?":true,"dexp":1,"dlog1":0,"dlog10":2,"dround":2,"dtrunc":-2}

select regexp_count('abcabc', '^a', 2), regexp_instr('aabaab', '\ma', 2), regexp_substr('aXbX', 'X|^a', 2)
--> {"regexp_count":0,"regexp_instr":0,"regexp_substr":"X"}

select ts_headline('simple', '{"a": {"k": "one two"}, "n": 1, "l": ["two", null, true]}'::jsonb, 'two'::tsquery) _a, ts_headline('{"a": "one two"}'::jsonb, 'two'::tsquery, 'StartSel=<, StopSel=>') _b
--> {"_a":{"a":{"k":"one <b>two</b>"},"l":["<b>two</b>",null,true],"n":1},"_b":{"a":"one <two>"}}

select ts_headline('simple', '{"a":   "one two", "b": 2.50}'::json, 'two'::tsquery)
--> {"ts_headline":{"a":"one <b>two</b>","b":2.5}}

select cash_words('115.15') _a, cash_words('1000') _b, cash_words('1.01') _c, cash_words('1010.10') _d, cash_words('121000000') _e
--> {"_a":"One hundred and fifteen dollars and fifteen cents","_b":"One thousand  dollars and zero cents","_c":"One dollar and one cent","_d":"One thousand ten dollars and ten cents","_e":"One hundred twenty one million  dollars and zero cents"}

select current_query() as q
--> {"q":"select current_query() as q"}

select count(*) > 100 from pg_timezone_names()
--> {"?column?":true}

select n.abbrev from pg_timezone_names() n where n.name = 'UTC'
--> {"abbrev":"UTC"}

select name, setting from pg_show_all_settings() where name = 'server_encoding'
--> {"name":"server_encoding","setting":"UTF8"}

select * from pg_cursor()
--> no rows

select txid_status(txid_current()), pg_xact_status(pg_current_xact_id()), pg_column_compression(1)
--> {"txid_status":"in progress","pg_xact_status":"in progress","pg_column_compression":null}

select substr('abc', 2), substring('abc', 2)
--> {"substr":"bc","substring":"bc"}

create table audited (a int); create table log (q text); create function audit() returns trigger language plpgsql as $$ begin insert into log values (current_query()); return new; end $$; create trigger t after insert on audited for each row execute function audit()
--> no rows

insert into audited values (1)
--> no rows

select q from log
--> {"q":"insert into audited values (1)"}

select setseed(0.5); select random() a, random() b
--> {"a":0.9851677175347999,"b":0.825301858027981}
