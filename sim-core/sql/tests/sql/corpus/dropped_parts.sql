-- What event triggers are told of the parts of dropped objects: defaults, types of arrays, rules, constraints of domains.

create table log (n int generated always as identity, tag text, type text, ident text, sch text, name text, orig bool, normal bool, args text);
--> no rows

create function ondrop() returns event_trigger language plpgsql as $$ declare r record; begin for r in select * from pg_event_trigger_dropped_objects() loop insert into log(tag, type, ident, sch, name, orig, normal, args) values (tg_tag, r.object_type, r.object_identity, r.schema_name, r.object_name, r.original, r.normal, r.address_names::text || r.address_args::text); end loop; end $$;
create event trigger od on sql_drop execute function ondrop();
--> no rows

create table dt (id serial primary key, a text default 'x', b int default 3 check (b > 0), c int generated always as (b * 2) stored, d int generated always as identity);
--> no rows

drop table dt;
--> no rows

select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP TABLE","type":"table constraint","ident":"dt_b_check on public.dt","sch":"public","name":null,"orig":false,"args":"{public,dt,dt_b_check}{}"}
--> {"tag":"DROP TABLE","type":"table constraint","ident":"dt_pkey on public.dt","sch":"public","name":null,"orig":false,"args":"{public,dt,dt_pkey}{}"}
--> {"tag":"DROP TABLE","type":"default value","ident":"for public.dt.a","sch":"public","name":null,"orig":false,"args":"{public,dt,a}{}"}
--> {"tag":"DROP TABLE","type":"default value","ident":"for public.dt.b","sch":"public","name":null,"orig":false,"args":"{public,dt,b}{}"}
--> {"tag":"DROP TABLE","type":"default value","ident":"for public.dt.c","sch":"public","name":null,"orig":false,"args":"{public,dt,c}{}"}
--> {"tag":"DROP TABLE","type":"default value","ident":"for public.dt.id","sch":"public","name":null,"orig":false,"args":"{public,dt,id}{}"}
--> {"tag":"DROP TABLE","type":"table","ident":"public.dt","sch":"public","name":"dt","orig":true,"args":"{public,dt}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.dt","sch":"public","name":"dt","orig":false,"args":"{public.dt}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.dt[]","sch":"public","name":"_dt","orig":false,"args":"{public.dt[]}{}"}
--> {"tag":"DROP TABLE","type":"sequence","ident":"public.dt_d_seq","sch":"public","name":"dt_d_seq","orig":false,"args":"{public,dt_d_seq}{}"}
--> {"tag":"DROP TABLE","type":"sequence","ident":"public.dt_id_seq","sch":"public","name":"dt_id_seq","orig":false,"args":"{public,dt_id_seq}{}"}
--> {"tag":"DROP TABLE","type":"index","ident":"public.dt_pkey","sch":"public","name":"dt_pkey","orig":false,"args":"{public,dt_pkey}{}"}

delete from log; create table dt2 (id bigserial, p int); create index dti on dt2 (p); alter table dt2 drop column p; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"ALTER TABLE","type":"table column","ident":"public.dt2.p","sch":"public","name":null,"orig":true,"args":"{public,dt2,p}{}"}
--> {"tag":"ALTER TABLE","type":"index","ident":"public.dti","sch":"public","name":"dti","orig":false,"args":"{public,dti}{}"}

delete from log; alter table dt2 alter column id drop default; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"ALTER TABLE","type":"default value","ident":"for public.dt2.id","sch":"public","name":null,"orig":true,"args":"{public,dt2,id}{}"}

delete from log; create type en as enum ('a'); drop type en; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP TYPE","type":"type","ident":"public.en","sch":"public","name":"en","orig":true,"args":"{public.en}{}"}
--> {"tag":"DROP TYPE","type":"type","ident":"public.en[]","sch":"public","name":"_en","orig":false,"args":"{public.en[]}{}"}

delete from log; create type co as (a int); drop type co; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP TYPE","type":"composite type","ident":"public.co","sch":"public","name":"co","orig":false,"args":"{public,co}{}"}
--> {"tag":"DROP TYPE","type":"type","ident":"public.co","sch":"public","name":"co","orig":true,"args":"{public.co}{}"}
--> {"tag":"DROP TYPE","type":"type","ident":"public.co[]","sch":"public","name":"_co","orig":false,"args":"{public.co[]}{}"}

delete from log; create domain dm as int check (value > 0); drop domain dm; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP DOMAIN","type":"domain constraint","ident":"dm_check on public.dm","sch":"public","name":null,"orig":false,"args":"{public.dm}{dm_check}"}
--> {"tag":"DROP DOMAIN","type":"type","ident":"public.dm","sch":"public","name":"dm","orig":true,"args":"{public.dm}{}"}
--> {"tag":"DROP DOMAIN","type":"type","ident":"public.dm[]","sch":"public","name":"_dm","orig":false,"args":"{public.dm[]}{}"}

delete from log; create view vw as select 1 a; drop view vw; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP VIEW","type":"rule","ident":"\"_RETURN\" on public.vw","sch":null,"name":null,"orig":false,"args":"{public,vw,_RETURN}{}"}
--> {"tag":"DROP VIEW","type":"type","ident":"public.vw","sch":"public","name":"vw","orig":false,"args":"{public.vw}{}"}
--> {"tag":"DROP VIEW","type":"view","ident":"public.vw","sch":"public","name":"vw","orig":true,"args":"{public,vw}{}"}
--> {"tag":"DROP VIEW","type":"type","ident":"public.vw[]","sch":"public","name":"_vw","orig":false,"args":"{public.vw[]}{}"}

delete from log; create materialized view mv as select 1 a; drop materialized view mv; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP MATERIALIZED VIEW","type":"rule","ident":"\"_RETURN\" on public.mv","sch":null,"name":null,"orig":false,"args":"{public,mv,_RETURN}{}"}
--> {"tag":"DROP MATERIALIZED VIEW","type":"materialized view","ident":"public.mv","sch":"public","name":"mv","orig":true,"args":"{public,mv}{}"}
--> {"tag":"DROP MATERIALIZED VIEW","type":"type","ident":"public.mv","sch":"public","name":"mv","orig":false,"args":"{public.mv}{}"}
--> {"tag":"DROP MATERIALIZED VIEW","type":"type","ident":"public.mv[]","sch":"public","name":"_mv","orig":false,"args":"{public.mv[]}{}"}

delete from log; create sequence sq; drop sequence sq; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP SEQUENCE","type":"sequence","ident":"public.sq","sch":"public","name":"sq","orig":true,"args":"{public,sq}{}"}

delete from log; create table pa (id int default 1) ; create table ch (id int primary key, x int); create policy po on ch using (true); create trigger tr before insert on ch for each row execute function suppress_redundant_updates_trigger(); alter table ch alter x set default 5; drop table pa, ch; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP TABLE","type":"table constraint","ident":"ch_pkey on public.ch","sch":"public","name":null,"orig":false,"args":"{public,ch,ch_pkey}{}"}
--> {"tag":"DROP TABLE","type":"default value","ident":"for public.ch.x","sch":"public","name":null,"orig":false,"args":"{public,ch,x}{}"}
--> {"tag":"DROP TABLE","type":"default value","ident":"for public.pa.id","sch":"public","name":null,"orig":false,"args":"{public,pa,id}{}"}
--> {"tag":"DROP TABLE","type":"policy","ident":"po on public.ch","sch":"public","name":null,"orig":false,"args":"{public,ch,po}{}"}
--> {"tag":"DROP TABLE","type":"table","ident":"public.ch","sch":"public","name":"ch","orig":true,"args":"{public,ch}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.ch","sch":"public","name":"ch","orig":false,"args":"{public.ch}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.ch[]","sch":"public","name":"_ch","orig":false,"args":"{public.ch[]}{}"}
--> {"tag":"DROP TABLE","type":"index","ident":"public.ch_pkey","sch":"public","name":"ch_pkey","orig":false,"args":"{public,ch_pkey}{}"}
--> {"tag":"DROP TABLE","type":"table","ident":"public.pa","sch":"public","name":"pa","orig":true,"args":"{public,pa}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.pa","sch":"public","name":"pa","orig":false,"args":"{public.pa}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.pa[]","sch":"public","name":"_pa","orig":false,"args":"{public.pa[]}{}"}
--> {"tag":"DROP TABLE","type":"trigger","ident":"tr on public.ch","sch":"public","name":null,"orig":false,"args":"{public,ch,tr}{}"}

delete from log; create schema s1; create table s1."T a" (id int default 7 primary key); create function s1.f(a int, b text) returns int language sql as 'select 1'; drop schema s1 cascade; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP SCHEMA","type":"table constraint","ident":"\"T a_pkey\" on s1.\"T a\"","sch":"s1","name":null,"orig":false,"args":"{s1,\"T a\",\"T a_pkey\"}{}"}
--> {"tag":"DROP SCHEMA","type":"default value","ident":"for s1.\"T a\".id","sch":"s1","name":null,"orig":false,"args":"{s1,\"T a\",id}{}"}
--> {"tag":"DROP SCHEMA","type":"schema","ident":"s1","sch":null,"name":"s1","orig":true,"args":"{s1}{}"}
--> {"tag":"DROP SCHEMA","type":"table","ident":"s1.\"T a\"","sch":"s1","name":"T a","orig":false,"args":"{s1,\"T a\"}{}"}
--> {"tag":"DROP SCHEMA","type":"type","ident":"s1.\"T a\"","sch":"s1","name":"T a","orig":false,"args":"{\"s1.\\\"T a\\\"\"}{}"}
--> {"tag":"DROP SCHEMA","type":"type","ident":"s1.\"T a\"[]","sch":"s1","name":"_T a","orig":false,"args":"{\"s1.\\\"T a\\\"[]\"}{}"}
--> {"tag":"DROP SCHEMA","type":"index","ident":"s1.\"T a_pkey\"","sch":"s1","name":"T a_pkey","orig":false,"args":"{s1,\"T a_pkey\"}{}"}
--> {"tag":"DROP SCHEMA","type":"function","ident":"s1.f(integer,pg_catalog.text)","sch":"s1","name":null,"orig":false,"args":"{s1,f}{integer,pg_catalog.text}"}

delete from log; create table par (id int, k int default 2) partition by range (id); create table par1 partition of par for values from (0) to (10); drop table par; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP TABLE","type":"default value","ident":"for public.par.k","sch":"public","name":null,"orig":false,"args":"{public,par,k}{}"}
--> {"tag":"DROP TABLE","type":"default value","ident":"for public.par1.k","sch":"public","name":null,"orig":false,"args":"{public,par1,k}{}"}
--> {"tag":"DROP TABLE","type":"table","ident":"public.par","sch":"public","name":"par","orig":true,"args":"{public,par}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.par","sch":"public","name":"par","orig":false,"args":"{public.par}{}"}
--> {"tag":"DROP TABLE","type":"table","ident":"public.par1","sch":"public","name":"par1","orig":false,"args":"{public,par1}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.par1","sch":"public","name":"par1","orig":false,"args":"{public.par1}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.par1[]","sch":"public","name":"_par1","orig":false,"args":"{public.par1[]}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.par[]","sch":"public","name":"_par","orig":false,"args":"{public.par[]}{}"}

delete from log; create temp table tt (id int default 1); drop table tt; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP TABLE","type":"default value","ident":"for pg_temp.tt.id","sch":"pg_temp","name":null,"orig":false,"args":"{pg_temp,tt,id}{}"}
--> {"tag":"DROP TABLE","type":"table","ident":"pg_temp.tt","sch":"pg_temp","name":"tt","orig":true,"args":"{pg_temp,tt}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"pg_temp.tt","sch":"pg_temp","name":"tt","orig":false,"args":"{pg_temp.tt}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"pg_temp.tt[]","sch":"pg_temp","name":"_tt","orig":false,"args":"{pg_temp.tt[]}{}"}

delete from log; create table r1 (id int primary key); create table r2 (id int references r1); create view v2 as select * from r2; drop table r1 cascade; drop table r2 cascade; select tag, type, ident, sch, name, orig, args from log where coalesce(sch, '') <> 'pg_toast' and ident not like '%RI_Constraint%' order by ident, type;
--> {"tag":"DROP TABLE","type":"rule","ident":"\"_RETURN\" on public.v2","sch":null,"name":null,"orig":false,"args":"{public,v2,_RETURN}{}"}
--> {"tag":"DROP TABLE","type":"table","ident":"public.r1","sch":"public","name":"r1","orig":true,"args":"{public,r1}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.r1","sch":"public","name":"r1","orig":false,"args":"{public.r1}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.r1[]","sch":"public","name":"_r1","orig":false,"args":"{public.r1[]}{}"}
--> {"tag":"DROP TABLE","type":"index","ident":"public.r1_pkey","sch":"public","name":"r1_pkey","orig":false,"args":"{public,r1_pkey}{}"}
--> {"tag":"DROP TABLE","type":"table","ident":"public.r2","sch":"public","name":"r2","orig":true,"args":"{public,r2}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.r2","sch":"public","name":"r2","orig":false,"args":"{public.r2}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.r2[]","sch":"public","name":"_r2","orig":false,"args":"{public.r2[]}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.v2","sch":"public","name":"v2","orig":false,"args":"{public.v2}{}"}
--> {"tag":"DROP TABLE","type":"view","ident":"public.v2","sch":"public","name":"v2","orig":false,"args":"{public,v2}{}"}
--> {"tag":"DROP TABLE","type":"type","ident":"public.v2[]","sch":"public","name":"_v2","orig":false,"args":"{public.v2[]}{}"}
--> {"tag":"DROP TABLE","type":"table constraint","ident":"r1_pkey on public.r1","sch":"public","name":null,"orig":false,"args":"{public,r1,r1_pkey}{}"}
--> {"tag":"DROP TABLE","type":"table constraint","ident":"r2_id_fkey on public.r2","sch":"public","name":null,"orig":false,"args":"{public,r2,r2_id_fkey}{}"}

drop event trigger od;
--> no rows
