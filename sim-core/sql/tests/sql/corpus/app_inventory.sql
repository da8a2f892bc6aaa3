-- Warehouses and movements: stock as a ledger, reservations, reorder levels, valuation.

create table warehouse (code char(3) primary key, name text not null);
--> no rows

create table item (sku varchar(12) primary key, name text not null, unit text not null default 'pcs', reorder_at numeric(12,3) not null default 0, attrs jsonb not null default '{}');
--> no rows

create type move_kind as enum ('receipt', 'issue', 'transfer', 'count');
--> no rows

create table movement (id bigint generated always as identity primary key, at timestamptz not null default '2024-05-01', kind move_kind not null, sku varchar(12) not null references item, from_wh char(3) references warehouse, to_wh char(3) references warehouse, qty numeric(12,3) not null check (qty > 0), cost numeric(12,4), check (case kind when 'receipt' then from_wh is null and to_wh is not null when 'issue' then from_wh is not null and to_wh is null else from_wh <> to_wh end));
--> no rows

create table stock (sku varchar(12) references item, wh char(3) references warehouse, qty numeric(12,3) not null default 0 check (qty >= 0), primary key (sku, wh));
--> no rows

insert into warehouse values ('OSL', 'Oslo'), ('BER', 'Berlin'), ('X', 'Short');
--> no rows

select code, length(code) as l, code = 'X' as same, code || '|' as shown, octet_length(code) as bytes from warehouse order by code;
--> {"code":"BER","l":3,"same":false,"shown":"BER|","bytes":3}
--> {"code":"OSL","l":3,"same":false,"shown":"OSL|","bytes":3}
--> {"code":"X  ","l":1,"same":true,"shown":"X|","bytes":3}

insert into item (sku, name, reorder_at, attrs) values ('A-1', 'Bolt', 100, '{"metal":"steel","mm":8}'), ('B-2', 'Nut', 50, '{"metal":"brass"}'), ('C-3', 'Oil', 2.5, '{}');
--> no rows

create function apply_movement() returns trigger language plpgsql as $$
begin
  if new.from_wh is not null then
    update stock set qty = qty - new.qty where sku = new.sku and wh = new.from_wh;
    if not found then raise exception 'no stock of % in %', new.sku, new.from_wh using errcode = 'P0001'; end if;
  end if;
  if new.to_wh is not null then
    insert into stock (sku, wh, qty) values (new.sku, new.to_wh, new.qty) on conflict (sku, wh) do update set qty = stock.qty + excluded.qty;
  end if;
  return new;
end $$;
--> no rows

create trigger movement_applied after insert on movement for each row execute function apply_movement();
--> no rows

create function immutable_row() returns trigger language plpgsql as $$ begin raise exception '% on % is not allowed', tg_op, tg_table_name; end $$; create trigger movement_fixed before update or delete on movement for each row execute function immutable_row();
--> no rows

insert into movement (kind, sku, to_wh, qty, cost) values ('receipt', 'A-1', 'OSL', 500, 0.12), ('receipt', 'A-1', 'OSL', 100, 0.15), ('receipt', 'B-2', 'BER', 40, 0.05), ('receipt', 'C-3', 'OSL', 10.5, 7.3333);
--> no rows

insert into movement (kind, sku, from_wh, to_wh, qty) values ('transfer', 'A-1', 'OSL', 'BER', 250);
--> no rows

insert into movement (kind, sku, from_wh, qty) values ('issue', 'A-1', 'BER', 300);
--> ERROR 23514: new row for relation "stock" violates check constraint "stock_qty_check"
--> DETAIL: Failing row contains (A-1, BER, -50.000).

insert into movement (kind, sku, from_wh, qty) values ('issue', 'B-2', 'OSL', 1);
--> ERROR P0001: no stock of B-2 in OSL

insert into movement (kind, sku, to_wh, qty) values ('issue', 'A-1', 'OSL', 1);
--> ERROR 23514: new row for relation "movement" violates check constraint "movement_check"
--> DETAIL: Failing row contains (8, 2024-05-01 00:00:00+00, issue, A-1, null, OSL, 1.000, null).

insert into movement (kind, sku, from_wh, to_wh, qty) values ('transfer', 'A-1', 'OSL', 'OSL', 1);
--> ERROR 23514: new row for relation "movement" violates check constraint "movement_check"
--> DETAIL: Failing row contains (9, 2024-05-01 00:00:00+00, transfer, A-1, OSL, OSL, 1.000, null).

insert into movement (kind, sku, to_wh, qty) values ('receipt', 'Z-9', 'OSL', 1);
--> ERROR 23503: insert or update on table "movement" violates foreign key constraint "movement_sku_fkey"
--> DETAIL: Key (sku)=(Z-9) is not present in table "item".

update movement set qty = 1 where id = 1;
--> ERROR P0001: UPDATE on movement is not allowed

delete from movement;
--> ERROR P0001: DELETE on movement is not allowed

select sku, wh, qty from stock order by sku, wh;
--> {"sku":"A-1","wh":"BER","qty":"250.000"}
--> {"sku":"A-1","wh":"OSL","qty":"350.000"}
--> {"sku":"B-2","wh":"BER","qty":"40.000"}
--> {"sku":"C-3","wh":"OSL","qty":"10.500"}

select i.sku, coalesce(sum(s.qty), 0) as total, coalesce(sum(s.qty), 0) < i.reorder_at as reorder from item i left join stock s using (sku) group by i.sku order by i.sku;
--> {"sku":"A-1","total":"600.000","reorder":false}
--> {"sku":"B-2","total":"40.000","reorder":true}
--> {"sku":"C-3","total":"10.500","reorder":false}

select sku, wh, sum(case when to_wh = wh then qty else -qty end) as net from movement cross join lateral (values (from_wh), (to_wh)) as v(wh) where wh is not null group by sku, wh order by 1, 2;
--> {"sku":"A-1","wh":"BER","net":"250.000"}
--> {"sku":"A-1","wh":"OSL","net":"350.000"}
--> {"sku":"B-2","wh":"BER","net":"40.000"}
--> {"sku":"C-3","wh":"OSL","net":"10.500"}

select wh, sku, sum(qty) as qty from stock group by cube (wh, sku) order by wh nulls last, sku nulls last;
--> {"wh":"BER","sku":"A-1","qty":"250.000"}
--> {"wh":"BER","sku":"B-2","qty":"40.000"}
--> {"wh":"BER","sku":null,"qty":"290.000"}
--> {"wh":"OSL","sku":"A-1","qty":"350.000"}
--> {"wh":"OSL","sku":"C-3","qty":"10.500"}
--> {"wh":"OSL","sku":null,"qty":"360.500"}
--> {"wh":null,"sku":"A-1","qty":"600.000"}
--> {"wh":null,"sku":"B-2","qty":"40.000"}
--> {"wh":null,"sku":"C-3","qty":"10.500"}
--> {"wh":null,"sku":null,"qty":"650.500"}

select sku, round(sum(qty * cost) / sum(qty), 6) as mean_cost from movement where kind = 'receipt' group by sku order by sku;
--> {"sku":"A-1","mean_cost":"0.125000"}
--> {"sku":"B-2","mean_cost":"0.050000"}
--> {"sku":"C-3","mean_cost":"7.333300"}

select id, sku, sum(qty) over (partition by sku order by id) as running, cost, max(cost) over (partition by sku) as top from movement where kind = 'receipt' order by id;
--> {"id":1,"sku":"A-1","running":"500.000","cost":"0.1200","top":"0.1500"}
--> {"id":2,"sku":"A-1","running":"600.000","cost":"0.1500","top":"0.1500"}
--> {"id":3,"sku":"B-2","running":"40.000","cost":"0.0500","top":"0.0500"}
--> {"id":4,"sku":"C-3","running":"10.500","cost":"7.3333","top":"7.3333"}

create materialized view valuation as select s.sku, s.wh, s.qty, round(s.qty * m.cost, 2) as value from stock s join lateral (select cost from movement where movement.sku = s.sku and cost is not null order by id desc limit 1) m on true;
--> no rows

select * from valuation order by sku, wh;
--> {"sku":"A-1","wh":"BER","qty":"250.000","value":"37.50"}
--> {"sku":"A-1","wh":"OSL","qty":"350.000","value":"52.50"}
--> {"sku":"B-2","wh":"BER","qty":"40.000","value":"2.00"}
--> {"sku":"C-3","wh":"OSL","qty":"10.500","value":"77.00"}

insert into movement (kind, sku, to_wh, qty, cost) values ('receipt', 'B-2', 'BER', 60, 0.055);
--> no rows

refresh materialized view valuation;
--> no rows

select value from valuation where sku = 'B-2';
--> {"value":"5.50"}

create table reservation (id int primary key, sku varchar(12) references item, wh char(3), qty numeric not null, until timestamptz, foreign key (sku, wh) references stock on delete cascade);
--> no rows

insert into reservation values (1, 'A-1', 'OSL', 100, null), (2, 'A-1', 'BER', 1, null);
--> no rows

insert into reservation values (2, 'B-2', 'OSL', 1, null);
--> ERROR 23505: duplicate key value violates unique constraint "reservation_pkey"
--> DETAIL: Key (id)=(2) already exists.

create function available(s text, w text) returns numeric language sql stable as $$ select st.qty - coalesce((select sum(r.qty) from reservation r where (r.sku, r.wh) = (st.sku, st.wh)), 0) from stock st where st.sku = s and st.wh = w $$;
--> no rows

select available('A-1', 'OSL') as a, available('C-3', 'OSL') as c, available('C-3', 'BER') as none;
--> {"a":"250.000","c":"10.500","none":null}

select sku from item where attrs ->> 'metal' = 'steel' or attrs ? 'nothing';
--> {"sku":"A-1"}

update item set attrs = (attrs || '{"mm": 10}') - 'metal' where sku = 'A-1' returning attrs;
--> {"attrs":{"mm":10}}

update item set attrs = jsonb_set(attrs, '{dims,h}', '3', true) where sku = 'B-2' returning attrs;
--> {"attrs":{"metal":"brass"}}

select sku, key, value from item, jsonb_each_text(attrs) where sku <> 'B-2' order by 1, 2;
--> {"sku":"A-1","key":"mm","value":"10"}

with counted(sku, wh, qty) as (values ('A-1', 'OSL', 349.0), ('C-3', 'OSL', 10.5)) select c.sku, c.qty - s.qty as difference from counted c join stock s on (s.sku, s.wh) = (c.sku, c.wh) where c.qty <> s.qty;
--> {"sku":"A-1","difference":"-1.000"}

merge into stock s using (values ('A-1', 'OSL', 349.0), ('C-3', 'BER', 1.0)) as c(sku, wh, qty) on s.sku = c.sku and s.wh = c.wh when matched then update set qty = c.qty when not matched then insert values (c.sku, c.wh, c.qty);
--> no rows

select * from stock order by sku, wh;
--> {"sku":"A-1","wh":"BER","qty":"250.000"}
--> {"sku":"A-1","wh":"OSL","qty":"349.000"}
--> {"sku":"B-2","wh":"BER","qty":"100.000"}
--> {"sku":"C-3","wh":"BER","qty":"1.000"}
--> {"sku":"C-3","wh":"OSL","qty":"10.500"}

select w.code, w.name, count(s.*) as kinds from warehouse w left join stock s on s.wh = w.code group by w.code order by w.code;
--> {"code":"BER","name":"Berlin","kinds":3}
--> {"code":"OSL","name":"Oslo","kinds":2}
--> {"code":"X  ","name":"Short","kinds":0}

select row_to_json(w) as doc from warehouse w order by code;
--> {"doc":{"code":"BER","name":"Berlin"}}
--> {"doc":{"code":"OSL","name":"Oslo"}}
--> {"doc":{"code":"X  ","name":"Short"}}

select array_agg(code order by code) as codes, string_agg(code, ',' order by code) as list from warehouse;
--> {"codes":["BER","OSL","X  "],"list":"BER,OSL,X"}

select ('[' || code || ']') as b, code::text || '.' as t, row(code, 1)::text as r from warehouse where name = 'Short';
--> {"b":"[X]","t":"X.","r":"(\"X  \",1)"}
