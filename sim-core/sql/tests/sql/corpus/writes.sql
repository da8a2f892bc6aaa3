-- insert, update, delete, upsert, returning.

create table stock (sku text primary key, qty int not null default 0, note text, seen timestamptz);
--> no rows

insert into stock (sku, qty) values ('a', 1), ('b', 2) returning sku, qty * 10 as ten, qty + 1 "next";
--> {"sku":"a","ten":10,"next":2}
--> {"sku":"b","ten":20,"next":3}

insert into stock (sku, qty) values ('a', 5) on conflict do nothing returning sku;
--> no rows

insert into stock (sku, qty) values ('a', 5) on conflict (sku) do update set qty = stock.qty + excluded.qty returning sku, qty;
--> {"sku":"a","qty":6}

insert into stock as s (sku, qty) values ('a', 1) on conflict (sku) do update set qty = excluded.qty where s.qty < 3 returning qty;
--> no rows

insert into stock (sku, qty) values ('c', 1), ('b', 9) on conflict on constraint stock_pkey do update set qty = excluded.qty, note = 'seen' returning sku, qty, note;
--> {"sku":"c","qty":1,"note":null}
--> {"sku":"b","qty":9,"note":"seen"}

insert into stock (sku) values ('x') on conflict (qty) do nothing;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

insert into stock (sku, qty) values ('d', 1), ('d', 2) on conflict (sku) do update set qty = excluded.qty;
--> ERROR 21000: ON CONFLICT DO UPDATE command cannot affect row a second time
--> HINT: Ensure that no rows proposed for insertion within the same command have duplicate constrained values.

insert into stock (sku, qty) values ('d', null);
--> ERROR 23502: null value in column "qty" of relation "stock" violates not-null constraint
--> DETAIL: Failing row contains (d, null, null, null).

insert into stock (sku, qty) select 'gen' || n, n from generate_series(1, 3) as n returning sku;
--> {"sku":"gen1"}
--> {"sku":"gen2"}
--> {"sku":"gen3"}

update stock set qty = qty - 1 where sku = 'a' returning qty;
--> {"qty":5}

update stock set qty = default, note = null where sku = 'a' returning qty, note;
--> {"qty":0,"note":null}

update stock set (qty, note) = (7, 'pair') where sku = 'a' returning qty, note;
--> {"qty":7,"note":"pair"}

update stock set (qty, note) = (select 8, 'sub') where sku = 'a' returning qty, note;
--> {"qty":8,"note":"sub"}

update stock set qty = nope where sku = 'a';
--> ERROR 42703: column "nope" does not exist
--> HINT: Perhaps you meant to reference the column "stock.note".
--> AT 24

update stock set nope = 1;
--> ERROR 42703: column "nope" of relation "stock" does not exist
--> AT 18

update nope set qty = 1;
--> ERROR 42P01: relation "nope" does not exist
--> AT 8

update stock set qty = 'many';
--> ERROR 22P02: invalid input syntax for type integer: "many"
--> AT 24

update stock set sku = 'b' where sku = 'a';
--> ERROR 23505: duplicate key value violates unique constraint "stock_pkey"
--> DETAIL: Key (sku)=(b) already exists.

update stock set qty = 1, qty = 2;
--> ERROR 42601: multiple assignments to same column "qty"

create table delivery (sku text, amount int);
--> no rows

insert into delivery values ('a', 100), ('b', 50), ('zzz', 1);
--> no rows

update stock s set qty = s.qty + d.amount from delivery d where d.sku = s.sku returning s.sku, s.qty, d.amount;
--> {"sku":"a","qty":108,"amount":100}
--> {"sku":"b","qty":59,"amount":50}

select sku, qty from stock where sku in ('a', 'b') order by sku;
--> {"sku":"a","qty":108}
--> {"sku":"b","qty":59}

delete from delivery d using stock s where s.sku = d.sku and s.qty > 100 returning d.sku;
--> {"sku":"a"}

delete from delivery where sku in (select sku from stock) returning *;
--> {"sku":"b","amount":50}

delete from nope;
--> ERROR 42P01: relation "nope" does not exist
--> AT 13

delete from stock where nope = 1;
--> ERROR 42703: column "nope" does not exist
--> HINT: Perhaps you meant to reference the column "stock.note".
--> AT 25

with recent as (select sku from stock where sku like 'gen%') delete from stock using recent where stock.sku = recent.sku returning stock.sku;
--> {"sku":"gen1"}
--> {"sku":"gen2"}
--> {"sku":"gen3"}

select count(*) from stock;
--> {"count":3}

with changed as (update stock set note = upper(sku) || coalesce(note, '') where true returning sku, note) select * from changed order by sku;
--> {"sku":"a","note":"Asub"}
--> {"sku":"b","note":"Bseen"}
--> {"sku":"c","note":"C"}

insert into stock values ('long', 1, 'n', '2024-01-01 00:00:00+00') returning *;
--> {"sku":"long","qty":1,"note":"n","seen":"2024-01-01 00:00:00+00"}

insert into stock values ('too', 1, 'n', null, 'many');
--> ERROR 42601: INSERT has more expressions than target columns
--> AT 48

insert into stock (sku, sku) values ('p', 'q');
--> ERROR 42701: column "sku" specified more than once
--> AT 25

delete from stock where sku = 'long' returning 'deleted ' || sku as what;
--> {"what":"deleted long"}

insert into stock (sku, qty, note) values ('e', 1, default), ('f', default, 'x') returning qty, note;
--> {"qty":1,"note":null}
--> {"qty":0,"note":"x"}

create table visit (page text, day date, hits int default 1, primary key (page, day));
--> no rows

insert into visit (page, day) values ('home', '2024-01-01') on conflict (page, day) do update set hits = visit.hits + 1 returning hits;
--> {"hits":1}

insert into visit (page, day) values ('home', '2024-01-01') on conflict (page, day) do update set hits = visit.hits + 1 returning hits;
--> {"hits":2}

create unique index visit_home on visit (day) where page = 'home';
--> no rows

insert into visit values ('home', '2024-01-02', 5) on conflict (day) where page = 'home' do nothing returning hits;
--> {"hits":5}

insert into visit values ('home', '2024-01-02', 6) on conflict (day) where page = 'home' do nothing returning hits;
--> no rows

create table lower_email (email text);
--> no rows

create unique index on lower_email (lower(email));
--> no rows

insert into lower_email values ('A@x.org');
--> no rows

insert into lower_email values ('a@X.org');
--> ERROR 23505: duplicate key value violates unique constraint "lower_email_lower_idx"
--> DETAIL: Key (lower(email))=(a@x.org) already exists.

insert into lower_email values ('a@X.org') on conflict (lower(email)) do update set email = excluded.email returning email;
--> {"email":"a@X.org"}

select xmax = 0 as inserted from lower_email;
--> {"inserted":false}

insert into stock (sku, qty) values ('h', 1) returning *, qty as again;
--> {"sku":"h","qty":1,"note":null,"seen":null,"again":1}

merge into stock s using delivery d on d.sku = s.sku when matched then update set qty = 0 when not matched then insert (sku) values (d.sku);
--> no rows

truncate stock;
--> no rows

select * from stock;
--> no rows
