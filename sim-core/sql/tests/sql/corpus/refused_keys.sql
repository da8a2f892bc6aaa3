-- Rows whose keys of an index or exclusion constraint cannot be computed.

create extension if not exists btree_gist;
--> no rows

create table b1(r int, s timestamp, e timestamp, exclude using gist (r with =, tsrange(s,e) with &&));
--> no rows

insert into b1 values (1,'2025-01-02','2025-01-01');
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

insert into b1 values (1,'2025-01-01','2025-01-03'), (2,'2025-01-01','2025-01-03');
--> no rows

insert into b1 values (1,'2025-01-02','2025-01-05');
--> ERROR 23P01: conflicting key value violates exclusion constraint "b1_r_tsrange_excl"
--> DETAIL: Key (r, tsrange(s, e))=(1, ["2025-01-02 00:00:00","2025-01-05 00:00:00")) conflicts with existing key (r, tsrange(s, e))=(1, ["2025-01-01 00:00:00","2025-01-03 00:00:00")).

update b1 set e = '2024-01-01' where r = 2;
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

insert into b1 values (null,'2025-01-02','2025-01-01');
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

create table b6(t text); create index i6 on b6 ((t::int));
--> no rows

insert into b6 values ('abc');
--> ERROR 22P02: invalid input syntax for type integer: "abc"

insert into b6 values ('12'), (null); update b6 set t = 'x';
--> ERROR 22P02: invalid input syntax for type integer: "x"

select * from b6 where t::int = 12;
--> no rows

drop index i6; insert into b6 values ('abc'); create index i7 on b6 ((t::int));
--> ERROR 22P02: invalid input syntax for type integer: "abc"

create table b7 (a int, b int, j jsonb); create index i8 on b7 ((a / b)); create index i9 on b7 (((j->>'n')::int)) where j ? 'n'; create index i10 on b7 using gin (j); create index i11 on b7 (lower(j->>'x'));
--> no rows

insert into b7 values (1, 0, '{}');
--> ERROR 22012: division by zero

insert into b7 values (1, 1, '{"n": "x"}');
--> ERROR 22P02: invalid input syntax for type integer: "x"

insert into b7 values (1, 1, '{"n": "5", "x": "Y"}'), (4, 2, '{"x": 1}'); select a from b7 where a / b = 2;
--> {"a":4}

select count(*) from b7 where (j->>'n')::int = 5;
--> {"count":1}

alter table b7 alter column a type bigint; insert into b7 values (9, 3, '{}'); alter table b7 rename column a to aa; insert into b7 values (9, 0, '{}');
--> ERROR 22012: division by zero

create table b8 (s date, e date, ok boolean default true, constraint ex exclude using gist (daterange(s, e, '[]') with &&) where (ok)); insert into b8 values ('2025-02-01', '2025-01-01', false);
--> no rows

insert into b8 values ('2025-02-01', '2025-01-01');
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

insert into b8 values ('2025-01-01', '2025-02-01'); insert into b8 values ('2025-01-10', '2025-01-20');
--> ERROR 23P01: conflicting key value violates exclusion constraint "ex"
--> DETAIL: Key (daterange(s, e, '[]'::text))=([2025-01-10,2025-01-21)) conflicts with existing key (daterange(s, e, '[]'::text))=([2025-01-01,2025-02-02)).

alter table b8 drop constraint ex; insert into b8 values ('2025-01-10', '2025-01-01');
--> no rows

alter table b8 add constraint ex exclude using gist (daterange(s, e) with &&);
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

create index ig on b8 using gist (int4range(extract(year from s)::int, extract(year from e)::int));
--> no rows

create function f_imm(t text) returns int language plpgsql immutable as $$ begin return t::int; end $$; create table b9 (t text); create index on b9 (f_imm(t)); insert into b9 values ('a');
--> ERROR 22P02: invalid input syntax for type integer: "a"

insert into b9 values ('5'); select * from b9 where f_imm(t) = 5;
--> ERROR 42P01: relation "b9" does not exist
--> AT 13

select indexname, indexdef from pg_indexes where tablename in ('b6', 'b7', 'b8', 'b9') order by 1;
--> {"indexname":"i10","indexdef":"CREATE INDEX i10 ON public.b7 USING gin (j)"}
--> {"indexname":"i11","indexdef":"CREATE INDEX i11 ON public.b7 USING btree (lower((j ->> 'x'::text)))"}
--> {"indexname":"i6","indexdef":"CREATE INDEX i6 ON public.b6 USING btree (((t)::integer))"}
--> {"indexname":"i8","indexdef":"CREATE INDEX i8 ON public.b7 USING btree (((a / b)))"}
--> {"indexname":"i9","indexdef":"CREATE INDEX i9 ON public.b7 USING btree ((((j ->> 'n'::text))::integer)) WHERE (j ? 'n'::text)"}
--> {"indexname":"ig","indexdef":"CREATE INDEX ig ON public.b8 USING gist (int4range((EXTRACT(year FROM s))::integer, (EXTRACT(year FROM e))::integer))"}

create table b10 (id int primary key, d jsonb, p point); create index on b10 (((d->>'at')::timestamp));
--> ERROR 42P17: functions in index expression must be marked IMMUTABLE

create index on b10 (((d->>'v')::numeric) desc nulls last); insert into b10 values (1, '{"v": "1.5"}'), (2, '{"v": "x"}');
--> ERROR 42P01: relation "b10" does not exist

insert into b10 values (1, '{"v": "1.5"}'), (2, '{"v": "10"}'); select id from b10 order by (d->>'v')::numeric desc nulls last;
--> ERROR 42P01: relation "b10" does not exist
--> AT 13

create table b11 (a text[]); create index on b11 ((a[1]::int)); insert into b11 values (array['x']);
--> ERROR 22P02: invalid input syntax for type integer: "x"

create table b12 (id int, v text) partition by list (id); create table b12a partition of b12 for values in (1); create index on b12 ((v::int)); insert into b12 values (1, 'x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
