create type money_amt as (cur text, amt numeric); create table pol (id int, m money_amt check (m <> row('x', 0)::money_amt), is_ten boolean generated always as (m = row('eur', 10)::money_amt) stored, iv interval[] check (not iv @> '{1 day}')); insert into pol (id, m) values (1, row('eur', 10.00));
--> no rows

insert into pol (id, m) values (2, row('x', 0.0));
--> ERROR 23514: new row for relation "pol" violates check constraint "pol_m_check"
--> DETAIL: Failing row contains (2, (x,0.0), f, null).

insert into pol (id, iv) values (3, '{24:00}');
--> ERROR 23514: new row for relation "pol" violates check constraint "pol_iv_check"
--> DETAIL: Failing row contains (3, null, null, {24:00:00}).

select id, is_ten from pol;
--> {"id":1,"is_ten":true}

create index on pol (m); create unique index pm on pol (m); insert into pol (id, m) values (5, row('eur', 10)) on conflict (m) do update set id = 50 returning id, m;
--> {"id":50,"m":"(eur,10.00)"}

insert into pol (id, m) values (6, row('eur', 10)) on conflict do nothing;
--> no rows

update pol set m = row('eur', 10.0) where id = 50; select id, m from pol where m = row('eur', 10)::money_amt;
--> {"id":50,"m":"(eur,10.0)"}

delete from pol where m in (row('eur', 10)::money_amt) returning id;
--> {"id":50}
