-- The modifier of what is chosen among several values.

create table v (c varchar(5), d numeric(4,1), ch char(3), ts timestamp(2), b bit(3));
--> no rows

create table x1 as select coalesce(c, c) a, greatest(ts, ts) b, coalesce(c, 'x') c, coalesce(c, 'x'::varchar(5)) d, coalesce(c, null) e, case when d > 1 then c when d < 1 then c else c end f, least(d, d) g, case when d > 1 then c end h, case when d > 1 then c else 'x' end i, array[c, c] j, case when d > 1 then d else 1 end k from v;
--> no rows

select attname, format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'x1'::regclass and attnum > 0 order by attnum;
--> {"attname":"a","format_type":"character varying(5)"}
--> {"attname":"b","format_type":"timestamp(2) without time zone"}
--> {"attname":"c","format_type":"character varying"}
--> {"attname":"d","format_type":"character varying(5)"}
--> {"attname":"e","format_type":"character varying(5)"}
--> {"attname":"f","format_type":"character varying(5)"}
--> {"attname":"g","format_type":"numeric(4,1)"}
--> {"attname":"h","format_type":"character varying"}
--> {"attname":"i","format_type":"character varying"}
--> {"attname":"j","format_type":"character varying(5)[]"}
--> {"attname":"k","format_type":"numeric"}
