create type kind as enum ('a', 'b');
create domain amount as int check (value > 0);
create domain price as amount default 1;
create type size as (width amount, height amount, of kind);
create sequence ticket;
create table shelf (id bigint generated always as identity primary key, name text unique not null, kind kind not null default 'a',
  check (kind in ('a', 'b')));
create function label(s shelf) returns text language sql immutable as $$ select s.name $$;
create function next_ticket(prefix text default 'T', of kind default 'b') returns text language sql as $$ select prefix || nextval('ticket') $$;
create table book (id serial primary key, shelf bigint not null references shelf on delete cascade, ticket bigint default nextval('ticket'),
  code text default next_ticket(), cost price, size size, kinds kind[] default '{a}',
  title text not null, upper_title text generated always as (upper(title)) stored);
create index book_title on book (lower(title)) where cost > 1;
create index shelf_kind on shelf (label(shelf.*)) where kind = 'a';
create view z_books as select b.*, s.name as shelf_name from book b join shelf s on s.id = b.shelf;
create view a_shelves as select s.id, s.name, s.kind, count(b.id) as books from shelf s left join z_books b on b.shelf = s.id group by s.id;
create materialized view b_kinds as select kind, sum(books) as books from a_shelves group by kind;
create function found(wanted kind) returns setof z_books language sql stable as $$ select z.* from z_books z where wanted = any (z.kinds) $$;
create function touch() returns trigger language plpgsql as $$ begin new.title := trim(new.title); return new; end $$;
create trigger touch before insert or update of title on book for each row when (new.cost is not null) execute function touch();
alter table book enable row level security;
create policy seen on book for select to authenticated using (exists (select from a_shelves s where s.id = shelf and s.kind = 'a'));
