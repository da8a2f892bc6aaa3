-- Triggers that read all changed rows, follow a key, or change a row before its policies.

create table tt (id int primary key, n int, doubled int generated always as (n * 2) stored);
--> no rows

create table tlog (op text, k bigint, total bigint);
--> no rows

create function counted() returns trigger language plpgsql as $$ begin insert into tlog select tg_op, count(*), sum(n + doubled) from newrows; return null; end $$;
--> no rows

create trigger t_insert after insert on tt referencing new table as newrows for each statement execute function counted();
--> no rows

insert into tt values (1, 1), (2, 2);
--> no rows

select * from tlog;
--> {"op":"INSERT","k":2,"total":9}

create function compared() returns trigger language plpgsql as $$
declare r record; begin
  for r in select o.id, o.n as before, n.n as after from olds o join news n using (id) order by 1 loop
    insert into tlog values (tg_op || ' ' || r.before || '>' || r.after, r.id, null);
  end loop;
  return null;
end $$;
--> no rows

create trigger t_update after update on tt referencing old table as olds new table news for each statement execute function compared();
--> no rows

update tt set n = n + 10;
--> no rows

select * from tlog order by op, k;
--> {"op":"INSERT","k":2,"total":9}
--> {"op":"UPDATE 1>11","k":1,"total":null}
--> {"op":"UPDATE 2>12","k":2,"total":null}

create function gone() returns trigger language plpgsql as $$ begin insert into tlog select tg_op || ' row ' || old.id, count(*), null from gone_rows; return null; end $$;
--> no rows

create trigger t_delete after delete on tt referencing old table as gone_rows for each row execute function gone();
--> no rows

delete from tt;
--> no rows

select * from tlog order by op, k;
--> {"op":"DELETE row 1","k":2,"total":null}
--> {"op":"DELETE row 2","k":2,"total":null}
--> {"op":"INSERT","k":2,"total":9}
--> {"op":"UPDATE 1>11","k":1,"total":null}
--> {"op":"UPDATE 2>12","k":2,"total":null}

delete from tt;
--> no rows

update tt set n = 1;
--> no rows

select count(*) from tlog;
--> {"count":5}

create trigger wrong before insert on tt referencing new table as n for each statement execute function counted();
--> ERROR 42P17: transition table name can only be specified for an AFTER trigger

create trigger wrong after insert on tt referencing old table as n for each statement execute function counted();
--> ERROR 42P17: OLD TABLE can only be specified for a DELETE or UPDATE trigger

create trigger wrong after delete on tt referencing new table as n for each statement execute function counted();
--> ERROR 42P17: NEW TABLE can only be specified for an INSERT or UPDATE trigger

create trigger wrong after insert or update on tt referencing new table as n for each statement execute function counted();
--> ERROR 0A000: transition tables cannot be specified for triggers with more than one event

create trigger wrong after update of n on tt referencing new table as n for each statement execute function counted();
--> ERROR 0A000: transition tables cannot be specified for triggers with column lists

create trigger wrong after update on tt referencing new table as n old table as n for each statement execute function counted();
--> ERROR 42P17: OLD TABLE name and NEW TABLE name cannot be the same

create table parent (id int primary key, name text);
--> no rows

create table child (pid int references parent on update cascade, note text);
--> no rows

create table loose (pid int references parent on update set null, note text);
--> no rows

create function changed() returns trigger language plpgsql as $$ begin new.note := coalesce(new.note, '') || ' was ' || old.pid; return new; end $$;
--> no rows

create trigger c before update on child for each row execute function changed();
--> no rows

create trigger c before update on loose for each row execute function changed();
--> no rows

insert into parent values (1, 'a'), (2, 'b');
--> no rows

insert into child values (1, 'x'), (2, 'y'), (null, 'z');
--> no rows

insert into loose values (1, 'x');
--> no rows

update parent set id = id + 10;
--> no rows

select * from child order by note;
--> {"pid":11,"note":"x was 1"}
--> {"pid":12,"note":"y was 2"}
--> {"pid":null,"note":"z"}

select * from loose;
--> {"pid":null,"note":"x was 1"}

update parent set name = 'c';
--> no rows

select * from child order by note;
--> {"pid":11,"note":"x was 1"}
--> {"pid":12,"note":"y was 2"}
--> {"pid":null,"note":"z"}

create table secured (id int, owner text);
--> no rows

alter table secured enable row level security;
--> no rows

create policy own on secured for all to authenticated using (owner = 'me') with check (owner = 'me');
--> no rows

grant all on secured to authenticated;
--> no rows

create function owned() returns trigger language plpgsql as $$ begin if new.owner = 'nobody' then new.owner := 'me'; elsif new.owner = 'me' and new.id > 100 then new.owner := 'you'; end if; return new; end $$;
--> no rows

create trigger owned before insert or update on secured for each row execute function owned();
--> no rows

set role authenticated;
--> no rows

set role authenticated; insert into secured values (1, 'nobody');
--> no rows

set role authenticated; insert into secured values (2, 'you');
--> ERROR 42501: new row violates row-level security policy for table "secured"

set role authenticated; insert into secured values (101, 'me');
--> ERROR 42501: new row violates row-level security policy for table "secured"

set role authenticated; update secured set id = 102;
--> ERROR 42501: new row violates row-level security policy for table "secured"

set role authenticated; update secured set owner = 'nobody', id = 5 returning *;
--> {"id":5,"owner":"me"}

set role authenticated; update secured set owner = 'you';
--> ERROR 42501: new row violates row-level security policy for table "secured"

set role authenticated; insert into secured values (3, 'me') on conflict do nothing;
--> no rows

select * from secured order by id;
--> {"id":3,"owner":"me"}
--> {"id":5,"owner":"me"}
