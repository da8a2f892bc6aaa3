-- The functions that translated queries call, for PostgreSQL from version 15 on. Run once in the schema where queries look for
-- functions; running it again changes nothing. Each does what the Rust function of its name does for SQLite. A last argument
-- `safe` says that null stands for what can't be had; otherwise that is an error of the whole query.

-- Volatile, so that no planner calls it before its time.
CREATE OR REPLACE FUNCTION wh_fail(message text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION USING MESSAGE = message, ERRCODE = '22000'; END $$;

-- Instants as whole microseconds.

CREATE OR REPLACE FUNCTION wh_micros(moment timestamp) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT (extract(epoch FROM moment) * 1000000)::bigint $$;

CREATE OR REPLACE FUNCTION wh_from_micros(micros bigint) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT timestamp '1970-01-01' + (micros / 1000000) * interval '1 second' + (micros % 1000000) * interval '1 microsecond' $$;

CREATE OR REPLACE FUNCTION wh_floor_div(number bigint, divisor bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT floor(number::numeric / divisor)::bigint $$;

-- JSON without blanks, keys in the order of their length and bytes.

CREATE OR REPLACE FUNCTION wh_json_text(value jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  CASE jsonb_typeof(value)
    WHEN 'object' THEN
      RETURN '{' || coalesce((SELECT string_agg(to_jsonb(key)::text || ':' || wh_json_text(item), ',' ORDER BY octet_length(key), key COLLATE "C")
                              FROM jsonb_each(value) AS e(key, item)), '') || '}';
    WHEN 'array' THEN
      RETURN '[' || coalesce((SELECT string_agg(wh_json_text(item), ',' ORDER BY number)
                              FROM jsonb_array_elements(value) WITH ORDINALITY AS e(item, number)), '') || ']';
    ELSE RETURN value::text;
  END CASE;
END $$;

-- Values of events.

CREATE OR REPLACE FUNCTION wh_spells_number(given text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT given ~ '^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$' $$;

CREATE OR REPLACE FUNCTION wh_number(value jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN jsonb_typeof(value) = 'number' THEN (value #>> '{}')::numeric
            WHEN jsonb_typeof(value) = 'string' AND wh_spells_number(btrim(value #>> '{}')) THEN btrim(value #>> '{}')::numeric
       END $$;

CREATE OR REPLACE FUNCTION wh_only_number(value jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN jsonb_typeof(value) = 'number' THEN (value #>> '{}')::numeric END $$;

CREATE OR REPLACE FUNCTION wh_to_int64(number numeric, safe boolean) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN number BETWEEN -9223372036854775808 AND 9223372036854775807 THEN round(number)::bigint
            WHEN safe THEN NULL
            ELSE wh_fail('Illegal conversion of ' || number || ' to type INT64')::bigint END $$;

CREATE OR REPLACE FUNCTION wh_to_int64(number float8, safe boolean) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT wh_to_int64(number::numeric, safe) $$;

CREATE OR REPLACE FUNCTION wh_integer(value jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT wh_to_int64(wh_number(value), true) $$;

CREATE OR REPLACE FUNCTION wh_bool(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE lower(value #>> '{}') WHEN 'true' THEN true WHEN 'false' THEN false END $$;

-- The text of a value; of an object or list, its JSON.
CREATE OR REPLACE FUNCTION wh_text(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN jsonb_typeof(value) IN ('object', 'array') THEN wh_json_text(value) ELSE value #>> '{}' END $$;

CREATE OR REPLACE FUNCTION wh_compare(one jsonb, other jsonb) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN jsonb_typeof(one) = 'number' AND jsonb_typeof(other) = 'number'
            THEN sign((one #>> '{}')::numeric - (other #>> '{}')::numeric)::integer
            WHEN wh_text(one) COLLATE "C" < wh_text(other) THEN -1
            WHEN wh_text(one) COLLATE "C" > wh_text(other) THEN 1
            WHEN wh_text(one) = wh_text(other) THEN 0 END $$;

CREATE OR REPLACE FUNCTION wh_lesser(one jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN wh_compare(other, one) < 0 THEN other ELSE one END $$;

CREATE OR REPLACE FUNCTION wh_greater(one jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN wh_compare(other, one) > 0 THEN other ELSE one END $$;

CREATE OR REPLACE AGGREGATE wh_min(jsonb) (SFUNC = wh_lesser, STYPE = jsonb);

CREATE OR REPLACE AGGREGATE wh_max(jsonb) (SFUNC = wh_greater, STYPE = jsonb);

-- Lists. An object is a list of one.

CREATE OR REPLACE FUNCTION wh_list(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE jsonb_typeof(value) WHEN 'array' THEN value WHEN 'object' THEN jsonb_build_array(value) END $$;

CREATE OR REPLACE FUNCTION wh_only_list(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE jsonb_typeof(value) WHEN 'array' THEN value END $$;

CREATE OR REPLACE FUNCTION wh_at(list jsonb, index bigint, safe boolean) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN wh_list(list) IS NULL THEN NULL
            WHEN index >= 0 AND index < jsonb_array_length(wh_list(list)) THEN wh_list(list) -> index::integer
            WHEN safe THEN NULL
            ELSE wh_fail('Array index ' || index || ' is out of bounds')::jsonb END $$;

CREATE OR REPLACE FUNCTION wh_slice(list jsonb, count bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(value ORDER BY number), '[]')
FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number) WHERE number <= count $$;

CREATE OR REPLACE FUNCTION wh_array_reverse(list jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(value ORDER BY number DESC), '[]') FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number) $$;

-- Numbers by size after all other values by their text.
CREATE OR REPLACE FUNCTION wh_sorted(list jsonb, descending boolean) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(CASE WHEN descending
  THEN jsonb_agg(value ORDER BY wh_only_number(value) DESC NULLS LAST, (value #>> '{}') COLLATE "C" DESC NULLS LAST)
  ELSE jsonb_agg(value ORDER BY wh_only_number(value) NULLS FIRST, (value #>> '{}') COLLATE "C" NULLS FIRST) END, '[]')
FROM jsonb_array_elements(list) AS e(value) $$;

CREATE OR REPLACE FUNCTION wh_array_to_string(list jsonb, separator text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(string_agg(value #>> '{}', separator ORDER BY number), '')
FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number) $$;

CREATE OR REPLACE FUNCTION wh_array_to_string(list jsonb, separator text, instead text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(string_agg(coalesce(value #>> '{}', instead), separator ORDER BY number), '')
FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number) $$;

CREATE OR REPLACE FUNCTION wh_generate_array(first bigint, last bigint, step bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN step = 0 THEN wh_fail('Sequence step cannot be 0.')::jsonb
            WHEN (last::numeric - first) / step >= 1000000 THEN wh_fail('the array would have too many elements')::jsonb
            ELSE (SELECT coalesce(jsonb_agg(number), '[]') FROM generate_series(first, last, step) AS number) END $$;

-- The value at every n-th part of an ordered list, least and greatest included.
CREATE OR REPLACE FUNCTION wh_quantiles(ordered anyarray, groups bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT jsonb_agg(ordered[greatest((step * cardinality(ordered) + groups - 1) / groups, 1)] ORDER BY step)
FROM generate_series(0, groups) AS step $$;

-- The way back.

CREATE OR REPLACE FUNCTION wh_try_json(given text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN RETURN given::jsonb; EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$;

CREATE OR REPLACE FUNCTION wh_parse_json(given text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN RETURN given::jsonb;
EXCEPTION WHEN OTHERS THEN RAISE EXCEPTION 'Failed to parse input string "%" as JSON', given USING ERRCODE = '22000'; END $$;

CREATE OR REPLACE FUNCTION wh_json_type(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT jsonb_typeof(value) $$;

CREATE OR REPLACE FUNCTION wh_json_at(value jsonb, path text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE step text[]; rest text := path; found jsonb := value;
BEGIN
  IF rest !~ '^\$' THEN PERFORM wh_fail('Invalid JSONPath: ' || path); END IF;
  rest := substr(rest, 2);
  WHILE rest <> '' LOOP
    step := regexp_match(rest, '^(?:\[(\d+)\]|\[''([^'']+)''\]|\."([^"]+)"|\.([^."[]+)|#(-?\d+))');
    IF step IS NULL THEN PERFORM wh_fail('Invalid JSONPath: ' || path); END IF;
    rest := regexp_replace(rest, '^(?:\[\d+\]|\[''[^'']+''\]|\."[^"]+"|\.[^."[]+|#-?\d+)', '');
    IF step[5] IS NOT NULL THEN
      IF jsonb_typeof(found) = 'object' THEN PERFORM wh_fail('the n-th member of an object is not supported'); END IF;
      found := CASE WHEN jsonb_typeof(found) = 'array' AND step[5]::integer <> 0
                    THEN found -> (step[5]::integer - (step[5]::integer > 0)::integer) END;
      CONTINUE;
    END IF;
    found := CASE WHEN step[1] IS NOT NULL AND jsonb_typeof(found) = 'array' THEN found -> step[1]::integer
                  WHEN step[1] IS NULL AND jsonb_typeof(found) = 'object' THEN found -> coalesce(step[2], step[3], step[4]) END;
  END LOOP;
  RETURN nullif(found, 'null');
END $$;

CREATE OR REPLACE FUNCTION wh_json_scalar(value jsonb, path text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN jsonb_typeof(wh_json_at(value, path)) NOT IN ('object', 'array') THEN wh_json_at(value, path) END $$;

-- Numbers.

CREATE OR REPLACE FUNCTION wh_sign(number numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT sign(number) $$;

CREATE OR REPLACE FUNCTION wh_sign(number float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT sign(number) $$;

CREATE OR REPLACE FUNCTION wh_sign(number bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT sign(number)::bigint $$;

CREATE OR REPLACE FUNCTION wh_is_finite(number float8) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT number NOT IN ('NaN', 'Infinity', '-Infinity') $$;

CREATE OR REPLACE FUNCTION wh_round(number float8, digits bigint) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN wh_is_finite(number) AND digits <= 15 THEN round(number::numeric, greatest(digits, -400)::integer)::float8 ELSE number END $$;

CREATE OR REPLACE FUNCTION wh_round_even(number float8, digits bigint) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN NOT wh_is_finite(number) OR abs(digits) > 300 OR abs(number) > 1e15 AND digits > 0 THEN number
       WHEN digits >= 0 THEN round(number * power(10::float8, digits)) / power(10::float8, digits) + 0
       ELSE round(number / power(10::float8, -digits)) * power(10::float8, -digits) + 0 END $$;

CREATE OR REPLACE FUNCTION wh_ascii_lower(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT translate(given, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') $$;

CREATE OR REPLACE FUNCTION wh_ascii_upper(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT translate(given, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') $$;

CREATE OR REPLACE FUNCTION wh_truncate(number float8, digits bigint) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN wh_is_finite(number) AND digits <= 15 THEN trunc(number::numeric, greatest(digits, -400)::integer)::float8 ELSE number END $$;

CREATE OR REPLACE FUNCTION wh_number_text(number float8) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT number::text $$;

CREATE OR REPLACE FUNCTION wh_number_text(number numeric) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT trim_scale(number)::text $$;

CREATE OR REPLACE FUNCTION wh_parse_int64(given text, safe boolean) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE digits text := btrim(given, E' \t\n\r\f\x0b'); hex text[] := regexp_match(digits, '^([+-]?)0[xX]([0-9a-fA-F]{1,15})$');
BEGIN
  IF hex IS NOT NULL THEN
    RETURN (hex[1] || '1')::bigint * ('x' || lpad(hex[2], 16, '0'))::bit(64)::bigint;
  END IF;
  IF digits ~ '^[+-]?\d{1,100}$' AND digits::numeric BETWEEN -9223372036854775808 AND 9223372036854775807 THEN
    RETURN digits::bigint;
  END IF;
  IF NOT safe THEN PERFORM wh_fail('Bad int64 value: ' || given); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION wh_parse_float64(given text, safe boolean) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN wh_spells_number(btrim(given, E' \t\n\r\f\x0b')) OR lower(btrim(given)) ~ '^([+-]?inf(inity)?|nan)$'
            THEN CASE lower(btrim(given)) WHEN 'nan' THEN NULL ELSE btrim(given, E' \t\n\r\f\x0b')::float8 END
            WHEN safe THEN NULL ELSE wh_fail('Bad double value: ' || given)::float8 END $$;

CREATE OR REPLACE FUNCTION wh_parse_number(given text, safe boolean) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN wh_spells_number(btrim(given, E' \t\n\r\f\x0b')) THEN btrim(given, E' \t\n\r\f\x0b')::numeric
            WHEN safe THEN NULL ELSE wh_fail('Invalid NUMERIC value: ' || given)::numeric END $$;

CREATE OR REPLACE FUNCTION wh_parse_bool(given text, safe boolean) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE lower(given) WHEN 'true' THEN true WHEN 'false' THEN false
       ELSE CASE WHEN safe THEN NULL ELSE wh_fail('Bad bool value: ' || given)::boolean END END $$;

CREATE OR REPLACE FUNCTION wh_event_int64(value jsonb, safe boolean) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE jsonb_typeof(value) WHEN 'number' THEN wh_to_int64((value #>> '{}')::numeric, safe)
            WHEN 'boolean' THEN (value #>> '{}')::boolean::integer::bigint
            ELSE wh_parse_int64(value #>> '{}', safe) END $$;

-- Texts.

CREATE OR REPLACE FUNCTION wh_substr(given text, place bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT substr(given, CASE WHEN place > 0 THEN least(place, 2147483647) WHEN place = 0 THEN 1
                          ELSE greatest(length(given) + place + 1, 1) END::integer) $$;

CREATE OR REPLACE FUNCTION wh_substr(given text, place bigint, count bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN count < 0 THEN wh_fail('Third argument in SUBSTR() cannot be negative')
       ELSE left(wh_substr(given, place), least(count, 2147483647)::integer) END $$;

CREATE OR REPLACE FUNCTION wh_left(given text, count bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN count < 0 THEN wh_fail('Second argument in LEFT() cannot be negative')
       ELSE left(given, least(count, 2147483647)::integer) END $$;

CREATE OR REPLACE FUNCTION wh_right(given text, count bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN count < 0 THEN wh_fail('Second argument in RIGHT() cannot be negative')
       ELSE right(given, least(count, 2147483647)::integer) END $$;

CREATE OR REPLACE FUNCTION wh_ends_with(given text, ending text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT right(given, length(ending)) = ending $$;

CREATE OR REPLACE FUNCTION wh_repeat(given text, count bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN count < 0 THEN wh_fail('Second argument in REPEAT() cannot be negative')
            WHEN octet_length(given) * count > 1048576 THEN wh_fail('the text would be too long')
            ELSE repeat(given, count::integer) END $$;

CREATE OR REPLACE FUNCTION wh_lpad(given text, width bigint, filling text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN width < 0 OR filling = '' THEN wh_fail('LPAD() and RPAD() take a length and a text that is not empty')
            WHEN width > 1048576 THEN wh_fail('the text would be too long')
            ELSE lpad(given, width::integer, filling) END $$;

CREATE OR REPLACE FUNCTION wh_rpad(given text, width bigint, filling text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN width < 0 OR filling = '' THEN wh_fail('LPAD() and RPAD() take a length and a text that is not empty')
            WHEN width > 1048576 THEN wh_fail('the text would be too long')
            ELSE rpad(given, width::integer, filling) END $$;

CREATE OR REPLACE FUNCTION wh_split(given text, separator text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN given = '' THEN '[""]'::jsonb ELSE to_jsonb(string_to_array(given, nullif(separator, ''))) END $$;

-- A pattern in this server's spelling: word borders have other names, and a point is no line break.
CREATE OR REPLACE FUNCTION wh_pattern(pattern text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN pattern ~ '^\(\?i\)' THEN '(?ip)' ELSE '(?p)' END ||
       replace(replace(replace(regexp_replace(regexp_replace(pattern, '^\(\?i\)', ''), '\\\\', E'\x01', 'g'),
                               '\b', '\y'), '\B', '\Y'), E'\x01', '\\') $$;

CREATE OR REPLACE FUNCTION wh_regexp_contains(given text, pattern text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT given ~ wh_pattern(pattern) $$;

CREATE OR REPLACE FUNCTION wh_regexp_extract(given text, pattern text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT (regexp_match(given, wh_pattern(pattern)))[1] $$;

CREATE OR REPLACE FUNCTION wh_regexp_extract_all(given text, pattern text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(found[1]), '[]') FROM regexp_matches(given, wh_pattern(pattern), 'g') AS found $$;

CREATE OR REPLACE FUNCTION wh_regexp_replace(given text, pattern text, replacement text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT regexp_replace(given, wh_pattern(pattern), replace(replacement, '\0', '\&'), 'g') $$;

CREATE OR REPLACE FUNCTION wh_regexp_replace_first(given text, pattern text, replacement text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT regexp_replace(given, wh_pattern(pattern), replace(replacement, '\0', '\&')) $$;

CREATE OR REPLACE FUNCTION wh_whole_in(given text, low bigint, high bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN given ~ '^[+-]?[0-9]{1,30}$' THEN
  CASE WHEN given::numeric BETWEEN low AND high THEN given::bigint END END $$;

CREATE OR REPLACE FUNCTION wh_url_decoded(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(convert_from(decode(string_agg(CASE WHEN length(part[1]) = 3 THEN substr(part[1], 2)
    ELSE encode(convert_to(part[1], 'UTF8'), 'hex') END, '' ORDER BY number), 'hex'), 'UTF8'), '')
FROM regexp_matches(given, '%[0-9a-fA-F]{2}|.', 'gs') WITH ORDINALITY AS m(part, number) $$;

CREATE OR REPLACE FUNCTION wh_regexp_groups(given text, pattern text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce((SELECT jsonb_agg(coalesce(part, '') ORDER BY number)
                 FROM unnest(regexp_match(given, wh_pattern(pattern))) WITH ORDINALITY AS g(part, number)), '[]') $$;

CREATE OR REPLACE FUNCTION wh_texts(parts text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(coalesce(part, '') ORDER BY number), '[]') FROM unnest(parts) WITH ORDINALITY AS p(part, number) $$;

CREATE OR REPLACE FUNCTION wh_regexp_all_groups(given text, pattern text, by_group bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN by_group = 0 THEN
    (SELECT coalesce(jsonb_agg(wh_texts(part) ORDER BY number), '[]')
     FROM regexp_matches(given, wh_pattern(pattern), 'g') WITH ORDINALITY AS m(part, number))
  ELSE (SELECT coalesce(jsonb_agg(list ORDER BY place), '[]')
        FROM (SELECT place, jsonb_agg(coalesce(part[place], '') ORDER BY number) AS list
              FROM regexp_matches(given, wh_pattern(pattern), 'g') WITH ORDINALITY AS m(part, number),
                   generate_subscripts(part, 1) AS place GROUP BY place) AS l) END $$;

CREATE OR REPLACE FUNCTION wh_key_values(given text, between_ text, ends text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_object_agg(key, value), '{}')
FROM (SELECT DISTINCT ON (1) coalesce(part[1], part[2]) AS key, coalesce(part[3], part[4], '') AS value
      FROM regexp_matches(given, format('(?:^|[%2$s])(?:"([^"]*)"|([^%1$s%2$s"]+))%1$s(?:"([^"]*)"|([^%2$s"]*))',
             regexp_replace(between_, '([][\\^$.|?*+(){}-])', '\\\1', 'g'), regexp_replace(ends, '([][\\^$.|?*+(){}-])', '\\\1', 'g')), 'g')
           WITH ORDINALITY AS m(part, number) ORDER BY 1, number) AS pairs $$;

CREATE OR REPLACE FUNCTION wh_url_encoded(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(string_agg(CASE WHEN sign ~ '^[A-Za-z0-9._~-]$' THEN sign
    ELSE upper(regexp_replace(encode(convert_to(sign, 'UTF8'), 'hex'), '(..)', '%\1', 'g')) END, '' ORDER BY number), '')
FROM regexp_split_to_table(given, '') WITH ORDINALITY AS s(sign, number) $$;

-- Instants, local times, days.

CREATE OR REPLACE FUNCTION wh_is_moment(given text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT given ~ '^\s*\d{4}-\d{1,2}-\d{1,2}([ Tt]([01]?\d|2[0-3]):[0-5]?\d(:[0-5]?\d(\.\d{1,9})?)?)?\s*([Zz]|UTC|[+-](0?\d|1[0-4])(:?[0-5]\d)?)?\s*$'
   AND given !~ '^\s*0000' $$;

-- Digits beyond microseconds are cut.
CREATE OR REPLACE FUNCTION wh_micros_only(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT regexp_replace(upper(btrim(given)), '(\.\d{6})\d+', '\1') $$;

CREATE OR REPLACE FUNCTION wh_parse_timestamp(given text, safe boolean) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF NOT wh_is_moment(given) THEN RAISE EXCEPTION 'no instant' USING ERRCODE = '22007'; END IF;
  IF given ~ '([Zz]|UTC|:\d\S*[+-]\d{1,2}(:?\d\d)?|\s[+-]\d{1,2}(:?\d\d)?|\d-\d{1,2}-\d{1,2}[+-].*)\s*$' THEN
    RETURN wh_micros_only(given)::timestamptz AT TIME ZONE 'UTC';
  END IF;
  RETURN wh_micros_only(given)::timestamp;
EXCEPTION WHEN data_exception THEN
  IF NOT safe THEN PERFORM wh_fail('Invalid timestamp: ''' || given || ''''); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION wh_parse_datetime(given text, safe boolean) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF NOT wh_is_moment(given) OR given ~ '(UTC|:\d\S*[+-]\d{1,2}(:?\d\d)?|\s[+-].*|\d-\d{1,2}-\d{1,2}[+-].*)\s*$' THEN
    RAISE EXCEPTION 'no local time' USING ERRCODE = '22007';
  END IF;
  RETURN rtrim(wh_micros_only(given), 'Z')::timestamp;
EXCEPTION WHEN data_exception THEN
  IF NOT safe THEN PERFORM wh_fail('Invalid datetime: ''' || given || ''''); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION wh_parse_date(given text, safe boolean) RETURNS date LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF given !~ '^\s*\d{4}-\d{1,2}-\d{1,2}\s*$' OR given ~ '^\s*0000' THEN
    RAISE EXCEPTION 'no day' USING ERRCODE = '22007';
  END IF;
  RETURN given::date;
EXCEPTION WHEN data_exception THEN
  IF NOT safe THEN PERFORM wh_fail('Invalid date: ''' || given || ''''); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION wh_parse_time(given text, safe boolean) RETURNS time LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN given ~ '^\s*([01]?\d|2[0-3]):[0-5]?\d:[0-5]?\d(\.\d{1,9})?\s*$' THEN wh_micros_only(given)::time
            WHEN safe THEN NULL ELSE wh_fail('Invalid time: ''' || given || '''')::time END $$;

CREATE OR REPLACE FUNCTION wh_event_timestamp(value jsonb, safe boolean) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE jsonb_typeof(value) WHEN 'number' THEN wh_from_micros(wh_integer(value))
       ELSE wh_parse_timestamp(value #>> '{}', safe) END $$;

-- A fraction has three digits or six.
CREATE OR REPLACE FUNCTION wh_datetime_text(moment timestamp) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT to_char(moment, CASE WHEN wh_micros(moment) % 1000000 = 0 THEN 'YYYY-MM-DD HH24:MI:SS'
                            WHEN wh_micros(moment) % 1000 = 0 THEN 'YYYY-MM-DD HH24:MI:SS.MS'
                            ELSE 'YYYY-MM-DD HH24:MI:SS.US' END) $$;

CREATE OR REPLACE FUNCTION wh_timestamp_text(moment timestamp) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT wh_datetime_text(moment) || '+00' $$;

CREATE OR REPLACE FUNCTION wh_json_timestamp(moment timestamp) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT replace(wh_datetime_text(moment), ' ', 'T') || 'Z' $$;

-- Weeks begin on the day that stands after `week:`, Sunday being 0.
CREATE OR REPLACE FUNCTION wh_trunc(moment timestamp, unit text) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN unit LIKE 'week:%'
            THEN date_trunc('day', moment) - ((extract(dow FROM moment)::integer - right(unit, 1)::integer + 7) % 7) * interval '1 day'
            WHEN unit = 'isoyear'
            THEN date_trunc('week', make_date(extract(isoyear FROM moment)::integer, 1, 4)::timestamp)
            ELSE date_trunc(unit, moment) END $$;

CREATE OR REPLACE FUNCTION wh_extract(moment timestamp, part text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE part WHEN 'microsecond' THEN wh_micros(moment) - wh_micros(date_trunc('second', moment))
                 WHEN 'millisecond' THEN (wh_micros(moment) - wh_micros(date_trunc('second', moment))) / 1000
                 WHEN 'second' THEN floor(extract(second FROM moment))::bigint
                 WHEN 'dayofweek' THEN extract(dow FROM moment)::bigint + 1
                 WHEN 'dayofyear' THEN extract(doy FROM moment)::bigint
                 WHEN 'week' THEN (extract(doy FROM moment)::bigint - 1 + 7 - extract(dow FROM moment)::bigint) / 7
                 WHEN 'isoweek' THEN extract(week FROM moment)::bigint
                 WHEN 'isoyear' THEN extract(isoyear FROM moment)::bigint
                 WHEN 'minute' THEN extract(minute FROM moment)::bigint
                 WHEN 'hour' THEN extract(hour FROM moment)::bigint
                 WHEN 'day' THEN extract(day FROM moment)::bigint
                 WHEN 'month' THEN extract(month FROM moment)::bigint
                 WHEN 'quarter' THEN extract(quarter FROM moment)::bigint
                 ELSE extract(year FROM moment)::bigint END $$;

CREATE OR REPLACE FUNCTION wh_period(moment timestamp, unit text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE unit WHEN 'month' THEN wh_extract(moment, 'year') * 12 + wh_extract(moment, 'month')
                 WHEN 'quarter' THEN wh_extract(moment, 'year') * 4 + wh_extract(moment, 'quarter') - 1
                 ELSE wh_extract(moment, unit) END $$;

-- A bare offset counts east of Greenwich, unlike this server's.
CREATE OR REPLACE FUNCTION wh_offset(zone text) RETURNS interval LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT (left(zone, 1) || regexp_replace(substr(zone, 2), '^(\d{1,2}):?(\d\d)?$', '\1 hours ') ||
        left(zone, 1) || coalesce((regexp_match(zone, '\d:?(\d\d)$'))[1], '0') || ' minutes')::interval $$;

-- This server also takes names made up of letters and a number for zones of their own.
CREATE OR REPLACE FUNCTION wh_zone(zone text) RETURNS text LANGUAGE sql STABLE STRICT AS $$
SELECT CASE WHEN zone ~ '\d' AND NOT EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower(zone))
            THEN wh_fail('Invalid time zone: ' || zone) ELSE zone END $$;

CREATE OR REPLACE FUNCTION wh_to_zone(moment timestamp, zone text) RETURNS timestamp LANGUAGE sql STABLE STRICT AS $$
SELECT CASE WHEN zone ~ '^[+-]' THEN moment + wh_offset(zone) ELSE moment AT TIME ZONE 'UTC' AT TIME ZONE wh_zone(zone) END $$;

CREATE OR REPLACE FUNCTION wh_from_zone(moment timestamp, zone text) RETURNS timestamp LANGUAGE sql STABLE STRICT AS $$
SELECT CASE WHEN zone ~ '^[+-]' THEN moment - wh_offset(zone) ELSE moment AT TIME ZONE wh_zone(zone) AT TIME ZONE 'UTC' END $$;

CREATE OR REPLACE FUNCTION wh_make_date(year bigint, month bigint, day bigint) RETURNS date LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT make_date(year::integer, month::integer, day::integer) $$;

CREATE OR REPLACE FUNCTION wh_make_datetime(year bigint, month bigint, day bigint, hour bigint, minute bigint, second bigint)
RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT make_timestamp(year::integer, month::integer, day::integer, hour::integer, minute::integer, second) $$;

CREATE OR REPLACE FUNCTION wh_format(format text, moment timestamp) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE out text := ''; element text; part text;
BEGIN
  FOR element IN SELECT piece[1] FROM regexp_matches(format, '%E[\d*]S|%E4Y|%E0[mu]|%E2[ab]|%.|[^%]+|%', 'g') AS piece LOOP
    part := CASE element
      WHEN '%Y' THEN 'YYYY' WHEN '%E4Y' THEN 'YYYY' WHEN '%y' THEN 'YY' WHEN '%m' THEN 'MM' WHEN '%d' THEN 'DD'
      WHEN '%H' THEN 'HH24' WHEN '%I' THEN 'HH12' WHEN '%M' THEN 'MI' WHEN '%S' THEN 'SS' WHEN '%E3S' THEN 'SS.MS'
      WHEN '%E6S' THEN 'SS.US' WHEN '%j' THEN 'DDD' WHEN '%Q' THEN 'Q' WHEN '%u' THEN 'ID' WHEN '%G' THEN 'IYYY' WHEN '%V' THEN 'IW'
      WHEN '%a' THEN 'Dy' WHEN '%A' THEN 'FMDay' WHEN '%b' THEN 'Mon' WHEN '%h' THEN 'Mon' WHEN '%B' THEN 'FMMonth'
      WHEN '%E0m' THEN 'MS' WHEN '%E0u' THEN 'US' WHEN '%E2a' THEN 'DY' WHEN '%E2b' THEN 'MON'
      WHEN '%p' THEN 'AM' WHEN '%F' THEN 'YYYY-MM-DD' WHEN '%T' THEN 'HH24:MI:SS' WHEN '%X' THEN 'HH24:MI:SS'
      WHEN '%R' THEN 'HH24:MI' WHEN '%D' THEN 'MM/DD/YY' WHEN '%x' THEN 'MM/DD/YY' END;
    out := out || CASE WHEN part IS NOT NULL THEN to_char(moment, part)
                       WHEN element = '%%' THEN '%'
                       WHEN element = '%e' THEN lpad(extract(day FROM moment)::text, 2)
                       WHEN element = '%w' THEN extract(dow FROM moment)::text
                       WHEN element = '%c' THEN to_char(moment, 'Dy Mon ') || lpad(extract(day FROM moment)::text, 2) || to_char(moment, ' HH24:MI:SS YYYY')
                       WHEN element = '%C' THEN to_char(div(extract(year FROM moment), 100), 'FM00')
                       WHEN element = '%g' THEN to_char(moment, 'IY')
                       WHEN element = '%k' THEN lpad(extract(hour FROM moment)::text, 2)
                       WHEN element = '%l' THEN lpad(to_char(moment, 'FMHH12'), 2)
                       WHEN element = '%P' THEN to_char(moment, 'am')
                       WHEN element = '%U' THEN to_char(div(extract(doy FROM moment) + 6 - extract(dow FROM moment), 7), 'FM00')
                       WHEN element = '%W' THEN to_char(div(extract(doy FROM moment) + 7 - extract(isodow FROM moment), 7), 'FM00')
                       WHEN element = '%n' THEN E'\n'
                       WHEN element = '%t' THEN E'\t'
                       WHEN element = '%E*S' THEN rtrim(rtrim(to_char(moment, 'SS.US'), '0'), '.')
                       WHEN element = '%E0S' THEN to_char(moment, 'SS')
                       WHEN element LIKE '\%E_S' AND substr(element, 3, 1) BETWEEN '1' AND '5'
                         THEN left(to_char(moment, 'SS.US'), 3 + substr(element, 3, 1)::integer)
                       WHEN element = '%s' THEN wh_floor_div(wh_micros(moment), 1000000)::text
                       WHEN element LIKE '\%%' THEN wh_fail('the format element ' || element || ' is not supported')
                       ELSE element END;
  END LOOP;
  RETURN out;
END $$;

CREATE OR REPLACE FUNCTION wh_generate_moments(first timestamp, last timestamp, count bigint, unit text, days boolean)
RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  step interval := CASE unit WHEN 'quarter' THEN 3 * count * interval '1 month' ELSE count * ('1 ' || unit)::interval END;
  moment timestamp := first; number bigint := 0; found bigint[] := '{}';
BEGIN
  IF count = 0 THEN PERFORM wh_fail('Sequence step cannot be 0.'); END IF;
  WHILE CASE WHEN count > 0 THEN moment <= last ELSE moment >= last END LOOP
    IF number = 1000000 THEN PERFORM wh_fail('the array would have too many elements'); END IF;
    found := found || CASE WHEN days THEN moment::date - date '1970-01-01' ELSE wh_micros(moment) END;
    number := number + 1;
    moment := first + number * step;
  END LOOP;
  RETURN to_jsonb(found);
END $$;

-- A text read by the elements of a format; what it does not say is as at the beginning of 1970.
CREATE OR REPLACE FUNCTION wh_strptime(format text, given text, safe boolean) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  pattern text := '^'; elements text[] := '{}'; piece text; part text; found text[]; number integer;
  year integer := 1970; month integer := 1; day integer := 1; hour integer := 0; minute integer := 0; second text := '0';
  late boolean; shift interval := '0'; since bigint; clock numeric;
BEGIN
  FOR piece IN SELECT p[1] FROM regexp_matches(
    replace(replace(replace(replace(format, '%F', '%Y-%m-%d'), '%T', '%H:%M:%S'), '%R', '%H:%M'), '%D', '%m/%d/%y'),
    '%Ez|%E.S|%E4Y|%.|.|\n', 'g') AS p LOOP
    part := CASE
      WHEN piece ~ '^\s$' THEN '\s*'
      WHEN piece IN ('%Y', '%E4Y') THEN '(\d{1,4})'
      WHEN piece IN ('%m', '%M', '%S') THEN '(\d{1,2})'
      WHEN piece IN ('%d', '%e', '%H', '%k', '%I', '%l') THEN ' *(\d{1,2})'
      WHEN piece = '%y' THEN '(\d{2})'
      WHEN piece IN ('%b', '%B', '%h', '%a', '%A') THEN '([A-Za-z]+)'
      WHEN piece = '%p' THEN '([AaPp][Mm])'
      WHEN piece = '%s' THEN '(-?\d{1,11})'
      WHEN piece IN ('%z', '%Ez') THEN '(Z|[+-]\d{2}:?\d{2})'
      WHEN piece LIKE '\%E_S' THEN '(\d{1,2}(?:\.\d+)?)'
      WHEN piece = '%%' THEN '%'
      WHEN piece LIKE '\%%' THEN NULL
      ELSE regexp_replace(piece, '([^\w])', '\\\1') END;
    IF part IS NULL THEN PERFORM wh_fail('the format ' || format || ' is not supported'); END IF;
    pattern := pattern || part;
    IF part LIKE '%(%' AND piece LIKE '\%_%' AND piece <> '%%' THEN elements := elements || piece; END IF;
  END LOOP;
  found := regexp_match(given, pattern || '$');
  IF found IS NULL THEN RAISE EXCEPTION 'another form' USING ERRCODE = '22007'; END IF;
  FOR number IN 1 .. coalesce(cardinality(elements), 0) LOOP
    part := found[number];
    CASE
      WHEN elements[number] IN ('%Y', '%E4Y') THEN year := part::integer;
      WHEN elements[number] = '%y' THEN year := part::integer + CASE WHEN part::integer < 69 THEN 2000 ELSE 1900 END;
      WHEN elements[number] = '%m' THEN month := part::integer;
      WHEN elements[number] IN ('%b', '%B', '%h') THEN
        month := array_position(ARRAY['jan','feb','mar','apr','may','jun','jul','aug','sep','oct','nov','dec'], lower(left(part, 3)));
        IF month IS NULL THEN RAISE EXCEPTION 'no month' USING ERRCODE = '22007'; END IF;
      WHEN elements[number] IN ('%d', '%e') THEN day := part::integer;
      WHEN elements[number] IN ('%H', '%k') THEN hour := part::integer;
      WHEN elements[number] IN ('%I', '%l') THEN
        hour := part::integer;
        IF hour NOT BETWEEN 1 AND 12 THEN RAISE EXCEPTION 'no hour' USING ERRCODE = '22007'; END IF;
      WHEN elements[number] = '%M' THEN minute := part::integer;
      WHEN elements[number] = '%p' THEN late := lower(part) = 'pm';
      WHEN elements[number] = '%s' THEN since := part::bigint;
      WHEN elements[number] IN ('%z', '%Ez') THEN shift := CASE WHEN part = 'Z' THEN interval '0' ELSE wh_offset(part) END;
      WHEN elements[number] IN ('%a', '%A') THEN NULL;
      ELSE second := part;
    END CASE;
  END LOOP;
  IF since IS NOT NULL THEN RETURN wh_from_micros(since * 1000000); END IF;
  IF late IS NOT NULL THEN hour := hour % 12 + CASE WHEN late THEN 12 ELSE 0 END; END IF;
  clock := trunc(second::numeric, 6);
  IF hour > 23 OR minute > 59 OR clock >= 60 OR year < 1 THEN RAISE EXCEPTION 'no time' USING ERRCODE = '22007'; END IF;
  RETURN make_date(year, month, day) + hour * interval '1 hour' + minute * interval '1 minute'
         + (clock * 1000000)::bigint * interval '1 microsecond' - shift;
EXCEPTION WHEN datetime_field_overflow OR invalid_datetime_format THEN
  IF NOT safe THEN PERFORM wh_fail('Failed to parse input string "' || given || '"'); END IF;
  RETURN NULL;
END $$;

-- What flags of FORMAT ask for: sign, thousands, width.
CREATE OR REPLACE FUNCTION wh_directive(given text, flags text, width bigint) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  sign text := CASE WHEN left(given, 1) = '-' THEN '-' WHEN flags LIKE '%+%' THEN '+' WHEN flags LIKE '% %' THEN ' ' ELSE '' END;
  digits text := regexp_replace(given, '^-', ''); missing integer;
BEGIN
  IF flags LIKE '%''%' THEN
    digits := ltrim(reverse(regexp_replace(reverse(split_part(digits, '.', 1)), '(\d{3})', '\1,', 'g')), ',') ||
              coalesce(substring(digits FROM '\..*$'), '');
  END IF;
  missing := greatest(width - length(sign) - length(digits), 0);
  RETURN CASE WHEN flags LIKE '%-%' THEN sign || digits || repeat(' ', missing)
              WHEN flags LIKE '%0%' THEN sign || repeat('0', missing) || digits
              ELSE repeat(' ', missing) || sign || digits END;
END $$;

CREATE OR REPLACE FUNCTION wh_fixed(number float8, digits bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT round(number::numeric, digits::integer)::text $$;

-- The number of the next round of a common table expression that reads itself.
CREATE OR REPLACE FUNCTION wh_round_after(round bigint) RETURNS bigint LANGUAGE sql VOLATILE STRICT AS $$
SELECT CASE WHEN round < 500 THEN round + 1
       ELSE wh_fail('A recursive common table expression has reached the maximum number of iterations: 500')::bigint END $$;

CREATE OR REPLACE FUNCTION wh_whole_or_null(number numeric) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN number BETWEEN -9223372036854775808 AND 9223372036854775807 THEN number::bigint END $$;

CREATE OR REPLACE FUNCTION wh_range_bucket(point float8, borders jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT count(*) FROM jsonb_array_elements(borders) AS e(value) WHERE wh_only_number(value) <= point $$;

CREATE OR REPLACE FUNCTION wh_chr(code bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN code BETWEEN 1 AND 1114111 AND code NOT BETWEEN 55296 AND 57343 THEN chr(code::integer)
       ELSE wh_fail(code || ' is the number of no character') END $$;

CREATE OR REPLACE FUNCTION wh_from_hex(given text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN given ~ '^([0-9a-fA-F]{2})*$' THEN decode(given, 'hex') ELSE wh_fail(given || ' is not hexadecimal')::bytea END $$;

CREATE OR REPLACE FUNCTION wh_from_base64(given text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN given ~ '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$' THEN decode(given, 'base64')
       ELSE wh_fail(given || ' is not base64')::bytea END $$;

CREATE OR REPLACE FUNCTION wh_regexp_instr(given text, pattern text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT regexp_instr(given, wh_pattern(pattern))::bigint $$;

-- Lists of JSON, and what stands in them.

CREATE OR REPLACE FUNCTION wh_json_texts(value jsonb, path text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN (SELECT bool_and(jsonb_typeof(item) NOT IN ('object', 'array')) IS NOT FALSE FROM jsonb_array_elements(list) AS e(item))
            THEN (SELECT coalesce(jsonb_agg(item #>> '{}' ORDER BY number), '[]') FROM jsonb_array_elements(list) WITH ORDINALITY AS e(item, number)) END
FROM (SELECT wh_only_list(wh_json_at(value, path)) AS list) AS q WHERE list IS NOT NULL $$;

CREATE OR REPLACE FUNCTION wh_json_parts(value jsonb, path text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT (SELECT coalesce(jsonb_agg(wh_json_text(item) ORDER BY number), '[]') FROM jsonb_array_elements(list) WITH ORDINALITY AS e(item, number))
FROM (SELECT wh_only_list(wh_json_at(value, path)) AS list) AS q WHERE list IS NOT NULL $$;

CREATE OR REPLACE FUNCTION wh_json_keys(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
WITH RECURSIVE k(path, item) AS (
  SELECT key, inside FROM jsonb_each(CASE jsonb_typeof(value) WHEN 'object' THEN value ELSE '{}' END) AS e(key, inside)
  UNION ALL
  SELECT path || '.' || e.key, e.value FROM k, jsonb_each(CASE jsonb_typeof(item) WHEN 'object' THEN item ELSE '{}' END) AS e)
SELECT coalesce(jsonb_agg(path ORDER BY path COLLATE "C"), '[]') FROM k $$;

-- The values at the end of a path, in every element of the lists on the way; null for one that is missing.
CREATE OR REPLACE FUNCTION wh_along_rows(value jsonb, path text[]) RETURNS SETOF jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF jsonb_typeof(value) = 'array' THEN
    RETURN QUERY SELECT r FROM jsonb_array_elements(value) AS e(item), wh_along_rows(item, path) AS r;
  ELSIF cardinality(path) = 0 THEN
    RETURN NEXT value;
  ELSE
    RETURN QUERY SELECT r FROM wh_along_rows(coalesce(value -> path[1], 'null'), path[2:]) AS r;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION wh_along(value jsonb, path text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(r), '[]') FROM wh_along_rows(value, string_to_array(path, '.')) AS r $$;

-- The scalars in an object, as texts by their paths. Elements of lists have the path of the list; the last one counts.
CREATE OR REPLACE FUNCTION wh_flat_texts(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
WITH RECURSIVE k(path, item, place) AS (
  SELECT '', value, ARRAY[]::bigint[]
  UNION ALL
  SELECT e.path, e.item, e.place FROM k, LATERAL (
    SELECT CASE k.path WHEN '' THEN key ELSE k.path || '.' || key END, inside, k.place || 0::bigint
    FROM jsonb_each(CASE jsonb_typeof(k.item) WHEN 'object' THEN k.item ELSE '{}' END) AS o(key, inside)
    UNION ALL
    SELECT k.path, inside, k.place || n
    FROM jsonb_array_elements(CASE WHEN jsonb_typeof(k.item) = 'array'
        AND jsonb_path_exists(k.item, 'strict $[*] ? (@.type() == "object" || @.type() == "array")') THEN k.item ELSE '[]' END)
      WITH ORDINALITY AS l(inside, n)
  ) AS e(path, item, place))
SELECT coalesce(jsonb_object_agg(path, CASE jsonb_typeof(item) WHEN 'array' THEN wh_json_text(item) ELSE item #>> '{}' END ORDER BY place), '{}')
FROM k WHERE path <> '' AND (jsonb_typeof(item) NOT IN ('object', 'array', 'null')
                             OR jsonb_typeof(item) = 'array' AND NOT jsonb_path_exists(item, 'strict $[*] ? (@.type() == "object" || @.type() == "array")')) $$;

CREATE OR REPLACE FUNCTION wh_map_text(map jsonb, key text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(map ->> key, '') $$;

CREATE OR REPLACE FUNCTION wh_map_keys(map jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(key ORDER BY key COLLATE "C"), '[]')
FROM jsonb_object_keys(CASE jsonb_typeof(map) WHEN 'object' THEN map ELSE '{}' END) AS k(key) $$;

CREATE OR REPLACE FUNCTION wh_map_entries(map jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(jsonb_build_object('_field_1', key, '_field_2', value) ORDER BY key COLLATE "C"), '[]')
FROM jsonb_each(CASE jsonb_typeof(map) WHEN 'object' THEN map ELSE '{}' END) AS e(key, value) $$;

CREATE OR REPLACE FUNCTION wh_map_value(map jsonb, key text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE jsonb_typeof(map) WHEN 'object' THEN coalesce(map -> key,
  (SELECT CASE jsonb_typeof(value) WHEN 'number' THEN '0'::jsonb ELSE '""'::jsonb END FROM jsonb_each(map) AS e(first, value) ORDER BY first COLLATE "C" LIMIT 1),
  '""'::jsonb) END $$;

CREATE OR REPLACE FUNCTION wh_map_of(pairs jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_object_agg(pair ->> '_field_1', pair -> '_field_2' ORDER BY number) FILTER (WHERE pair ->> '_field_1' IS NOT NULL), '{}')
FROM jsonb_array_elements(pairs) WITH ORDINALITY AS p(pair, number) $$;

CREATE OR REPLACE FUNCTION wh_json_own_keys(given text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN jsonb_typeof(wh_try_json(given)) = 'object' THEN
  (SELECT coalesce(jsonb_agg(key ORDER BY number), '[]') FROM json_object_keys(given::json) WITH ORDINALITY AS k(key, number))
  ELSE '[]' END $$;

-- How often events follow each other as the steps say, or whether they do. A step back goes on with the next event.
CREATE OR REPLACE FUNCTION wh_list_sequence(list jsonb, pattern text, many boolean) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  steps text[] := string_to_array(pattern, ' ');
  times bigint[]; masks bigint[];
  total integer; found bigint := 0; start integer := 1;
  step integer; event integer; base integer;
  steps_back integer[]; events_back integer[]; bases_back integer[];
  depth integer; word text; bound bigint; met boolean; stays boolean; waits boolean; failed boolean;
BEGIN
  SELECT array_agg(t ORDER BY t, n), array_agg(m ORDER BY t, n) INTO times, masks
  FROM (SELECT (e ->> '_field_1')::bigint AS t, (e ->> '_field_2')::bigint AS m, n
        FROM jsonb_array_elements(list) WITH ORDINALITY AS l(e, n)) AS q WHERE m <> 0 AND t IS NOT NULL;
  total := coalesce(cardinality(times), 0);
  WHILE start <= total LOOP
    step := 1; event := start; base := start; depth := 0; failed := false;
    steps_back := '{}'; events_back := '{}'; bases_back := '{}';
    WHILE NOT failed AND step <= cardinality(steps) AND event <= total LOOP
      word := steps[step];
      stays := word ~ '^[*<>=]'; waits := false;
      IF word IN ('*', '.') THEN
        met := true;
      ELSIF stays THEN
        bound := times[base] + ltrim(word, '<>=')::bigint;
        met := CASE WHEN word LIKE '<=%' THEN times[event] <= bound WHEN word LIKE '<%' THEN times[event] < bound
                    WHEN word LIKE '>=%' THEN times[event] >= bound WHEN word LIKE '>%' THEN times[event] > bound
                    ELSE times[event] = bound END;
        waits := word LIKE '>%' OR (word LIKE '==%' AND times[event] < bound);
      ELSE
        met := (masks[event] >> (word::integer - 1)) & 1 = 1;
      END IF;
      IF met AND stays THEN
        depth := depth + 1;
        steps_back[depth] := step; events_back[depth] := event; bases_back[depth] := base;
        base := event; step := step + 1;
      ELSIF met THEN
        base := event; step := step + 1; event := event + 1;
      ELSIF waits AND event < total THEN
        event := event + 1;
      ELSE
        LOOP
          IF depth = 0 THEN failed := true; EXIT; END IF;
          step := steps_back[depth]; event := events_back[depth] + 1; base := bases_back[depth];
          depth := depth - 1;
          EXIT WHEN event <= total;
        END LOOP;
      END IF;
    END LOOP;
    WHILE NOT failed AND steps[step] = '*' LOOP step := step + 1; END LOOP;
    EXIT WHEN failed OR step <= cardinality(steps);
    found := found + 1;
    EXIT WHEN NOT many;
    start := event;
  END LOOP;
  RETURN found;
END $$;

-- A histogram: each bin has a mean and a weight, and the nearest two become one until there are few enough.
CREATE OR REPLACE FUNCTION wh_list_histogram(list jsonb, most bigint) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  given float8[];
  means float8[] := '{}'; weights float8[] := '{}';
  at integer; nearest integer; n integer := 0; total integer;
  lower float8; upper float8; height float8;
  bins jsonb := '[]';
BEGIN
  SELECT array_agg((value #>> '{}')::float8 ORDER BY number) INTO given
  FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number) WHERE jsonb_typeof(value) = 'number';
  total := coalesce(cardinality(given), 0);
  FOR place IN 1 .. total + 1 LOOP
    IF place <= total THEN
      means := means || given[place]; weights := weights || 1::float8;
    END IF;
    IF cardinality(means) >= most * 2 OR place > total THEN
      SELECT array_agg(m ORDER BY m, i), array_agg(w ORDER BY m, i) INTO means, weights FROM unnest(means, weights) WITH ORDINALITY AS u(m, w, i);
      WHILE cardinality(means) > most LOOP
        nearest := 1;
        FOR at IN 2 .. cardinality(means) - 1 LOOP
          IF means[at + 1] - means[at] < means[nearest + 1] - means[nearest] THEN nearest := at; END IF;
        END LOOP;
        means[nearest] := (means[nearest] * weights[nearest] + means[nearest + 1] * weights[nearest + 1]) / (weights[nearest] + weights[nearest + 1]);
        weights[nearest] := weights[nearest] + weights[nearest + 1];
        means := means[:nearest] || means[nearest + 2:]; weights := weights[:nearest] || weights[nearest + 2:];
      END LOOP;
    END IF;
  END LOOP;
  n := coalesce(cardinality(means), 0);
  SELECT min(value) INTO lower FROM unnest(given) AS value;
  FOR place IN 1 .. n LOOP
    height := CASE WHEN place = 1 THEN weights[place] / 2 ELSE (3 * weights[place] + weights[place - 1]) / 8 END
            + CASE WHEN place = n THEN weights[place] / 2 ELSE (3 * weights[place] + weights[place + 1]) / 8 END;
    IF place = n THEN SELECT max(value) INTO upper FROM unnest(given) AS value; ELSE upper := (means[place] + means[place + 1]) / 2; END IF;
    bins := bins || jsonb_build_object('_field_1', lower, '_field_2', upper, '_field_3', height);
    lower := upper;
  END LOOP;
  RETURN bins;
END $$;

CREATE OR REPLACE FUNCTION wh_map_values(map jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(value ORDER BY key COLLATE "C"), '[]')
FROM jsonb_each(CASE jsonb_typeof(map) WHEN 'object' THEN map ELSE '{}' END) AS e(key, value) $$;

-- Nulls first, then texts, then numbers by size; of two values as frequent, the lesser first.
CREATE OR REPLACE FUNCTION wh_top_count(list jsonb, most bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(jsonb_build_object('value', value, 'count', n)
                          ORDER BY n DESC, wh_only_number(value) NULLS FIRST, (value #>> '{}') COLLATE "C" NULLS FIRST), '[]')
FROM (SELECT value, count(*) AS n FROM jsonb_array_elements(list) AS e(value) GROUP BY value
      ORDER BY n DESC, wh_only_number(value) NULLS FIRST, (value #>> '{}') COLLATE "C" NULLS FIRST LIMIT most) AS q $$;

CREATE OR REPLACE FUNCTION wh_top(list jsonb, most bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(found -> 'value' ORDER BY number), '[]')
FROM jsonb_array_elements(wh_top_count(list, most)) WITH ORDINALITY AS f(found, number) $$;

CREATE OR REPLACE FUNCTION wh_top_items(list jsonb, most bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(jsonb_build_object('item', found -> 'value', 'count', found -> 'count', 'error', 0) ORDER BY number), '[]')
FROM jsonb_array_elements(wh_top_count(list, most)) WITH ORDINALITY AS f(found, number) $$;

CREATE OR REPLACE FUNCTION wh_percentile_disc(list jsonb, fraction float8) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT sorted[greatest(ceil(fraction * cardinality(sorted)), 1)::integer]
FROM (SELECT array_agg(value ORDER BY wh_only_number(value) NULLS FIRST, (value #>> '{}') COLLATE "C") AS sorted
      FROM jsonb_array_elements(list) AS e(value) WHERE jsonb_typeof(value) <> 'null') AS q $$;

CREATE OR REPLACE FUNCTION wh_percentile_cont(list jsonb, fraction float8) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT to_jsonb(percentile_cont(fraction) WITHIN GROUP (ORDER BY (value #>> '{}')::float8))
FROM jsonb_array_elements(list) AS e(value) WHERE jsonb_typeof(value) <> 'null' $$;

-- Addresses of the web, and of machines.

CREATE OR REPLACE FUNCTION wh_net_host(url text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT (regexp_match(url, '^\s*(?:[A-Za-z][A-Za-z0-9+.-]*://|//)?(?:[^/?#@]*@)?(\[[^]]*\]|[^/?#:\s]+)'))[1] $$;

CREATE OR REPLACE FUNCTION wh_ip(given text, safe boolean) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF given !~ '^(\d{1,3}(\.\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$' OR given ~ '(^|\.)0\d' THEN
    RAISE EXCEPTION 'no address' USING ERRCODE = '22P02';
  END IF;
  RETURN substring(inet_send(given::inet) FROM 5);
EXCEPTION WHEN invalid_text_representation THEN
  IF NOT safe THEN PERFORM wh_fail('Invalid IP address: ' || given); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION wh_ip_text(address bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE length(address)
  WHEN 4 THEN get_byte(address, 0) || '.' || get_byte(address, 1) || '.' || get_byte(address, 2) || '.' || get_byte(address, 3)
  WHEN 16 THEN host(rtrim(regexp_replace(encode(address, 'hex'), '(.{4})', '\1:', 'g'), ':')::inet)
  ELSE wh_fail(length(address) || ' bytes are no IP address') END $$;

CREATE OR REPLACE FUNCTION wh_ip_trunc(address bytea, bits bigint) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE out bytea := address;
BEGIN
  IF bits < 0 OR bits > length(address) * 8 THEN
    PERFORM wh_fail('an IP address of ' || length(address) || ' bytes has no prefix of ' || bits || ' bits');
  END IF;
  FOR at IN bits .. length(address) * 8 - 1 LOOP
    out := set_bit(out, (at / 8) * 8 + 7 - at % 8, 0);
  END LOOP;
  RETURN out;
END $$;

-- Changes of JSON at a path of names, separated by dots.

CREATE OR REPLACE FUNCTION wh_json_put(value jsonb, steps text[], new jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF cardinality(steps) = 0 THEN RETURN new; END IF;
  IF value IS NULL OR value = 'null' THEN value := '{}'; END IF;
  IF jsonb_typeof(value) <> 'object' THEN RETURN value; END IF;
  RETURN value || jsonb_build_object(steps[1], wh_json_put(value -> steps[1], steps[2:], new));
END $$;

CREATE OR REPLACE FUNCTION wh_json_put(value jsonb, path text, new jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT wh_json_put(value, string_to_array(path, '.'), new) $$;

CREATE OR REPLACE FUNCTION wh_json_cut(value jsonb, path text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN jsonb_typeof(value) = 'object' THEN value #- string_to_array(path, '.') ELSE value END $$;

-- What the columnar dialect is written with.

CREATE OR REPLACE FUNCTION wh_float_divide(number float8, divisor float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN divisor <> 0 THEN number / divisor WHEN number = 0 THEN NULL
            WHEN number > 0 THEN 'Infinity'::float8 ELSE '-Infinity'::float8 END $$;

CREATE OR REPLACE FUNCTION wh_float_mod(number float8, divisor float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT number - divisor * trunc(number / nullif(divisor, 0)) $$;

CREATE OR REPLACE FUNCTION wh_earlier(one anyelement, other anyelement) RETURNS anyelement LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT one $$;

CREATE OR REPLACE AGGREGATE wh_first(anyelement) (SFUNC = wh_earlier, STYPE = anyelement);

CREATE OR REPLACE FUNCTION wh_later(one anyelement, other anyelement) RETURNS anyelement LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT other $$;

CREATE OR REPLACE AGGREGATE wh_last(anyelement) (SFUNC = wh_later, STYPE = anyelement);

CREATE OR REPLACE FUNCTION wh_float_text(number float8) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN number = 'NaN' THEN 'nan' WHEN number = 'Infinity' THEN 'inf' WHEN number = '-Infinity' THEN '-inf'
            WHEN number = 0 OR abs(number) >= 1e-6 AND abs(number) < 1e21 THEN trim_scale(number::text::numeric)::text
            ELSE regexp_replace(number::text, 'e([-]?)[+]?0*', 'e\1') END $$;

CREATE OR REPLACE FUNCTION wh_float_text(number numeric) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT wh_float_text(number::float8) $$;

CREATE OR REPLACE FUNCTION wh_quoted(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT '''' || replace(replace(given, '\', '\\'), '''', '\''') || '''' $$;

CREATE OR REPLACE FUNCTION wh_shown_inside(value jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  CASE jsonb_typeof(value)
    WHEN 'object' THEN
      IF value <> '{}' AND NOT EXISTS (SELECT FROM jsonb_object_keys(value) AS k WHERE k NOT LIKE '\_field\_%') THEN
        RETURN '(' || (SELECT string_agg(wh_shown_inside(item), ',' ORDER BY length(key), key COLLATE "C") FROM jsonb_each(value) AS e(key, item)) || ')';
      END IF;
      RETURN '{' || coalesce((SELECT string_agg(wh_quoted(key) || ':' || wh_shown_inside(item), ',' ORDER BY key COLLATE "C")
                              FROM jsonb_each(value) AS e(key, item)), '') || '}';
    WHEN 'array' THEN
      RETURN '[' || coalesce((SELECT string_agg(wh_shown_inside(item), ',' ORDER BY number)
                              FROM jsonb_array_elements(value) WITH ORDINALITY AS e(item, number)), '') || ']';
    WHEN 'string' THEN RETURN wh_quoted(value #>> '{}');
    WHEN 'null' THEN RETURN 'NULL';
    WHEN 'number' THEN RETURN wh_float_text((value #>> '{}')::numeric);
    ELSE RETURN value::text;
  END CASE;
END $$;

CREATE OR REPLACE FUNCTION wh_shown(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE jsonb_typeof(value) WHEN 'string' THEN value #>> '{}' WHEN 'null' THEN NULL ELSE wh_shown_inside(value) END $$;

CREATE OR REPLACE FUNCTION wh_signed_part(given text, place bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN place = 0 THEN '' ELSE wh_substr(given, place) END $$;

CREATE OR REPLACE FUNCTION wh_signed_part(given text, place bigint, count bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN place = 0 THEN ''
  ELSE (SELECT CASE WHEN ending <= greatest(start, 0) THEN ''
                    ELSE substr(given, greatest(start, 0)::integer + 1, (least(ending, length(given)) - greatest(start, 0))::integer) END
        FROM (SELECT start, CASE WHEN count < 0 THEN length(given) + count ELSE least(start + least(count, 2147483647), length(given)) END AS ending
              FROM (SELECT CASE WHEN place > 0 THEN least(place, 2147483647) - 1 ELSE length(given) + greatest(place, -2147483648) END AS start) AS s) AS e) END $$;

CREATE OR REPLACE FUNCTION wh_within(number bigint, low bigint, high bigint, name text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN number BETWEEN low AND high THEN number ELSE wh_fail(name || ' out of range')::bigint END $$;

CREATE OR REPLACE FUNCTION wh_loose_date(given text) RETURNS date LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN p[2]::integer BETWEEN 1 AND 12 AND p[3]::integer BETWEEN 1 AND 31 AND p[1] <> '0000'
            THEN make_date(p[1]::integer, p[2]::integer, 1) + p[3]::integer - 1 END
FROM regexp_match(given, '^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$') AS p $$;

CREATE OR REPLACE FUNCTION wh_map_totals(maps jsonb, how text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_object_agg(key, CASE how WHEN 'sum' THEN total WHEN 'min' THEN least ELSE greatest END), '{}')
FROM (SELECT key, sum(item::numeric) AS total, min(item::numeric) AS least, max(item::numeric) AS greatest
      FROM jsonb_array_elements(maps) AS m(map), jsonb_each_text(map) AS e(key, item) GROUP BY key) AS totals $$;

-- Lists whose elements are compared.

CREATE OR REPLACE FUNCTION wh_list_positions(list jsonb, item jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(number ORDER BY number), '[]') FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number) WHERE value = item $$;

CREATE OR REPLACE FUNCTION wh_list_position(list jsonb, item jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT min(number) FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number) WHERE value = item $$;

CREATE OR REPLACE FUNCTION wh_list_without(list jsonb, item jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(value ORDER BY number), '[]') FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number) WHERE value <> item $$;

CREATE OR REPLACE FUNCTION wh_list_replaced(list jsonb, old jsonb, new jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(CASE WHEN value = old THEN new ELSE value END ORDER BY number), '[]')
FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number) $$;

CREATE OR REPLACE FUNCTION wh_list_overlaps(one jsonb, other jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT EXISTS (SELECT 1 FROM jsonb_array_elements(one) AS a(value) JOIN jsonb_array_elements(other) AS b(value) USING (value)
               WHERE value <> 'null') $$;

CREATE OR REPLACE FUNCTION wh_list_part(list jsonb, first bigint, last bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(value ORDER BY number), '[]') FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number)
WHERE number BETWEEN first AND last $$;

CREATE OR REPLACE FUNCTION wh_shift_bits(number bigint, count bigint, "left" boolean, arithmetic boolean) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN count < 0 THEN wh_fail('Bitwise shift by a negative number')::bigint
            WHEN "left" THEN CASE WHEN count > 63 THEN 0 ELSE number << count::integer END
            WHEN arithmetic THEN number >> least(count, 63)::integer
            WHEN count > 63 THEN 0
            WHEN count = 0 THEN number
            ELSE (number >> count::integer) & ((1::bigint << (64 - count::integer)) - 1) END $$;

CREATE OR REPLACE FUNCTION wh_texts_of(list jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(array_agg(value ORDER BY number), '{}') FROM jsonb_array_elements_text(list) WITH ORDINALITY AS e(value, number) $$;

CREATE OR REPLACE FUNCTION wh_within_bigint(number numeric) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT number::bigint $$;

CREATE OR REPLACE FUNCTION wh_finite(number float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN number IN ('Infinity', '-Infinity') THEN wh_fail('input is out of range')::float8 ELSE number END $$;

CREATE OR REPLACE FUNCTION wh_day_in_range(day date) RETURNS date LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN day BETWEEN date '0001-01-01' AND date '9999-12-31' THEN day
            ELSE wh_fail('the result of moving an instant or day is out of range')::date END $$;

-- Places and differences of texts, and their characters as numbers.

CREATE OR REPLACE FUNCTION wh_regexp_place(given text, pattern text, begin bigint, number bigint, at_end bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN begin < 1 OR number < 1 THEN wh_fail('REGEXP_INSTR: position and occurrence must be positive')::bigint
            WHEN begin > length(given) + 1 THEN 0
            ELSE regexp_instr(given, wh_pattern(pattern), begin::integer, number::integer, at_end::integer, '',
                              CASE WHEN regexp_count(wh_pattern(pattern), '(?<!\\)\((?!\?)') > 0 THEN 1 ELSE 0 END)::bigint END $$;

CREATE OR REPLACE FUNCTION wh_instr(given text, part text, begin bigint, number bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE place bigint := CASE WHEN begin > 0 THEN begin ELSE length(given) + begin + 1 END; wanted bigint := number;
BEGIN
  IF begin = 0 OR number < 1 THEN PERFORM wh_fail('INSTR: the position must not be zero, the occurrence must be positive'); END IF;
  IF part = '' THEN RETURN 0; END IF;
  WHILE place BETWEEN 1 AND length(given) LOOP
    IF substr(given, place::integer, length(part)) = part THEN
      wanted := wanted - 1;
      IF wanted = 0 THEN RETURN place; END IF;
    END IF;
    place := place + sign(begin)::bigint;
  END LOOP;
  RETURN 0;
END $$;

CREATE OR REPLACE FUNCTION wh_edit_distance(one text, other text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE a text[] := string_to_array(one, NULL); b text[] := string_to_array(other, NULL);
  line bigint[]; before bigint; changed bigint; i integer; j integer;
BEGIN
  line := ARRAY(SELECT generate_series(0, coalesce(cardinality(b), 0)));
  FOR i IN 1 .. coalesce(cardinality(a), 0) LOOP
    before := line[1]; line[1] := i;
    FOR j IN 1 .. coalesce(cardinality(b), 0) LOOP
      changed := before + CASE WHEN a[i] = b[j] THEN 0 ELSE 1 END;
      before := line[j + 1];
      line[j + 1] := least(changed, before + 1, line[j] + 1);
    END LOOP;
  END LOOP;
  RETURN line[cardinality(line)];
END $$;

CREATE OR REPLACE FUNCTION wh_code_points(given text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(ascii(sign) ORDER BY number), '[]') FROM unnest(string_to_array(given, NULL)) WITH ORDINALITY AS e(sign, number) $$;

CREATE OR REPLACE FUNCTION wh_of_code_points(codes jsonb) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN bool_or(value = 'null') THEN NULL ELSE coalesce(string_agg(wh_chr((value #>> '{}')::bigint), '' ORDER BY number), '') END
FROM jsonb_array_elements(codes) WITH ORDINALITY AS e(value, number) $$;

CREATE OR REPLACE FUNCTION wh_normalize(given text, form text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE form WHEN 'NFC' THEN normalize(given, NFC) WHEN 'NFD' THEN normalize(given, NFD)
                 WHEN 'NFKC' THEN normalize(given, NFKC) ELSE normalize(given, NFKD) END $$;

CREATE OR REPLACE FUNCTION wh_array_slice(list jsonb, first bigint, last bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(value ORDER BY number), '[]') FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number)
WHERE number - 1 BETWEEN CASE WHEN first < 0 THEN first + jsonb_array_length(list) ELSE first END
                     AND CASE WHEN last < 0 THEN last + jsonb_array_length(list) ELSE last END $$;

CREATE OR REPLACE FUNCTION wh_numeric_text(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT regexp_replace(regexp_replace(btrim(replace(given, ',', '')), '^(.*?)\s*([-+])$', '\2\1'), '^([-]?)[+]?\s*', '\1') $$;

CREATE OR REPLACE FUNCTION wh_make_time(hour bigint, minute bigint, second bigint) RETURNS time LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN hour BETWEEN 0 AND 23 AND minute BETWEEN 0 AND 59 AND second BETWEEN 0 AND 59
            THEN make_time(hour::integer, minute::integer, second) ELSE wh_fail('Invalid time')::time END $$;

CREATE OR REPLACE FUNCTION wh_exponent(number float8, digits bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT CASE WHEN number IN ('Infinity', '-Infinity', 'NaN') THEN replace(replace(number::text, 'Infinity', 'inf'), 'NaN', 'nan')
            WHEN number = 0 THEN btrim(to_char(0, '0' || CASE WHEN digits > 0 THEN '.' || repeat('0', digits::integer) ELSE '' END)) || 'e+00'
            ELSE btrim(to_char(number, '9' || CASE WHEN digits > 0 THEN '.' || repeat('9', digits::integer) ELSE '' END || 'EEEE')) END $$;

CREATE OR REPLACE FUNCTION wh_checked_text(given bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN RETURN convert_from(given, 'UTF8');
EXCEPTION WHEN OTHERS THEN PERFORM wh_fail('SAFE_CONVERT_BYTES_TO_STRING of bytes that are no UTF-8 is not supported'); RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION wh_top_sum(pairs jsonb, most bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(jsonb_build_object('value', value, 'sum', total) ORDER BY place), '[]')
FROM (SELECT value, trim_scale(sum(weight)) AS total,
             row_number() OVER (ORDER BY sum(weight) DESC, wh_only_number(value) NULLS FIRST, (value #>> '{}') COLLATE "C" NULLS FIRST) AS place
      FROM (SELECT pair -> 0 AS value, wh_only_number(pair -> 1) AS weight FROM jsonb_array_elements(pairs) AS e(pair)) AS p
      WHERE weight IS NOT NULL GROUP BY value) AS q
WHERE place <= most $$;

CREATE OR REPLACE FUNCTION wh_shortest_form(number float8, digits bigint) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE places integer := greatest(digits, 1); written text := wh_exponent(number, places - 1);
  power integer; plain text;
BEGIN
  IF written LIKE '%n%' THEN RETURN written; END IF;
  power := split_part(written, 'e', 2)::integer;
  IF power >= -4 AND power < places THEN
    plain := round(number::numeric, places - 1 - power)::text;
    RETURN CASE WHEN plain LIKE '%.%' THEN rtrim(rtrim(plain, '0'), '.') ELSE plain END;
  END IF;
  plain := split_part(written, 'e', 1);
  RETURN CASE WHEN plain LIKE '%.%' THEN rtrim(rtrim(plain, '0'), '.') ELSE plain END || 'e' || split_part(written, 'e', 2);
END $$;

CREATE OR REPLACE FUNCTION wh_octal(number bigint) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE rest bigint := wh_within(number, 0, 9223372036854775807, '%o'); out text := '';
BEGIN
  LOOP out := (rest % 8) || out; rest := rest / 8; EXIT WHEN rest = 0; END LOOP;
  RETURN out;
END $$;

CREATE OR REPLACE FUNCTION wh_quoted_text(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT mark || replace(replace(replace(replace(replace(given, '\', '\\'), E'\n', '\n'), E'\t', '\t'), E'\r', '\r'), mark, '\' || mark) || mark
FROM (SELECT CASE WHEN given LIKE '%"%' AND given NOT LIKE '%''%' THEN '''' ELSE '"' END AS mark) AS m $$;

CREATE OR REPLACE FUNCTION wh_list_text(list jsonb, literal boolean) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT '[' || coalesce(string_agg(CASE WHEN value = 'null' THEN 'NULL' WHEN literal AND jsonb_typeof(value) = 'string' THEN wh_quoted_text(value #>> '{}')
                                       ELSE value #>> '{}' END, ', ' ORDER BY number), '') || ']'
FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number) $$;

CREATE OR REPLACE FUNCTION wh_text_in_zone(moment timestamp, zone text) RETURNS text LANGUAGE sql STABLE STRICT AS $$
SELECT wh_datetime_text(place) || CASE WHEN shift < 0 THEN '-' ELSE '+' END || lpad((abs(shift) / 60)::text, 2, '0')
       || CASE WHEN abs(shift) % 60 = 0 THEN '' ELSE ':' || lpad((abs(shift) % 60)::text, 2, '0') END
FROM (SELECT place, (extract(epoch FROM place - moment) / 60)::bigint AS shift FROM (SELECT wh_to_zone(moment, zone) AS place) AS p) AS q $$;

-- Functions that only the columnar dialect has.

CREATE OR REPLACE FUNCTION wh_list_product(list jsonb) RETURNS float8 LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE product float8 := 1; value jsonb;
BEGIN
  FOR value IN SELECT e FROM jsonb_array_elements(list) AS e LOOP
    IF jsonb_typeof(value) = 'number' THEN product := product * (value #>> '{}')::float8; END IF;
  END LOOP;
  RETURN product;
END $$;

CREATE OR REPLACE FUNCTION wh_list_entropy(list jsonb) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(sum(- (n / total) * (ln(n / total) / ln(2::float8)) ORDER BY n), 0) + 0
FROM (SELECT count(*)::float8 AS n, (sum(count(*)) OVER ())::float8 AS total
      FROM jsonb_array_elements(list) AS e(value) WHERE value <> 'null' GROUP BY value) AS c $$;

CREATE OR REPLACE FUNCTION wh_array_text(list jsonb) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce((SELECT array_agg(CASE jsonb_typeof(value) WHEN 'boolean' THEN left(value #>> '{}', 1) ELSE value #>> '{}' END ORDER BY number)::text
                 FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number)), '{}') $$;

CREATE OR REPLACE FUNCTION wh_list_funnel(list jsonb, width bigint, conditions bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE begun bigint[] := array_fill(NULL::bigint, ARRAY[conditions::integer]); at bigint; place integer; reached integer;
BEGIN
  FOR at, place IN SELECT (event ->> '_field_1')::bigint, p FROM jsonb_array_elements(list) AS e(event), generate_series(1, conditions::integer) AS p
    WHERE event ->> '_field_1' IS NOT NULL AND event -> ('_field_' || p + 1) = 'true' ORDER BY 1, 2 LOOP
    IF place = 1 THEN begun[1] := at;
    ELSIF begun[place - 1] IS NOT NULL AND at <= begun[place - 1] + width THEN
      begun[place] := begun[place - 1];
      EXIT WHEN place = conditions;
    END IF;
  END LOOP;
  SELECT coalesce(max(p), 0) INTO reached FROM generate_series(1, conditions::integer) AS p WHERE begun[p] IS NOT NULL;
  RETURN reached;
END $$;

CREATE OR REPLACE FUNCTION wh_list_flat(list jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
WITH RECURSIVE parts(value, place) AS (
  SELECT value, ARRAY[number] FROM jsonb_array_elements(list) WITH ORDINALITY AS e(value, number)
  UNION ALL
  SELECT inside, place || number FROM parts, jsonb_array_elements(CASE WHEN jsonb_typeof(parts.value) = 'array' THEN parts.value ELSE '[]' END)
    WITH ORDINALITY AS e(inside, number)
) SELECT coalesce(jsonb_agg(value ORDER BY place), '[]') FROM parts WHERE jsonb_typeof(value) <> 'array' $$;

CREATE OR REPLACE FUNCTION wh_list_of_key(pairs jsonb, sign bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT pair FROM jsonb_array_elements(pairs) WITH ORDINALITY AS e(pair, number)
WHERE jsonb_typeof(pair -> '_field_2') <> 'null'
ORDER BY (jsonb_typeof(pair -> '_field_2') = 'string')::integer * sign DESC,
  CASE jsonb_typeof(pair -> '_field_2') WHEN 'number' THEN (pair ->> '_field_2')::numeric * sign END DESC,
  CASE WHEN sign > 0 THEN pair ->> '_field_2' END COLLATE "C" DESC,
  CASE WHEN sign < 0 THEN pair ->> '_field_2' END COLLATE "C",
  number LIMIT 1 $$;

CREATE OR REPLACE FUNCTION wh_list_merged(rows jsonb, once boolean) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT AS $$
SELECT coalesce(jsonb_agg(value ORDER BY line, place), '[]')
FROM (SELECT value, line, place, row_number() OVER (PARTITION BY value ORDER BY line, place) AS number
      FROM jsonb_array_elements(rows) WITH ORDINALITY AS r(list, line),
           jsonb_array_elements(CASE WHEN jsonb_typeof(list -> 'list') = 'array' THEN list -> 'list' ELSE '[]' END) WITH ORDINALITY AS e(value, place)) AS q
WHERE NOT once OR number = 1 $$;

CREATE OR REPLACE FUNCTION wh_best_effort(given text) RETURNS timestamp LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE bare text := btrim(given); found text[]; clock constant text := '(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?: *(?:Z|GMT|UTC))?$';
  year text; month text; day text; number integer;
BEGIN
  IF wh_parse_timestamp(bare, true) IS NOT NULL THEN RETURN wh_parse_timestamp(bare, true); END IF;
  IF bare ~ '^\d{9,10}$' THEN RETURN wh_from_micros(bare::bigint * 1000000); END IF;
  IF bare ~ '^\d{13}$' THEN RETURN wh_from_micros(bare::bigint * 1000); END IF;
  found := regexp_match(bare, '^(\d{1,2})/(\d{1,2})/(\d{4})' || clock);
  IF found IS NOT NULL THEN day := found[1]; month := found[2]; year := found[3]; END IF;
  IF found IS NULL THEN
    found := regexp_match(bare, '^(\d{4})/(\d{1,2})/(\d{1,2})' || clock);
    IF found IS NOT NULL THEN year := found[1]; month := found[2]; day := found[3]; END IF;
  END IF;
  IF found IS NULL THEN
    found := regexp_match(bare, '^(?:[A-Za-z]{3,9},? +)?(\d{1,2})[ -]([A-Za-z]{3,9})[ -](\d{4})' || clock);
    IF found IS NOT NULL THEN day := found[1]; month := found[2]; year := found[3]; END IF;
  END IF;
  IF found IS NULL THEN
    found := regexp_match(bare, '^(?:[A-Za-z]{3,9},? +)?([A-Za-z]{3,9}) +(\d{1,2}),? +(\d{4})' || clock);
    IF found IS NOT NULL THEN month := found[1]; day := found[2]; year := found[3]; END IF;
  END IF;
  IF found IS NULL THEN
    found := regexp_match(bare, '^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2}))?$');
    IF found IS NOT NULL THEN year := found[1]; month := found[2]; day := found[3]; END IF;
  END IF;
  IF found IS NULL THEN RETURN NULL; END IF;
  number := CASE WHEN month ~ '^\d+$' THEN month::integer
                 ELSE array_position(ARRAY['jan','feb','mar','apr','may','jun','jul','aug','sep','oct','nov','dec'], lower(left(month, 3))) END;
  IF coalesce(found[4], '0')::integer > 23 OR coalesce(found[5], '0')::integer > 59 OR coalesce(found[6], '0')::integer > 59 THEN RETURN NULL; END IF;
  RETURN make_date(year::integer, number, day::integer) + make_interval(hours => coalesce(found[4], '0')::integer, mins => coalesce(found[5], '0')::integer,
    secs => coalesce(found[6], '0')::integer) + left(rpad(coalesce(found[7], ''), 6, '0'), 6)::integer * interval '1 microsecond';
EXCEPTION WHEN datetime_field_overflow OR null_value_not_allowed THEN RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION wh_time_words(seconds float8) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE rest bigint := trunc(abs(seconds))::bigint; parts text[] := '{}'; sign text := CASE WHEN seconds < 0 THEN '-' ELSE '' END; place integer; n bigint;
  widths constant bigint[] := ARRAY[31536000, 2635200, 86400, 3600, 60, 1]; names constant text[] := ARRAY['year', 'month', 'day', 'hour', 'minute', 'second'];
BEGIN
  FOR place IN 1 .. 6 LOOP
    n := rest / widths[place]; rest := rest % widths[place];
    IF n > 0 THEN parts := parts || (n || ' ' || names[place] || CASE WHEN n = 1 THEN '' ELSE 's' END); END IF;
  END LOOP;
  n := cardinality(parts);
  RETURN sign || CASE n WHEN 0 THEN '0 seconds' WHEN 1 THEN parts[1] ELSE array_to_string(parts[1 : n - 1], ', ') || ' and ' || parts[n] END;
END $$;

-- A digest of 160 bits, which the server has no function for.
CREATE OR REPLACE FUNCTION wh_sha1(given bytea) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  mask constant bigint := 4294967295; size constant bigint := length(given); bytes bytea := given || '\x80'::bytea;
  h bigint[] := ARRAY[1732584193, 4023233417, 2562383102, 271733878, 3285377520]; w bigint[]; v bigint[]; f bigint; k bigint; t bigint;
BEGIN
  bytes := bytes || decode(repeat('00', ((119 - size % 64) % 64)::integer), 'hex') || int8send(size * 8);
  FOR block IN 0 .. length(bytes) / 64 - 1 LOOP
    w := '{}';
    FOR i IN 0 .. 79 LOOP
      IF i < 16 THEN
        t := 0;
        FOR j IN 0 .. 3 LOOP t := t * 256 + get_byte(bytes, block * 64 + i * 4 + j); END LOOP;
      ELSE
        t := w[i - 2] # w[i - 7] # w[i - 13] # w[i - 15];
        t := ((t << 1) & mask) | (t >> 31);
      END IF;
      w := w || t;
    END LOOP;
    v := h;
    FOR i IN 0 .. 79 LOOP
      IF i < 20 THEN f := (v[2] & v[3]) | ((~v[2] & mask) & v[4]); k := 1518500249;
      ELSIF i < 40 THEN f := v[2] # v[3] # v[4]; k := 1859775393;
      ELSIF i < 60 THEN f := (v[2] & v[3]) | (v[2] & v[4]) | (v[3] & v[4]); k := 2400959708;
      ELSE f := v[2] # v[3] # v[4]; k := 3395469782;
      END IF;
      t := ((((v[1] << 5) & mask) | (v[1] >> 27)) + f + v[5] + k + w[i + 1]) & mask;
      v := ARRAY[t, v[1], ((v[2] << 30) & mask) | (v[2] >> 2), v[3], v[4]];
    END LOOP;
    FOR i IN 1 .. 5 LOOP h[i] := (h[i] + v[i]) & mask; END LOOP;
  END LOOP;
  RETURN substr(int8send(h[1]), 5) || substr(int8send(h[2]), 5) || substr(int8send(h[3]), 5) || substr(int8send(h[4]), 5) || substr(int8send(h[5]), 5);
END $$;

CREATE OR REPLACE FUNCTION wh_sha1(given text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT wh_sha1(convert_to(given, 'UTF8')) $$;

CREATE OR REPLACE FUNCTION wh_soundex(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE letters text := upper(regexp_replace(given, '[^A-Za-z]', '', 'g')); digits text; found text; last text; digit text;
BEGIN
  IF letters = '' THEN RETURN ''; END IF;
  digits := translate(letters, 'BFPVCGJKQSXZDTLMNRHWAEIOUY', '111122222222334556hh000000');
  found := left(letters, 1); last := left(digits, 1);
  FOR place IN 2 .. length(digits) LOOP
    digit := substr(digits, place, 1);
    CONTINUE WHEN digit = 'h';
    IF digit <> '0' AND digit <> last THEN found := found || digit; END IF;
    last := digit;
  END LOOP;
  RETURN rpad(left(found, 4), 4, '0');
END $$;

CREATE OR REPLACE FUNCTION wh_to_base32(given bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
WITH bits AS (SELECT coalesce(string_agg(get_byte(given, place)::bit(8)::text, '' ORDER BY place), '') AS all_bits FROM generate_series(0, length(given) - 1) AS p(place)),
  digits AS (SELECT coalesce(string_agg(substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', rpad(substr(all_bits, place * 5 + 1, 5), 5, '0')::bit(5)::integer + 1, 1), '' ORDER BY place), '') AS text
             FROM bits, generate_series(0, (length(all_bits) + 4) / 5 - 1) AS p(place))
SELECT rpad(text, (length(text) + 7) / 8 * 8, '=') FROM digits $$;

CREATE OR REPLACE FUNCTION wh_from_base32(given text) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE bits text; count integer;
BEGIN
  IF given !~ '^([A-Z2-7]{8})*([A-Z2-7]{2}={6}|[A-Z2-7]{4}={4}|[A-Z2-7]{5}={3}|[A-Z2-7]{7}=)?$' THEN RETURN wh_fail(given || ' is not base32')::bytea; END IF;
  SELECT coalesce(string_agg((strpos('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', sign) - 1)::bit(5)::text, '' ORDER BY place), '') INTO bits
  FROM regexp_split_to_table(rtrim(given, '='), '') WITH ORDINALITY AS s(sign, place) WHERE sign <> '';
  count := length(bits) / 8;
  RETURN (SELECT coalesce(decode(string_agg(lpad(to_hex(substr(bits, place * 8 + 1, 8)::bit(8)::integer), 2, '0'), '' ORDER BY place), 'hex'), '') FROM generate_series(0, count - 1) AS p(place));
END $$;
