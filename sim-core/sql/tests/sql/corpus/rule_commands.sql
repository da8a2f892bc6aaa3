-- Rules with commands and conditions.

create table rt(a int, b text); create table rlog(a int, at text);
--> no rows

create rule r1 as on insert to rt do also insert into rlog values (new.a, 'ins');
--> no rows

insert into rt values (1,'x'), (2,'y');
--> no rows

select * from rlog order by a;
--> {"a":1,"at":"ins"}
--> {"a":2,"at":"ins"}

create rule r2 as on update to rt where old.a <> new.a do also insert into rlog values (old.a * 100 + new.a, 'upd');
--> no rows

update rt set a = a + 10; update rt set b = 'q';
--> no rows

select * from rlog order by a;
--> {"a":1,"at":"ins"}
--> {"a":2,"at":"ins"}
--> {"a":111,"at":"upd"}
--> {"a":212,"at":"upd"}

create rule r3 as on delete to rt do instead update rt set b = 'gone' where a = old.a;
--> no rows

delete from rt where a = 11;
--> no rows

select * from rt order by a;
--> {"a":11,"b":"gone"}
--> {"a":12,"b":"q"}

drop rule r3 on rt;
--> no rows

create rule r4 as on delete to rt where old.a = 12 do instead nothing;
--> no rows

delete from rt;
--> no rows

select * from rt order by a;
--> {"a":12,"b":"q"}

insert into rt values (1,'x') on conflict do nothing;
--> ERROR 0A000: INSERT with ON CONFLICT clause cannot be used with table that has INSERT or UPDATE rules

delete from rt returning a;
--> ERROR 0A000: cannot perform DELETE RETURNING on relation "rt"
--> HINT: You need an unconditional ON DELETE DO INSTEAD rule with a RETURNING clause.

drop rule r4 on rt;
--> no rows

drop rule r1 on rt;
--> no rows

create rule r5 as on insert to rt where new.a < 0 do instead (insert into rlog values (new.a, 'one'); insert into rlog select new.a, 'two' from rt limit 1);
--> no rows

insert into rt(a) values (-1), (3);
--> no rows

select * from rt order by a;
--> {"a":3,"b":null}
--> {"a":12,"b":"q"}

select * from rlog order by a, at;
--> {"a":-1,"at":"one"}
--> {"a":-1,"at":"two"}
--> {"a":1,"at":"ins"}
--> {"a":2,"at":"ins"}
--> {"a":111,"at":"upd"}
--> {"a":212,"at":"upd"}

create or replace rule r5 as on insert to rt where new.a < 0 do instead nothing;
--> no rows

insert into rt(a) values (-7), (4);
--> no rows

select a from rt order by a;
--> {"a":3}
--> {"a":4}
--> {"a":12}

select rulename, is_instead, ev_type from pg_rewrite where ev_class = 'rt'::regclass order by 1;
--> {"rulename":"r2","is_instead":false,"ev_type":"2"}
--> {"rulename":"r5","is_instead":true,"ev_type":"3"}

select tgname from pg_trigger where tgrelid = 'rt'::regclass;
--> no rows

alter rule r5 on rt rename to r6;
--> no rows

drop rule r2 on rt; drop rule r6 on rt;
--> no rows

create view rv as select a, b from rt where a > 0;
--> no rows

create rule rv_ins as on insert to rv do instead insert into rt values (new.a, upper(new.b)) returning a, b;
--> no rows

insert into rv values (5,'z') returning *;
--> {"a":5,"b":"Z"}

select * from rt order by a;
--> {"a":3,"b":null}
--> {"a":4,"b":null}
--> {"a":5,"b":"Z"}
--> {"a":12,"b":"q"}

create rule rv_upd as on update to rv do instead update rt set b = new.b || '!' where a = old.a;
--> no rows

update rv set b = 'changed' where a = 5;
--> no rows

update rv set b = 'changed' where a = 5 returning a;
--> ERROR 0A000: cannot perform UPDATE RETURNING on relation "rv"
--> HINT: You need an unconditional ON UPDATE DO INSTEAD rule with a RETURNING clause.

select * from rt order by a;
--> {"a":3,"b":null}
--> {"a":4,"b":null}
--> {"a":5,"b":"changed!"}
--> {"a":12,"b":"q"}

create rule rv_del as on delete to rv do instead (insert into rlog values (old.a,'del'); update rt set b = null where a = old.a);
--> no rows

delete from rv where a = 5;
--> no rows

select * from rt order by a;
--> {"a":3,"b":null}
--> {"a":4,"b":null}
--> {"a":5,"b":null}
--> {"a":12,"b":"q"}

select a from rlog where at = 'del';
--> {"a":5}

create view two as select r.a, l.at from rt r join rlog l using (a);
--> no rows

insert into two values (1,'a');
--> ERROR 55000: cannot insert into view "two"
--> DETAIL: Views that do not select from a single table or view are not automatically updatable.
--> HINT: To enable inserting into the view, provide an INSTEAD OF INSERT trigger or an unconditional ON INSERT DO INSTEAD rule.

create rule two_ins as on insert to two do instead (insert into rt values (new.a, 'of two'); insert into rlog values (new.a, new.at));
--> no rows

insert into two values (77,'a'), (78,'b');
--> no rows

select * from two where a > 70 order by a;
--> {"a":77,"at":"a"}
--> {"a":78,"at":"b"}

select is_insertable_into from information_schema.tables where table_name = 'two';
--> {"is_insertable_into":"YES"}

create rule bad as on insert to rt do also insert into missing values (1);
--> ERROR 42P01: relation "missing" does not exist
--> AT 56

create rule bad as on insert to rt do also insert into;
--> ERROR 42601: syntax error at or near ";"
--> AT 55

create table ev(id int, y int); create table ev_2020 (like ev); create table ev_2021 (like ev);
--> no rows

create rule e20 as on insert to ev where (y = 2020) do instead insert into ev_2020 values (new.*);
--> no rows

create rule e21 as on insert to ev where new.y = 2021 do instead insert into ev_2021(id, y) values (new.id, new.y);
--> no rows

insert into ev values (1,2020),(2,2021),(3,2022);
--> no rows

select 'ev' t, * from ev union all select '20', * from ev_2020 union all select '21', * from ev_2021 order by 2;
--> {"t":"20","id":1,"y":2020}
--> {"t":"21","id":2,"y":2021}
--> {"t":"ev","id":3,"y":2022}

create rule w as on update to ev do also insert into ev_2020 select new.id, old.y from ev_2021 o where o.y > 0;
--> no rows

update ev set id = 10;
--> no rows

select * from ev_2020 order by id;
--> {"id":1,"y":2020}
--> {"id":10,"y":2022}

alter table ev rename to evs; alter table evs rename column y to yy;
--> no rows

insert into evs values (5,2020),(6,2021);
--> no rows

update evs set id = 11;
--> no rows

select * from ev_2020 order by id;
--> {"id":1,"y":2020}
--> {"id":5,"y":2020}
--> {"id":10,"y":2022}
--> {"id":11,"y":2022}
--> {"id":11,"y":2022}

select * from ev_2021 order by id;
--> {"id":2,"y":2021}
--> {"id":6,"y":2021}

merge into evs using (select 1 as id) s on s.id = evs.id when matched then delete;
--> ERROR 0A000: cannot execute MERGE on relation "evs"
--> DETAIL: MERGE is not supported for relations with rules.

create rule un as on update to evs where yy = 1 do also notify evs;
--> ERROR 42702: column reference "yy" is ambiguous
--> AT 42

drop table evs;
--> no rows
