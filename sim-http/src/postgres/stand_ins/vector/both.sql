-- Casts, distances and comparison.
create function {schema}.{type}({schema}.{type}, integer, boolean) returns {schema}.{type} language sql immutable strict parallel safe
    as 'select {schema}.array_to_{type}({schema}._{type}_items($1), $2, $3)';
create cast ({schema}.{type} as {schema}.{type}) with function {schema}.{type}({schema}.{type}, integer, boolean) as implicit;
create function {schema}.array_to_{type}(integer[], integer, boolean) returns {schema}.{type} language sql immutable strict parallel safe
    as 'select {schema}.array_to_{type}($1::float8[], $2, $3)';
create function {schema}.array_to_{type}(real[], integer, boolean) returns {schema}.{type} language sql immutable strict parallel safe
    as 'select {schema}.array_to_{type}($1::float8[], $2, $3)';
create function {schema}.array_to_{type}(numeric[], integer, boolean) returns {schema}.{type} language sql immutable strict parallel safe
    as 'select {schema}.array_to_{type}($1::float8[], $2, $3)';
create cast (float8[] as {schema}.{type}) with function {schema}.array_to_{type}(float8[], integer, boolean) as assignment;
create cast (integer[] as {schema}.{type}) with function {schema}.array_to_{type}(integer[], integer, boolean) as assignment;
create cast (real[] as {schema}.{type}) with function {schema}.array_to_{type}(real[], integer, boolean) as assignment;
create cast (numeric[] as {schema}.{type}) with function {schema}.array_to_{type}(numeric[], integer, boolean) as assignment;
create function {schema}._{type}_pairs({schema}.{type}, {schema}.{type}, out a float8[], out b float8[]) language plpgsql immutable strict parallel safe as $$
begin
    a := {schema}._{type}_items($1);
    b := {schema}._{type}_items($2);
    if cardinality(a) <> cardinality(b) then
        raise data_exception using message = format('different {type} dimensions %s and %s', cardinality(a), cardinality(b));
    end if;
end $$;
create function {schema}.inner_product({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select sum(x * y) from {schema}._{type}_pairs($1, $2) p, unnest(p.a, p.b) u(x, y)';
create function {schema}.{type}_negative_inner_product({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select -{schema}.inner_product($1, $2)';
create function {schema}.l2_distance({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select sqrt(sum((x - y) * (x - y))) from {schema}._{type}_pairs($1, $2) p, unnest(p.a, p.b) u(x, y)';
create function {schema}.l1_distance({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select sum(abs(x - y)) from {schema}._{type}_pairs($1, $2) p, unnest(p.a, p.b) u(x, y)';
create function {schema}.cosine_distance({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select 1 - greatest(-1, least(1, case when sum(x * x) = 0 or sum(y * y) = 0 then ''NaN'' else sum(x * y) / sqrt(sum(x * x) * sum(y * y)) end))
     from {schema}._{type}_pairs($1, $2) p, unnest(p.a, p.b) u(x, y)';
create function {schema}.{type}_l2_squared_distance({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select sum((x - y) * (x - y)) from {schema}._{type}_pairs($1, $2) p, unnest(p.a, p.b) u(x, y)';
create function {schema}.{norm}({schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select sqrt(sum(x * x)) from unnest({schema}._{type}_items($1)) x';
create function {schema}.l2_normalize({schema}.{type}) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(array_agg(case when n = 0 then 0 else x / n end order by at))
     from unnest({schema}._{type}_items($1)) with ordinality u(x, at), {schema}.{norm}($1) n';
create operator {schema}.<-> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.l2_distance, commutator = operator({schema}.<->));
create operator {schema}.<=> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.cosine_distance, commutator = operator({schema}.<=>));
create operator {schema}.<#> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_negative_inner_product, commutator = operator({schema}.<#>));
create operator {schema}.<+> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.l1_distance, commutator = operator({schema}.<+>));
create function {schema}.{type}_eq({schema}.{type}, {schema}.{type}) returns boolean language internal immutable strict parallel safe as 'byteaeq';
create function {schema}.{type}_ne({schema}.{type}, {schema}.{type}) returns boolean language internal immutable strict parallel safe as 'byteane';
create function {schema}.{type}_lt({schema}.{type}, {schema}.{type}) returns boolean language sql immutable strict parallel safe
    as 'select {schema}._{type}_items($1) < {schema}._{type}_items($2)';
create function {schema}.{type}_le({schema}.{type}, {schema}.{type}) returns boolean language sql immutable strict parallel safe
    as 'select {schema}._{type}_items($1) <= {schema}._{type}_items($2)';
create function {schema}.{type}_gt({schema}.{type}, {schema}.{type}) returns boolean language sql immutable strict parallel safe
    as 'select {schema}._{type}_items($1) > {schema}._{type}_items($2)';
create function {schema}.{type}_ge({schema}.{type}, {schema}.{type}) returns boolean language sql immutable strict parallel safe
    as 'select {schema}._{type}_items($1) >= {schema}._{type}_items($2)';
create function {schema}.{type}_cmp({schema}.{type}, {schema}.{type}) returns integer language sql immutable strict parallel safe
    as 'select pg_catalog.btarraycmp({schema}._{type}_items($1), {schema}._{type}_items($2))';
create operator {schema}.= (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_eq, commutator = operator({schema}.=), hashes, merges);
create operator {schema}.<> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_ne, commutator = operator({schema}.<>));
create operator {schema}.< (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_lt, commutator = operator({schema}.>));
create operator {schema}.<= (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_le, commutator = operator({schema}.>=));
create operator {schema}.> (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_gt, commutator = operator({schema}.<));
create operator {schema}.>= (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_ge, commutator = operator({schema}.<=));
create operator class {schema}.{type}_ops default for type {schema}.{type} using btree as operator 1 {schema}.<, operator 2 {schema}.<=,
    operator 3 {schema}.=, operator 4 {schema}.>=, operator 5 {schema}.>, function 1 {schema}.{type}_cmp({schema}.{type}, {schema}.{type});
create operator class {schema}.{type}_hash_ops default for type {schema}.{type} using hash as operator 1 {schema}.=, function 1 ({schema}.{type}, {schema}.{type}) pg_catalog.hashvarlena(internal);
do $methods$
declare method text; class text;
begin
    foreach method in array array['ivfflat', 'hnsw'] loop
        if not exists (select from pg_catalog.pg_am where amname = method) then
            execute format('create function {schema}.%1$shandler(internal) returns index_am_handler language internal as ''hashhandler''', method);
            execute format('create access method %1$I type index handler {schema}.%1$shandler', method);
        end if;
        foreach class in array array['l2', 'ip', 'cosine', 'l1'] loop
            execute format('create operator class {schema}.{type}_%s_ops %s for type {schema}.{type} using %I as operator 1 {schema}.=, function 1 pg_catalog.hashvarlena(internal)',
                class, case when class = 'l2' and method = 'ivfflat' and '{type}' = 'vector' then 'default' end, method);
        end loop;
    end loop;
end $methods$;
