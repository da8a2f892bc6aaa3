-- Ranges, multiranges, exclusion constraints.

select '[1,5)'::int4range as a, '[1,5]'::int4range as b, '(1,5)'::int4range as c, '(1,2)'::int4range as d, '[3,3]'::int4range as e, 'empty'::int4range as f, '[,5)'::int4range as g, '(,)'::int4range as h, '[1.5,2.5]'::numrange as i, ' [ 1 , 5 ) '::int8range as j;
--> {"a":"[1,5)","b":"[1,6)","c":"[2,5)","d":"empty","e":"[3,4)","f":"empty","g":"(,5)","h":"(,)","i":"[1.5,2.5]","j":"[1,5)"}

select '[2024-01-01,2024-01-31]'::daterange as a, '[2024-01-01 10:00,2024-01-01 12:00)'::tsrange as b, '[2024-01-01 10:00+02,)'::tstzrange as c, '["2024-01-01","2024-02-01")'::daterange as d, '[2024-01-01,infinity]'::daterange as e, '(,2024-01-01]'::daterange as f;
--> {"a":"[2024-01-01,2024-02-01)","b":"[\"2024-01-01 10:00:00\",\"2024-01-01 12:00:00\")","c":"[\"2024-01-01 08:00:00+00\",)","d":"[2024-01-01,2024-02-01)","e":"[2024-01-01,infinity]","f":"(,2024-01-02)"}

select int4range(1, 5) as a, int4range(1, 5, '[]') as b, int4range(null, 5) as c, int4range(5, null, '()') as d, numrange(1.0, 2.50) as e, daterange('2024-01-01', '2024-01-10', '[]') as f, tsrange('2024-01-01', '2024-01-02') as g, tstzrange(null, null) as h, int8range(1, 1) as i, int4range(3, 3, '()') as j;
--> {"a":"[1,5)","b":"[1,6)","c":"(,5)","d":"[6,)","e":"[1.0,2.50)","f":"[2024-01-01,2024-01-11)","g":"[\"2024-01-01 00:00:00\",\"2024-01-02 00:00:00\")","h":"(,)","i":"empty","j":"empty"}

select '[5,1]'::int4range;
--> ERROR 22000: range lower bound must be less than or equal to range upper bound
--> AT 8

select int4range(5, 1);
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

select int4range(1, 5, 'x');
--> ERROR 42601: invalid range bound flags
--> HINT: Valid values are "[]", "[)", "(]", and "()".

select int4range(1, 5, null);
--> ERROR 22000: range constructor flags argument must not be null

select '1,5'::int4range;
--> ERROR 22P02: malformed range literal: "1,5"
--> DETAIL: Missing left parenthesis or bracket.
--> AT 8

select '[1,5'::int4range;
--> ERROR 22P02: malformed range literal: "[1,5"
--> DETAIL: Unexpected end of input.
--> AT 8

select '[1;5)'::int4range;
--> ERROR 22P02: malformed range literal: "[1;5)"
--> DETAIL: Missing comma after lower bound.
--> AT 8

select '[1,5)x'::int4range;
--> ERROR 22P02: malformed range literal: "[1,5)x"
--> DETAIL: Junk after right parenthesis or bracket.
--> AT 8

select 'emptyx'::int4range;
--> ERROR 22P02: malformed range literal: "emptyx"
--> DETAIL: Junk after "empty" key word.
--> AT 8

select '[1,2,3)'::int4range;
--> ERROR 22P02: malformed range literal: "[1,2,3)"
--> DETAIL: Too many commas.
--> AT 8

select '[a,5)'::int4range;
--> ERROR 22P02: invalid input syntax for type integer: "a"
--> AT 8

select '[1,2147483647]'::int4range;
--> ERROR 22003: integer out of range
--> AT 8

select lower('[1,5)'::int4range) as a, upper('[1,5]'::int4range) as b, isempty('[1,1)'::int4range) as c, lower_inc('[1,5)'::int4range) as d, upper_inc('[1,5]'::int4range) as e, lower_inf('(,5)'::int4range) as f, upper_inf('[1,)'::int4range) as g, lower('empty'::int4range) as h, lower('(,5)'::int4range) as i, upper('[1.5,2.5]'::numrange) as j, upper_inc('[1.5,2.5]'::numrange) as k, lower_inc('empty'::int4range) as l;
--> {"a":1,"b":6,"c":true,"d":true,"e":false,"f":true,"g":true,"h":null,"i":null,"j":"2.5","k":true,"l":false}

select lower(daterange('2024-01-01', '2024-02-01')) as a, upper(tstzrange('2024-01-01 00:00+00', '2024-02-01 00:00+00')) as b, upper('[2024-01-01,2024-01-31]'::daterange) - lower('[2024-01-01,2024-01-31]'::daterange) as c, pg_typeof(lower('[1,2)'::int8range)) as d, upper(tsrange('2024-01-01', '2024-01-02')) - lower(tsrange('2024-01-01', '2024-01-02')) as e;
--> {"a":"2024-01-01","b":"2024-02-01 00:00:00+00","c":31,"d":"bigint","e":"1 day"}

select '[1,5)'::int4range && '[4,8)' as a, '[1,5)'::int4range && '[5,8)' as b, '[1,10)'::int4range @> '[2,3)'::int4range as c, '[1,10)'::int4range @> 10 as d, 3 <@ '[1,10)'::int4range as e, '[2,3)'::int4range <@ '[1,10)'::int4range as f, '[1,3)'::int4range << '[5,8)'::int4range as g, '[5,8)'::int4range >> '[1,3)'::int4range as h, '[1,5)'::int4range &< '[1,9)'::int4range as i, '[3,5)'::int4range &> '[1,9)'::int4range as j, '[1,5)'::int4range -|- '[5,9)'::int4range as k, '[1,5)'::int4range -|- '[6,9)'::int4range as l;
--> {"a":true,"b":false,"c":true,"d":false,"e":true,"f":true,"g":true,"h":true,"i":true,"j":true,"k":true,"l":false}

select 'empty'::int4range && '[1,2)'::int4range as a, '[1,2)'::int4range @> 'empty'::int4range as b, 'empty'::int4range << '[1,2)'::int4range as c, 'empty'::int4range -|- '[1,2)'::int4range as d, numrange(1, 2, '[]') -|- numrange(2, 3, '()') as e, numrange(1, 2, '[]') && numrange(2, 3) as f, numrange(1, 2, '()') << numrange(2, 3) as g, numrange(1, 5) @> 4.99 as h, numrange(1, 5) @> 5.0 as i;
--> {"a":false,"b":true,"c":false,"d":false,"e":true,"f":true,"g":true,"h":true,"i":false}

select '[1,5)'::int4range + '[4,8)'::int4range as a, '[1,5)'::int4range * '[3,8)'::int4range as b, '[1,5)'::int4range - '[3,8)'::int4range as c, '[1,5)'::int4range * '[6,8)'::int4range as d, range_merge('[1,2)'::int4range, '[5,6)'::int4range) as e, '[1,5)'::int4range - '[1,5)'::int4range as f, '[1,5)'::int4range + '[5,6)'::int4range as g, numrange(1, 5) - numrange(3, 9, '()') as h, 'empty'::int4range + '[1,2)'::int4range as i;
--> {"a":"[1,8)","b":"[3,5)","c":"[1,3)","d":"empty","e":"[1,6)","f":"empty","g":"[1,6)","h":"[1,3]","i":"[1,2)"}

select '[1,2)'::int4range + '[5,8)'::int4range;
--> ERROR 22000: result of range union would not be contiguous

select '[1,10)'::int4range - '[3,5)'::int4range;
--> ERROR 22000: result of range difference would not be contiguous

select '[1,5)'::int4range = int4range(1, 4, '[]') as a, '[1,5)'::int4range < '[1,6)'::int4range as b, '[2,3)'::int4range > '[1,9)'::int4range as c, 'empty'::int4range < '[1,2)'::int4range as d, '(,5)'::int4range < '[1,2)'::int4range as e, '[10,20)'::int4range > '[9,20)'::int4range as f, numrange(1.0, 2) = numrange(1.00, 2.0) as g;
--> {"a":true,"b":true,"c":true,"d":true,"e":true,"f":true,"g":true}

select tstzrange(now() - interval '1 hour', now() + interval '1 hour') @> now() as a, tsrange('2024-01-01', '2024-01-02', '[]') && tsrange('2024-01-02', '2024-01-03') as b, daterange('2024-01-01', '2024-01-31') @> '2024-01-15'::date as c, '2024-01-15'::date <@ daterange('2024-01-01', '2024-01-31') as d, tsrange('2024-01-01', '2024-02-01') @> timestamp '2024-01-15 10:00' as e;
--> {"a":true,"b":true,"c":true,"d":true,"e":true}

select '{[1,3),[5,7)}'::int4multirange as a, '{[1,3),[2,7)}'::int4multirange as b, '{}'::int4multirange as c, int4multirange(int4range(1, 3), int4range(3, 5)) as d, int4multirange() as e, multirange('[1,5)'::int4range) as f, '{[5,7),[1,2)}'::nummultirange as g, '{empty}'::int4multirange as h;
--> {"a":"{[1,3),[5,7)}","b":"{[1,7)}","c":"{}","d":"{[1,5)}","e":"{}","f":"{[1,5)}","g":"{[1,2),[5,7)}","h":"{}"}

select '{[1,3),[5,7)}'::int4multirange @> 6 as a, '{[1,3),[5,7)}'::int4multirange @> '[1,2)'::int4range as b, '{[1,3),[5,7)}'::int4multirange && '[3,5)'::int4range as c, '{[1,3),[5,7)}'::int4multirange + '{[3,5)}'::int4multirange as d, '{[1,9)}'::int4multirange - '{[3,5)}'::int4multirange as e, '{[1,9)}'::int4multirange * '{[3,5),[8,12)}'::int4multirange as f, lower('{[1,3),[5,7)}'::int4multirange) as g, upper('{[1,3),[5,7)}'::int4multirange) as h, isempty('{}'::int4multirange) as i, range_merge('{[1,3),[5,7)}'::int4multirange) as j, '[1,2)'::int4range <@ '{[1,3)}'::int4multirange as k, '{[1,3)}'::int4multirange << '[5,6)'::int4range as l;
--> {"a":true,"b":true,"c":false,"d":"{[1,7)}","e":"{[1,3),[5,9)}","f":"{[3,5),[8,9)}","g":1,"h":7,"i":true,"j":"[1,7)","k":true,"l":true}

select '[1,3)'::int4multirange;
--> ERROR 22P02: malformed multirange literal: "[1,3)"
--> DETAIL: Missing left brace.
--> AT 8

select '{1}'::int4multirange;
--> ERROR 22P02: malformed multirange literal: "{1}"
--> DETAIL: Expected range start.
--> AT 8

select unnest('{[1,3),[5,7)}'::int4multirange) as a;
--> {"a":"[1,3)"}
--> {"a":"[5,7)"}

create table bookings (id int primary key, room int not null, during tsrange not null);
--> no rows

insert into bookings values (1, 1, '[2024-01-01 10:00,2024-01-01 12:00)'), (2, 1, '[2024-01-01 12:00,2024-01-01 13:00)'), (3, 2, '[2024-01-02 10:00,2024-01-02 11:00)');
--> no rows

select id, during from bookings where during && '[2024-01-01 11:00,2024-01-01 12:30)' order by id;
--> {"id":1,"during":"[\"2024-01-01 10:00:00\",\"2024-01-01 12:00:00\")"}
--> {"id":2,"during":"[\"2024-01-01 12:00:00\",\"2024-01-01 13:00:00\")"}

select room, range_agg(during) as all_of, range_intersect_agg(during) as common, max(during) as last, count(*) as n from bookings group by room order by room;
--> ERROR 42883: function max(tsrange) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 82

select room, range_agg(during) as all_of, range_intersect_agg(during) as common, count(distinct during) as n from bookings group by room order by room;
--> {"room":1,"all_of":"{[\"2024-01-01 10:00:00\",\"2024-01-01 13:00:00\")}","common":"empty","n":2}
--> {"room":2,"all_of":"{[\"2024-01-02 10:00:00\",\"2024-01-02 11:00:00\")}","common":"[\"2024-01-02 10:00:00\",\"2024-01-02 11:00:00\")","n":1}

select int4range(1, 3) = any (array[int4range(1, 3)]) as a, '{"[1,2)","[3,5]"}'::int4range[] as b, array[numrange(1, 2)] as c, greatest(int4range(1, 3), int4range(2, 3)) as d, coalesce(null, 'empty'::int4range) as e, nullif(int4range(1, 2), int4range(1, 2)) as f, int4range(1, 3) in (int4range(1, 3), int4range(4, 5)) as g, int4range(1, 3) between int4range(1, 2) and int4range(2, 3) as h;
--> {"a":true,"b":"{\"[1,2)\",\"[3,6)\"}","c":["[1,2)"],"d":"[2,3)","e":"empty","f":null,"g":true,"h":true}

select e.n, b.id from (values (timestamp '2024-01-01 10:30'), ('2024-01-02 10:30')) e (n) join bookings b on e.n <@ b.during order by 1;
--> {"n":"2024-01-01 10:30:00","id":1}
--> {"n":"2024-01-02 10:30:00","id":3}

select id from bookings where during && tsrange('2024-01-01 11:00', null) and not during @> '[2024-01-02 10:00,2024-01-02 10:30)'::tsrange order by id;
--> {"id":1}
--> {"id":2}

select id from bookings where during @> timestamp '2024-01-01 12:00' order by id;
--> {"id":2}

select id, lower(during) as starts, upper(during) as ends, upper(during) - lower(during) as lasts from bookings order by during desc;
--> {"id":3,"starts":"2024-01-02 10:00:00","ends":"2024-01-02 11:00:00","lasts":"01:00:00"}
--> {"id":2,"starts":"2024-01-01 12:00:00","ends":"2024-01-01 13:00:00","lasts":"01:00:00"}
--> {"id":1,"starts":"2024-01-01 10:00:00","ends":"2024-01-01 12:00:00","lasts":"02:00:00"}

create index on bookings using gist (during);
--> no rows

select distinct upper_inf(during) as a from bookings;
--> {"a":false}

select to_json(during) as a, during::text as b, array_agg(during) as c from bookings where id = 1 group by during;
--> {"a":"[\"2024-01-01 10:00:00\",\"2024-01-01 12:00:00\")","b":"[\"2024-01-01 10:00:00\",\"2024-01-01 12:00:00\")","c":"{\"[\\\"2024-01-01 10:00:00\\\",\\\"2024-01-01 12:00:00\\\")\"}"}

select pg_typeof('[1,2)'::int4range) as a, pg_typeof('{}'::int4multirange) as b, '[1,2)'::text::int4range as c, int4range(1, 5)::text as d, '[1,3)'::int4range::int4multirange as e;
--> {"a":"int4range","b":"int4multirange","c":"[1,2)","d":"[1,5)","e":"{[1,3)}"}

create table slot (r int4range, exclude using gist (r with &&));
--> no rows

insert into slot values ('[1,5)'), ('[5,9)'), (null);
--> no rows

insert into slot values ('[4,6)');
--> ERROR 23P01: conflicting key value violates exclusion constraint "slot_r_excl"
--> DETAIL: Key (r)=([4,6)) conflicts with existing key (r)=([1,5)).

insert into slot values ('[20,30)'), ('[25,26)');
--> ERROR 23P01: conflicting key value violates exclusion constraint "slot_r_excl"
--> DETAIL: Key (r)=([25,26)) conflicts with existing key (r)=([20,30)).

select count(*) as n from slot;
--> {"n":3}

update slot set r = '[3,6)' where r = '[5,9)';
--> ERROR 23P01: conflicting key value violates exclusion constraint "slot_r_excl"
--> DETAIL: Key (r)=([3,6)) conflicts with existing key (r)=([1,5)).

update slot set r = '[6,9)' where r = '[5,9)';
--> no rows

insert into slot values ('empty'), ('empty');
--> no rows

select conname, contype, pg_get_constraintdef(oid) as def from pg_constraint where conrelid = 'slot'::regclass;
--> {"conname":"slot_r_excl","contype":"x","def":"EXCLUDE USING gist (r WITH &&)"}

create table reservation (id int generated always as identity, room text, during tstzrange, exclude using gist (room with =, during with &&));
--> ERROR 42704: data type text has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create extension if not exists btree_gist;
--> no rows

create table reservation (id int primary key, room text, during tstzrange, cancelled boolean not null default false, constraint no_overlap exclude using gist (room with =, during with &&) where (not cancelled));
--> no rows

insert into reservation values (1, 'a', '[2024-01-01 10:00+00,2024-01-01 12:00+00)'), (2, 'b', '[2024-01-01 10:00+00,2024-01-01 12:00+00)');
--> no rows

insert into reservation values (3, 'a', '[2024-01-01 11:00+00,2024-01-01 13:00+00)');
--> ERROR 23P01: conflicting key value violates exclusion constraint "no_overlap"
--> DETAIL: Key (room, during)=(a, ["2024-01-01 11:00:00+00","2024-01-01 13:00:00+00")) conflicts with existing key (room, during)=(a, ["2024-01-01 10:00:00+00","2024-01-01 12:00:00+00")).

insert into reservation values (3, 'a', '[2024-01-01 11:00+00,2024-01-01 13:00+00)', true);
--> no rows

update reservation set cancelled = false where id = 3;
--> ERROR 23P01: conflicting key value violates exclusion constraint "no_overlap"
--> DETAIL: Key (room, during)=(a, ["2024-01-01 11:00:00+00","2024-01-01 13:00:00+00")) conflicts with existing key (room, during)=(a, ["2024-01-01 10:00:00+00","2024-01-01 12:00:00+00")).

update reservation set room = 'c' where id = 3;
--> no rows

update reservation set room = 'b', cancelled = false where id = 3;
--> ERROR 23P01: conflicting key value violates exclusion constraint "no_overlap"
--> DETAIL: Key (room, during)=(b, ["2024-01-01 11:00:00+00","2024-01-01 13:00:00+00")) conflicts with existing key (room, during)=(b, ["2024-01-01 10:00:00+00","2024-01-01 12:00:00+00")).

select id, room from reservation order by id;
--> {"id":1,"room":"a"}
--> {"id":2,"room":"b"}
--> {"id":3,"room":"c"}

select conname, contype, condeferrable, pg_get_constraintdef(oid) as def from pg_constraint where conrelid = 'reservation'::regclass and contype = 'x';
--> {"conname":"no_overlap","contype":"x","condeferrable":false,"def":"EXCLUDE USING gist (room WITH =, during WITH &&) WHERE ((NOT cancelled))"}

select indexname, indexdef from pg_indexes where tablename = 'reservation' order by 1;
--> {"indexname":"no_overlap","indexdef":"CREATE INDEX no_overlap ON public.reservation USING gist (room, during) WHERE (NOT cancelled)"}
--> {"indexname":"reservation_pkey","indexdef":"CREATE UNIQUE INDEX reservation_pkey ON public.reservation USING btree (id)"}

select indisexclusion, indisunique, indisprimary from pg_index where indexrelid = 'no_overlap'::regclass;
--> {"indisexclusion":true,"indisunique":false,"indisprimary":false}

alter table reservation drop constraint no_overlap;
--> no rows

insert into reservation values (4, 'a', '[2024-01-01 11:00+00,2024-01-01 13:00+00)');
--> no rows

alter table reservation add constraint no_overlap exclude using gist (room with =, during with &&);
--> ERROR 23P01: could not create exclusion constraint "no_overlap"
--> DETAIL: Key (room, during)=(a, ["2024-01-01 10:00:00+00","2024-01-01 12:00:00+00")) conflicts with key (room, during)=(a, ["2024-01-01 11:00:00+00","2024-01-01 13:00:00+00")).

delete from reservation where id = 4;
--> no rows

alter table reservation add constraint no_overlap exclude using gist (room with =, during with &&);
--> no rows

drop index no_overlap;
--> ERROR 2BP01: cannot drop index no_overlap because constraint no_overlap on table reservation requires it
--> HINT: You can drop constraint no_overlap on table reservation instead.

create table shift (id int, worker uuid, starts timestamptz, ends timestamptz, exclude using gist (worker with =, tstzrange(starts, ends, '[)') with &&));
--> no rows

insert into shift values (1, '11111111-1111-1111-1111-111111111111', '2024-01-01 08:00+00', '2024-01-01 16:00+00');
--> no rows

insert into shift values (2, '11111111-1111-1111-1111-111111111111', '2024-01-01 12:00+00', '2024-01-01 20:00+00');
--> ERROR 23P01: conflicting key value violates exclusion constraint "shift_worker_tstzrange_excl"
--> DETAIL: Key (worker, tstzrange(starts, ends, '[)'::text))=(11111111-1111-1111-1111-111111111111, ["2024-01-01 12:00:00+00","2024-01-01 20:00:00+00")) conflicts with existing key (worker, tstzrange(starts, ends, '[)'::text))=(11111111-1111-1111-1111-111111111111, ["2024-01-01 08:00:00+00","2024-01-01 16:00:00+00")).

insert into shift values (2, '11111111-1111-1111-1111-111111111111', '2024-01-01 16:00+00', '2024-01-01 20:00+00');
--> no rows

create table later (id int primary key, r int4range, constraint later_r exclude using gist (r with &&) deferrable initially deferred);
--> no rows

insert into later values (1, '[1,5)'), (2, '[5,9)');
--> no rows

begin; update later set r = '[5,9)' where id = 1; update later set r = '[1,5)' where id = 2; commit;
--> no rows

select id, r from later order by id;
--> {"id":1,"r":"[5,9)"}
--> {"id":2,"r":"[1,5)"}

begin; insert into later values (3, '[2,3)'); commit;
--> ERROR 23P01: conflicting key value violates exclusion constraint "later_r"
--> DETAIL: Key (r)=([2,3)) conflicts with existing key (r)=([1,5)).

select count(*) as n from later;
--> {"n":2}

create table swap (id int primary key, r int4range, exclude using gist (r with &&) deferrable);
--> no rows

insert into swap values (1, '[1,5)'), (2, '[5,9)');
--> no rows

update swap set r = case id when 1 then '[5,9)'::int4range else '[1,5)'::int4range end;
--> no rows

select id, r from swap order by id;
--> {"id":1,"r":"[5,9)"}
--> {"id":2,"r":"[1,5)"}

insert into swap values (3, '[8,12)');
--> ERROR 23P01: conflicting key value violates exclusion constraint "swap_r_excl"
--> DETAIL: Key (r)=([8,12)) conflicts with existing key (r)=([5,9)).

create table same (a int, exclude (a with =));
--> no rows

insert into same values (1), (2);
--> no rows

insert into same values (1);
--> ERROR 23P01: conflicting key value violates exclusion constraint "same_a_excl"
--> DETAIL: Key (a)=(1) conflicts with existing key (a)=(1).

create table bad (a jsonb, exclude using gist (a with =));
--> ERROR 42704: data type jsonb has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create table bad (a int, exclude using gin (a with =));
--> ERROR 0A000: access method "gin" does not support exclusion constraints

create table vacations (id int, days daterange default '[2024-01-01,2024-01-08)', check (not isempty(days)), check (lower(days) >= '2024-01-01'));
--> no rows

insert into vacations (id) values (1);
--> no rows

insert into vacations values (2, 'empty');
--> ERROR 23514: new row for relation "vacations" violates check constraint "vacations_days_check"
--> DETAIL: Failing row contains (2, empty).

insert into vacations values (3, '[2023-12-01,2023-12-02)');
--> ERROR 23514: new row for relation "vacations" violates check constraint "vacations_days_check1"
--> DETAIL: Failing row contains (3, [2023-12-01,2023-12-02)).

select id, days, days * daterange('2024-01-05', '2024-02-01') as shared from vacations;
--> {"id":1,"days":"[2024-01-01,2024-01-08)","shared":"[2024-01-05,2024-01-08)"}

select g, int4range(1, 5) @> g as inside from generate_series(4, 5) g;
--> {"g":4,"inside":true}
--> {"g":5,"inside":false}
