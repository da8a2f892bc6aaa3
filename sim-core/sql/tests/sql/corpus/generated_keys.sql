-- Foreign keys on generated columns, and short words of headlines.

select ts_headline('simple', E'x Qué es Proyecto de facturación y otras', to_tsquery('simple','facturación'), 'MaxFragments=1, MaxWords=32, MinWords=14') as a, ts_headline('simple', E'мы идём в дом и он там', to_tsquery('simple','дом'), 'MaxWords=4, MinWords=2') as b, ts_headline('simple', E'a bc abc abcd find it at el sol', to_tsquery('simple','find'), 'MaxWords=5, MinWords=2') as c;
--> {"a":"Qué es Proyecto de <b>facturación</b> y otras","b":"<b>дом</b> и он","c":"<b>find</b> it at el sol"}

create table t (id int primary key);
--> no rows

create table g1 (a int, b int generated always as (a) stored references t on delete set null);
--> ERROR 42601: invalid ON DELETE action for foreign key constraint containing generated column

create table g2 (a int, b int generated always as (a) stored references t on delete set default);
--> ERROR 42601: invalid ON DELETE action for foreign key constraint containing generated column

create table g3 (a int, b int generated always as (a) stored references t on update cascade);
--> ERROR 42601: invalid ON UPDATE action for foreign key constraint containing generated column

create table g4 (a int, b int generated always as (a) stored references t on update set null on delete set null);
--> ERROR 42601: invalid ON UPDATE action for foreign key constraint containing generated column

create table g5 (a int, b int generated always as (a) stored references t on delete cascade);
--> no rows

create table g6 (a int, b int generated always as (a) stored); alter table g6 add foreign key (b) references t on update set default;
--> ERROR 42601: invalid ON UPDATE action for foreign key constraint containing generated column

alter table g6 add foreign key (b) references t on update restrict on delete no action;
--> ERROR 42P01: relation "g6" does not exist

insert into t values (1), (2); insert into g5 (a) values (1), (2); delete from t where id = 1; select * from g5;
--> {"a":2,"b":2}
