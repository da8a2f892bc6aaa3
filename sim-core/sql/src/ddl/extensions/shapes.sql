create table {schema}.spatial_ref_sys (srid, auth_name, auth_srid, srtext, proj4text) as
select 4326, 'EPSG'::varchar(256), 4326,
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]'::varchar(2048),
  '+proj=longlat +datum=WGS84 +no_defs '::varchar(2048)
union all
select 3857, 'EPSG', 3857,
  'PROJCS["WGS 84 / Pseudo-Mercator",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]],PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["X",EAST],AXIS["Y",NORTH],EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0.0 +lon_0=0.0 +x_0=0.0 +y_0=0 +k=1.0 +units=m +nadgrids=@null +wktext +no_defs"],AUTHORITY["EPSG","3857"]]',
  '+proj=merc +a=6378137 +b=6378137 +lat_ts=0.0 +lon_0=0.0 +x_0=0.0 +y_0=0 +k=1.0 +units=m +nadgrids=@null +wktext +no_defs';
alter table {schema}.spatial_ref_sys add primary key (srid), add check (srid > 0 and srid <= 998999);
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
