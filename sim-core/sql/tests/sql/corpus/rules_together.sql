-- Rules besides a change and instead of it, of the same table and event.

create table t (a int, b text); create table l (n serial, x text); create rule r1 as on insert to t do also insert into l (x) values ('also ' || new.a);
--> no rows

create rule r2 as on insert to t where new.a < 0 do instead nothing;
--> no rows

insert into t values (1, 'a'), (-1, 'b');
--> no rows

select * from t order by a;
--> {"a":1,"b":"a"}

select x from l order by x;
--> {"x":"also -1"}
--> {"x":"also 1"}

truncate l; create rule r3 as on update to t do also insert into l (x) values ('upd ' || old.a || ' ' || new.a);
--> no rows

create rule r4 as on update to t where new.a > 100 do instead insert into l (x) values ('too big ' || new.a);
--> no rows

update t set a = a + 1;
--> no rows

update t set a = 200;
--> no rows

select * from t order by a;
--> {"a":2,"b":"a"}

select x from l order by x;
--> {"x":"too big 200"}
--> {"x":"upd 1 2"}
--> {"x":"upd 2 200"}

truncate l; create rule r5 as on delete to t do also insert into l (x) values ('del ' || old.a);
--> no rows

create rule r6 as on delete to t where old.a = 2 do instead update t set b = 'kept' where a = old.a;
--> no rows

delete from t;
--> no rows

select * from t order by a;
--> {"a":2,"b":"kept"}

select x from l order by x;
--> {"x":"del 2"}
--> {"x":"upd 2 2"}

create table u (a int); create rule z1 as on insert to u do instead insert into l (x) values ('instead ' || new.a);
--> no rows

create rule z2 as on insert to u do also insert into l (x) values ('besides ' || new.a);
--> no rows

truncate l; insert into u values (1), (2);
--> no rows

select * from u;
--> no rows

select x from l order by x;
--> {"x":"besides 1"}
--> {"x":"besides 2"}
--> {"x":"instead 1"}
--> {"x":"instead 2"}

create rule z0 as on insert to u do also insert into l (x) values ('first ' || new.a);
--> no rows

truncate l; insert into u values (3);
--> no rows

select x from l order by x;
--> {"x":"besides 3"}
--> {"x":"first 3"}
--> {"x":"instead 3"}

create table w (a int); create rule w1 as on insert to w do instead nothing;
--> no rows

create rule w2 as on insert to w do also insert into l (x) values ('besides ' || new.a);
--> no rows

truncate l; insert into w values (1);
--> no rows

select * from w;
--> no rows

select x from l order by x;
--> {"x":"besides 1"}

create table y (a int primary key, b int); insert into y values (1, 1), (2, 2), (3, 3); create rule y1 as on update to y where old.a = 1 do instead nothing; create rule y2 as on update to y do also insert into l (x) values ('y ' || old.b || new.b);
--> no rows

truncate l; update y set b = b * 10;
--> no rows

select * from y order by a;
--> {"a":1,"b":1}
--> {"a":2,"b":20}
--> {"a":3,"b":30}

select x from l order by x;
--> {"x":"y 110"}
--> {"x":"y 220"}
--> {"x":"y 330"}

create rule y3 as on delete to y do instead nothing; create rule y4 as on delete to y do also insert into l (x) values ('gone ' || old.a);
--> no rows

truncate l; delete from y where a = 2;
--> no rows

select * from y order by a;
--> {"a":1,"b":1}
--> {"a":2,"b":20}
--> {"a":3,"b":30}

select x from l order by x;
--> {"x":"gone 2"}

insert into t select 5, 'x' returning a;
--> ERROR 0A000: cannot perform INSERT RETURNING on relation "t"
--> HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

update t set a = 7 where a = 5 returning *;
--> ERROR 0A000: cannot perform UPDATE RETURNING on relation "t"
--> HINT: You need an unconditional ON UPDATE DO INSTEAD rule with a RETURNING clause.

create table q (a int); create rule q1 as on insert to q where new.a = 1 do instead insert into l (x) values ('one'); create rule q2 as on insert to q where new.a = 2 do also insert into l (x) values ('two'); create rule q3 as on insert to q where new.a = 3 do instead nothing;
--> no rows

truncate l; insert into q values (1), (2), (3), (4);
--> no rows

select * from q order by a;
--> {"a":2}
--> {"a":4}

select x from l order by x;
--> {"x":"one"}
--> {"x":"two"}
