-- ON CONFLICT finds a partial index whose condition follows from the one given.

create table u (id int, a int, b text);
--> no rows

create unique index ux on u (lower(b), (a + 1)) where a > 0;
--> no rows

insert into u values (1, 1, 'x');
--> no rows

insert into u values (2,1,'X') on conflict ((a + 1), lower(b)) where a > 0 do nothing;
--> no rows

insert into u values (2,1,'X') on conflict (lower(b), (a + 1)) where a > 5 do nothing;
--> no rows

insert into u values (2,1,'X') on conflict (lower(b), (a + 1)) where a > 5 and id = 2 do nothing;
--> no rows

insert into u values (2,1,'X') on conflict (lower(b), (a + 1)) where a >= 1 do nothing;
--> no rows

insert into u values (2,1,'X') on conflict (lower(b), (a + 1)) where a >= 0 do nothing;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

insert into u values (2,1,'X') on conflict (lower(b), (a + 1)) where a = 3 do nothing;
--> no rows

insert into u values (2,1,'X') on conflict (lower(b), (a + 1)) where a in (3, 4) do nothing;
--> no rows

insert into u values (2,1,'X') on conflict (lower(b), (a + 1)) where a in (0, 4) do nothing;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

insert into u values (2,1,'X') on conflict (lower(b), (a + 1)) where 0 < a do nothing;
--> no rows

insert into u values (2,1,'X') on conflict (lower(b), (a + 1)) where 5 < a do nothing;
--> no rows

insert into u values (2,1,'X') on conflict (lower(b), (a + 1)) where a > 5 or a = 3 do nothing;
--> no rows

insert into u values (2,1,'X') on conflict (lower(b), (a + 1), lower(b)) where a > 5 do nothing;
--> no rows

insert into u values (2,1,'X') on conflict (lower(b)) where a > 5 do nothing;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

create table w2 (x int, y int);
--> no rows

create unique index on w2 (x, coalesce(y, 0));
--> no rows

insert into w2 values (1, null);
--> no rows

insert into w2 values (1, null) on conflict (coalesce(y, 0), x) do update set y = 4 returning *;
--> {"x":1,"y":4}

create table d (id int, e text, del timestamptz, st text, ok boolean, n numeric);
--> no rows

create unique index d1 on d (e) where del is null;
--> no rows

insert into d values (1,'a',null,'x',true,10);
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where del is null do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where del is null and st = 'x' do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st = 'x' and del is null do update set id = 9 returning id;
--> {"id":9}

insert into d values (2,'a',null,'x',true,10) on conflict (e) do nothing returning id;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

insert into d values (2,'a',null,'x',true,10) on conflict (e) where true do nothing returning id;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

drop index d1;
--> no rows

delete from d;
--> no rows

create unique index d2 on d (e) where ok;
--> no rows

insert into d values (1,'a',null,'x',true,10);
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where ok do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where ok = true do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where ok is true do nothing returning id;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

insert into d values (2,'a',null,'x',true,10) on conflict (e) where ok and n > 1 do nothing returning id;
--> no rows

drop index d2;
--> no rows

delete from d;
--> no rows

create unique index d3 on d (e) where st in ('x','y','z');
--> no rows

insert into d values (1,'a',null,'x',true,10);
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st = 'x' do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st in ('y', 'x') do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st in ('y', 'q') do nothing returning id;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st = any(array['y']) do nothing returning id;
--> no rows

drop index d3;
--> no rows

delete from d;
--> no rows

create unique index d4 on d (e) where st is not null;
--> no rows

insert into d values (1,'a',null,'x',true,10);
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st = 'x' do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st <> 'x' do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where lower(st) = 'x' do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st in ('a','b') do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st is null do nothing returning id;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

drop index d4;
--> no rows

delete from d;
--> no rows

create unique index d5 on d (e) where st <> 'x';
--> no rows

insert into d values (1,'a',null,'x',true,10);
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st <> 'x' do nothing returning id;
--> {"id":2}

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st != 'x' do nothing returning id;
--> {"id":2}

insert into d values (2,'a',null,'x',true,10) on conflict (e) where not (st = 'x') do nothing returning id;
--> {"id":2}

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st = 'y' do nothing returning id;
--> {"id":2}

drop index d5;
--> no rows

delete from d;
--> no rows

create unique index d6 on d (e) where st = 'x' or ok;
--> no rows

insert into d values (1,'a',null,'x',true,10);
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st = 'x' do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where ok do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where ok or st = 'x' do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where not ok do nothing returning id;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

drop index d6;
--> no rows

delete from d;
--> no rows

create unique index d7 on d (e) where st = 'x' and ok;
--> no rows

insert into d values (1,'a',null,'x',true,10);
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where st = 'x' do nothing returning id;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

insert into d values (2,'a',null,'x',true,10) on conflict (e) where ok and st = 'x' do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where ok and 'x' = st do nothing returning id;
--> no rows

drop index d7;
--> no rows

delete from d;
--> no rows

create unique index d8 on d (e) where n >= 10;
--> no rows

insert into d values (1,'a',null,'x',true,10);
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where n > 10 do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where n > 11.5 do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where n between 10 and 20 do nothing returning id;
--> no rows

insert into d values (2,'a',null,'x',true,10) on conflict (e) where n < 10 do nothing returning id;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification
