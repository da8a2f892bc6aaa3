-- Locks on the side of an outer join that may be nulls, and on functions.

create table a (id int primary key, n text); create table b (id int, a_id int); insert into a values (1, 'x'); insert into b values (1, 1), (2, null);
--> no rows

select * from b left join a on a.id = b.a_id for update;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select * from b left join a on a.id = b.a_id order by b.id for update of b;
--> {"id":1,"a_id":1,"n":"x"}
--> {"id":null,"a_id":null,"n":null}

select * from b left join a on a.id = b.a_id for update of a;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select * from b right join a on a.id = b.a_id for share;
--> ERROR 0A000: FOR SHARE cannot be applied to the nullable side of an outer join

select * from b full join a on a.id = b.a_id for no key update;
--> ERROR 0A000: FOR NO KEY UPDATE cannot be applied to the nullable side of an outer join

select * from b left join (select * from a) q on q.id = b.a_id for update of q;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select * from b left join a on a.id = b.a_id where a.n = 'x' for update;
--> {"id":1,"a_id":1,"n":"x"}

select * from b left join a on a.id = b.a_id where b.id = 1 for update;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select * from b left join a on a.id = b.a_id where a.n is null for update;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select * from b join a on a.id = b.a_id for update;
--> {"id":1,"a_id":1,"n":"x"}

select b.id from b left join generate_series(1, 2) g on true order by 1 for update;
--> {"id":1}
--> {"id":1}
--> {"id":2}
--> {"id":2}

select * from generate_series(1, 2) g for update of g;
--> ERROR 0A000: FOR UPDATE cannot be applied to a function
--> AT 53

do $$ declare r record; begin select * into r from b left join a on a.id = b.a_id for update; end $$;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select b.id, (select max(n) from a) from b left join lateral (select 1 as one) l on true order by 1 for update of b;
--> {"id":1,"max":"x"}
--> {"id":2,"max":"x"}
