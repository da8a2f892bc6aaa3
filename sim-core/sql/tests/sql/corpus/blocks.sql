-- DO blocks of migrations.

do $$ begin create type level as enum ('low', 'high'); exception when duplicate_object then null; end $$;
--> no rows

do $$ begin create type level as enum ('other'); exception when duplicate_object then null; end $$;
--> no rows

select enum_range(null::level)::text as a;
--> {"a":"{low,high}"}

DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_type WHERE typname = 'size') THEN
    CREATE TYPE size AS ENUM ('s', 'm');
  END IF;
END
$$;
--> no rows

create table item (id int primary key, name text);
--> no rows

do $$ begin
  if exists (select 1 from information_schema.columns where table_name = 'item' and column_name = 'price') then
    alter table item drop column price;
  elsif exists (select 1 from information_schema.columns where table_name = 'item' and column_name = 'name') then
    alter table item add column price numeric default 0;
    insert into item values (1, 'a'), (2, 'b');
  else
    raise exception 'neither';
  end if;
end $$;
--> no rows

select * from item order by id;
--> {"id":1,"name":"a","price":"0"}
--> {"id":2,"name":"b","price":"0"}

do $$ begin alter table item add constraint item_name_key unique (name); exception when duplicate_table or duplicate_object then raise notice 'there already'; end $$;
--> no rows

do $$ begin alter table item add constraint item_name_key unique (name); exception when duplicate_table or duplicate_object then raise notice 'there already'; end $$;
--> no rows

do $$ begin insert into item values (3, 'c'); insert into item values (1, 'd'); exception when unique_violation then insert into item values (4, 'e'); end $$;
--> no rows

select id from item order by id;
--> {"id":1}
--> {"id":2}
--> {"id":4}

do $$ begin insert into item values (5, 'f'); insert into item values (1, 'd'); end $$;
--> ERROR 23505: duplicate key value violates unique constraint "item_pkey"
--> DETAIL: Key (id)=(1) already exists.

do $$ begin insert into item values (1, 'd'); exception when undefined_table then null; end $$;
--> ERROR 23505: duplicate key value violates unique constraint "item_pkey"
--> DETAIL: Key (id)=(1) already exists.

do $$ begin perform count(*) from item; execute 'create table made (a int)'; execute format('create table %I (a int)', 'made too'); null; end $$ language plpgsql;
--> no rows

select table_name from information_schema.tables where table_name like 'made%' order by 1;
--> {"table_name":"made"}
--> {"table_name":"made too"}

do $$ begin raise exception 'no %% way'; end $$;
--> ERROR P0001: no % way

do $$ begin begin insert into nowhere values (1); exception when others then delete from item where id = 4; end; insert into item values (6, 'g'); end $$;
--> no rows

select id from item order by id;
--> {"id":1}
--> {"id":2}
--> {"id":6}

do $$ declare n int; begin select count(*) into n from item; end $$;
--> no rows

do $$ begin if case when true then false else true end then insert into item values (7, 'h'); end if; end $$;
--> ERROR 42601: syntax error at end of input
--> AT 30

do $$ begin insert into item values (8, 'i') end $$;
--> ERROR 42601: unexpected end of function definition at end of input
--> AT 50

select count(*) from item;
--> {"count":3}
