-- New values that read the table which is changed: they see its rows as they were.

create table t (id int primary key, s text, n int);
--> no rows

insert into t select i, 's' || i, i from generate_series(1,5) i;
--> no rows

update t set n = (select sum(x.n) from t x where x.id <= t.id);
--> no rows

select n from t order by id;
--> {"n":1}
--> {"n":3}
--> {"n":6}
--> {"n":10}
--> {"n":15}

update t set n = n + coalesce((select x.n from t x where x.id = t.id - 1), 0) returning id, n;
--> {"id":1,"n":1}
--> {"id":2,"n":4}
--> {"id":3,"n":9}
--> {"id":4,"n":16}
--> {"id":5,"n":25}

update t set s = (select x.s from t x where x.id = t.id - 1);
--> no rows

select id, s from t order by id;
--> {"id":1,"s":null}
--> {"id":2,"s":"s1"}
--> {"id":3,"s":"s2"}
--> {"id":4,"s":"s3"}
--> {"id":5,"s":"s4"}

update t set (s, n) = (select 's' || x.id, x.n from t x where x.id = t.id - 1) where id > 1;
--> no rows

select * from t order by id;
--> {"id":1,"s":null,"n":1}
--> {"id":2,"s":"s1","n":1}
--> {"id":3,"s":"s2","n":4}
--> {"id":4,"s":"s3","n":9}
--> {"id":5,"s":"s4","n":16}

create table p (id int primary key, slug text, pos int, parent int, path text);
--> no rows

insert into p values (1, 'a', 1, null, '1'), (2, 'a', 2, 1, null), (3, 'a', 3, 2, null), (4, 'b', 4, 3, null);
--> no rows

update p set pos = (select x.pos from p x where x.id = case p.id when 1 then 4 else 1 end) where id in (1, 4);
--> no rows

select id, pos from p order by id;
--> {"id":1,"pos":4}
--> {"id":2,"pos":2}
--> {"id":3,"pos":3}
--> {"id":4,"pos":1}

update p set pos = (select coalesce(max(x.pos), 0) + 1 from p x where x.slug = p.slug);
--> no rows

select id, pos from p order by id;
--> {"id":1,"pos":5}
--> {"id":2,"pos":5}
--> {"id":3,"pos":5}
--> {"id":4,"pos":2}

update p set slug = slug || '-' || (select count(*) from p x where x.slug = p.slug and x.id < p.id) where exists (select 1 from p x where x.slug = p.slug and x.id < p.id);
--> no rows

create unique index on p (slug);
--> no rows

select id, slug from p order by id;
--> {"id":1,"slug":"a"}
--> {"id":2,"slug":"a-1"}
--> {"id":3,"slug":"a-2"}
--> {"id":4,"slug":"b"}

update p set pos = (select rn from (select id, row_number() over (order by id desc) rn from p) q where q.id = p.id);
--> no rows

select id, pos from p order by id;
--> {"id":1,"pos":4}
--> {"id":2,"pos":3}
--> {"id":3,"pos":2}
--> {"id":4,"pos":1}

update p set path = (select x.path from p x where x.id = p.parent) || '.' || id where parent is not null;
--> no rows

select id, path from p order by id;
--> {"id":1,"path":"1"}
--> {"id":2,"path":"1.2"}
--> {"id":3,"path":null}
--> {"id":4,"path":null}

create view pv as select id, pos from p;
--> no rows

update p set pos = pos + (select sum(pos) from pv where pv.id < p.id) where id > 1;
--> no rows

select id, pos from p order by id;
--> {"id":1,"pos":4}
--> {"id":2,"pos":7}
--> {"id":3,"pos":9}
--> {"id":4,"pos":10}

create function look(i int) returns int language sql stable as $$ select pos from p where id = i $$;
--> no rows

update p set pos = look(id - 1);
--> no rows

select id, pos from p order by id;
--> {"id":1,"pos":null}
--> {"id":2,"pos":4}
--> {"id":3,"pos":7}
--> {"id":4,"pos":9}

update pv set pos = (select max(x.id) from pv x) - id;
--> no rows

select id, pos from p order by id;
--> {"id":1,"pos":3}
--> {"id":2,"pos":2}
--> {"id":3,"pos":1}
--> {"id":4,"pos":0}
