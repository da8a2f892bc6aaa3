-- What extensions draw from the machine's entropy comes from the seed too.
do $do$
begin
    if to_regprocedure('extensions.uuid_generate_v4()') is not null then
        create or replace function extensions.uuid_generate_v4() returns uuid language sql volatile strict
            as 'select pg_catalog.gen_random_uuid()';
    end if;
    if to_regprocedure('extensions.gen_random_bytes(integer)') is not null then
        create or replace function extensions.gen_random_uuid() returns uuid language sql volatile
            as 'select pg_catalog.gen_random_uuid()';
        create or replace function extensions.gen_random_bytes(integer) returns bytea language sql volatile strict as $$
            select coalesce(string_agg(set_byte('\x00', 0, floor(random() * 256)::int), ''), '')
            from generate_series(1, $1)
        $$;
    end if;
end $do$;

-- Every project has it from the start.
do $do$
begin
    if to_regnamespace('extensions') is not null then
        perform pg_catalog.stuntdouble_create_extension('pg_stat_statements', true, 'extensions');
    end if;
end $do$;
