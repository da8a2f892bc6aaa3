create table ev (id int, at date not null, kind text, primary key (id, at)) partition by range (at);
--> no rows

create table ev_a partition of ev for values from ('2026-01-01') to ('2026-02-01');
--> no rows

create table ev_b partition of ev for values from ('2026-02-01') to ('2026-03-01');
--> no rows

create table ev_d partition of ev default;
--> no rows

create table seen (n serial, what text);
--> no rows

create function note() returns trigger language plpgsql as $$ begin insert into seen (what) values (tg_name || ' ' || tg_when || ' ' || tg_op || ' ' || tg_level || ' ' || tg_table_name || ' ' || (tg_relid = ('public.' || tg_table_name)::regclass)); if tg_level = 'ROW' and tg_op <> 'DELETE' then return new; end if; return old; end $$;
--> no rows

create trigger p_row before insert or update or delete on ev for each row execute function note();
--> no rows

create trigger p_stmt after insert on ev for each statement execute function note();
--> no rows

create trigger a_row after insert or delete on ev_a for each row execute function note();
--> no rows

create trigger a_stmt before insert on ev_a for each statement execute function note();
--> no rows

create trigger b_guard before truncate on ev_b for each statement execute function note();
--> no rows

insert into ev values (1, '2026-01-05', 'x'), (2, '2026-02-05', 'y');
--> no rows

select what from seen order by n;
--> {"what":"p_row BEFORE INSERT ROW ev_a true"}
--> {"what":"p_row BEFORE INSERT ROW ev_b true"}
--> {"what":"a_row AFTER INSERT ROW ev_a true"}
--> {"what":"p_stmt AFTER INSERT STATEMENT ev true"}

delete from seen; insert into ev_a values (3, '2026-01-06', 'z'); select what from seen order by n;
--> {"what":"a_stmt BEFORE INSERT STATEMENT ev_a true"}
--> {"what":"p_row BEFORE INSERT ROW ev_a true"}
--> {"what":"a_row AFTER INSERT ROW ev_a true"}

delete from seen; update ev set kind = 'w' where id = 2; select what from seen order by n;
--> {"what":"p_row BEFORE UPDATE ROW ev_b true"}

delete from seen; delete from ev where id in (1, 2); select what from seen order by n;
--> {"what":"p_row BEFORE DELETE ROW ev_a true"}
--> {"what":"p_row BEFORE DELETE ROW ev_b true"}
--> {"what":"a_row AFTER DELETE ROW ev_a true"}

delete from seen; truncate ev; select what from seen order by n;
--> {"what":"b_guard BEFORE TRUNCATE STATEMENT ev_b true"}

delete from seen; truncate ev_b; select what from seen order by n;
--> {"what":"b_guard BEFORE TRUNCATE STATEMENT ev_b true"}

create function deny() returns trigger language plpgsql as $$ begin raise exception 'no % on %', tg_op, tg_table_name; end $$;
--> no rows

create trigger deny before update or delete on ev_d for each row execute function deny();
--> no rows

insert into ev values (5, '2030-01-01', 'd'), (6, '2026-01-07', 'a');
--> no rows

update ev set kind = 'q' where id = 5;
--> ERROR P0001: no UPDATE on ev_d

update ev set kind = 'q' where id = 6;
--> no rows

delete from ev_d;
--> ERROR P0001: no DELETE on ev_d

alter table ev_d disable trigger deny;
--> no rows

delete from ev_d where id = 5 returning id;
--> {"id":5}

alter table ev_d enable trigger deny;
--> no rows

create trigger fix before insert on ev_b for each row when (new.kind is null) execute function note();
--> no rows

delete from seen; insert into ev values (7, '2026-02-09', null), (8, '2026-02-10', 'k'), (9, '2026-01-10', null); select what from seen order by n;
--> {"what":"fix BEFORE INSERT ROW ev_b true"}
--> {"what":"p_row BEFORE INSERT ROW ev_b true"}
--> {"what":"p_row BEFORE INSERT ROW ev_b true"}
--> {"what":"p_row BEFORE INSERT ROW ev_a true"}
--> {"what":"a_row AFTER INSERT ROW ev_a true"}
--> {"what":"p_stmt AFTER INSERT STATEMENT ev true"}

drop trigger fix on ev_b;
--> no rows

select tgname from pg_trigger where tgrelid = 'ev'::regclass order by 1;
--> {"tgname":"p_row"}
--> {"tgname":"p_stmt"}

create table sub (id int, at date, region text) partition by list (region);
--> no rows

create table sub_x partition of sub for values in ('x') partition by range (at);
--> no rows

create table sub_x1 partition of sub_x for values from ('2026-01-01') to ('2027-01-01');
--> no rows

create trigger sub_row before insert on sub_x for each row execute function note();
--> no rows

delete from seen; insert into sub values (1, '2026-05-05', 'x'); select what from seen order by n;
--> {"what":"sub_row BEFORE INSERT ROW sub_x1 true"}

create table logs (id int not null, at date not null, slug text) partition by range (at);
--> no rows

create table logs_a (id int not null, at date not null, slug text);
--> no rows

alter table only logs attach partition logs_a for values from ('2026-01-01') to ('2027-01-01');
--> no rows

alter table only logs add constraint logs_pkey primary key (id, at);
--> no rows

alter table only logs_a add constraint logs_a_pkey primary key (id, at);
--> no rows

alter index logs_pkey attach partition logs_a_pkey;
--> no rows

insert into logs values (1, '2026-05-05', 'a'), (1, '2026-05-05', 'b');
--> ERROR 23505: duplicate key value violates unique constraint "logs_a_pkey"
--> DETAIL: Key (id, at)=(1, 2026-05-05) already exists.
