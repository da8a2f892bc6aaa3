create table {schema}.spatial_ref_sys (
  srid integer primary key check (srid > 0 and srid <= 998999), auth_name varchar(256), auth_srid integer, srtext varchar(2048), proj4text varchar(2048)
);
grant select on {schema}.spatial_ref_sys to public;
create view {schema}.geometry_columns as
select current_database()::varchar(256) as f_table_catalog, n.nspname as f_table_schema, c.relname as f_table_name, a.attname as f_geometry_column,
  case when a.atttypmod > 0 then 2 + (a.atttypmod >> 1 & 1) + (a.atttypmod & 1) else 2 end as coord_dimension,
  case when a.atttypmod > 0 then a.atttypmod >> 8 & 2097151 else 0 end as srid,
  coalesce((array['POINT', 'LINESTRING', 'POLYGON', 'MULTIPOINT', 'MULTILINESTRING', 'MULTIPOLYGON', 'GEOMETRYCOLLECTION'])
    [case when a.atttypmod > 0 then a.atttypmod >> 2 & 63 end], 'GEOMETRY')::varchar(30) as type
from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and not a.attisdropped
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace join pg_catalog.pg_type t on t.oid = a.atttypid
where c.relkind in ('r', 'v', 'm', 'f', 'p') and t.typname = 'geometry';
create view {schema}.geography_columns as
select current_database() as f_table_catalog, n.nspname as f_table_schema, c.relname as f_table_name, a.attname as f_geography_column,
  case when a.atttypmod > 0 then 2 + (a.atttypmod >> 1 & 1) + (a.atttypmod & 1) end as coord_dimension,
  case when a.atttypmod > 0 then a.atttypmod >> 8 & 2097151 else 0 end as srid,
  coalesce((array['Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon', 'GeometryCollection'])
    [case when a.atttypmod > 0 then a.atttypmod >> 2 & 63 end], 'Geometry') as type
from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and not a.attisdropped
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace join pg_catalog.pg_type t on t.oid = a.atttypid
where c.relkind in ('r', 'v', 'm', 'f', 'p') and t.typname = 'geography';
grant select on {schema}.geometry_columns, {schema}.geography_columns to public;
