-- Time and chance come from the call: its instant is a setting, and random() begins with its seed. Over a connection of
-- their own, clients have the machine's.
alter function pg_catalog.now() rename to system_now;
alter function pg_catalog.transaction_timestamp() rename to system_transaction_timestamp;
alter function pg_catalog.statement_timestamp() rename to system_statement_timestamp;
alter function pg_catalog.clock_timestamp() rename to system_clock_timestamp;
alter function pg_catalog.timeofday() rename to system_timeofday;
alter function pg_catalog.gen_random_uuid() rename to system_gen_random_uuid;

create function pg_catalog.now() returns timestamptz language sql stable parallel safe as $$
    select coalesce(nullif(current_setting('stuntdouble.now', true), '')::timestamptz, pg_catalog.system_now())
$$;
create function pg_catalog.transaction_timestamp() returns timestamptz language sql stable parallel safe
    as 'select pg_catalog.now()';
create function pg_catalog.statement_timestamp() returns timestamptz language sql stable parallel safe
    as 'select pg_catalog.now()';
create function pg_catalog.clock_timestamp() returns timestamptz language sql volatile parallel safe
    as 'select pg_catalog.now()';
create function pg_catalog.timeofday() returns text language sql volatile parallel safe
    as $$ select to_char(pg_catalog.now(), 'Dy Mon DD HH24:MI:SS.US YYYY TZ') $$;

-- The keywords of the clock are no functions, but become calls of these.
create function pg_catalog."current_timestamp"() returns timestamptz language sql stable parallel safe
    as 'select pg_catalog.now()';
create function pg_catalog."current_timestamp"(digits int) returns timestamptz language sql stable parallel safe as $$
    select date_trunc('second', pg_catalog.now()) + make_interval(
        secs => round(extract(microseconds from pg_catalog.now()) % 1000000 / 1000000, digits)::float8)
$$;
create function pg_catalog."current_date"() returns date language sql stable parallel safe
    as 'select pg_catalog.now()::date';
create function pg_catalog."current_time"() returns timetz language sql stable parallel safe
    as 'select pg_catalog.now()::timetz';
create function pg_catalog."current_time"(digits int) returns timetz language sql stable parallel safe
    as 'select pg_catalog."current_timestamp"(digits)::timetz';
create function pg_catalog."localtimestamp"() returns timestamp language sql stable parallel safe
    as 'select pg_catalog.now()::timestamp';
create function pg_catalog."localtimestamp"(digits int) returns timestamp language sql stable parallel safe
    as 'select pg_catalog."current_timestamp"(digits)::timestamp';
create function pg_catalog."localtime"() returns time language sql stable parallel safe
    as 'select pg_catalog.now()::time';
create function pg_catalog."localtime"(digits int) returns time language sql stable parallel safe
    as 'select pg_catalog."current_timestamp"(digits)::time';
create or replace function pg_catalog.age(timestamptz) returns interval language sql stable parallel safe strict
    as 'select pg_catalog.age(pg_catalog.now()::date::timestamptz, $1)';
create or replace function pg_catalog.age(timestamp) returns interval language sql stable parallel safe strict
    as 'select pg_catalog.age(pg_catalog.now()::date::timestamp, $1)';

-- Version 4 in form.
create function pg_catalog.gen_random_uuid() returns uuid language sql volatile parallel restricted as $$
    select overlay(overlay(md5(random()::text || random()::text || random()::text) placing '4' from 13)
                   placing to_hex(8 + floor(random() * 4)::int) from 17)::uuid
$$;
