-- Privileges on columns below views with the rights of those who use them.

create table o (id int primary key, buyer uuid, state text default 'cart', note text);
--> no rows

create view iv3 with (security_invoker = true) as select id, state, note, buyer from o;
--> no rows

create view iv4 with (security_invoker = true) as select id as key, note as memo from iv3;
--> no rows

create view ov as select id, state, note from o;
--> no rows

revoke all on o, iv3, iv4, ov from authenticated, anon;
--> no rows

grant select, insert (id, note), update (note, state) on o to authenticated;
--> no rows

grant all on iv3, iv4 to authenticated;
--> no rows

grant select, insert, update, delete on ov to authenticated;
--> no rows

set role authenticated;
--> no rows

insert into iv3(id, note) values (5,'n') returning id;
--> {"id":5}

update iv3 set note = 'x' where id = 5;
--> no rows

update iv3 set buyer = null where id = 5;
--> no rows

insert into iv3(id, note) values (3,'q') on conflict (id) do nothing;
--> no rows

insert into iv3(id, note) values (3,'q') on conflict (id) do update set note = excluded.note;
--> no rows

insert into iv3(id, note) values (3,'q') on conflict (id) do update set buyer = excluded.buyer;
--> no rows

insert into iv3(id, state) values (6, 'x');
--> no rows

insert into iv3 values (7);
--> no rows

insert into iv3 values (8, 's');
--> no rows

insert into iv4 values (9, 'm') returning *;
--> {"key":9,"memo":"m"}

update iv4 set memo = 'n' where key = 9;
--> no rows

update iv4 set key = 10 where key = 9;
--> no rows

delete from iv3 where id = 5;
--> no rows

insert into ov values (11, 's', 'n');
--> no rows

update ov set id = 12 where id = 11;
--> no rows

delete from ov where id = 12;
--> no rows

select id, note from iv3 order by id;
--> {"id":3,"note":"q"}
--> {"id":6,"note":null}
--> {"id":7,"note":null}
--> {"id":8,"note":null}
--> {"id":10,"note":"n"}

reset role;
--> no rows
