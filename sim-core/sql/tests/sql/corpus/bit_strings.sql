select ('x' || substr(md5('abc'), 1, 16))::bit(64)::bigint as a, ('x' || md5('a'))::bit(32)::int as b, ('x' || substr(md5('z'), 1, 8))::bit(32)::bigint as c;
--> {"a":"-8070080442485551184","b":214005177,"c":4222478819}

select b'101' as a, x'1F' as b, B'' as c, pg_typeof(b'1') as t;
--> {"a":"101","b":"00011111","c":"","t":"bit"}

select 5::bit(4) as a, (-1)::bit(4) as b, 300::bit(8) as c, 5::bigint::bit(10) as d;
--> {"a":"0101","b":"1111","c":"00101100","d":"0000000101"}

select b'0101'::int as a, b'11111111111111111111111111111111'::int as b, b'1'::bigint as c;
--> {"a":5,"b":-1,"c":1}

select b'101'::bit(5) as a, b'10111'::bit(3) as b, b'10111'::bit varying(3) as c, b'1'::varbit as d;
--> {"a":"10100","b":"101","c":"101","d":"1"}

select b'1100' & b'1010' as a, b'1100' | b'1010' as b, b'1100' # b'1010' as c, ~ b'1100' as d, b'1100' << 1 as e, b'1100' >> 2 as f;
--> {"a":"1000","b":"1110","c":"0110","d":"0011","e":"1000","f":"0011"}

select b'11' & b'101';
--> ERROR 22026: cannot AND bit strings of different sizes

select b'11' || b'01' as j, length(b'1010') as l, bit_length(b'1') as b, octet_length(b'101010101') as o, get_bit(b'100', 0) as g, set_bit(b'100', 2, 1) as s, bit_count(b'1011') as n;
--> {"j":"1101","l":4,"b":1,"o":2,"g":1,"s":"101","n":3}

select get_bit(b'100', 3);
--> ERROR 2202E: bit index 3 out of valid range (0..2)

select substring(b'110011' from 2 for 3) as a, substring(b'110011' from 4) as b, b'10' < b'11' as c, b'10' = b'10' as d, b'1' > b'01' as e;
--> {"a":"100","b":"011","c":true,"d":true,"e":true}

create table flags (id int primary key, f bit(4), v bit varying(6), w varbit default b'1');
--> no rows

insert into flags values (1, b'1010', b'11', b'0'), (2, '0001', 'x3'), (3, null, null, null);
--> ERROR 42601: VALUES lists must all be the same length
--> AT 54

insert into flags values (4, b'101', b'1', b'1');
--> ERROR 22026: bit string length 3 does not match type bit(4)

insert into flags values (4, b'1010', b'1010101', b'1');
--> ERROR 22001: bit string too long for type bit varying(6)

insert into flags values (4, '12', '1', '1');
--> ERROR 22P02: "2" is not a valid binary digit
--> AT 30

insert into flags values (4, 'xg', '1', '1');
--> ERROR 22P02: "g" is not a valid hexadecimal digit
--> AT 30

select id, f, v, w, f::text as t, f::int as n from flags order by id;
--> no rows

select id from flags where f & b'1000' = b'1000' order by id;
--> no rows

update flags set f = f | b'0100' where id = 2 returning f;
--> no rows

select id from flags order by f desc nulls last, id;
--> no rows

select to_json(f) as j, to_jsonb(v) as k from flags where id = 1;
--> no rows

select column_name, data_type, character_maximum_length as l from information_schema.columns where table_name = 'flags' order by ordinal_position;
--> {"column_name":"id","data_type":"integer","l":null}
--> {"column_name":"f","data_type":"bit","l":4}
--> {"column_name":"v","data_type":"bit varying","l":6}
--> {"column_name":"w","data_type":"bit varying","l":null}

select array_agg(f order by id) as a from flags where f is not null;
--> {"a":null}

select '101'::bit(3) = b'101' as a, cast('1' as bit) as b, '10'::text::bit(2) as c;
--> {"a":true,"b":"1","c":"10"}

select max(id) from flags group by f order by 1;
--> no rows
