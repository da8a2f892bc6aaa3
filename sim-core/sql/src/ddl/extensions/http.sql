-- A database reaches nothing: each request fails as it does where there is no network.
create domain {schema}.http_method as text;
create type {schema}.http_header as (field varchar, value varchar);
create type {schema}.http_response as (status integer, content_type varchar, headers {schema}.http_header[], content varchar);
create type {schema}.http_request as (
  method {schema}.http_method, uri varchar, headers {schema}.http_header[], content_type varchar, content varchar);
create function {schema}.http_header(field varchar, value varchar) returns {schema}.http_header language sql as
  $$ select field, value $$;
create function {schema}.http_set_curlopt(curlopt varchar, value varchar) returns boolean language sql as $$ select true $$;
create function {schema}.http_reset_curlopt() returns boolean language sql as $$ select true $$;
create function {schema}.http(request {schema}.http_request) returns {schema}.http_response language plpgsql as $$
begin
  raise exception 'Couldn''t connect to server';
end $$;
create function {schema}.http_get(uri varchar) returns {schema}.http_response language plpgsql as $$
begin
  raise exception 'Couldn''t connect to server';
end $$;
create function {schema}.http_get(uri varchar, data jsonb) returns {schema}.http_response language sql as
  $$ select {schema}.http_get(uri) $$;
create function {schema}.http_head(uri varchar) returns {schema}.http_response language sql as $$ select {schema}.http_get(uri) $$;
create function {schema}.http_post(uri varchar, content varchar, content_type varchar) returns {schema}.http_response language sql as
  $$ select {schema}.http_get(uri) $$;
create function {schema}.http_post(uri varchar, data jsonb) returns {schema}.http_response language sql as
  $$ select {schema}.http_get(uri) $$;
create function {schema}.http_put(uri varchar, content varchar, content_type varchar) returns {schema}.http_response language sql as
  $$ select {schema}.http_get(uri) $$;
create function {schema}.http_patch(uri varchar, content varchar, content_type varchar) returns {schema}.http_response language sql as
  $$ select {schema}.http_get(uri) $$;
create function {schema}.http_delete(uri varchar) returns {schema}.http_response language sql as $$ select {schema}.http_get(uri) $$;
create function {schema}.http_delete(uri varchar, content varchar, content_type varchar) returns {schema}.http_response language sql as
  $$ select {schema}.http_get(uri) $$;
