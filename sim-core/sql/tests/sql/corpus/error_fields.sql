-- What an error is about: GET STACKED DIAGNOSTICS, and RAISE with names.

create schema shop;
--> no rows

create domain shop.amount as int check (value > 0);
--> no rows

create table shop.item (id int primary key, name text not null unique, price int constraint price_is_positive check (price > 0), amount shop.amount);
--> no rows

create table shop.part (id int, item int constraint part_of references shop.item, during int4range, exclude using gist (during with &&));
--> no rows

create table shop.log (at int, text text not null, unique (at)) partition by range (at);
--> no rows

create table shop.log_1 partition of shop.log for values from (0) to (10);
--> no rows

create function told(statement text) returns text language plpgsql as $$
declare s text; t text; c text; d text; k text;
begin
  execute statement;
  return 'fine';
exception when others then
  get stacked diagnostics s = schema_name, t = table_name, c = column_name, d = pg_datatype_name, k = constraint_name;
  return format('%s schema=%s table=%s column=%s constraint=%s', sqlstate, s, t, c, k);
end $$;
--> no rows

select told('insert into shop.item values (1, ''a'', 1, 1)');
--> {"told":"fine"}

select told('insert into shop.item values (1, ''b'', 1, 1)');
--> {"told":"23505 schema=shop table=item column= constraint=item_pkey"}

select told('insert into shop.item values (2, ''a'', 1, 1)');
--> {"told":"23505 schema=shop table=item column= constraint=item_name_key"}

select told('insert into shop.item values (2, null, 1, 1)');
--> {"told":"23502 schema=shop table=item column=name constraint="}

select told('insert into shop.item values (2, ''b'', 0, 1)');
--> {"told":"23514 schema=shop table=item column= constraint=price_is_positive"}

select told('update shop.item set price = -1');
--> {"told":"23514 schema=shop table=item column= constraint=price_is_positive"}

select told('insert into shop.part values (1, 7)');
--> {"told":"23503 schema=shop table=part column= constraint=part_of"}

select told('insert into shop.part values (1, 1, ''[1,5)'')');
--> {"told":"fine"}

select told('insert into shop.part values (2, 1, ''[2,3)'')');
--> {"told":"23P01 schema=shop table=part column= constraint=part_during_excl"}

select told('delete from shop.item');
--> {"told":"23503 schema=shop table=part column= constraint=part_of"}

select told('insert into shop.log values (1, null)');
--> {"told":"23502 schema=shop table=log_1 column=text constraint="}

select told('insert into shop.log values (1, ''a'')');
--> {"told":"fine"}

select told('select 1/0');
--> {"told":"22012 schema= table= column= constraint="}

select told('do $d$ begin raise exception ''no'' using schema = ''s'', table = ''t'', column = ''c'', datatype = ''d'', constraint = ''k''; end $d$');
--> {"told":"P0001 schema=s table=t column=c constraint=k"}

select told('do $d$ begin raise unique_violation using constraint = ''mine''; end $d$');
--> {"told":"23505 schema= table= column= constraint=mine"}

do $$
begin
  raise check_violation using column = null;
end $$;
--> ERROR 22004: RAISE statement option cannot be null
