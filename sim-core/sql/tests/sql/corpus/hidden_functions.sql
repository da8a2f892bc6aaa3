-- Functions that the search path finds behind those of the system, and the signatures of both.

create function lower(a text) returns text language sql as 'select ''mine''';
--> no rows

create function lpad(a int) returns int language sql as 'select 1';
--> no rows

select 'public.lower(text)'::regprocedure, 'lower(text)'::regprocedure;
--> {"regprocedure":"lower(text)"}

select oid::regproc, oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace order by proname;
--> {"oid":"public.lower(text)"}
--> {"oid":"lpad(integer)"}

select 'gen_random_uuid'::regproc;
--> {"regproc":"gen_random_uuid"}

select 'public.lower'::regproc;
--> {"regproc":"public.lower"}

select 'public.lpad'::regproc;
--> {"regproc":"public.lpad"}

select 'lower(text)'::regprocedure, 'pg_catalog.length(bytea)'::regprocedure::text, 'substr(text, integer)'::regprocedure;
--> {"regprocedure":"substr(text,integer)","text":"length(bytea)"}

select 'substr(text, integer)'::regprocedure = 'substr(text,int4,int)'::regprocedure as same;
--> {"same":false}

select 'nosuch(text)'::regprocedure;
--> ERROR 42883: function "nosuch(text)" does not exist
--> AT 8

select to_regprocedure('length(text)') is not null as a, to_regprocedure('length(json)') is null as b;
--> {"a":true,"b":true}
