-- Literals that are too long for a type with a length.

create table v(a varchar(3), b char(2), c bit(3), d varbit(2), n numeric(3,1), arr varchar(2)[], t timestamp(2), i interval(2), ti time(1));

insert into v(a) values ('abcd');

update v set a='abcd';

insert into v(b) values ('abcd');

insert into v(c) values ('1111');

insert into v(d) values ('1111');

insert into v(n) values ('1000');

insert into v(n) values ('1000x');

insert into v(arr) values ('{abc}');

insert into v(arr) values ('{abc');

insert into v(c) values ('12');

select 'abcd'::varchar(3);

select '1000'::numeric(3,1);

select 'Infinity'::numeric(3,1);

select '1111'::bit(3), '1111'::varbit(2);

select cast('1111' as bit(3));

select varchar(3) 'abc';

select '{1000}'::numeric(3,1)[];

insert into v(n) values (1000);

insert into v(n) values ('1000'), ('1');

insert into v(a) select 'abcd';

insert into v(a) values ('a') on conflict do nothing;

create function vf() returns void language plpgsql as $$ begin insert into v(a) values ('abcd'); end $$;

select vf();

create function vf3() returns void language plpgsql as $$ declare x varchar(2); begin x := 'abc'; end $$;

select vf3();

create function vf5() returns void language plpgsql as $$ begin update v set n = '1000' where a = 'x'; end $$;

select vf5();

create function vf6() returns void language plpgsql as $$ declare x numeric(3,1); begin x := '1000'; end $$;

select vf6();

create function vf7() returns void language plpgsql as $$ begin execute 'insert into v(a) values (''abcd'')'; end $$;

select vf7();

create function vf8() returns void language plpgsql as $$ begin perform 'abcd'::varchar(2), '1000'::numeric(3,1); end $$;

select vf8();

create domain money_amount as numeric(20,4) check (value <> 'Infinity'); create table a(o money_amount);

insert into a values ('Infinity');

select '1e30'::money_amount;

insert into a values ('1e30');

create domain dv as varchar(3) check (value <> 'abc');

select 'abcd'::dv;

select 'abc'::dv;

select '12'::char(1), 'ab'::"char";

create table defs (z varchar(2) default 'abc');

alter table v alter column a set default 'abcd';

insert into v (a) values (default);

select * from v where a = 'abcdef'::varchar(3);

create view vv as select 'abcd'::varchar(2) as x;

select * from vv;

insert into v(t) values ('nope');

select jsonb_populate_record(null::v, '{"a":"abcd"}');

select * from json_to_record('{"a":"abcd"}') as x(a varchar(2));

merge into v using (select 1) s on false when not matched then insert (a) values ('abcd');

insert into v (a, b) values ('a', 'b') on conflict do nothing; update v set (a, b) = ('abcd', 'b');
