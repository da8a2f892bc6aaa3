-- An update that brings a row into another partition deletes it from one and inserts it into the other.

create table log(n serial, line text);
--> no rows

create table par(id int, k int, v text) partition by list(k);
--> no rows

create table par1 partition of par for values in (1,2);
--> no rows

create table pard partition of par default;
--> no rows

create function tr() returns trigger language plpgsql as $$ begin insert into log(line) values (format('%s %s %s %s old=%s new=%s', tg_table_name, tg_when, tg_op, tg_name, case when tg_op <> 'INSERT' then old::text end, case when tg_op <> 'DELETE' then new::text end)); if tg_when = 'BEFORE' and tg_op <> 'DELETE' then new.v := coalesce(new.v,'') || left(tg_op,1); end if; if tg_op = 'DELETE' then return old; end if; return new; end $$;
--> no rows

create trigger b before insert or update or delete on par for each row execute function tr();
--> no rows

create trigger a after insert or update or delete on par for each row execute function tr();
--> no rows

create function st() returns trigger language plpgsql as $$ begin insert into log(line) values (format('%s %s %s statement', tg_table_name, tg_when, tg_op)); return null; end $$;
--> no rows

create trigger sb before insert or update or delete on par for each statement execute function st();
--> no rows

create trigger sa after insert or update or delete on par for each statement execute function st();
--> no rows

insert into par values (1,1,'');
--> no rows

update par set k = 9 returning *;
--> {"id":1,"k":9,"v":"IUI"}

update par set k = 2 where k = 9;
--> no rows

update par set k = 1 where k = 2;
--> no rows

select tableoid::regclass, * from par;
--> {"tableoid":"par1","id":1,"k":1,"v":"IUIUIU"}

select line from log order by n;
--> {"line":"par BEFORE INSERT statement"}
--> {"line":"par1 BEFORE INSERT b old= new=(1,1,\"\")"}
--> {"line":"par1 AFTER INSERT a old= new=(1,1,I)"}
--> {"line":"par AFTER INSERT statement"}
--> {"line":"par BEFORE UPDATE statement"}
--> {"line":"par1 BEFORE UPDATE b old=(1,1,I) new=(1,9,I)"}
--> {"line":"par1 BEFORE DELETE b old=(1,1,I) new="}
--> {"line":"pard BEFORE INSERT b old= new=(1,9,IU)"}
--> {"line":"par1 AFTER DELETE a old=(1,1,I) new="}
--> {"line":"pard AFTER INSERT a old= new=(1,9,IUI)"}
--> {"line":"par AFTER UPDATE statement"}
--> {"line":"par BEFORE UPDATE statement"}
--> {"line":"pard BEFORE UPDATE b old=(1,9,IUI) new=(1,2,IUI)"}
--> {"line":"pard BEFORE DELETE b old=(1,9,IUI) new="}
--> {"line":"par1 BEFORE INSERT b old= new=(1,2,IUIU)"}
--> {"line":"pard AFTER DELETE a old=(1,9,IUI) new="}
--> {"line":"par1 AFTER INSERT a old= new=(1,2,IUIUI)"}
--> {"line":"par AFTER UPDATE statement"}
--> {"line":"par BEFORE UPDATE statement"}
--> {"line":"par1 BEFORE UPDATE b old=(1,2,IUIUI) new=(1,1,IUIUI)"}
--> {"line":"par1 AFTER UPDATE a old=(1,2,IUIUI) new=(1,1,IUIUIU)"}
--> {"line":"par AFTER UPDATE statement"}

update par1 set k = 9;
--> ERROR 23514: new row for relation "par1" violates partition constraint
--> DETAIL: Failing row contains (1, 9, IUIUIUU).

create function cancel() returns trigger language plpgsql as $$ begin return null; end $$;
--> no rows

create trigger zz before delete on par1 for each row execute function cancel();
--> no rows

update par set k = 9 returning *;
--> no rows

select tableoid::regclass, * from par;
--> {"tableoid":"par1","id":1,"k":1,"v":"IUIUIU"}

drop trigger zz on par1;
--> no rows

create trigger zz before insert on pard for each row execute function cancel();
--> no rows

update par set k = 9 returning *;
--> no rows

select tableoid::regclass, * from par;
--> no rows

select line from log order by n;
--> {"line":"par BEFORE INSERT statement"}
--> {"line":"par1 BEFORE INSERT b old= new=(1,1,\"\")"}
--> {"line":"par1 AFTER INSERT a old= new=(1,1,I)"}
--> {"line":"par AFTER INSERT statement"}
--> {"line":"par BEFORE UPDATE statement"}
--> {"line":"par1 BEFORE UPDATE b old=(1,1,I) new=(1,9,I)"}
--> {"line":"par1 BEFORE DELETE b old=(1,1,I) new="}
--> {"line":"pard BEFORE INSERT b old= new=(1,9,IU)"}
--> {"line":"par1 AFTER DELETE a old=(1,1,I) new="}
--> {"line":"pard AFTER INSERT a old= new=(1,9,IUI)"}
--> {"line":"par AFTER UPDATE statement"}
--> {"line":"par BEFORE UPDATE statement"}
--> {"line":"pard BEFORE UPDATE b old=(1,9,IUI) new=(1,2,IUI)"}
--> {"line":"pard BEFORE DELETE b old=(1,9,IUI) new="}
--> {"line":"par1 BEFORE INSERT b old= new=(1,2,IUIU)"}
--> {"line":"pard AFTER DELETE a old=(1,9,IUI) new="}
--> {"line":"par1 AFTER INSERT a old= new=(1,2,IUIUI)"}
--> {"line":"par AFTER UPDATE statement"}
--> {"line":"par BEFORE UPDATE statement"}
--> {"line":"par1 BEFORE UPDATE b old=(1,2,IUIUI) new=(1,1,IUIUI)"}
--> {"line":"par1 AFTER UPDATE a old=(1,2,IUIUI) new=(1,1,IUIUIU)"}
--> {"line":"par AFTER UPDATE statement"}
--> {"line":"par BEFORE UPDATE statement"}
--> {"line":"par1 BEFORE UPDATE b old=(1,1,IUIUIU) new=(1,9,IUIUIU)"}
--> {"line":"par1 BEFORE DELETE b old=(1,1,IUIUIU) new="}
--> {"line":"par AFTER UPDATE statement"}
--> {"line":"par BEFORE UPDATE statement"}
--> {"line":"par1 BEFORE UPDATE b old=(1,1,IUIUIU) new=(1,9,IUIUIU)"}
--> {"line":"par1 BEFORE DELETE b old=(1,1,IUIUIU) new="}
--> {"line":"pard BEFORE INSERT b old= new=(1,9,IUIUIUU)"}
--> {"line":"par1 AFTER DELETE a old=(1,1,IUIUIU) new="}
--> {"line":"par AFTER UPDATE statement"}

create table q(id int, k int) partition by range(k);
--> no rows

create table q1 partition of q for values from (0) to (10);
--> no rows

create table q2 partition of q for values from (10) to (20);
--> no rows

create function lg() returns trigger language plpgsql as $$ begin insert into log(line) values (tg_op || ' ' || tg_table_name); return coalesce(new, old); end $$;
--> no rows

create trigger onlyins after insert on q2 for each row execute function lg();
--> no rows

create trigger onlydel after delete on q1 for each row execute function lg();
--> no rows

insert into q values (1, 5);
--> no rows

truncate log;
--> no rows

update q set k = 15;
--> no rows

update q set k = 16;
--> no rows

select line from log order by n;
--> {"line":"DELETE q1"}
--> {"line":"INSERT q2"}

create function tt() returns trigger language plpgsql as $$ begin insert into log(line) select 'tt ' || o::text from o; insert into log(line) select 'tn ' || w::text from w; return null; end $$;
--> no rows

create trigger tt after update on q referencing old table as o new table as w for each statement execute function tt();
--> no rows

truncate log;
--> no rows

update q set k = 5;
--> no rows

select line from log order by n;
--> {"line":"tt (1,16)"}
--> {"line":"tn (1,5)"}
