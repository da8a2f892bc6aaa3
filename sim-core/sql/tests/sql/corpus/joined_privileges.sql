-- Privileges of the columns that USING and NATURAL compare.

create table lodges(id int primary key, secret text, extra int); revoke select on lodges from anon; grant select (id) on lodges to anon; insert into lodges values (1,'s', 2);
--> no rows

set role anon; select l.id from lodges l join lodges m using (secret);
--> ERROR 42501: permission denied for table lodges

set role anon; select id from lodges l join lodges m using (id);
--> {"id":1}

set role anon; select l.id from lodges l natural join lodges m;
--> ERROR 42501: permission denied for table lodges

set role anon; select l.id from lodges l join lodges m using (id, extra);
--> ERROR 42501: permission denied for table lodges

set role anon; select l.id from lodges l join lodges m on l.extra = m.extra;
--> ERROR 42501: permission denied for table lodges

set role anon; select count(*) from lodges l left join (select id from lodges) q using (id);
--> {"count":1}

select attname, attacl from pg_attribute where attrelid = 'lodges'::regclass and attnum > 0 order by attnum;
--> {"attname":"id","attacl":"{anon=r/postgres}"}
--> {"attname":"secret","attacl":null}
--> {"attname":"extra","attacl":null}

revoke select (id) on lodges from anon; select attname, attacl from pg_attribute where attrelid = 'lodges'::regclass and attnum > 0 order by attnum;
--> {"attname":"id","attacl":null}
--> {"attname":"secret","attacl":null}
--> {"attname":"extra","attacl":null}
