create function {schema}._mixed(letters text, salt text) returns text language plpgsql immutable as $$
declare
  mixed text[] := string_to_array(letters, null);
  salts text[] := string_to_array(salt, null);
  v int := 0;
  p int := 0;
  code int;
  j int;
  kept text;
begin
  if salt = '' then
    return letters;
  end if;
  for i in reverse cardinality(mixed) - 1 .. 1 loop
    v := v % cardinality(salts);
    code := ascii(salts[v + 1]);
    p := p + code;
    j := (code + v + p) % i;
    kept := mixed[i + 1];
    mixed[i + 1] := mixed[j + 1];
    mixed[j + 1] := kept;
    v := v + 1;
  end loop;
  return array_to_string(mixed, '');
end $$;
create function {schema}._letters(salt text, given text, out letters text, out seps text, out guards text) language plpgsql immutable as $$
declare
  wanted int;
begin
  select string_agg(one, '' order by at) into letters from (select one, min(at) as at from string_to_table(given, null) with ordinality e(one, at) group by one) u;
  if length(letters) < 16 then
    raise 'alphabet must contain at least 16 unique characters' using errcode = '22023';
  end if;
  select coalesce(string_agg(one, '' order by at), '') into seps from string_to_table('cfhistuCFHISTU', null) with ordinality e(one, at) where strpos(letters, one) > 0;
  letters := translate(letters, seps, '');
  seps := {schema}._mixed(seps, salt);
  if seps = '' or length(letters)::float8 / length(seps) > 3.5 then
    wanted := greatest(ceil(length(letters) / 3.5::float8)::int, 2);
    if wanted > length(seps) then
      wanted := wanted - length(seps);
      seps := seps || left(letters, wanted);
      letters := substr(letters, wanted + 1);
    else
      seps := left(seps, wanted);
    end if;
  end if;
  letters := {schema}._mixed(letters, salt);
  wanted := ceil(length(letters) / 12::float8)::int;
  if length(letters) < 3 then
    guards := left(seps, wanted);
    seps := substr(seps, wanted + 1);
  else
    guards := left(letters, wanted);
    letters := substr(letters, wanted + 1);
  end if;
end $$;
create function {schema}.id_encode(numbers bigint[], salt text, min_hash_length integer, alphabet text) returns text language plpgsql immutable strict as $$
declare
  use record := {schema}._letters(salt, alphabet);
  letters text := use.letters;
  sum bigint := 0;
  lottery text;
  made text;
  last text;
  rest bigint;
  half int;
begin
  if numbers = '{}' then
    return '';
  end if;
  for i in 1 .. cardinality(numbers) loop
    if numbers[i] < 0 then
      raise 'number must be positive' using errcode = '22003';
    end if;
    sum := sum + numbers[i] % (i + 99);
  end loop;
  lottery := substr(letters, (sum % length(letters))::int + 1, 1);
  made := lottery;
  for i in 1 .. cardinality(numbers) loop
    letters := {schema}._mixed(letters, left(lottery || salt || letters, length(letters)));
    rest := numbers[i];
    last := '';
    loop
      last := substr(letters, (rest % length(letters))::int + 1, 1) || last;
      rest := rest / length(letters);
      exit when rest = 0;
    end loop;
    made := made || last;
    if i < cardinality(numbers) then
      made := made || substr(use.seps, (numbers[i] % (ascii(last) + i - 1) % length(use.seps))::int + 1, 1);
    end if;
  end loop;
  if length(made) < min_hash_length then
    made := substr(use.guards, ((sum + ascii(made)) % length(use.guards))::int + 1, 1) || made;
    if length(made) < min_hash_length then
      made := made || substr(use.guards, ((sum + ascii(substr(made, 3))) % length(use.guards))::int + 1, 1);
    end if;
  end if;
  half := length(letters) / 2;
  while length(made) < min_hash_length loop
    letters := {schema}._mixed(letters, letters);
    made := substr(letters, half + 1) || made || left(letters, half);
    if length(made) > min_hash_length then
      made := substr(made, (length(made) - min_hash_length) / 2 + 1, min_hash_length);
    end if;
  end loop;
  return made;
end $$;
create function {schema}.id_decode(hash text, salt text, min_hash_length integer, alphabet text) returns bigint[] language plpgsql immutable strict as $$
declare
  use record := {schema}._letters(salt, alphabet);
  letters text := use.letters;
  parts text[] := string_to_array(translate(hash, use.guards, repeat(' ', length(use.guards))), ' ');
  inner_part text := parts[case when cardinality(parts) in (2, 3) then 2 else 1 end];
  lottery text := left(inner_part, 1);
  part text;
  number bigint;
  found int;
  made bigint[] := '{}';
begin
  if coalesce(inner_part, '') = '' then
    return '{}';
  end if;
  foreach part in array string_to_array(translate(substr(inner_part, 2), use.seps, repeat(' ', length(use.seps))), ' ') loop
    letters := {schema}._mixed(letters, left(lottery || salt || letters, length(letters)));
    number := 0;
    for i in 1 .. length(part) loop
      found := strpos(letters, substr(part, i, 1)) - 1;
      if found < 0 or number > (9223372036854775807 - found) / length(letters) then
        return '{}';
      end if;
      number := number * length(letters) + found;
    end loop;
    made := made || number;
  end loop;
  return case when {schema}.id_encode(made, salt, min_hash_length, alphabet) = hash then made else '{}' end;
end $$;
create function {schema}.id_encode(bigint) returns text language sql immutable strict as $$ select {schema}.id_encode(array[$1], '', 0, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') $$;
create function {schema}.id_encode(bigint, text) returns text language sql immutable strict as $$ select {schema}.id_encode(array[$1], $2, 0, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') $$;
create function {schema}.id_encode(bigint, text, integer) returns text language sql immutable strict as $$ select {schema}.id_encode(array[$1], $2, $3, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') $$;
create function {schema}.id_encode(bigint, text, integer, text) returns text language sql immutable strict as $$ select {schema}.id_encode(array[$1], $2, $3, $4) $$;
create function {schema}.id_encode(bigint[]) returns text language sql immutable strict as $$ select {schema}.id_encode($1, '', 0, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') $$;
create function {schema}.id_encode(bigint[], text) returns text language sql immutable strict as $$ select {schema}.id_encode($1, $2, 0, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') $$;
create function {schema}.id_encode(bigint[], text, integer) returns text language sql immutable strict as $$ select {schema}.id_encode($1, $2, $3, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') $$;
create function {schema}.id_decode(text) returns bigint[] language sql immutable strict as $$ select {schema}.id_decode($1, '', 0, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') $$;
create function {schema}.id_decode(text, text) returns bigint[] language sql immutable strict as $$ select {schema}.id_decode($1, $2, 0, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') $$;
create function {schema}.id_decode(text, text, integer) returns bigint[] language sql immutable strict as $$ select {schema}.id_decode($1, $2, $3, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') $$;
create function {schema}.id_decode_once(text) returns bigint language sql immutable strict as $$ select ({schema}.id_decode($1))[1] $$;
create function {schema}.id_decode_once(text, text) returns bigint language sql immutable strict as $$ select ({schema}.id_decode($1, $2))[1] $$;
create function {schema}.id_decode_once(text, text, integer) returns bigint language sql immutable strict as $$ select ({schema}.id_decode($1, $2, $3))[1] $$;
create function {schema}.id_decode_once(text, text, integer, text) returns bigint language sql immutable strict as $$ select ({schema}.id_decode($1, $2, $3, $4))[1] $$;
create function {schema}.hash_encode(bigint) returns text language sql immutable strict as $$ select {schema}.id_encode($1) $$;
create function {schema}.hash_encode(bigint, text) returns text language sql immutable strict as $$ select {schema}.id_encode($1, $2) $$;
create function {schema}.hash_encode(bigint, text, integer) returns text language sql immutable strict as $$ select {schema}.id_encode($1, $2, $3) $$;
create function {schema}.hash_decode(text, text, integer) returns bigint language sql immutable strict as $$ select {schema}.id_decode_once($1, $2, $3) $$;
