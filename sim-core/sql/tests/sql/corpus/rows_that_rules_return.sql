-- What rules return, and the checks of their commands.

create table base(id int primary key, a text, b varchar(5), d bool default false); create view v as select id, a, b from base; create view w as select id, a from base where not d;
--> no rows

create rule r2 as on insert to v do instead insert into base(id) values (new.id) returning id;
--> ERROR 42P17: RETURNING list has too few entries

create rule r2 as on insert to v do instead insert into base(id) values (new.id) returning id, a, b, d;
--> ERROR 42P17: RETURNING list has too many entries

create rule r2 as on insert to v do instead insert into base(id) values (new.id) returning id, id, b;
--> ERROR 42P17: RETURNING list's entry 2 has different type from column "a"
--> DETAIL: RETURNING list entry has type integer, but column has type text.

create rule r2 as on insert to v do instead insert into base(id) values (new.id) returning id, a, a;
--> ERROR 42P17: RETURNING list's entry 3 has different type from column "b"
--> DETAIL: RETURNING list entry has type text, but column has type character varying.

create rule r2 as on insert to v do instead insert into base(id) values (new.id) returning id, a, b::varchar(4);
--> ERROR 42P17: RETURNING list's entry 3 has different size from column "b"
--> DETAIL: RETURNING list entry has type character varying(4), but column has type character varying(5).

create rule r2 as on insert to v do instead insert into base(id) values (new.id) returning *;
--> ERROR 42P17: RETURNING list has too many entries

create rule r2 as on insert to v do instead insert into base(id) values (new.id) returning id, 'x', b;
--> no rows

create or replace rule r2 as on insert to v do instead (insert into base(id) values (new.id) returning id, a, b; insert into base(id) values (new.id + 1) returning id, a, b);
--> ERROR 0A000: cannot have multiple RETURNING lists in a rule

create rule r3 as on insert to v where new.id > 3 do instead insert into base(id) values (new.id) returning id, a, b;
--> ERROR 0A000: RETURNING lists are not supported in conditional rules

create rule r3 as on insert to v do also insert into base(id) values (new.id) returning id, a, b;
--> ERROR 0A000: RETURNING lists are not supported in non-INSTEAD rules

create rule r4 as on insert to w do instead insert into base(id, a) values (new.id, new.a);
--> no rows

insert into w values (1, 'one') returning id;
--> ERROR 0A000: cannot perform INSERT RETURNING on relation "w"
--> HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

insert into w values (1, 'one') returning *;
--> ERROR 0A000: cannot perform INSERT RETURNING on relation "w"
--> HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

with i as (insert into w values (1, 'one') returning *) select * from i;
--> ERROR 0A000: cannot perform INSERT RETURNING on relation "w"
--> HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

do $$ declare x int; begin insert into w values (1, 'one') returning id into x; end $$;
--> ERROR 0A000: cannot perform INSERT RETURNING on relation "w"
--> HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

create function ins() returns int language sql as $$ insert into w values (1, 'one') returning id $$; select ins();
--> ERROR 0A000: cannot perform INSERT RETURNING on relation "w"
--> HINT: You need an unconditional ON INSERT DO INSTEAD rule with a RETURNING clause.

insert into w values (1, 'one'); update w set a = 'uno' where id = 1 returning *; select * from base order by id;
--> {"id":1,"a":"uno","b":null,"d":false}

insert into v values (5, 'five', 'f') returning *;
--> {"id":5,"a":"x","b":null}

insert into v values (6, 'six', 's') returning id + 1 as next, upper(coalesce(a, 'none')) as a;
--> {"next":7,"a":"X"}

select pg_get_ruledef(oid) like '%into new%' as hidden from pg_rewrite where rulename in ('r2', 'r4') order by 1;
--> {"hidden":false}
--> {"hidden":false}

select count(*) from pg_rules where definition like '%into new%' or definition like '%into old%';
--> {"count":0}

create rule u1 as on update to v do instead update base set a = new.a where id = old.id returning id, a, b; update v set a = 'x' where id = 5 returning *;
--> {"id":5,"a":"x","b":null}

create rule d1 as on delete to v do instead update base set d = true where id = old.id returning id, a, b; delete from v where id = 5 returning id; select * from base order by id;
--> {"id":1,"a":"uno","b":null,"d":false}
--> {"id":5,"a":"x","b":null,"d":true}
--> {"id":6,"a":null,"b":null,"d":false}

create rule d2 as on delete to w do instead update base set d = true where id = old.id; delete from w where id = 6 returning *;
--> ERROR 0A000: cannot perform DELETE RETURNING on relation "w"
--> HINT: You need an unconditional ON DELETE DO INSTEAD rule with a RETURNING clause.

create rule x1 as on insert to w do instead insert into nope values (new.id);
--> ERROR 42P01: relation "nope" does not exist
--> AT 57

create rule x1 as on insert to w do instead insert into base(nope) values (new.id);
--> ERROR 42703: column "nope" of relation "base" does not exist
--> AT 62

create rule x1 as on insert to w do instead insert into base(id) values (new.nope);
--> ERROR 42703: column new.nope does not exist
--> AT 74

create rule x1 as on insert to w do instead insert into base(id) values (old.id);
--> ERROR 42P17: ON INSERT rule cannot use OLD

create rule x1 as on delete to w do instead delete from base where id = new.id;
--> ERROR 42P17: ON DELETE rule cannot use NEW

create rule x1 as on insert to w do instead insert into base(id, a) values (new.id, new.a, new.a);
--> ERROR 42601: INSERT has more expressions than target columns
--> AT 92

create rule x1 as on insert to w do instead insert into base(id) values (new.a);
--> ERROR 42804: column "id" is of type integer but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 74

create rule x1 as on insert to w do instead insert into base(id, a) select new.*; insert into w values (70, 'seventy'); select * from base where id >= 70;
--> ERROR 23505: duplicate key value violates unique constraint "base_pkey"
--> DETAIL: Key (id)=(70) already exists.

create rule t1 as on insert to base do also insert into base values (1) returning *;
--> ERROR 0A000: RETURNING lists are not supported in non-INSTEAD rules

create rule x2 as on update to w do instead update base b set a = new.a, b = (select max(b) from base o where o.id <> old.id) from (select 1 as one) q where b.id = old.id and q.one = 1; update w set a = 'zz' where id = 1; select * from base order by id;
--> {"id":1,"a":"zz","b":null,"d":false}
--> {"id":5,"a":"x","b":null,"d":true}
--> {"id":6,"a":null,"b":null,"d":false}
