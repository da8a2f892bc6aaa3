-- Functions of labels where an index or a generated column would hold their results

create type mood as enum ('sad', 'ok');
--> no rows

create table a1 (id int, m mood, g mood generated always as (enum_last(m)) stored);
--> ERROR 42P17: generation expression is not immutable

create table a1 (id int, m mood, g mood generated always as (enum_first(null::mood)) stored);
--> ERROR 42P17: generation expression is not immutable

create table a1 (id int, m mood, g bool generated always as (m = enum_last('sad'::mood)) stored);
--> ERROR 42P17: generation expression is not immutable

create table a1 (id int, m mood, g mood[] generated always as (enum_range(m)) stored);
--> ERROR 42P17: generation expression is not immutable

create table a1 (id int, m mood, g int generated always as (array_length(enum_range(null::mood), 1)) stored);
--> ERROR 42P17: generation expression is not immutable

create table a1 (id int, m mood, g int generated always as (array_length(enum_range('sad'::mood, 'ok'), 1)) stored);
--> ERROR 42P17: generation expression is not immutable

create table a1 (id int, m mood);
--> no rows

create index on a1 (enum_last(m));
--> ERROR 42P17: functions in index expression must be marked IMMUTABLE

create index on a1 (id) where m = enum_last(null::mood);
--> ERROR 42P17: functions in index predicate must be marked IMMUTABLE

create table a2 (id int, m mood check (m <> enum_last(m)), n mood default enum_last(null::mood)); insert into a2 values (1, 'sad') returning *;
--> {"id":1,"m":"sad","n":"ok"}

create table a3 (id int, m mood, g mood generated always as ('ok') stored); insert into a3 values (1) returning *;
--> {"id":1,"m":null,"g":"ok"}

create table a4 (id int, m mood, g bool generated always as (m < 'ok') stored); insert into a4 values (1, 'sad') returning *;
--> {"id":1,"m":"sad","g":true}

create table a5 (id int, m mood, g text generated always as (m::text) stored);
--> ERROR 42P17: generation expression is not immutable

create table a6 (id int, t text, g mood generated always as (t::mood) stored);
--> ERROR 42P17: generation expression is not immutable

select array_fill(array[1,2], array[2]);
--> ERROR 42704: could not find array type for data type integer[]

select array_fill(null, array[2]);
--> ERROR 42804: could not determine polymorphic type because input has type unknown

select array_fill('{1}'::int[], array[2]) && array['x'];
--> ERROR 42704: could not find array type for data type integer[]
