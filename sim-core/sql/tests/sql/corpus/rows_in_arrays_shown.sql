create type money_amt as (cur text, amt numeric); create type item as (sku text, price money_amt); create table o (id int primary key, items item[], main item); insert into o values (1, array[row('a', row('eur', 1.50))::item, row('b', row('usd', 2))::item], row('a', row('eur', 1.5)));
--> no rows

select items from o;
--> {"items":"{\"(a,\\\"(eur,1.50)\\\")\",\"(b,\\\"(usd,2)\\\")\"}"}

select array_remove(items, null) from o;
--> {"array_remove":"{\"(a,\\\"(eur,1.50)\\\")\",\"(b,\\\"(usd,2)\\\")\"}"}

select items || main, array_append(items, main), array_cat(items, items) from o;
--> {"?column?":"{\"(a,\\\"(eur,1.50)\\\")\",\"(b,\\\"(usd,2)\\\")\",\"(a,\\\"(eur,1.5)\\\")\"}","array_append":"{\"(a,\\\"(eur,1.50)\\\")\",\"(b,\\\"(usd,2)\\\")\",\"(a,\\\"(eur,1.5)\\\")\"}","array_cat":"{\"(a,\\\"(eur,1.50)\\\")\",\"(b,\\\"(usd,2)\\\")\",\"(a,\\\"(eur,1.50)\\\")\",\"(b,\\\"(usd,2)\\\")\"}"}

select array_replace(items, main, main) from o;
--> {"array_replace":"{\"(a,\\\"(eur,1.5)\\\")\",\"(b,\\\"(usd,2)\\\")\"}"}

select array_remove(items, main), trim_array(items, 1), items[1:1] from o;
--> {"array_remove":"{\"(b,\\\"(usd,2)\\\")\"}","trim_array":"{\"(a,\\\"(eur,1.50)\\\")\"}","items":"{\"(a,\\\"(eur,1.50)\\\")\"}"}

select array_remove(items, main)::text, (array_remove(items, main))[1], unnest(array_remove(items, main)) from o;
--> {"array_remove":"(b,\"(usd,2)\")","unnest":"(b,\"(usd,2)\")"}

select array_agg(main), array_agg(main) || main from o;
--> ERROR 42803: column "o.main" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 44
