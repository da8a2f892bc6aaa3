create function {schema}.box2d_in(cstring) returns {schema}.box2d language internal immutable strict parallel safe as 'textin';
create function {schema}.box2d_out({schema}.box2d) returns cstring language internal immutable strict parallel safe as 'textout';
create type {schema}.box2d (input = {schema}.box2d_in, output = {schema}.box2d_out, internallength = variable, alignment = int4);
