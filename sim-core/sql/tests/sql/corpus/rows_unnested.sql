create type m as (cur text, amt numeric(10,2)); create type one as (a int); create table o (id int generated always as identity, lines m[]);
--> no rows

create function f(a text) returns m[] language plpgsql as $$ declare ls m[]; begin ls := array(select row(a, g) from generate_series(1, 2) g); ls := ls || row('last', 9)::m; ls[1] := row('first', 0); return ls; end $$; select f('x');
--> {"f":"{\"(first,0.00)\",\"(x,2.00)\",\"(last,9.00)\"}"}

create function f3(a text) returns m[] language sql as $$ select array_agg(row(a, g)::m) from generate_series(1, 2) g $$; select f3('x');
--> {"f3":"{\"(x,1.00)\",\"(x,2.00)\"}"}

create function f4(a text) returns m[] language sql as $$ select array[row(a, 1)::m, row(a, 2)] $$; select f4('x');
--> ERROR 42804: ARRAY types m and record cannot be matched
--> AT 86

create function f5() returns m[] language plpgsql as $$ begin return array[row('q', 1), row('r', 2)]; end $$; select f5();
--> {"f5":"{\"(q,1.00)\",\"(r,2.00)\"}"}

create function f6() returns m[] language plpgsql as $$ declare r m; rs m[] := '{}'; begin for r in select 'a', g from generate_series(1, 2) g loop rs := array_append(rs, r); end loop; insert into o (lines) values (rs); return (select lines from o limit 1); end $$; select f6();
--> {"f6":"{\"(a,1.00)\",\"(a,2.00)\"}"}

insert into o (lines) values (array[row('a', 1), row('b', 2)]::m[]) returning lines;
--> {"lines":"{\"(a,1.00)\",\"(b,2.00)\"}"}

insert into o (lines) values (array[row('a', 1)::m, row('b', 2)]) returning lines;
--> ERROR 42804: ARRAY types m and record cannot be matched
--> AT 53

update o set lines = array_append(lines, row('c', 3)) returning lines;
--> ERROR 42883: function array_append(m[], record) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 22

update o set lines = array_append(lines, row('c', 3)::m) where id = 2 returning lines;
--> {"lines":"{\"(a,1.00)\",\"(b,2.00)\",\"(c,3.00)\"}"}

update o set lines = lines || array[row('c', 3)]::m[] where id = 2 returning lines;
--> {"lines":"{\"(a,1.00)\",\"(b,2.00)\",\"(c,3.00)\",\"(c,3.00)\"}"}

select o2 from unnest(array[row(1)::one]) o2;
--> {"o2":"(1)"}

select o2.a, o2 from unnest(array[row(1)::one, row(2)]) o2(a);
--> ERROR 42804: ARRAY types one and record cannot be matched
--> AT 48

select u from unnest(array[row('a', 1)::m]) u(x, y);
--> {"u":"(a,1.00)"}

select u.x, u from unnest(array[row('a', 1)::m]) with ordinality u(x, y, n);
--> {"x":"a","u":"(a,1.00,1)"}

select pg_typeof(u), row_to_json(u), to_jsonb(u), count(u) over () from unnest(array[row('a', 1)::m]) u;
--> {"pg_typeof":"m","row_to_json":{"cur":"a","amt":1},"to_jsonb":{"amt":1,"cur":"a"},"count":1}

select array_agg(u order by u.amt desc) from unnest(array[row('a', 1)::m, row('b', 2)]) u;
--> ERROR 42804: ARRAY types m and record cannot be matched
--> AT 75

select u = row('a', 1)::m, u is null, u in (row('a', 1.0)::m), coalesce(u, null), (u).amt from unnest(array[row('a', 1)::m, null]) u;
--> {"?column?":true,"coalesce":"(a,1.00)","amt":"1.00"}
--> {"?column?":false,"coalesce":"(,)","amt":null}

create function take(x m) returns text language sql as $$ select x.cur || '!' $$; select take(u), u.take, u.cur from unnest(array[row('a', 1)::m]) u;
--> {"take":"a!","cur":"a"}

select r, pg_typeof(r), take(r) from jsonb_populate_recordset(null::m, '[{"cur":"z"}]') r;
--> {"r":"(z,)","pg_typeof":"m","take":"z!"}

select r from jsonb_populate_record(row('k', 1)::m, '{"amt":2}') r;
--> {"r":"(k,2.00)"}

select array_agg(r), max(r.amt) from json_populate_recordset(null::o, '[{"id":1,"lines":[{"cur":"a"}]}]') r;
--> ERROR 42703: column r.amt does not exist
--> AT 26

insert into o (lines) select array(select r from jsonb_populate_recordset(null::m, d.j) r) from (values ('[{"cur":"e","amt":1}]'::jsonb), ('[]'), (null)) d(j) returning lines;
--> {"lines":"{\"(e,1.00)\"}"}
--> {"lines":"{}"}
--> {"lines":"{}"}

select id, (select sum((l).amt) from unnest(lines) l), (select array_agg(l) from unnest(lines) l where (l).amt > 1) from o order by id;
--> {"id":1,"sum":"3.00","array_agg":"{\"(a,2.00)\"}"}
--> {"id":2,"sum":"9.00","array_agg":"{\"(b,2.00)\",\"(c,3.00)\",\"(c,3.00)\"}"}
--> {"id":3,"sum":"1.00","array_agg":null}
--> {"id":4,"sum":null,"array_agg":null}
--> {"id":5,"sum":null,"array_agg":null}

select x.id, l from o x, unnest(x.lines) l where l = row('b', 2)::m order by 1;
--> {"id":2,"l":"(b,2.00)"}

select distinct l from o, unnest(lines) l order by 1;
--> {"l":"(a,1.00)"}
--> {"l":"(a,2.00)"}
--> {"l":"(b,2.00)"}
--> {"l":"(c,3.00)"}
--> {"l":"(e,1.00)"}

select l, count(*) from o, unnest(lines) l group by l order by l;
--> {"l":"(a,1.00)","count":2}
--> {"l":"(a,2.00)","count":1}
--> {"l":"(b,2.00)","count":1}
--> {"l":"(c,3.00)","count":2}
--> {"l":"(e,1.00)","count":1}

select json_agg(l) from o, unnest(lines) l where id = 1;
--> {"json_agg":[{"cur":"a","amt":1},{"cur":"a","amt":2}]}

merge into o using (select array_agg(r) as ls from jsonb_populate_recordset(null::m, '[{"cur":"mm"}]') r) s on o.id = 1 when matched then update set lines = s.ls; select lines from o where id = 1;
--> {"lines":"{\"(mm,)\"}"}
