-- Plans, subscriptions, invoices with lines, taxes and credits; money is exact.

create domain currency as char(3) check (value ~ '^[A-Z]{3}$');
--> no rows

create domain cents as bigint check (value >= 0) default 0;
--> no rows

create table plan (id text primary key, name text not null, price cents not null, currency currency not null default 'EUR', every interval not null default '1 month', features jsonb not null default '[]', active boolean not null default true);
--> no rows

insert into plan (id, name, price, every, features) values ('free', 'Free', 0, '1 month', '[]'), ('pro', 'Pro', 2900, '1 month', '["sso","audit"]'), ('year', 'Pro yearly', 29000, '1 year', '["sso","audit"]');
--> no rows

insert into plan (id, name, price) values ('bad', 'Bad', -1);
--> ERROR 23514: value for domain cents violates check constraint "cents_check"

insert into plan (id, name, price, currency) values ('bad', 'Bad', 1, 'eur');
--> ERROR 23514: value for domain currency violates check constraint "currency_check"

create table customer (id serial primary key, email text not null unique, country char(2) not null, credit cents not null);
--> no rows

insert into customer (email, country, credit) values ('a@x.io', 'DE', 500), ('b@x.io', 'US', 0), ('c@x.io', 'FR', 0);
--> no rows

create table subscription (id serial primary key, customer_id int not null references customer on delete restrict, plan_id text not null references plan on update cascade, quantity int not null default 1 check (quantity between 1 and 1000), starts date not null, ends date, period daterange generated always as (daterange(starts, ends, '[)')) stored, cancelled_at timestamptz);
--> no rows

create unique index one_active on subscription (customer_id) where ends is null;
--> no rows

insert into subscription (customer_id, plan_id, quantity, starts) values (1, 'pro', 3, '2024-01-15'), (2, 'year', 1, '2024-02-01'), (3, 'free', 1, '2024-03-01') returning id, period;
--> {"id":1,"period":"[2024-01-15,)"}
--> {"id":2,"period":"[2024-02-01,)"}
--> {"id":3,"period":"[2024-03-01,)"}

insert into subscription (customer_id, plan_id, starts) values (1, 'pro', '2024-05-01');
--> ERROR 23505: duplicate key value violates unique constraint "one_active"
--> DETAIL: Key (customer_id)=(1) already exists.

insert into subscription (customer_id, plan_id, starts, quantity) values (3, 'pro', '2024-05-01', 0);
--> ERROR 23514: new row for relation "subscription" violates check constraint "subscription_quantity_check"
--> DETAIL: Failing row contains (5, 3, pro, 0, 2024-05-01, null, [2024-05-01,), null).

create table invoice (id serial primary key, number text unique, customer_id int not null references customer, issued date not null default '2024-05-06', status text not null default 'draft' check (status in ('draft', 'open', 'paid', 'void')), subtotal cents not null, tax cents not null, total cents generated always as (subtotal + tax) stored);
--> no rows

create table line (invoice_id int references invoice on delete cascade, place int, description text not null, quantity numeric(12,4) not null, unit numeric(12,4) not null, amount numeric(12,2) generated always as (round(quantity * unit, 2)) stored, primary key (invoice_id, place));
--> no rows

create table tax_rate (country char(2) primary key, rate numeric(5,4) not null);
--> no rows

insert into tax_rate values ('DE', 0.19), ('FR', 0.20);
--> no rows

create sequence invoice_number start 1001;
--> no rows

create function number_invoice() returns trigger language plpgsql as $$ begin if new.status = 'open' and new.number is null then new.number := 'INV-' || to_char(new.issued, 'YYYY') || '-' || lpad(nextval('invoice_number')::text, 6, '0'); end if; return new; end $$;
--> no rows

create trigger invoice_numbered before insert or update on invoice for each row execute function number_invoice();
--> no rows

create function bill(sub int, upto date) returns int language plpgsql as $$
declare s subscription; p plan; inv int; net bigint; rate numeric;
begin
  select * into s from subscription where id = sub;
  if not found then raise exception 'no subscription %', sub using errcode = 'no_data_found'; end if;
  select * into p from plan where id = s.plan_id;
  net := p.price * s.quantity;
  select t.rate into rate from tax_rate t join customer c on c.country = t.country where c.id = s.customer_id;
  insert into invoice (customer_id, issued, subtotal, tax) values (s.customer_id, upto, net, round(net * coalesce(rate, 0))) returning id into inv;
  insert into line (invoice_id, place, description, quantity, unit) values (inv, 1, p.name || ' × ' || s.quantity, s.quantity, p.price / 100.0);
  update invoice set status = 'open' where id = inv;
  return inv;
end $$;
--> no rows

select bill(1, '2024-02-15') as a, bill(2, '2024-02-15') as b;
--> {"a":1,"b":2}

select bill(99, '2024-02-15');
--> ERROR P0002: no subscription 99

select id, number, status, subtotal, tax, total from invoice order by id;
--> {"id":1,"number":"INV-2024-001001","status":"open","subtotal":8700,"tax":1653,"total":10353}
--> {"id":2,"number":"INV-2024-001002","status":"open","subtotal":29000,"tax":0,"total":29000}

select invoice_id, description, quantity, unit, amount from line order by 1;
--> {"invoice_id":1,"description":"Pro × 3","quantity":"3.0000","unit":"29.0000","amount":"87.00"}
--> {"invoice_id":2,"description":"Pro yearly × 1","quantity":"1.0000","unit":"290.0000","amount":"290.00"}

insert into line (invoice_id, place, description, quantity, unit) values (1, 2, 'Usage', 0.3333, 9.995) returning amount;
--> {"amount":"3.33"}

update invoice set total = 1 where id = 1;
--> ERROR 428C9: column "total" can only be updated to DEFAULT
--> DETAIL: Column "total" is a generated column.

with spent as (update customer set credit = 0 where id = 1 and credit > 0 returning id, 500 as used) insert into line (invoice_id, place, description, quantity, unit) select 1, 3, 'Credit', 1, -used / 100.0 from spent returning amount;
--> {"amount":"-5.00"}

select i.id, sum(l.amount) as lines, i.subtotal / 100.0 as subtotal from invoice i join line l on l.invoice_id = i.id group by i.id order by i.id;
--> {"id":1,"lines":"85.33","subtotal":"87.0000000000000000"}
--> {"id":2,"lines":"290.00","subtotal":"290.0000000000000000"}

select customer_id, plan_id, starts + every as next from subscription join plan on plan.id = plan_id order by 1;
--> {"customer_id":1,"plan_id":"pro","next":"2024-02-15 00:00:00"}
--> {"customer_id":2,"plan_id":"year","next":"2025-02-01 00:00:00"}
--> {"customer_id":3,"plan_id":"free","next":"2024-04-01 00:00:00"}

select customer_id, (age(date '2024-05-06', starts))::text as age, date '2024-05-06' - starts as days from subscription order by 1;
--> {"customer_id":1,"age":"3 mons 22 days","days":112}
--> {"customer_id":2,"age":"3 mons 5 days","days":95}
--> {"customer_id":3,"age":"2 mons 5 days","days":66}

select to_char(gs, 'YYYY-MM') as month, count(s.id) as active, coalesce(sum(p.price * s.quantity) filter (where p.every = '1 month'), 0) as mrr from generate_series(date '2024-01-01', '2024-04-01', '1 month') gs left join subscription s on s.period @> gs::date left join plan p on p.id = s.plan_id group by gs order by gs;
--> {"month":"2024-01","active":0,"mrr":"0"}
--> {"month":"2024-02","active":2,"mrr":"8700"}
--> {"month":"2024-03","active":3,"mrr":"8700"}
--> {"month":"2024-04","active":3,"mrr":"8700"}

update subscription set ends = '2024-04-01', cancelled_at = '2024-03-20' where customer_id = 3 returning period, upper(period) - lower(period) as days;
--> {"period":"[2024-03-01,2024-04-01)","days":31}

update plan set id = 'pro-v2' where id = 'pro';
--> no rows

select plan_id from subscription where customer_id = 1;
--> {"plan_id":"pro-v2"}

select country, sum(total) as total, sum(tax) as tax from invoice join customer c on c.id = customer_id group by rollup (country) order by country nulls last;
--> {"country":"DE","total":"10353","tax":"1653"}
--> {"country":"US","total":"29000","tax":"0"}
--> {"country":null,"total":"39353","tax":"1653"}

merge into plan p using (values ('free', 'Free', 0), ('team', 'Team', 9900)) as v(id, name, price) on v.id = p.id when matched then update set name = v.name || '!' when not matched then insert (id, name, price) values (v.id, v.name, v.price);
--> no rows

select round(29.005, 2) as a, (2900 * 1.19)::numeric(12,2) as b, 10 / 3 as c, 10 / 3.0 as d, trunc(-7.5) as e, mod(-7, 3) as f;
--> {"a":"29.01","b":"3451.00","c":3,"d":"3.3333333333333333","e":"-7","f":-1}

select '12.50'::money + '0.5'::money as m, 1234567.891::money as big;
--> {"m":"$13.00","big":"$1,234,567.89"}

create view overdue as select id, number, issued + 14 as due from invoice where status = 'open' and issued + 14 < date '2024-05-06';
--> no rows

select number, due from overdue order by number;
--> {"number":"INV-2024-001001","due":"2024-02-29"}
--> {"number":"INV-2024-001002","due":"2024-02-29"}

select jsonb_build_object('number', number, 'lines', jsonb_agg(jsonb_build_object('d', description, 'a', amount) order by place)) as doc from invoice join line on invoice_id = invoice.id where invoice.id = 1 group by number;
--> {"doc":{"lines":[{"a":87,"d":"Pro × 3"},{"a":3.33,"d":"Usage"},{"a":-5,"d":"Credit"}],"number":"INV-2024-001001"}}

select pg_get_serial_sequence('invoice', 'id') as s, last_value from invoice_id_seq;
--> {"s":"public.invoice_id_seq","last_value":2}
