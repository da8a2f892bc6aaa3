-- What only vectors with all numbers have.
create function {schema}.{type}_to_float4({schema}.{type}, integer, boolean) returns real[] language sql immutable strict parallel safe
    as 'select {schema}._{type}_items($1)::real[]';
create cast ({schema}.{type} as real[]) with function {schema}.{type}_to_float4({schema}.{type}, integer, boolean) as {cast};
create function {schema}.vector_dims({schema}.{type}) returns integer language sql immutable strict parallel safe as
    'select cardinality({schema}._{type}_items($1))';
create function {schema}.subvector({schema}.{type}, integer, integer) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(({schema}._{type}_items($1))[$2 : $2 + $3 - 1])';
create function {schema}.{type}_add({schema}.{type}, {schema}.{type}) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(array_agg(x + y order by at)) from {schema}._{type}_pairs($1, $2) p, unnest(p.a, p.b) with ordinality u(x, y, at)';
create function {schema}.{type}_sub({schema}.{type}, {schema}.{type}) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(array_agg(x - y order by at)) from {schema}._{type}_pairs($1, $2) p, unnest(p.a, p.b) with ordinality u(x, y, at)';
create function {schema}.{type}_mul({schema}.{type}, {schema}.{type}) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(array_agg(x * y order by at)) from {schema}._{type}_pairs($1, $2) p, unnest(p.a, p.b) with ordinality u(x, y, at)';
create function {schema}.{type}_accum(float8[], {schema}.{type}) returns float8[] language sql immutable strict parallel safe as
    'select case when $1 = ''{0}'' then 1 || {schema}._{type}_items($2) else ($1[1] + 1) ||
        (select array_agg(x + y order by at) from unnest($1[2:], {schema}._{type}_items($2)) with ordinality u(x, y, at)) end';
create function {schema}.{type}_avg(float8[]) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}(array_agg(x / $1[1] order by at)) from unnest($1[2:]) with ordinality u(x, at) having $1[1] > 0';
create aggregate {schema}.avg({schema}.{type}) (sfunc = {schema}.{type}_accum, stype = float8[], finalfunc = {schema}.{type}_avg, initcond = '{0}');
create aggregate {schema}.sum({schema}.{type}) (sfunc = {schema}.{type}_add, stype = {schema}.{type});
create operator {schema}.+ (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_add, commutator = operator({schema}.+));
create operator {schema}.- (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_sub);
create operator {schema}.* (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_mul, commutator = operator({schema}.*));
create function {schema}.binary_quantize({schema}.{type}) returns bit language sql immutable strict parallel safe as
    'select string_agg(case when x > 0 then ''1'' else ''0'' end, '''' order by at)::varbit from unnest({schema}._{type}_items($1)) with ordinality u(x, at)';
create function {schema}.{type}_concat({schema}.{type}, {schema}.{type}) returns {schema}.{type} language sql immutable strict parallel safe as
    'select {schema}.array_to_{type}({schema}._{type}_items($1) || {schema}._{type}_items($2))';
create function {schema}.{type}_spherical_distance({schema}.{type}, {schema}.{type}) returns float8 language sql immutable strict parallel safe as
    'select acos(greatest(-1, least(1, {schema}.inner_product($1, $2)))) / pi()';
create function {schema}.{type}_combine(float8[], float8[]) returns float8[] language sql immutable strict parallel safe as
    'select case when $1 = ''{0}'' then $2 when $2 = ''{0}'' then $1 else (select array_agg(x + y order by at) from unnest($1, $2) with ordinality u(x, y, at)) end';
create operator {schema}.|| (leftarg = {schema}.{type}, rightarg = {schema}.{type}, function = {schema}.{type}_concat);
