-- Merge: matched and not matched rows, conditions, triggers, policies, errors.

create table stock (sku text primary key, qty int not null default 0, note text, at int generated always as identity);
--> no rows

create table delivery (sku text, qty int);
--> no rows

insert into stock (sku, qty) values ('a', 1), ('b', 2), ('c', 0);
--> no rows

insert into delivery values ('a', 5), ('d', 7);
--> no rows

merge into stock s using delivery d on d.sku = s.sku when matched then update set qty = s.qty + d.qty when not matched then insert (sku, qty) values (d.sku, d.qty);
--> no rows

select sku, qty, note, at from stock order by sku;
--> {"sku":"a","qty":6,"note":null,"at":1}
--> {"sku":"b","qty":2,"note":null,"at":2}
--> {"sku":"c","qty":0,"note":null,"at":3}
--> {"sku":"d","qty":7,"note":null,"at":4}

merge into stock as s using (values ('a', -6), ('b', 1), ('e', 3)) as d(sku, delta) on s.sku = d.sku when matched and s.qty + d.delta <= 0 then delete when matched then update set qty = s.qty + d.delta, note = 'changed' when not matched and d.delta > 0 then insert (sku, qty, note) values (d.sku, d.delta, default);
--> no rows

select sku, qty, note from stock order by sku;
--> {"sku":"b","qty":3,"note":"changed"}
--> {"sku":"c","qty":0,"note":null}
--> {"sku":"d","qty":7,"note":null}
--> {"sku":"e","qty":3,"note":null}

merge into stock using delivery on delivery.sku = stock.sku when matched then do nothing when not matched then do nothing;
--> no rows

merge into stock using delivery on delivery.sku = stock.sku when not matched then insert values (delivery.sku, delivery.qty, 'new', default);
--> no rows

select sku, qty, note from stock order by sku;
--> {"sku":"a","qty":5,"note":"new"}
--> {"sku":"b","qty":3,"note":"changed"}
--> {"sku":"c","qty":0,"note":null}
--> {"sku":"d","qty":7,"note":null}
--> {"sku":"e","qty":3,"note":null}

merge into stock s using (select sku, sum(qty) as qty from delivery group by sku) d on s.sku = d.sku when matched then update set (qty, note) = (d.qty, 'set');
--> no rows

select sku, qty, note from stock where note = 'set' order by sku;
--> {"sku":"a","qty":5,"note":"set"}
--> {"sku":"d","qty":7,"note":"set"}

with incoming as (select 'f' as sku, 9 as qty) merge into stock s using incoming i on i.sku = s.sku when matched then update set qty = i.qty when not matched then insert (sku, qty) values (i.sku, i.qty);
--> no rows

select sku, qty from stock where sku = 'f';
--> {"sku":"f","qty":9}

merge into stock s using delivery d on s.sku = d.sku when matched then update set qty = default;
--> no rows

select sku, qty from stock order by sku;
--> {"sku":"a","qty":0}
--> {"sku":"b","qty":3}
--> {"sku":"c","qty":0}
--> {"sku":"d","qty":0}
--> {"sku":"e","qty":3}
--> {"sku":"f","qty":9}

merge into stock s using (values ('a'), ('a')) d(sku) on s.sku = d.sku when matched then update set qty = s.qty + 1;
--> ERROR 21000: MERGE command cannot affect row a second time
--> HINT: Ensure that not more than one source row matches any one target row.

merge into stock s using (values ('b'), ('b')) d(sku) on s.sku = d.sku when matched then update set qty = s.qty + 1;
--> ERROR 21000: MERGE command cannot affect row a second time
--> HINT: Ensure that not more than one source row matches any one target row.

merge into stock s using (values ('b'), ('b')) d(sku) on s.sku = d.sku when matched then delete;
--> ERROR 21000: MERGE command cannot affect row a second time
--> HINT: Ensure that not more than one source row matches any one target row.

merge into stock s using (values ('b'), ('b')) d(sku) on s.sku = d.sku when matched then do nothing;
--> no rows

merge into stock s using (values ('zz'), ('zz')) d(sku) on s.sku = d.sku when not matched then insert (sku) values (d.sku);
--> ERROR 23505: duplicate key value violates unique constraint "stock_pkey"
--> DETAIL: Key (sku)=(zz) already exists.

merge into stock s using (values ('b', null::int)) d(sku, qty) on s.sku = d.sku when matched then update set qty = d.qty;
--> ERROR 23502: null value in column "qty" of relation "stock" violates not-null constraint
--> DETAIL: Failing row contains (b, null, changed, 2).

merge into stock s using delivery d on s.sku = d.sku when matched then update set nope = 1;
--> ERROR 42703: column "nope" of relation "stock" does not exist
--> AT 83

merge into stock s using delivery d on s.sku = d.sku when matched then update set at = 5;
--> ERROR 428C9: column "at" can only be updated to DEFAULT
--> DETAIL: Column "at" is an identity column defined as GENERATED ALWAYS.

merge into stock s using delivery d on s.sku = d.sku when not matched then insert (sku, qty) values (d.sku);
--> ERROR 42601: INSERT has more target columns than expressions
--> AT 89

merge into stock s using nope d on s.sku = d.sku when matched then delete;
--> ERROR 42P01: relation "nope" does not exist
--> AT 26

merge into nope s using delivery d on s.sku = d.sku when matched then delete;
--> ERROR 42P01: relation "nope" does not exist
--> AT 12

merge into stock s using delivery d on s.sku = d.sku;
--> ERROR 42601: syntax error at or near ";"
--> AT 53

merge into stock s using delivery d on s.sku = d.sku when matched then insert (sku) values ('x');
--> ERROR 42601: syntax error at or near "insert"
--> AT 72

merge into stock s using delivery d on s.sku = d.sku when not matched then delete;
--> ERROR 42601: syntax error at or near "delete"
--> AT 76

merge into stock s using delivery d on s.sku = d.sku when matched then delete when matched then update set qty = 1;
--> ERROR 42601: unreachable WHEN clause specified after unconditional WHEN clause

merge into stock s using delivery d on s.sku = d.sku when matched then delete returning *;
--> ERROR 42601: syntax error at or near "returning"
--> AT 79

merge into stock s using stock d on s.sku = d.sku and d.qty > 100 when not matched by source then delete;
--> ERROR 42601: syntax error at or near "by"
--> AT 84

create table log (id int generated always as identity, what text, sku text);
--> no rows

create function note() returns trigger language plpgsql as $$ begin insert into log (what, sku) values (tg_when || ' ' || tg_op, coalesce(new.sku, old.sku)); return coalesce(new, old); end $$;
--> no rows

create trigger noted after insert or update or delete on stock for each row execute function note();
--> no rows

merge into stock s using (values ('b', 10), ('g', 4), ('f', -1)) d(sku, qty) on s.sku = d.sku when matched and d.qty < 0 then delete when matched then update set qty = d.qty when not matched then insert (sku, qty) values (d.sku, d.qty);
--> no rows

select what, sku from log order by id;
--> {"what":"AFTER UPDATE","sku":"b"}
--> {"what":"AFTER INSERT","sku":"g"}
--> {"what":"AFTER DELETE","sku":"f"}

select sku, qty from stock order by sku;
--> {"sku":"a","qty":0}
--> {"sku":"b","qty":10}
--> {"sku":"c","qty":0}
--> {"sku":"d","qty":0}
--> {"sku":"e","qty":3}
--> {"sku":"g","qty":4}

create function total(text, int) returns void language plpgsql as $$ begin merge into stock s using (select $1 as sku, $2 as qty) d on s.sku = d.sku when matched then update set qty = s.qty + d.qty when not matched then insert (sku, qty) values (d.sku, d.qty); end $$;
--> no rows

select total('g', 6), total('h', 1);
--> {"total":""}

select sku, qty from stock where sku in ('g', 'h') order by sku;
--> {"sku":"g","qty":10}
--> {"sku":"h","qty":1}

do $$ declare n int; begin merge into stock s using (values ('g'), ('h'), ('i')) d(sku) on s.sku = d.sku when matched then update set note = 'done'; get diagnostics n = row_count; insert into log (what, sku) values ('count', n::text); end $$;
--> no rows

select what, sku from log where what = 'count';
--> {"what":"count","sku":"2"}

create table owned (id int primary key, owner text, body text);
--> no rows

insert into owned values (1, 'x', 'one'), (2, 'y', 'two');
--> no rows

alter table owned enable row level security; create policy mine on owned using (owner = current_setting('app.me', true)) with check (owner = current_setting('app.me', true)); grant all on owned to authenticated;
--> no rows

set role authenticated; set app.me = 'x'; merge into owned o using (values (1, 'ein'), (3, 'drei')) d(id, body) on o.id = d.id when matched then update set body = d.body when not matched then insert values (d.id, 'x', d.body);
--> no rows

set role authenticated; set app.me = 'x'; merge into owned o using (values (3)) d(id) on o.id = d.id when matched then update set owner = 'y';
--> ERROR 42501: new row violates row-level security policy for table "owned"

set role authenticated; set app.me = 'x'; merge into owned o using (values (4)) d(id) on o.id = d.id when not matched then insert values (d.id, 'z', 'no');
--> ERROR 42501: new row violates row-level security policy for table "owned"

select * from owned order by id;
--> {"id":1,"owner":"x","body":"ein"}
--> {"id":2,"owner":"y","body":"two"}
--> {"id":3,"owner":"x","body":"drei"}

create table child (id int primary key, sku text references stock on delete cascade, n int check (n >= 0));
--> no rows

merge into child c using (values (1, 'b', 2), (2, 'g', 3)) d(id, sku, n) on c.id = d.id when matched then update set n = c.n + d.n when not matched then insert values (d.id, d.sku, d.n);
--> no rows

merge into child c using (values (1, -9)) d(id, n) on c.id = d.id when matched then update set n = c.n + d.n;
--> ERROR 23514: new row for relation "child" violates check constraint "child_n_check"
--> DETAIL: Failing row contains (1, b, -7).

merge into child c using (values (9, 'nope')) d(id, sku) on c.id = d.id when not matched then insert (id, sku) values (d.id, d.sku);
--> ERROR 23503: insert or update on table "child" violates foreign key constraint "child_sku_fkey"
--> DETAIL: Key (sku)=(nope) is not present in table "stock".

merge into stock s using (values ('b')) d(sku) on s.sku = d.sku when matched then delete;
--> no rows

select * from child order by id;
--> {"id":2,"sku":"g","n":3}

merge into child c using child d on c.id = d.id when matched and d.n > 2 then update set n = (select max(n) from child) + d.n;
--> no rows

select * from child;
--> {"id":2,"sku":"g","n":6}

set role anon; merge into child c using (values (1)) d(id) on c.id = d.id when matched then delete;
--> no rows

create view stock_view as select sku, qty from stock;
--> no rows

merge into stock_view s using delivery d on s.sku = d.sku when matched then delete;
--> ERROR 0A000: cannot execute MERGE on relation "stock_view"
--> DETAIL: This operation is not supported for views.

explain (costs off) select 1;
--> {"QUERY PLAN":"Result"}
