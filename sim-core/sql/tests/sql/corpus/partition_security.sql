-- Row security of partitions: policies of a partition are in force where it is named, those of the table where the table is.

create table note (id int, k text, owner text, primary key (id, k)) partition by list (k);
--> no rows

create table note_a partition of note for values in ('a');
--> no rows

create table note_b partition of note for values in ('b');
--> no rows

insert into note values (1, 'a', 'ann'), (2, 'a', 'bob'), (3, 'b', 'ann'), (4, 'b', 'bob');
--> no rows

create role ann;
--> no rows

create role bob;
--> no rows

grant all on note, note_a, note_b to ann, bob;
--> no rows

alter table note_a enable row level security;
--> no rows

create policy own on note_a using (owner = current_user);
--> no rows

select relname, relrowsecurity from pg_class where relname like 'note%' and relkind in ('r', 'p') order by 1;
--> {"relname":"note","relrowsecurity":false}
--> {"relname":"note_a","relrowsecurity":true}
--> {"relname":"note_b","relrowsecurity":false}

set role ann; select * from note order by id;
--> {"id":1,"k":"a","owner":"ann"}
--> {"id":2,"k":"a","owner":"bob"}
--> {"id":3,"k":"b","owner":"ann"}
--> {"id":4,"k":"b","owner":"bob"}

set role ann; select * from note_a order by id;
--> {"id":1,"k":"a","owner":"ann"}

set role ann; select count(*) from note_a where owner = 'bob';
--> {"count":0}

set role ann; select a.id, b.id as other from note_a a join note_b b on b.owner = a.owner;
--> {"id":1,"other":3}

set role ann; insert into note_a values (5, 'a', 'ann') returning id;
--> {"id":5}

set role ann; insert into note_a values (6, 'a', 'bob');
--> ERROR 42501: new row violates row-level security policy for table "note_a"

set role ann; insert into note values (6, 'a', 'bob') returning id;
--> {"id":6}

set role ann; update note_a set owner = 'ann' where id = 2 returning id;
--> no rows

set role ann; update note_a set owner = 'bob' where id = 5;
--> ERROR 42501: new row violates row-level security policy for table "note_a"

set role ann; update note_a set id = id + 10 returning id, owner;
--> {"id":11,"owner":"ann"}
--> {"id":15,"owner":"ann"}

set role ann; delete from note_a where id = 2 returning id;
--> no rows

set role ann; delete from note_a where id = 15 returning id;
--> {"id":15}

set role ann; insert into note_a values (11, 'a', 'ann') on conflict (id, k) do update set owner = 'ann' returning id;
--> {"id":11}

set role ann; insert into note_a values (2, 'a', 'ann') on conflict (id, k) do update set owner = 'ann' returning id;
--> ERROR 42501: new row violates row-level security policy (USING expression) for table "note_a"

set role ann; insert into note_a values (2, 'a', 'ann') on conflict do nothing;
--> no rows

select * from note order by id;
--> {"id":2,"k":"a","owner":"bob"}
--> {"id":3,"k":"b","owner":"ann"}
--> {"id":4,"k":"b","owner":"bob"}
--> {"id":6,"k":"a","owner":"bob"}
--> {"id":11,"k":"a","owner":"ann"}

create policy reads on note_a as restrictive for select using (id > 100);
--> no rows

set role ann; select * from note_a;
--> no rows

drop policy reads on note_a;
--> no rows

alter table note enable row level security;
--> no rows

create policy all_of_b on note using (k = 'b');
--> no rows

set role bob; select * from note order by id;
--> {"id":3,"k":"b","owner":"ann"}
--> {"id":4,"k":"b","owner":"bob"}

set role bob; select * from note_a order by id;
--> {"id":2,"k":"a","owner":"bob"}
--> {"id":6,"k":"a","owner":"bob"}

set role bob; select * from note_b order by id;
--> {"id":3,"k":"b","owner":"ann"}
--> {"id":4,"k":"b","owner":"bob"}

set role bob; update note set owner = 'bob' where id = 3 returning id;
--> {"id":3}

set role bob; update note set owner = 'bob' where id = 2 returning id;
--> no rows

set role bob; insert into note values (20, 'a', 'bob');
--> ERROR 42501: new row violates row-level security policy for table "note"

set role bob; insert into note_a values (20, 'a', 'bob') returning id;
--> {"id":20}

create view mine as select id, owner from note_a;
--> no rows

grant select, update on mine to ann;
--> no rows

set role ann; select * from mine order by id;
--> {"id":2,"owner":"bob"}
--> {"id":6,"owner":"bob"}
--> {"id":11,"owner":"ann"}
--> {"id":20,"owner":"bob"}

create view of_invoker with (security_invoker) as select id, owner from note_a;
--> no rows

grant select, update, delete on of_invoker to ann;
--> no rows

set role ann; select * from of_invoker order by id;
--> {"id":11,"owner":"ann"}

set role ann; update of_invoker set owner = 'x';
--> ERROR 42501: new row violates row-level security policy for table "note_a"

set role ann; delete from of_invoker where owner = 'bob' returning id;
--> no rows

alter table note_a force row level security;
--> no rows

alter table note_a disable row level security;
--> no rows

set role ann; select count(*) from note_a;
--> {"count":4}

create table note_c (id int not null, k text not null, owner text);
--> no rows

alter table note_c enable row level security;
--> no rows

create policy none on note_c using (false);
--> no rows

grant all on note_c to ann;
--> no rows

insert into note_c values (30, 'c', 'ann');
--> no rows

alter table note attach partition note_c for values in ('c');
--> no rows

set role ann; select count(*) from note_c;
--> {"count":0}

set role ann; insert into note_c values (31, 'c', 'ann');
--> ERROR 42501: new row violates row-level security policy for table "note_c"

select polname, polrelid::regclass::text from pg_policy order by 2, 1;
--> {"polname":"all_of_b","polrelid":"note"}
--> {"polname":"own","polrelid":"note_a"}
--> {"polname":"none","polrelid":"note_c"}

alter table note detach partition note_c;
--> no rows

set role ann; select count(*) from note_c;
--> {"count":0}

create function touch() returns trigger language plpgsql as $$ begin new.owner := new.owner || '!'; return new; end $$;
--> no rows

create trigger touch before insert on note_b for each row execute function touch();
--> no rows

alter table note_b enable row level security;
--> no rows

create policy loud on note_b using (owner like '%!');
--> no rows

set role ann; insert into note_b values (40, 'b', 'ann') returning owner;
--> {"owner":"ann!"}

set role ann; select * from note_b;
--> {"id":40,"k":"b","owner":"ann!"}

set role ann; update note_b set owner = 'quiet';
--> ERROR 42501: new row violates row-level security policy for table "note_b"

drop owned by ann, bob;
--> no rows

drop role ann, bob;
--> no rows
