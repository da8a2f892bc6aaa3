create table entry (id int primary key, note text); create table posting (number int generated always as identity, entry int, debit int default 0, credit int default 0);
--> no rows

create function check_balance() returns trigger language plpgsql as $$ declare off int; begin select sum(debit) - sum(credit) into off from posting where entry = coalesce(new.entry, old.entry); if off <> 0 then raise exception 'entry % is off by %', coalesce(new.entry, old.entry), off using errcode = '23514'; end if; return null; end $$;
--> no rows

create constraint trigger balanced after insert or update or delete on posting deferrable initially deferred for each row execute function check_balance();
--> no rows

create function post() returns trigger language plpgsql as $$ begin insert into posting (entry, debit) values (new.id, 5); insert into posting (entry, credit) values (new.id, 5); return new; end $$;
--> no rows

create trigger post after insert on entry for each row execute function post();
--> no rows

insert into entry values (1, 'a');
--> no rows

create function post_by_hand(entry int) returns void language plpgsql as $$ begin insert into posting (entry, debit) values ($1, 5); insert into posting (entry, credit) values ($1, 5); end $$;
--> no rows

select post_by_hand(2);
--> {"post_by_hand":""}

create function post_in_sql(entry int) returns void language sql as $$ insert into posting (entry, debit) values (entry, 5); insert into posting (entry, credit) values (entry, 5) $$;
--> no rows

select post_in_sql(3);
--> {"post_in_sql":null}

do $$ begin insert into posting (entry, debit) values (4, 5); insert into posting (entry, credit) values (4, 5); end $$;
--> no rows

with first as (insert into posting (entry, debit) values (5, 1) returning entry) insert into posting (entry, credit) select entry, 1 from first;
--> no rows

select entry, count(*) as postings from posting group by entry order by entry;
--> {"entry":1,"postings":2}
--> {"entry":2,"postings":2}
--> {"entry":3,"postings":2}
--> {"entry":4,"postings":2}
--> {"entry":5,"postings":2}

insert into posting (entry, debit) values (6, 1);
--> ERROR 23514: entry 6 is off by 1

select count(*) from (select post_by_hand(7)) as posted;
--> {"count":1}

begin; insert into posting (entry, debit) values (8, 1); insert into posting (entry, credit) values (8, 1); commit;
--> no rows

begin; insert into posting (entry, debit) values (9, 1); select 1 as one; commit;
--> ERROR 23514: entry 9 is off by 1

select count(*) from posting where entry = 9;
--> {"count":0}

begin; insert into posting (entry, debit) values (10, 1); set constraints balanced immediate; commit;
--> ERROR 23514: entry 10 is off by 1

begin; insert into posting (entry, debit) values (11, 1); insert into posting (entry, credit) values (11, 1); set constraints all immediate; delete from posting where entry = 11 and debit = 1; commit;
--> ERROR 23514: entry 11 is off by -1

begin; savepoint a; insert into posting (entry, debit) values (12, 1); rollback to a; insert into posting (entry, debit) values (13, 2); insert into posting (entry, credit) values (13, 2); commit;
--> no rows

select entry, sum(debit) as debit from posting where entry > 11 group by entry;
--> {"entry":13,"debit":2}

set constraints post deferred;
--> ERROR 42704: constraint "post" does not exist

set constraints missing deferred;
--> ERROR 42704: constraint "missing" does not exist

create function caught() returns text language plpgsql as $$ begin insert into posting (entry, debit) values (14, 1); set constraints all immediate; return 'none'; exception when check_violation then return sqlerrm; end $$;
--> no rows

select caught();
--> {"caught":"entry 14 is off by 1"}

create table seen (number int generated always as identity, what text);
--> no rows

create function see() returns trigger language plpgsql as $$ begin insert into seen (what) values (tg_name || ' ' || tg_op || ' ' || coalesce(old.note, '-') || ' ' || coalesce(new.note, '-')); return null; end $$;
--> no rows

create constraint trigger later after insert or update or delete on entry initially deferred for each row execute function see();
--> no rows

create constraint trigger soon after update on entry deferrable for each row when (old.note is distinct from new.note) execute function see();
--> no rows

begin; insert into entry values (20, 'x'); update entry set note = 'y' where id = 20; insert into seen (what) values ('before the end'); commit;
--> no rows

select what from seen order by number;
--> {"what":"soon UPDATE x y"}
--> {"what":"before the end"}
--> {"what":"later INSERT - x"}
--> {"what":"later UPDATE x y"}

truncate seen;
--> no rows

begin; set constraints soon deferred; update entry set note = 'z' where id = 20; update entry set note = 'z' where id = 20; delete from entry where id = 20; insert into seen (what) values ('before the end'); commit;
--> no rows

select what from seen order by number;
--> {"what":"before the end"}
--> {"what":"later UPDATE y z"}
--> {"what":"soon UPDATE y z"}
--> {"what":"later UPDATE z z"}
--> {"what":"later DELETE z -"}

create function again() returns trigger language plpgsql as $$ begin if new.id < 33 then insert into entry values (new.id + 1, 'next'); end if; return null; end $$;
--> no rows

create constraint trigger again after insert on entry deferrable initially deferred for each row when (new.id >= 30) execute function again();
--> no rows

insert into entry values (30, 'first');
--> no rows

select id, note from entry where id >= 30 order by id;
--> {"id":30,"note":"first"}
--> {"id":31,"note":"next"}
--> {"id":32,"note":"next"}
--> {"id":33,"note":"next"}
