\pset format unaligned
create table item (id int generated always as identity primary key, name text not null, price numeric(10, 2), made timestamptz default '2024-05-05 12:00+00');
insert into item (name, price) values ('one', 1.5), ('two', null);
select * from item order by id;
begin;
update item set price = 9 where name = 'two';
savepoint before;
delete from item;
rollback to savepoint before;
commit;
begin;
delete from item;
rollback;
\copy item (name, price) from stdin with (format csv)
three,3
"four, or more",
\.
copy item (name, price) to stdout;
select count(*), sum(price) from item; select 'second' as statement;
do $$ begin raise notice 'hello %', 1; end $$;
