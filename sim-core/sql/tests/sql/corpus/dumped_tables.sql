-- What dumps and baselines of projects have in tables and views.

create table dumped (id int primary key, flags bit(3) default '101'::"bit", more bit varying(5) default '11'::"bit", tags text[] default '{}', status text, generated_one text generated always as (status || 'x') stored);
--> no rows

insert into dumped (id, status) values (1, 'open') returning flags, more;
--> {"flags":"101","more":"11"}

select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'dumped'::regclass order by adnum;
--> {"pg_get_expr":"'101'::\"bit\""}
--> {"pg_get_expr":"'11'::\"bit\""}
--> {"pg_get_expr":"'{}'::text[]"}
--> {"pg_get_expr":"(status || 'x'::text)"}

create view open_ones with (security_barrier) as select id, status, (select count(*) from unnest(tags)) as tag_count, (select max(i) from generate_series(1, 3) i) as top from dumped where status = 'open' with local check option;
--> no rows

update open_ones set status = 'closed' where id = 1;
--> ERROR 44000: new row violates check option for view "open_ones"
--> DETAIL: Failing row contains (1, 101, 11, {}, closed, closedx).

insert into open_ones (id, status) values (2, 'closed');
--> ERROR 44000: new row violates check option for view "open_ones"
--> DETAIL: Failing row contains (2, 101, 11, {}, closed, closedx).

create view counted as select count(*) as n, (select 1) as one from dumped with check option;
--> ERROR 0A000: WITH CHECK OPTION is supported only on automatically updatable views
--> HINT: Views that return aggregate functions are not automatically updatable.

create publication dumped_all for table dumped;
--> no rows

select tablename, attnames from pg_publication_tables where pubname = 'dumped_all';
--> {"tablename":"dumped","attnames":"{id,flags,more,tags,status,generated_one}"}
