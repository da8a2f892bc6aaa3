-- Vectors are kept as texts, also in their binary form. Indexes on them exist, and no query uses one.
create function {schema}.{type}_in(cstring, oid, integer) returns {schema}.{type} language internal immutable strict parallel safe as 'textin';
create function {schema}.{type}_out({schema}.{type}) returns cstring language internal immutable strict parallel safe as 'textout';
create function {schema}.{type}_recv(internal, oid, integer) returns {schema}.{type} language internal immutable strict parallel safe as 'textrecv';
create function {schema}.{type}_send({schema}.{type}) returns bytea language internal immutable strict parallel safe as 'textsend';
create function {schema}.{type}_typmod_in(cstring[]) returns integer language internal immutable strict parallel safe as 'varchartypmodin';
create type {schema}.{type} (input = {schema}.{type}_in, output = {schema}.{type}_out, receive = {schema}.{type}_recv,
    send = {schema}.{type}_send, typmod_in = {schema}.{type}_typmod_in, typmod_out = pg_catalog.varchartypmodout,
    internallength = variable, alignment = int4, storage = extended);
