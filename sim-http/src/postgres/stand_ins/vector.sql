-- Vectors are kept as texts. Indexes on them exist, and no query uses one.
create function {schema}.{type}_in(cstring) returns {schema}.{type} language internal immutable strict parallel safe as 'textin';
create function {schema}.{type}_out({schema}.{type}) returns cstring language internal immutable strict parallel safe as 'textout';
create function {schema}.{type}_typmod_in(cstring[]) returns integer language internal immutable strict parallel safe as 'varchartypmodin';
create function {schema}.{type}_typmod_out(integer) returns cstring language internal immutable strict parallel safe as 'varchartypmodout';
create type {schema}.{type} (input = {schema}.{type}_in, output = {schema}.{type}_out, typmod_in = {schema}.{type}_typmod_in,
    typmod_out = {schema}.{type}_typmod_out, internallength = variable, alignment = int4, storage = extended);
create function {schema}.{type}_items({schema}.{type}) returns float8[] language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
begin
    if $1::text !~ '^\s*\[\s*[-+0-9.eE]+\s*(,\s*[-+0-9.eE]+\s*)*\]\s*$' then
        raise invalid_text_representation using message = format('invalid input syntax for type {type}: "%s"', $1);
    end if;
    return string_to_array(btrim($1::text, E'[] \t\n'), ',')::float8[];
end $$;
create function {schema}.array_to_{type}(float8[], integer default -1, boolean default false) returns {schema}.{type}
    language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
begin
    if array_position($1, null) is not null then
        raise null_value_not_allowed using message = 'array must not contain nulls';
    elsif coalesce(cardinality($1), 0) = 0 then
        raise data_exception using message = '{type} must have at least 1 dimension';
    elsif cardinality($1) > 16000 then
        raise program_limit_exceeded using message = '{type} cannot have more than 16000 dimensions';
    elsif $2 <> -1 and cardinality($1) <> $2 - 4 then
        raise data_exception using message = format('expected %s dimensions, not %s', $2 - 4, cardinality($1));
    end if;
    return ('[' || array_to_string($1::float4[], ',') || ']')::text::{schema}.{type};
end $$;
create function {schema}.{type}({schema}.{type}, integer, boolean) returns {schema}.{type} language sql immutable strict parallel safe
    as 'select {schema}.array_to_{type}({schema}.{type}_items($1), $2, $3)';
create cast ({schema}.{type} as {schema}.{type}) with function {schema}.{type}({schema}.{type}, integer, boolean) as implicit;
create function {schema}.array_to_{type}(integer[], integer, boolean) returns {schema}.{type} language sql immutable strict parallel safe
    as 'select {schema}.array_to_{type}($1::float8[], $2, $3)';
create function {schema}.array_to_{type}(real[], integer, boolean) returns {schema}.{type} language sql immutable strict parallel safe
    as 'select {schema}.array_to_{type}($1::float8[], $2, $3)';
create function {schema}.array_to_{type}(numeric[], integer, boolean) returns {schema}.{type} language sql immutable strict parallel safe
    as 'select {schema}.array_to_{type}($1::float8[], $2, $3)';
create function {schema}.{type}_to_float4({schema}.{type}, integer, boolean) returns real[] language sql immutable strict parallel safe
    as 'select {schema}.{type}_items($1)::real[]';
create cast (float8[] as {schema}.{type}) with function {schema}.array_to_{type}(float8[], integer, boolean) as assignment;
create cast (integer[] as {schema}.{type}) with function {schema}.array_to_{type}(integer[], integer, boolean) as assignment;
create cast (real[] as {schema}.{type}) with function {schema}.array_to_{type}(real[], integer, boolean) as assignment;
create cast (numeric[] as {schema}.{type}) with function {schema}.array_to_{type}(numeric[], integer, boolean) as assignment;
create cast ({schema}.{type} as real[]) with function {schema}.{type}_to_float4({schema}.{type}, integer, boolean) as implicit;
create function {schema}.{type}_pairs({schema}.{type}, {schema}.{type}, out a float8[], out b float8[]) language plpgsql immutable strict parallel safe as $$
begin
    a := {schema}.{type}_items($1);
    b := {schema}.{type}_items($2);
    if cardinality(a) <> cardinality(b) then
        raise data_exception using message = format('different {type} dimensions %s and %s', cardinality(a), cardinality(b));
    end if;
end $$;
create function {schema}.inner_product({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select sum(x * y) from {schema}.{type}_pairs($1, $2) p, unnest(p.a, p.b) u(x, y)';
create function {schema}.{type}_negative_inner_product({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select -{schema}.inner_product($1, $2)';
create function {schema}.l2_distance({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select sqrt(sum((x - y) * (x - y))) from {schema}.{type}_pairs($1, $2) p, unnest(p.a, p.b) u(x, y)';
create function {schema}.l1_distance({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select sum(abs(x - y)) from {schema}.{type}_pairs($1, $2) p, unnest(p.a, p.b) u(x, y)';
create function {schema}.cosine_distance({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select 1 - greatest(-1, least(1, case when sum(x * x) = 0 or sum(y * y) = 0 then ''NaN'' else sum(x * y) / sqrt(sum(x * x) * sum(y * y)) end))
     from {schema}.{type}_pairs($1, $2) p, unnest(p.a, p.b) u(x, y)';
create function {schema}.vector_dims({schema}.{type}) returns integer language sql immutable strict parallel safe as
    'select cardinality({schema}.{type}_items($1))';
create function {schema}.{norm}({schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select sqrt(sum(x * x)) from unnest({schema}.{type}_items($1)) x';
create function {schema}.l2_normalize({schema}.{type}) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(array_agg(case when n = 0 then 0 else x / n end order by at))
     from unnest({schema}.{type}_items($1)) with ordinality u(x, at), {schema}.{norm}($1) n';
create function {schema}.subvector({schema}.{type}, integer, integer) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(({schema}.{type}_items($1))[$2 : $2 + $3 - 1])';
create function {schema}.{type}_add({schema}.{type}, {schema}.{type}) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(array_agg(x + y order by at)) from {schema}.{type}_pairs($1, $2) p, unnest(p.a, p.b) with ordinality u(x, y, at)';
create function {schema}.{type}_sub({schema}.{type}, {schema}.{type}) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(array_agg(x - y order by at)) from {schema}.{type}_pairs($1, $2) p, unnest(p.a, p.b) with ordinality u(x, y, at)';
create function {schema}.{type}_mul({schema}.{type}, {schema}.{type}) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(array_agg(x * y order by at)) from {schema}.{type}_pairs($1, $2) p, unnest(p.a, p.b) with ordinality u(x, y, at)';
create function {schema}.{type}_accum(float8[], {schema}.{type}) returns float8[] language sql immutable strict parallel safe as
    'select case when $1 = ''{0}'' then 1 || {schema}.{type}_items($2) else ($1[1] + 1) ||
        (select array_agg(x + y order by at) from unnest($1[2:], {schema}.{type}_items($2)) with ordinality u(x, y, at)) end';
create function {schema}.{type}_avg(float8[]) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(array_agg(x / $1[1] order by at)) from unnest($1[2:]) with ordinality u(x, at) having $1[1] > 0';
create aggregate {schema}.avg({schema}.{type}) (sfunc = {schema}.{type}_accum, stype = float8[], finalfunc = {schema}.{type}_avg, initcond = '{0}');
create aggregate {schema}.sum({schema}.{type}) (sfunc = {schema}.{type}_add, stype = {schema}.{type});
create operator {schema}.<-> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.l2_distance, commutator = operator({schema}.<->));
create operator {schema}.<=> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.cosine_distance, commutator = operator({schema}.<=>));
create operator {schema}.<#> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_negative_inner_product, commutator = operator({schema}.<#>));
create operator {schema}.<+> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.l1_distance, commutator = operator({schema}.<+>));
create operator {schema}.+ (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_add, commutator = operator({schema}.+));
create operator {schema}.- (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_sub);
create operator {schema}.* (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_mul, commutator = operator({schema}.*));
create function {schema}.{type}_eq({schema}.{type}, {schema}.{type}) returns boolean language internal immutable strict parallel safe as 'byteaeq';
create function {schema}.{type}_ne({schema}.{type}, {schema}.{type}) returns boolean language internal immutable strict parallel safe as 'byteane';
create function {schema}.{type}_lt({schema}.{type}, {schema}.{type}) returns boolean language sql immutable strict parallel safe
    as 'select {schema}.{type}_items($1) < {schema}.{type}_items($2)';
create function {schema}.{type}_le({schema}.{type}, {schema}.{type}) returns boolean language sql immutable strict parallel safe
    as 'select {schema}.{type}_items($1) <= {schema}.{type}_items($2)';
create function {schema}.{type}_gt({schema}.{type}, {schema}.{type}) returns boolean language sql immutable strict parallel safe
    as 'select {schema}.{type}_items($1) > {schema}.{type}_items($2)';
create function {schema}.{type}_ge({schema}.{type}, {schema}.{type}) returns boolean language sql immutable strict parallel safe
    as 'select {schema}.{type}_items($1) >= {schema}.{type}_items($2)';
create function {schema}.{type}_cmp({schema}.{type}, {schema}.{type}) returns integer language sql immutable strict parallel safe
    as 'select pg_catalog.btarraycmp({schema}.{type}_items($1), {schema}.{type}_items($2))';
create function {schema}.{type}_hash({schema}.{type}) returns integer language internal immutable strict parallel safe as 'hashvarlena';
create operator {schema}.= (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_eq, commutator = operator({schema}.=), hashes, merges);
create operator {schema}.<> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_ne, commutator = operator({schema}.<>));
create operator {schema}.< (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_lt, commutator = operator({schema}.>));
create operator {schema}.<= (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_le, commutator = operator({schema}.>=));
create operator {schema}.> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_gt, commutator = operator({schema}.<));
create operator {schema}.>= (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_ge, commutator = operator({schema}.<=));
create operator class {schema}.{type}_ops default for type {schema}.{type} using btree as operator 1 {schema}.<, operator 2 {schema}.<=,
    operator 3 {schema}.=, operator 4 {schema}.>=, operator 5 {schema}.>, function 1 {schema}.{type}_cmp({schema}.{type}, {schema}.{type});
create operator class {schema}.{type}_hash_ops default for type {schema}.{type} using hash as operator 1 {schema}.=, function 1 {schema}.{type}_hash({schema}.{type});
do $methods$
declare method text; class text;
begin
    foreach method in array array['ivfflat', 'hnsw'] loop
        if not exists (select from pg_catalog.pg_am where amname = method) then
            execute format('create access method %I type index handler pg_catalog.hashhandler', method);
        end if;
        foreach class in array array['l2', 'ip', 'cosine', 'l1'] loop
            execute format('create operator class {schema}.{type}_%s_ops %s for type {schema}.{type} using %I as operator 1 {schema}.=, function 1 {schema}.{type}_hash({schema}.{type})',
                class, case when class = 'l2' then 'default' end, method);
        end loop;
    end loop;
end $methods$;
