-- Casts between the types, and distances of bit strings.
do $casts$
declare one text; other text;
begin
    foreach one in array array['vector', 'halfvec', 'sparsevec'] loop
        foreach other in array array['vector', 'halfvec', 'sparsevec'] loop
            continue when one = other;
            execute format('create function {schema}.%1$s_to_%2$s({schema}.%1$s, integer, boolean) returns {schema}.%2$s language sql immutable strict parallel safe
                as ''select {schema}.array_to_%2$s({schema}._%1$s_items($1), $2, $3)''', one, other);
            execute format('create cast ({schema}.%1$s as {schema}.%2$s) with function {schema}.%1$s_to_%2$s({schema}.%1$s, integer, boolean) as %3$s', one, other,
                case when one = 'vector' or other = 'sparsevec' then 'implicit' else 'assignment' end);
        end loop;
    end loop;
end $casts$;
create function {schema}.hamming_distance(bit, bit) returns float8 language sql immutable strict parallel safe as 'select bit_count($1 # $2)::float8';
create function {schema}.jaccard_distance(bit, bit) returns float8 language sql immutable strict parallel safe as
    'select case when bit_count($1 & $2) = 0 then 1 else 1 - bit_count($1 & $2)::float8 / bit_count($1 | $2) end';
create operator {schema}.<~> (leftarg = bit, rightarg = bit, function = {schema}.hamming_distance, commutator = operator({schema}.<~>));
create operator {schema}.<%> (leftarg = bit, rightarg = bit, function = {schema}.jaccard_distance, commutator = operator({schema}.<%>));
create operator class {schema}.bit_hamming_ops for type bit using ivfflat as operator 1 pg_catalog.=, function 1 pg_catalog.hashvarlena(internal);
create operator class {schema}.bit_hamming_ops for type bit using hnsw as operator 1 pg_catalog.=, function 1 pg_catalog.hashvarlena(internal);
create operator class {schema}.bit_jaccard_ops for type bit using hnsw as operator 1 pg_catalog.=, function 1 pg_catalog.hashvarlena(internal);
-- Dumps grant rights on these. Nothing can call them.
create function {schema}.ivfflat_halfvec_support(internal) returns internal language internal as 'hashhandler';
create function {schema}.ivfflat_bit_support(internal) returns internal language internal as 'hashhandler';
create function {schema}.hnsw_halfvec_support(internal) returns internal language internal as 'hashhandler';
create function {schema}.hnsw_bit_support(internal) returns internal language internal as 'hashhandler';
create function {schema}.hnsw_sparsevec_support(internal) returns internal language internal as 'hashhandler';
