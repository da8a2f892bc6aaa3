-- Changes of rows through views.

create table item (id int primary key, name text not null default 'none', n int, hidden boolean default false);
insert into item values (1, 'one', 10, false), (2, 'two', 20, false), (3, 'three', 30, true);
create view visible as select id, name, n from item where not hidden;
insert into visible (id, name, n) values (4, 'four', 40);
select * from visible order by id;
--> {"id":1,"name":"one","n":10}
--> {"id":2,"name":"two","n":20}
--> {"id":4,"name":"four","n":40}

insert into visible values (5) returning *;
--> {"id":5,"name":"none","n":null}

update visible set n = n + 1 where name like 't%' returning id, n;
--> {"id":2,"n":21}

update visible set n = 0 where id = 3;
select n from item where id = 3;
--> {"n":30}

delete from visible where id in (2, 3) returning id, name;
--> {"id":2,"name":"two"}

select id from item order by id;
--> {"id":1}
--> {"id":3}
--> {"id":4}
--> {"id":5}

insert into visible (id) values (1);
--> ERROR 23505: duplicate key value violates unique constraint "item_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into visible (id, name) values (1, 'again') on conflict (id) do update set name = excluded.name returning *;
--> {"id":1,"name":"again","n":10}

insert into visible (id, name) values (1, 'x') on conflict do nothing returning *;
--> no rows

insert into visible (nosuch) values (1);
--> ERROR 42703: column "nosuch" of relation "visible" does not exist
--> AT 22

create view renamed (key, label, twice) as select id, name, n * 2 from item;
--> no rows

update renamed set label = 'first' where key = 1 returning *;
--> {"key":1,"label":"first","twice":20}

update renamed set twice = 5;
--> ERROR 0A000: cannot update column "twice" of view "renamed"
--> DETAIL: View columns that are not columns of their base relation are not updatable.

insert into renamed (key, twice) values (8, 1);
--> ERROR 0A000: cannot insert into column "twice" of view "renamed"
--> DETAIL: View columns that are not columns of their base relation are not updatable.

insert into renamed (key, label) values (8, 'eight') returning key, label;
--> {"key":8,"label":"eight"}

delete from renamed where key = 8;
select count(*) from item;
--> {"count":4}

create view low as select id, n from item where n < 100 with check option;
--> no rows

insert into low values (20, 50);
select n from low where id = 20;
--> {"n":50}

insert into low values (21, 500);
--> ERROR 44000: new row violates check option for view "low"
--> DETAIL: Failing row contains (21, none, 500, f).

update low set n = 500 where id = 20;
--> ERROR 44000: new row violates check option for view "low"
--> DETAIL: Failing row contains (20, none, 500, f).

create view lower_local as select id, n from low where n > 5 with local check option;
--> no rows

insert into lower_local values (22, 1);
--> ERROR 44000: new row violates check option for view "lower_local"
--> DETAIL: Failing row contains (22, none, 1, f).

insert into lower_local values (22, 1000);
--> ERROR 44000: new row violates check option for view "low"
--> DETAIL: Failing row contains (22, none, 1000, f).

create view plain_over as select id, n from low where n > 5;
--> no rows

insert into plain_over values (23, 1);
select n from item where id = 23;
--> {"n":1}

insert into plain_over values (24, 1000);
--> ERROR 44000: new row violates check option for view "low"
--> DETAIL: Failing row contains (24, none, 1000, f).

create view cascaded_over as select id, n from visible where n > 5 with cascaded check option;
--> no rows

insert into cascaded_over values (25, 6);
select id from cascaded_over order by id;
--> {"id":1}
--> {"id":4}
--> {"id":20}
--> {"id":25}

insert into cascaded_over values (26, 5);
--> ERROR 44000: new row violates check option for view "cascaded_over"
--> DETAIL: Failing row contains (26, none, 5, f).

create view with_default as select id, name from item;
--> no rows

alter view with_default alter column name set default 'from view';
insert into with_default (id) values (30) returning *;
--> {"id":30,"name":"from view"}

alter view with_default alter name drop default;
insert into with_default (id) values (31) returning *;
--> {"id":31,"name":"none"}

create view grouped as select name, count(*) as c from item group by name;
--> no rows

insert into grouped values ('x', 1);
--> ERROR 55000: cannot insert into view "grouped"
--> DETAIL: Views containing GROUP BY are not automatically updatable.
--> HINT: To enable inserting into the view, provide an INSTEAD OF INSERT trigger or an unconditional ON INSERT DO INSTEAD rule.

update grouped set c = 1;
--> ERROR 55000: cannot update view "grouped"
--> DETAIL: Views containing GROUP BY are not automatically updatable.
--> HINT: To enable updating the view, provide an INSTEAD OF UPDATE trigger or an unconditional ON UPDATE DO INSTEAD rule.

delete from grouped;
--> ERROR 55000: cannot delete from view "grouped"
--> DETAIL: Views containing GROUP BY are not automatically updatable.
--> HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

create view joined as select a.id, b.n from item a join item b on a.id = b.id;
--> no rows

insert into joined values (1, 2);
--> ERROR 55000: cannot insert into view "joined"
--> DETAIL: Views that do not select from a single table or view are not automatically updatable.
--> HINT: To enable inserting into the view, provide an INSTEAD OF INSERT trigger or an unconditional ON INSERT DO INSTEAD rule.

update joined set n = 2;
--> ERROR 55000: cannot update view "joined"
--> DETAIL: Views that do not select from a single table or view are not automatically updatable.
--> HINT: To enable updating the view, provide an INSTEAD OF UPDATE trigger or an unconditional ON UPDATE DO INSTEAD rule.

create view distinct_names as select distinct name from item;
--> no rows

delete from distinct_names;
--> ERROR 55000: cannot delete from view "distinct_names"
--> DETAIL: Views containing DISTINCT are not automatically updatable.
--> HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

create view limited as select id from item limit 1;
--> no rows

update limited set id = 2;
--> ERROR 55000: cannot update view "limited"
--> DETAIL: Views containing LIMIT or OFFSET are not automatically updatable.
--> HINT: To enable updating the view, provide an INSTEAD OF UPDATE trigger or an unconditional ON UPDATE DO INSTEAD rule.

create view united as select id from item union select n from item;
--> no rows

delete from united;
--> ERROR 55000: cannot delete from view "united"
--> DETAIL: Views containing UNION, INTERSECT, or EXCEPT are not automatically updatable.
--> HINT: To enable deleting from the view, provide an INSTEAD OF DELETE trigger or an unconditional ON DELETE DO INSTEAD rule.

create view constant as select 1 as one;
--> no rows

insert into constant values (2);
--> ERROR 55000: cannot insert into view "constant"
--> DETAIL: Views that do not select from a single table or view are not automatically updatable.
--> HINT: To enable inserting into the view, provide an INSTEAD OF INSERT trigger or an unconditional ON INSERT DO INSTEAD rule.

create view of_view as select id, name from visible where id > 0;
--> no rows

update of_view set name = 'via two' where id = 1 returning *;
--> {"id":1,"name":"via two"}

insert into of_view values (40, 'forty') returning *;
--> {"id":40,"name":"forty"}

delete from of_view where id = 40;
select count(*) from item where id = 40;
--> {"count":0}

select table_name, is_insertable_into from information_schema.tables where table_name in ('visible', 'grouped', 'joined', 'of_view') order by 1;
--> {"table_name":"grouped","is_insertable_into":"NO"}
--> {"table_name":"joined","is_insertable_into":"NO"}
--> {"table_name":"of_view","is_insertable_into":"YES"}
--> {"table_name":"visible","is_insertable_into":"YES"}

select table_name, is_updatable, is_insertable_into, check_option from information_schema.views where table_name in ('visible', 'grouped', 'low', 'lower_local') order by 1;
--> {"table_name":"grouped","is_updatable":"NO","is_insertable_into":"NO","check_option":"NONE"}
--> {"table_name":"low","is_updatable":"YES","is_insertable_into":"YES","check_option":"CASCADED"}
--> {"table_name":"lower_local","is_updatable":"YES","is_insertable_into":"YES","check_option":"LOCAL"}
--> {"table_name":"visible","is_updatable":"YES","is_insertable_into":"YES","check_option":"NONE"}

create function on_joined() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into item (id, n) values (new.id, new.n);
    return new;
  elsif tg_op = 'UPDATE' then
    update item set n = new.n where id = old.id;
    return new;
  else
    delete from item where id = old.id;
    return old;
  end if;
end $$;
create trigger joined_changes instead of insert or update or delete on joined for each row execute function on_joined();
--> no rows

insert into joined values (50, 51) returning *;
--> {"id":50,"n":51}

update joined set n = n + 1 where id = 50 returning id, n;
--> {"id":50,"n":52}

select n from item where id = 50;
--> {"n":52}

delete from joined where id = 50 returning *;
--> {"id":50,"n":52}

select count(*) from item where id = 50;
--> {"count":0}

create trigger bad before insert on joined for each row execute function on_joined();
--> ERROR 42809: "joined" is a view
--> DETAIL: Views cannot have row-level BEFORE or AFTER triggers.

create trigger bad instead of insert on item for each row execute function on_joined();
--> ERROR 42809: "item" is a table
--> DETAIL: Tables cannot have INSTEAD OF triggers.

create view seen with (security_invoker = true, security_barrier) as select id from item;
--> no rows

select reloptions from pg_class where relname = 'seen';
--> {"reloptions":["security_invoker=true","security_barrier=true"]}

create view optioned with (check_option = 'local') as select id, n from item where n > 0;
--> no rows

insert into optioned values (60, -1);
--> ERROR 44000: new row violates check option for view "optioned"
--> DETAIL: Failing row contains (60, none, -1, f).

with moved as (delete from visible where id = 4 returning *) select id from moved;
--> {"id":4}

update visible v set n = x.k from (values (1, 77)) as x (i, k) where v.id = x.i returning v.id, v.n, x.k;
--> {"id":1,"n":77,"k":77}

delete from visible v using (values (1)) as x (i) where v.id = x.i returning v.id;
--> {"id":1}

create materialized view frozen as select id from item;
insert into frozen values (1);
--> ERROR 42809: cannot change materialized view "frozen"

create view serials as select * from item;
--> no rows

insert into serials (id, name) select 70 + g, 'g' || g from generate_series(1, 3) as g;
select count(*) from serials where id > 70;
--> {"count":3}

truncate serials;
--> ERROR 42809: "serials" is not a table
