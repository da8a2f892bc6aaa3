-- Policies judge a row when its generated columns are computed.

create table rr (id int, s date, e date, g daterange generated always as (daterange(s, e)) stored, owner text);
--> no rows

alter table rr enable row level security;
--> no rows

create policy p on rr for all using (true) with check (owner = current_user);
--> no rows

grant all on rr to authenticated;
--> no rows

set role authenticated;
--> no rows

insert into rr values (1, '2024-02-02', '2024-01-01', default, 'nobody');
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

insert into rr values (1, '2024-01-01', '2024-02-02', default, 'nobody');
--> no rows

insert into rr values (1, '2024-01-01', '2024-02-02', default, 'authenticated');
--> no rows

update rr set e = '2020-01-01', owner = 'nobody';
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

update rr set owner = 'nobody';
--> no rows

reset role;
--> no rows

set role authenticated;
--> no rows

insert into rr values (1, '2024-02-02', '2024-01-01', default, 'nobody');
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

reset role;
--> no rows

create function touch() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create trigger rt before insert or update on rr for each row execute function touch();
--> no rows

set role authenticated;
--> no rows

insert into rr values (1, '2024-02-02', '2024-01-01', default, 'nobody');
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

insert into rr values (1, '2024-01-01', '2024-02-02', default, 'nobody');
--> no rows

insert into rr values (2, '2024-01-01', '2024-02-02', default, 'authenticated') returning g;
--> {"g":"[2024-01-01,2024-02-02)"}

update rr set e = '2020-01-01', owner = 'nobody';
--> ERROR 22000: range lower bound must be less than or equal to range upper bound

update rr set e = '2025-01-01' returning g;
--> {"g":"[2024-01-01,2025-01-01)"}
--> {"g":"[2024-01-01,2025-01-01)"}
--> {"g":"[2024-01-01,2025-01-01)"}
--> {"g":"[2024-01-01,2025-01-01)"}

reset role;
--> no rows

create table bytes (id int primary key, raw bytea, n int generated always as (length(raw)) stored, d int generated always as (100 / id) stored);
--> no rows

alter table bytes enable row level security;
--> no rows

create policy p on bytes for all using (true) with check (n < 3);
--> no rows

grant all on bytes to authenticated;
--> no rows

set role authenticated;
--> no rows

insert into bytes (id, raw) values (1, '\x0102'), (2, '\x010203');
--> no rows

insert into bytes (id, raw) values (0, '\x010203');
--> ERROR 22012: division by zero

insert into bytes (id, raw) values (1, '\x0102') returning *;
--> ERROR 23505: duplicate key value violates unique constraint "bytes_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into bytes (id, raw) values (1, '\x01') on conflict (id) do update set id = 0, raw = '\x01020304';
--> ERROR 22012: division by zero

insert into bytes (id, raw) values (1, '\x01') on conflict (id) do update set raw = '\x01020304';
--> no rows

reset role;
--> no rows
