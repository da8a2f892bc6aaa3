-- Ranges of types that a project creates.

create type r0 as range (subtype = nosuch);
--> ERROR 42704: type "nosuch" does not exist

create type r0 as range (subtype_diff = float8mi);
--> ERROR 42601: type attribute "subtype" is required

create type r0 as range (subtype = json);
--> ERROR 42704: data type json has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the range type or define a default operator class for the subtype.

create type r0 as range (subtype = float8, foo = 1);
--> ERROR 42601: type attribute "foo" not recognized

create type r0 as range (subtype = float8, subtype = float4);
--> ERROR 42601: conflicting or redundant options
--> AT 44

create type r0 as range (subtype = float8, subtype_diff = nosuch);
--> ERROR 42883: function nosuch(double precision, double precision) does not exist

create type timerange as range (subtype = time, multirange_type_name = many_times);
--> no rows

create type timerange as range (subtype = time);
--> ERROR 42710: type "timerange" already exists

create type priceband as range (subtype = numeric);
--> no rows

create type priceband2 as range (subtype = numeric, multirange_type_name = priceband);
--> ERROR 42710: type "priceband" already exists

create type b as range (subtype = text, collation = "C");
--> no rows

select typname, typtype, typcategory, typelem::regtype, typarray::regtype from pg_type where typname ~ 'time.?range|many_|price|^_?b$|b_multi' order by 1;
--> {"typname":"_b","typtype":"b","typcategory":"A","typelem":"b","typarray":"-"}
--> {"typname":"_b_multirange","typtype":"b","typcategory":"A","typelem":"b_multirange","typarray":"-"}
--> {"typname":"_many_times","typtype":"b","typcategory":"A","typelem":"many_times","typarray":"-"}
--> {"typname":"_priceband","typtype":"b","typcategory":"A","typelem":"priceband","typarray":"-"}
--> {"typname":"_priceband_multirange","typtype":"b","typcategory":"A","typelem":"priceband_multirange","typarray":"-"}
--> {"typname":"_timerange","typtype":"b","typcategory":"A","typelem":"timerange","typarray":"-"}
--> {"typname":"b","typtype":"r","typcategory":"R","typelem":"-","typarray":"b[]"}
--> {"typname":"b_multirange","typtype":"m","typcategory":"R","typelem":"-","typarray":"b_multirange[]"}
--> {"typname":"many_times","typtype":"m","typcategory":"R","typelem":"-","typarray":"many_times[]"}
--> {"typname":"priceband","typtype":"r","typcategory":"R","typelem":"-","typarray":"priceband[]"}
--> {"typname":"priceband_multirange","typtype":"m","typcategory":"R","typelem":"-","typarray":"priceband_multirange[]"}
--> {"typname":"timerange","typtype":"r","typcategory":"R","typelem":"-","typarray":"timerange[]"}

select rngtypid::regtype, rngsubtype::regtype, rngmultitypid::regtype, rngsubdiff from pg_range where rngtypid::regtype::text in ('timerange','priceband','b') order by 1;
--> {"rngtypid":"timerange","rngsubtype":"time without time zone","rngmultitypid":"many_times","rngsubdiff":"-"}
--> {"rngtypid":"priceband","rngsubtype":"numeric","rngmultitypid":"priceband_multirange","rngsubdiff":"-"}
--> {"rngtypid":"b","rngsubtype":"text","rngmultitypid":"b_multirange","rngsubdiff":"-"}

drop type many_times;
--> ERROR 2BP01: cannot drop type many_times because type timerange requires it
--> HINT: You can drop type timerange instead.

create table t (id int primary key, o timerange not null default '[09:00,17:00)', p priceband, m many_times);
--> no rows

insert into t (id) values (1);
--> no rows

insert into t values (2, timerange('08:00', null), priceband(1.5, 2, '[]'), many_times(timerange('08:00','09:00'), timerange('10:00','11:00')));
--> no rows

insert into t values (3, '[12:00,08:00)');
--> ERROR 22000: range lower bound must be less than or equal to range upper bound
--> AT 26

insert into t values (3, tsrange('2024-01-01','2024-01-02'));
--> ERROR 42804: column "o" is of type timerange but expression is of type tsrange
--> HINT: You will need to rewrite or cast the expression.
--> AT 26

insert into t values (3, numrange(1,2), numrange(1,2));
--> ERROR 42804: column "o" is of type timerange but expression is of type numrange
--> HINT: You will need to rewrite or cast the expression.
--> AT 26

select * from t order by o;
--> {"id":2,"o":"[08:00:00,)","p":"[1.5,2]","m":"{[08:00:00,09:00:00),[10:00:00,11:00:00)}"}
--> {"id":1,"o":"[09:00:00,17:00:00)","p":null,"m":null}

select o && '[10:00,11:00)', o @> '10:00'::time, o @> '10:00', o << '[18:00,)', o = '[09:00,17:00)' from t;
--> ERROR 22P02: malformed range literal: "10:00"
--> DETAIL: Missing left parenthesis or bracket.
--> AT 55

select range_agg(o), range_intersect_agg(o), max(id) from t;
--> {"range_agg":"{[08:00:00,)}","range_intersect_agg":"[09:00:00,17:00:00)","max":2}

select unnest(m), m @> time '08:30' from t where m is not null;
--> {"unnest":"[08:00:00,09:00:00)","?column?":true}
--> {"unnest":"[10:00:00,11:00:00)","?column?":true}

select count(*) from t group by o order by 1;
--> {"count":1}
--> {"count":1}

select distinct o from t order by 1;
--> {"o":"[08:00:00,)"}
--> {"o":"[09:00:00,17:00:00)"}

select row_to_json(t) from t;
--> {"row_to_json":{"id":1,"o":"[09:00:00,17:00:00)","p":null,"m":null}}
--> {"row_to_json":{"id":2,"o":"[08:00:00,)","p":"[1.5,2]","m":"{[08:00:00,09:00:00),[10:00:00,11:00:00)}"}}

select array_agg(o order by o) from t;
--> {"array_agg":"{\"[08:00:00,)\",\"[09:00:00,17:00:00)\"}"}

create function hours(r timerange) returns numeric language sql immutable as $$ select extract(epoch from upper(r) - lower(r)) / 3600 $$;
--> no rows

select hours(o), hours('[01:00,02:30)') from t order by 1;
--> {"hours":"1.5000000000000000"}
--> {"hours":"1.5000000000000000"}

select o::text, o::many_times, o::tsrange from t;
--> ERROR 42846: cannot cast type timerange to tsrange
--> AT 33

select o::text, o::many_times from t;
--> {"o":"{[09:00:00,17:00:00)}"}
--> {"o":"{[08:00:00,)}"}

create index on t using gist (o);
--> no rows

alter table t add constraint no_overlap exclude using gist (o with &&);
--> ERROR 23P01: could not create exclusion constraint "no_overlap"
--> DETAIL: Key (o)=([09:00:00,17:00:00)) conflicts with key (o)=([08:00:00,)).

alter table t add constraint ok exclude using gist (p with &&);
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 't'::regclass order by 1;
--> {"conname":"ok","pg_get_constraintdef":"EXCLUDE USING gist (p WITH &&)"}
--> {"conname":"t_pkey","pg_get_constraintdef":"PRIMARY KEY (id)"}

select column_name, data_type, udt_name, domain_name, column_default from information_schema.columns where table_name = 't' order by ordinal_position;
--> {"column_name":"id","data_type":"integer","udt_name":"int4","domain_name":null,"column_default":null}
--> {"column_name":"o","data_type":"USER-DEFINED","udt_name":"timerange","domain_name":null,"column_default":"'[09:00:00,17:00:00)'::timerange"}
--> {"column_name":"p","data_type":"USER-DEFINED","udt_name":"priceband","domain_name":null,"column_default":null}
--> {"column_name":"m","data_type":"USER-DEFINED","udt_name":"many_times","domain_name":null,"column_default":null}

create domain office as timerange check (not isempty(value));
--> no rows

select 'empty'::office;
--> ERROR 23514: value for domain office violates check constraint "office_check"

select '[01:00,02:00)'::office && '[01:30,02:00)'::timerange;
--> {"?column?":true}

select b('a','c') @> 'b'::text, b('a','c') && b('c','d'), lower(b('a','c')), b('d','a');
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

select priceband(1,2) = numrange(1,2);
--> ERROR 42883: operator does not exist: priceband = numrange
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 23

select priceband(1,2) && numrange(1,2);
--> ERROR 42883: operator does not exist: priceband && numrange
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 23

select numrange(priceband(1,2));
--> ERROR 42883: function numrange(priceband) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select timerange(1,2);
--> ERROR 42883: function timerange(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select timerange('09:00','10:00','x');
--> ERROR 42601: invalid range bound flags
--> HINT: Valid values are "[]", "[)", "(]", and "()".

comment on type timerange is 'hours';
--> no rows

select obj_description('timerange'::regtype, 'pg_type');
--> {"obj_description":"hours"}

create view v as select id, o, lower(o) as l from t where o && timerange('08:00','09:00');
--> no rows

select pg_get_viewdef('v');
--> {"pg_get_viewdef":" SELECT t.id,\n    t.o,\n    lower(t.o) AS l\n   FROM t\n  WHERE (t.o && timerange('08:00:00'::time without time zone, '09:00:00'::time without time zone));"}

drop view v;
--> no rows

drop table t cascade;
--> no rows

drop type timerange cascade;
--> no rows

select count(*) from pg_type where typname in ('timerange','many_times');
--> {"count":0}

alter type priceband rename to pb;
--> no rows

do $$ declare r b := b('a','b'); begin raise notice '% %', r, upper(r); end $$;
--> no rows

create type r4 as range (subtype = int4);
--> no rows
