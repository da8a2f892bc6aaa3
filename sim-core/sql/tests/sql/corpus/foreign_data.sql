-- Foreign data: wrappers, servers, user mappings, foreign tables.

create foreign data wrapper w1;
create foreign data wrapper w2 no handler no validator options (debug 'true', "Level" '2');
select fdwname, fdwhandler, fdwvalidator, fdwoptions from pg_foreign_data_wrapper order by 1;
--> {"fdwname":"w1","fdwhandler":0,"fdwvalidator":0,"fdwoptions":null}
--> {"fdwname":"w2","fdwhandler":0,"fdwvalidator":0,"fdwoptions":["debug=true","Level=2"]}

create foreign data wrapper w1;
--> ERROR 42710: foreign-data wrapper "w1" already exists

create foreign data wrapper w3 handler nosuch;
--> ERROR 42883: function nosuch() does not exist

create server s1 foreign data wrapper w1;
create server s2 type 'pg' version '1.2' foreign data wrapper w2 options (host 'example.test', dbname 'x');
select srvname, srvtype, srvversion, srvoptions, fdwname from pg_foreign_server s join pg_foreign_data_wrapper w on w.oid = s.srvfdw order by 1;
--> {"srvname":"s1","srvtype":null,"srvversion":null,"srvoptions":null,"fdwname":"w1"}
--> {"srvname":"s2","srvtype":"pg","srvversion":"1.2","srvoptions":["host=example.test","dbname=x"],"fdwname":"w2"}

create server s1 foreign data wrapper w1;
--> ERROR 42710: server "s1" already exists

create server if not exists s1 foreign data wrapper w1;
select count(*) from pg_foreign_server;
--> {"count":2}

create server s3 foreign data wrapper nosuch;
--> ERROR 42704: foreign-data wrapper "nosuch" does not exist

create server s3 foreign data wrapper w1 options (a '1', a '2');
--> ERROR 42710: option "a" provided more than once

create user mapping for current_user server s1 options (user 'me', password 'x');
create user mapping for public server s1;
create user mapping if not exists for anon server s2 options (key 'k');
select srvname, usename, umoptions from pg_user_mappings order by 1, 2;
--> {"srvname":"s1","usename":"postgres","umoptions":["user=me","password=x"]}
--> {"srvname":"s1","usename":"public","umoptions":null}
--> {"srvname":"s2","usename":"anon","umoptions":["key=k"]}

create user mapping for public server s1;
--> ERROR 42710: user mapping for "public" already exists for server "s1"

create user mapping for anon server nosuch;
--> ERROR 42704: server "nosuch" does not exist

create user mapping for nosuch server s1;
--> ERROR 42704: role "nosuch" does not exist

create foreign table ft (id int not null, name text options (column_name 'n') default 'x', at timestamptz) server s1 options (schema_name 'public', table_name 'far');
create foreign table if not exists ft (id int) server s1;
select relname, relkind, ftoptions, srvname from pg_class c join pg_foreign_table t on t.ftrelid = c.oid join pg_foreign_server s on s.oid = t.ftserver;
--> {"relname":"ft","relkind":"f","ftoptions":["schema_name=public","table_name=far"],"srvname":"s1"}

create foreign table ft (id int) server s1;
--> ERROR 42P07: relation "ft" already exists

create foreign table ft2 (id int) server nosuch;
--> ERROR 42704: server "nosuch" does not exist

create foreign table ft2 (id int primary key) server s1;
--> ERROR 0A000: primary key constraints are not supported on foreign tables
--> AT 34

create foreign table app.ft2 (id int) server s1;
--> ERROR 3F000: schema "app" does not exist
--> AT 22

select * from ft;
--> ERROR 55000: foreign-data wrapper "w1" has no handler

select count(*) from ft where id > 1;
--> ERROR 55000: foreign-data wrapper "w1" has no handler

insert into ft (id) values (1);
--> ERROR 55000: foreign-data wrapper "w1" has no handler

update ft set id = 1;
--> ERROR 55000: foreign-data wrapper "w1" has no handler

delete from ft;
--> ERROR 55000: foreign-data wrapper "w1" has no handler

select column_name, data_type, column_default, is_nullable from information_schema.columns where table_name = 'ft' order by ordinal_position;
--> {"column_name":"id","data_type":"integer","column_default":null,"is_nullable":"NO"}
--> {"column_name":"name","data_type":"text","column_default":"'x'::text","is_nullable":"YES"}
--> {"column_name":"at","data_type":"timestamp with time zone","column_default":null,"is_nullable":"YES"}

select table_name, table_type from information_schema.tables where table_name = 'ft';
--> {"table_name":"ft","table_type":"FOREIGN"}

create view ft_view as select id, name from ft;
select column_name from information_schema.columns where table_name = 'ft_view' order by 1;
--> {"column_name":"id"}
--> {"column_name":"name"}

comment on foreign table ft is 'far away';
comment on server s1 is 'first';
comment on foreign data wrapper w1 is 'wrapper';
comment on column ft.id is 'key';
select obj_description('ft'::regclass) as a;
--> {"a":"far away"}

grant usage on foreign data wrapper w1 to anon;
grant usage on foreign server s1 to anon, authenticated;
grant select on ft to anon;
select has_table_privilege('anon', 'ft', 'select') as a;
--> {"a":true}

alter server s2 version '2' options (set host 'other.test', add port '5432', drop dbname);
select srvversion, srvoptions from pg_foreign_server where srvname = 's2';
--> {"srvversion":"2","srvoptions":["host=other.test","port=5432"]}

alter server s2 options (set nosuch 'x');
--> ERROR 42704: option "nosuch" not found

alter server s2 options (add port '1');
--> ERROR 42710: option "port" provided more than once

alter server s2 options (drop nosuch);
--> ERROR 42704: option "nosuch" not found

alter server s2 rename to s4;
alter server s4 owner to postgres;
alter foreign data wrapper w2 options (drop debug);
alter foreign data wrapper w2 rename to w4;
alter user mapping for anon server s4 options (set key 'k2', add more 'm');
select fdwname, fdwoptions from pg_foreign_data_wrapper order by 1;
--> {"fdwname":"w1","fdwoptions":null}
--> {"fdwname":"w4","fdwoptions":["Level=2"]}

select srvname, usename, umoptions from pg_user_mappings order by 1, 2;
--> {"srvname":"s1","usename":"postgres","umoptions":["user=me","password=x"]}
--> {"srvname":"s1","usename":"public","umoptions":null}
--> {"srvname":"s4","usename":"anon","umoptions":["key=k2","more=m"]}

alter server nosuch version '1';
--> ERROR 42704: server "nosuch" does not exist

alter user mapping for authenticated server s4 options (add a 'b');
--> ERROR 42704: user mapping for "authenticated" does not exist for server "s4"

alter foreign table ft options (set table_name 'other', add fetch '10');
alter foreign table ft add column extra int;
alter foreign table ft rename to far;
alter foreign table far rename column extra to more;
alter foreign table far owner to postgres;
select attname from pg_attribute where attrelid = 'far'::regclass and attnum > 0 and not attisdropped order by attnum;
--> {"attname":"id"}
--> {"attname":"name"}
--> {"attname":"at"}
--> {"attname":"more"}

select ftoptions from pg_foreign_table;
--> {"ftoptions":["schema_name=public","table_name=other","fetch=10"]}

alter foreign table far drop column more;
select count(*) from information_schema.columns where table_name = 'far';
--> {"count":3}

drop foreign data wrapper w1;
--> ERROR 2BP01: cannot drop foreign-data wrapper w1 because other objects depend on it
--> DETAIL: server s1 depends on foreign-data wrapper w1\nuser mapping for postgres on server s1 depends on server s1\nuser mapping for public on server s1 depends on server s1\nforeign table far depends on server s1\nview ft_view depends on foreign table far
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop server s1;
--> ERROR 2BP01: cannot drop server s1 because other objects depend on it
--> DETAIL: user mapping for postgres on server s1 depends on server s1\nuser mapping for public on server s1 depends on server s1\nforeign table far depends on server s1\nview ft_view depends on foreign table far
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop foreign table nosuch;
--> ERROR 42704: foreign table "nosuch" does not exist

drop foreign table if exists nosuch;
drop server if exists nosuch;
drop foreign data wrapper if exists nosuch;
drop user mapping if exists for anon server nosuch;
drop user mapping if exists for authenticated server s1;
select 1 as ok;
--> {"ok":1}

drop user mapping for authenticated server s1;
--> ERROR 42704: user mapping for "authenticated" does not exist for server "s1"

drop server nosuch;
--> ERROR 42704: server "nosuch" does not exist

drop foreign data wrapper nosuch;
--> ERROR 42704: foreign-data wrapper "nosuch" does not exist

drop table far;
--> ERROR 42809: "far" is not a table
--> HINT: Use DROP FOREIGN TABLE to remove a foreign table.

drop user mapping for public server s1;
select usename from pg_user_mappings where srvname = 's1';
--> {"usename":"postgres"}

drop server s1 cascade;
select count(*) from pg_class where relname in ('far', 'ft_view');
--> {"count":0}

drop foreign data wrapper w4 cascade;
select count(*) from pg_foreign_server;
--> {"count":0}

import foreign schema public from server nosuch into public;
--> ERROR 42704: server "nosuch" does not exist
