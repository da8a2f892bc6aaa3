-- The migrations and queries of a shop.

create schema if not exists shop; create schema if not exists private;
--> no rows

create type shop.order_state as enum ('cart', 'paid', 'shipped', 'cancelled');
--> no rows

create table shop.product (
    id integer primary key generated always as identity,
    sku text not null,
    title text not null,
    price_cents integer not null check (price_cents > 0),
    price numeric(10,2) generated always as (price_cents / 100.0) stored,
    attributes jsonb not null default '{}'::jsonb,
    tags text[] not null default array[]::text[],
    stock integer not null default 0,
    deleted_at timestamptz,
    constraint product_sku_key unique (sku),
    constraint product_stock_not_negative check (stock >= 0)
);
--> no rows

create table shop.customer (
    id uuid primary key default gen_random_uuid(),
    email text not null,
    joined date not null default current_date
);
create unique index customer_email on shop.customer (lower(email));
--> no rows

create table shop.orders (
    id bigserial primary key,
    customer_id uuid not null references shop.customer (id) on update cascade on delete restrict,
    state shop.order_state not null default 'cart',
    placed timestamptz,
    note varchar(100)
);
--> no rows

create table shop.order_line (
    order_id bigint not null references shop.orders on delete cascade,
    product_id integer not null references shop.product,
    qty smallint not null default 1 check (qty > 0),
    unit_price numeric(10,2) not null,
    primary key (order_id, product_id)
);
--> no rows

create table private.audit (id bigint generated always as identity, at timestamptz not null default clock_timestamp(), entry jsonb);
--> no rows

insert into shop.product (sku, title, price_cents, attributes, tags, stock) values
    ('ch-1', 'Chair', 4999, '{"color": "red", "weight": 3.5}', '{home,wood}', 10),
    ('ta-1', 'Table', 12950, '{"color": "brown", "size": {"w": 120, "h": 75}}', '{home}', 2),
    ('la-1', 'Lamp', 1995, '{"color": "red"}', '{light}', 0)
returning id, sku, price;
--> {"id":1,"sku":"ch-1","price":"49.99"}
--> {"id":2,"sku":"ta-1","price":"129.50"}
--> {"id":3,"sku":"la-1","price":"19.95"}

insert into shop.customer (id, email, joined) values ('aaaaaaaa-0000-0000-0000-000000000001', 'Ann@example.com', '2024-01-10'), ('aaaaaaaa-0000-0000-0000-000000000002', 'bob@example.com', '2024-02-20');
--> no rows

insert into shop.customer (email) values ('ANN@EXAMPLE.COM');
--> ERROR 23505: duplicate key value violates unique constraint "customer_email"
--> DETAIL: Key (lower(email))=(ann@example.com) already exists.

insert into shop.orders (customer_id, state, placed) values ('aaaaaaaa-0000-0000-0000-000000000001', 'paid', '2024-03-01 09:00+00'), ('aaaaaaaa-0000-0000-0000-000000000001', 'shipped', '2024-03-15 10:30+00'), ('aaaaaaaa-0000-0000-0000-000000000002', 'cart', null) returning id, state;
--> {"id":1,"state":"paid"}
--> {"id":2,"state":"shipped"}
--> {"id":3,"state":"cart"}

insert into shop.order_line (order_id, product_id, qty, unit_price) select 1, id, 2, price from shop.product where sku in ('ch-1', 'la-1') returning order_id, product_id, unit_price;
--> {"order_id":1,"product_id":1,"unit_price":"49.99"}
--> {"order_id":1,"product_id":3,"unit_price":"19.95"}

insert into shop.order_line values (2, 2, 1, 129.50), (3, 1, 5, 49.99);
--> no rows

insert into shop.order_line values (3, 1, 1, 49.99);
--> ERROR 23505: duplicate key value violates unique constraint "order_line_pkey"
--> DETAIL: Key (order_id, product_id)=(3, 1) already exists.

insert into shop.order_line values (3, 99, 1, 49.99);
--> ERROR 23503: insert or update on table "order_line" violates foreign key constraint "order_line_product_id_fkey"
--> DETAIL: Key (product_id)=(99) is not present in table "product".

insert into shop.order_line values (3, 2, 0, 49.99);
--> ERROR 23514: new row for relation "order_line" violates check constraint "order_line_qty_check"
--> DETAIL: Failing row contains (3, 2, 0, 49.99).

select o.id, sum(l.qty * l.unit_price) as total, sum(l.qty) as pieces from shop.orders o join shop.order_line l on l.order_id = o.id group by o.id order by o.id;
--> {"id":1,"total":"139.88","pieces":4}
--> {"id":2,"total":"129.50","pieces":1}
--> {"id":3,"total":"249.95","pieces":5}

select c.email, count(distinct o.id) as orders, coalesce(sum(l.qty * l.unit_price) filter (where o.state in ('paid', 'shipped')), 0) as spent from shop.customer c left join shop.orders o on o.customer_id = c.id left join shop.order_line l on l.order_id = o.id group by c.id, c.email order by spent desc;
--> {"email":"Ann@example.com","orders":2,"spent":"269.38"}
--> {"email":"bob@example.com","orders":1,"spent":"0"}

select date_trunc('month', o.placed) as month, count(*) as n, round(avg(l.qty * l.unit_price), 2) as mean from shop.orders o join shop.order_line l on l.order_id = o.id where o.placed is not null group by 1 order by 1;
--> {"month":"2024-03-01 00:00:00+00","n":3,"mean":"89.79"}

select title, attributes ->> 'color' as color, (attributes #>> '{size,w}')::int as width from shop.product order by id;
--> {"title":"Chair","color":"red","width":null}
--> {"title":"Table","color":"brown","width":120}
--> {"title":"Lamp","color":"red","width":null}

select sku from shop.product where attributes @> '{"color": "red"}' and 'home' = any (tags);
--> {"sku":"ch-1"}

select sku from shop.product where attributes ->> 'color' = 'red' and (attributes ->> 'weight')::numeric > 3 order by sku;
--> {"sku":"ch-1"}

select tag, count(*), array_agg(sku order by sku) as skus from shop.product cross join unnest(tags) as tag group by tag order by tag;
--> {"tag":"home","count":2,"skus":["ch-1","ta-1"]}
--> {"tag":"light","count":1,"skus":["la-1"]}
--> {"tag":"wood","count":1,"skus":["ch-1"]}

update shop.product p set stock = p.stock - l.qty from shop.order_line l where l.product_id = p.id and l.order_id = 1 and p.stock >= l.qty returning p.sku, p.stock;
--> {"sku":"ch-1","stock":8}

update shop.product set stock = stock - 100 where sku = 'ch-1';
--> ERROR 23514: new row for relation "product" violates check constraint "product_stock_not_negative"
--> DETAIL: Failing row contains (1, ch-1, Chair, 4999, 49.99, {"color": "red", "weight": 3.5}, {home,wood}, -92, null).

with sold as (select product_id, sum(qty) as n from shop.order_line group by product_id) select p.title, coalesce(s.n, 0) as sold, rank() over (order by coalesce(s.n, 0) desc) as place from shop.product p left join sold s on s.product_id = p.id order by place, p.id;
--> {"title":"Chair","sold":7,"place":1}
--> {"title":"Lamp","sold":2,"place":2}
--> {"title":"Table","sold":1,"place":3}

select o.id, o.state, json_build_object('email', c.email, 'lines', (select json_agg(json_build_object('sku', p.sku, 'qty', l.qty, 'price', l.unit_price) order by p.sku) from shop.order_line l join shop.product p on p.id = l.product_id where l.order_id = o.id)) as doc from shop.orders o join shop.customer c on c.id = o.customer_id where o.id = 1;
--> {"id":1,"state":"paid","doc":{"email":"Ann@example.com","lines":[{"sku":"ch-1","qty":2,"price":49.99},{"sku":"la-1","qty":2,"price":19.95}]}}

insert into private.audit (entry) select to_jsonb(o) from shop.orders o where o.id = 1 returning entry;
--> {"entry":{"id":1,"note":null,"state":"paid","placed":"2024-03-01T09:00:00+00:00","customer_id":"aaaaaaaa-0000-0000-0000-000000000001"}}

update shop.orders set state = 'lost' where id = 3;
--> ERROR 22P02: invalid input value for enum shop.order_state: "lost"
--> AT 32

update shop.orders set state = 'cancelled', note = 'changed mind' where id = 3 and state = 'cart' returning *;
--> {"id":3,"customer_id":"aaaaaaaa-0000-0000-0000-000000000002","state":"cancelled","placed":null,"note":"changed mind"}

delete from shop.customer where email like 'bob%';
--> ERROR 23503: update or delete on table "customer" violates foreign key constraint "orders_customer_id_fkey" on table "orders"
--> DETAIL: Key (id)=(aaaaaaaa-0000-0000-0000-000000000002) is still referenced from table "orders".

delete from shop.orders where state = 'cancelled' returning id;
--> {"id":3}

select count(*) from shop.order_line;
--> {"count":3}

delete from shop.customer where email like 'bob%' returning email;
--> {"email":"bob@example.com"}

alter table shop.orders add column total numeric(12,2);
update shop.orders o set total = t.total from (select order_id, sum(qty * unit_price) as total from shop.order_line group by order_id) t where t.order_id = o.id;
select id, total from shop.orders order by id;
--> {"id":1,"total":"139.88"}
--> {"id":2,"total":"129.50"}

alter table shop.orders alter column total set not null, alter column total set default 0;
--> no rows

insert into shop.orders (customer_id) values ('aaaaaaaa-0000-0000-0000-000000000001') returning id, total, state;
--> {"id":4,"total":"0.00","state":"cart"}

create or replace view shop.open_orders as select o.id, c.email from shop.orders o join shop.customer c on c.id = o.customer_id where o.state = any (array['cart', 'paid']::shop.order_state[]);
--> no rows

select * from shop.open_orders order by id;
--> {"id":1,"email":"Ann@example.com"}
--> {"id":4,"email":"Ann@example.com"}

create function shop.order_total(order_id bigint) returns numeric language sql stable as $$ select coalesce(sum(qty * unit_price), 0) from shop.order_line l where l.order_id = order_total.order_id $$;
--> no rows

select id, shop.order_total(id) as total from shop.orders order by id;
--> {"id":1,"total":"139.88"}
--> {"id":2,"total":"129.50"}
--> {"id":4,"total":"0"}

insert into shop.product (sku, title, price_cents) values ('ch-1', 'Chair again', 1) on conflict (sku) do update set title = excluded.title, price_cents = greatest(shop.product.price_cents, excluded.price_cents) returning title, price;
--> {"title":"Chair again","price":"49.99"}

alter table shop.product rename column title to name; select name from shop.product where deleted_at is null order by name;
--> {"name":"Chair again"}
--> {"name":"Lamp"}
--> {"name":"Table"}

select case when stock = 0 then 'sold out' when stock < 5 then 'few' else 'plenty' end as state, count(*) from shop.product group by 1 order by 1;
--> {"state":"few","count":1}
--> {"state":"plenty","count":1}
--> {"state":"sold out","count":1}

select percentile_cont(0.5) within group (order by price) as median, stddev_samp(price_cents) is not null as s, min(price), max(price) from shop.product;
--> {"median":49.99,"s":true,"min":"19.95","max":"129.50"}

select p.sku, l.* from shop.product p left join shop.order_line l on l.product_id = p.id and l.qty > 1 order by p.sku, l.order_id;
--> {"sku":"ch-1","order_id":1,"product_id":1,"qty":2,"unit_price":"49.99"}
--> {"sku":"la-1","order_id":1,"product_id":3,"qty":2,"unit_price":"19.95"}
--> {"sku":"ta-1","order_id":null,"product_id":null,"qty":null,"unit_price":null}

select table_schema, count(*) from information_schema.tables where table_schema in ('shop', 'private') group by 1 order by 1;
--> {"table_schema":"private","count":1}
--> {"table_schema":"shop","count":5}

drop schema private;
--> ERROR 2BP01: cannot drop schema private because other objects depend on it
--> DETAIL: table private.audit depends on schema private
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop schema private cascade; drop schema shop cascade;
--> no rows

select count(*) from information_schema.tables where table_schema in ('shop', 'private');
--> {"count":0}
