-- The functions that translated queries call, for PostgreSQL. Run once, with the schema of the sources first in the search path.

-- The text of a value of an event.
CREATE OR REPLACE FUNCTION wh_text(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value #>> '{}';
