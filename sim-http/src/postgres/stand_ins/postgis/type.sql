-- Shapes are kept as texts: extended well-known binary in hexadecimal digits, as the extension shows them. What a column without modifiers gets
-- stays as it was written until a function reads it. The number of modifiers stands for kind, dimensions and reference system.
create function {schema}.{type}_in(cstring, oid, integer) returns {schema}.{type} language internal immutable strict parallel safe as 'textin';
create function {schema}.{type}_out({schema}.{type}) returns cstring language internal immutable strict parallel safe as 'textout';
create function {schema}.{type}_recv(internal, oid, integer) returns {schema}.{type} language internal immutable strict parallel safe as 'textrecv';
create function {schema}.{type}_send({schema}.{type}) returns bytea language internal immutable strict parallel safe as 'textsend';
create function {schema}.{type}_typmod_in(cstring[]) returns integer language internal immutable strict parallel safe as 'array_cardinality';
create function {schema}.{type}_typmod_out(integer) returns cstring language internal immutable strict parallel safe as 'varchartypmodout';
create type {schema}.{type} (input = {schema}.{type}_in, output = {schema}.{type}_out, receive = {schema}.{type}_recv,
    send = {schema}.{type}_send, typmod_in = {schema}.{type}_typmod_in, typmod_out = {schema}.{type}_typmod_out,
    internallength = variable, alignment = int4, storage = extended);
