create function {schema}.url_encode(data bytea) returns text language sql immutable as
    $$ select rtrim(translate(encode(data, 'base64'), E'+/\n', '-_'), '=') $$;
create function {schema}.url_decode(data text) returns bytea language sql immutable as
    $$ select decode(rpad(translate(data, '-_', '+/'), (length(data) + 3) / 4 * 4, '='), 'base64') $$;
create function {schema}.algorithm_sign(signables text, secret text, algorithm text) returns text language plpgsql immutable as $$
declare
    hash text := case algorithm when 'HS256' then 'sha256' when 'HS384' then 'sha384' when 'HS512' then 'sha512' else '' end;
begin
    return {schema}.url_encode(extensions.hmac(signables, secret, hash));
end $$;
create function {schema}.sign(payload json, secret text, algorithm text default 'HS256') returns text language sql immutable as $$
    with parts as (select {schema}.url_encode(convert_to('{"alg":"' || algorithm || '","typ":"JWT"}', 'utf8')) || '.' ||
        {schema}.url_encode(convert_to(payload::text, 'utf8')) as signables)
    select signables || '.' || {schema}.algorithm_sign(signables, secret, algorithm) from parts
$$;
create function {schema}.try_cast_double(inp text) returns double precision language plpgsql immutable as $$
begin
    return inp::double precision;
exception when others then
    return null;
end $$;
create function {schema}.verify(token text, secret text, algorithm text default 'HS256')
returns table (header json, payload json, valid boolean) language sql immutable as $$
    select convert_from({schema}.url_decode(r[1]), 'utf8')::json, convert_from({schema}.url_decode(r[2]), 'utf8')::json,
        r[3] = {schema}.algorithm_sign(r[1] || '.' || r[2], secret, algorithm)
            and tstzrange(to_timestamp({schema}.try_cast_double(convert_from({schema}.url_decode(r[2]), 'utf8')::json ->> 'nbf')),
                to_timestamp({schema}.try_cast_double(convert_from({schema}.url_decode(r[2]), 'utf8')::json ->> 'exp'))) @> current_timestamp
    from regexp_split_to_array(token, '\.') r
$$;
