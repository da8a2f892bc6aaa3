-- Trigger functions of small extensions: autoinc, insert_username, lo, refint, tcn.

create extension autoinc;
--> no rows

create extension insert_username;
--> no rows

create extension tcn;
--> no rows

create extension lo;
--> no rows

create extension refint;
--> no rows

create sequence nid start 5;
--> no rows

create table ids(id int, idesc text, u text);
--> no rows

create trigger a before insert or update on ids for each row execute function autoinc(id, nid);
--> no rows

create trigger b before insert or update on ids for each row execute function insert_username(u);
--> no rows

insert into ids values (0,'a'),(null,'b'),(7,'c');
--> no rows

select * from ids;
--> {"id":5,"idesc":"a","u":"postgres"}
--> {"id":6,"idesc":"b","u":"postgres"}
--> {"id":7,"idesc":"c","u":"postgres"}

create table img(id int, raster lo);
--> no rows

create trigger t_raster before update or delete on img for each row execute function lo_manage(raster);
--> no rows

insert into img values (1,null);
--> no rows

delete from img;
--> no rows

create table a1(id int not null);
--> no rows

create unique index ai on a1(id);
--> no rows

create table b1(refb int);
--> no rows

create trigger at before delete or update on a1 for each row execute function check_foreign_key(1,'cascade','id','b1','refb');
--> no rows

create trigger bt before insert or update on b1 for each row execute function check_primary_key('refb','a1','id');
--> no rows

insert into a1 values (1),(2);
--> no rows

insert into b1 values (1);
--> no rows

insert into b1 values (3);
--> ERROR 09000: tuple references non-existent key
--> DETAIL: Trigger "bt" found tuple referencing non-existent key in "a1".

delete from a1 where id = 1;
--> no rows

select * from b1;
--> no rows
