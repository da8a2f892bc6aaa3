-- Literals that are too long for a type with a length.

create table v(a varchar(3), b char(2), c bit(3), d varbit(2), n numeric(3,1), arr varchar(2)[], t timestamp(2), i interval(2), ti time(1));
--> no rows

insert into v(a) values ('abcd');
--> ERROR 22001: value too long for type character varying(3)

update v set a='abcd';
--> ERROR 22001: value too long for type character varying(3)

insert into v(b) values ('abcd');
--> ERROR 22001: value too long for type character(2)

insert into v(c) values ('1111');
--> ERROR 22026: bit string length 4 does not match type bit(3)

insert into v(d) values ('1111');
--> ERROR 22001: bit string too long for type bit varying(2)

insert into v(n) values ('1000');
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 3, scale 1 must round to an absolute value less than 10^2.

insert into v(n) values ('1000x');
--> ERROR 22P02: invalid input syntax for type numeric: "1000x"
--> AT 26

insert into v(arr) values ('{abc}');
--> ERROR 22001: value too long for type character varying(2)

insert into v(arr) values ('{abc');
--> ERROR 22P02: malformed array literal: "{abc"
--> DETAIL: Unexpected end of input.
--> AT 28

insert into v(c) values ('12');
--> ERROR 22P02: "2" is not a valid binary digit
--> AT 26

select 'abcd'::varchar(3);
--> {"varchar":"abc"}

select '1000'::numeric(3,1);
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 3, scale 1 must round to an absolute value less than 10^2.

select 'Infinity'::numeric(3,1);
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 3, scale 1 cannot hold an infinite value.

select '1111'::bit(3), '1111'::varbit(2);
--> {"bit":"111","varbit":"11"}

select cast('1111' as bit(3));
--> {"bit":"111"}

select varchar(3) 'abc';
--> {"varchar":"abc"}

select '{1000}'::numeric(3,1)[];
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 3, scale 1 must round to an absolute value less than 10^2.

insert into v(n) values (1000);
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 3, scale 1 must round to an absolute value less than 10^2.

insert into v(n) values ('1000'), ('1');
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 3, scale 1 must round to an absolute value less than 10^2.

insert into v(a) select 'abcd';
--> ERROR 22001: value too long for type character varying(3)

insert into v(a) values ('a') on conflict do nothing;
--> no rows

create function vf() returns void language plpgsql as $$ begin insert into v(a) values ('abcd'); end $$;
--> no rows

select vf();
--> ERROR 22001: value too long for type character varying(3)

create function vf3() returns void language plpgsql as $$ declare x varchar(2); begin x := 'abc'; end $$;
--> no rows

select vf3();
--> ERROR 22001: value too long for type character varying(2)

create function vf5() returns void language plpgsql as $$ begin update v set n = '1000' where a = 'x'; end $$;
--> no rows

select vf5();
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 3, scale 1 must round to an absolute value less than 10^2.

create function vf6() returns void language plpgsql as $$ declare x numeric(3,1); begin x := '1000'; end $$;
--> no rows

select vf6();
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 3, scale 1 must round to an absolute value less than 10^2.

create function vf7() returns void language plpgsql as $$ begin execute 'insert into v(a) values (''abcd'')'; end $$;
--> no rows

select vf7();
--> ERROR 22001: value too long for type character varying(3)

create function vf8() returns void language plpgsql as $$ begin perform 'abcd'::varchar(2), '1000'::numeric(3,1); end $$;
--> no rows

select vf8();
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 3, scale 1 must round to an absolute value less than 10^2.

create domain money_amount as numeric(20,4) check (value <> 'Infinity'); create table a(o money_amount);
--> no rows

insert into a values ('Infinity');
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 20, scale 4 cannot hold an infinite value.

select '1e30'::money_amount;
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 20, scale 4 must round to an absolute value less than 10^16.

insert into a values ('1e30');
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 20, scale 4 must round to an absolute value less than 10^16.

create domain dv as varchar(3) check (value <> 'abc');
--> no rows

select 'abcd'::dv;
--> ERROR 23514: value for domain dv violates check constraint "dv_check"

select 'abc'::dv;
--> ERROR 23514: value for domain dv violates check constraint "dv_check"

select '12'::char(1), 'ab'::"char";
--> {"bpchar":"1","char":"a"}

create table defs (z varchar(2) default 'abc');
--> no rows

alter table v alter column a set default 'abcd';
--> no rows

insert into v (a) values (default);
--> ERROR 22001: value too long for type character varying(3)

select * from v where a = 'abcdef'::varchar(3);
--> no rows

create view vv as select 'abcd'::varchar(2) as x;
--> no rows

select * from vv;
--> {"x":"ab"}

insert into v(t) values ('nope');
--> ERROR 22007: invalid input syntax for type timestamp: "nope"
--> AT 26

select jsonb_populate_record(null::v, '{"a":"abcd"}');
--> ERROR 22001: value too long for type character varying(3)

select * from json_to_record('{"a":"abcd"}') as x(a varchar(2));
--> ERROR 22001: value too long for type character varying(2)

merge into v using (select 1) s on false when not matched then insert (a) values ('abcd');
--> ERROR 22001: value too long for type character varying(3)

insert into v (a, b) values ('a', 'b') on conflict do nothing; update v set (a, b) = ('abcd', 'b');
--> ERROR 22001: value too long for type character varying(3)
