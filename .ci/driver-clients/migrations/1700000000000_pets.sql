-- Up Migration
create type kind as enum ('cat', 'dog');
create table pet (id bigint generated always as identity primary key, name text not null, kind kind not null);
insert into pet (name, kind) values ('Tom', 'cat');
-- Down Migration
drop table pet;
drop type kind;
