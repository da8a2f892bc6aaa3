-- Rows that are one column of a query, and the variables that take them.

create table a (id int primary key, n text); insert into a values (1,'x'),(2,'y'); create function fo(out p int, out q text) language sql as 'select 1, ''z'''; create function fa(i int) returns a language sql as 'select * from a where id = i';
--> no rows

do $$ declare r a; begin select a into r from a where id = 1; raise exception '%', r; end $$;
--> ERROR 22P02: invalid input syntax for type integer: "(1,x)"

do $$ declare r record; begin select a into r from a where id = 1; raise exception '%', r; end $$;
--> ERROR P0001: ("(1,x)")

do $$ declare r record; begin select a into r from a where id = 1; raise exception '%', r.id; end $$;
--> ERROR 42703: record "r" has no field "id"

do $$ declare r record; begin select a into r from a where id = 1; raise exception '%', (r.a).n; end $$;
--> ERROR P0001: x

do $$ declare r record; begin select x as q into r from a x where id = 1; raise exception '%', (r.q).n; end $$;
--> ERROR P0001: x

do $$ declare r record; begin select fo() into r; raise exception '%', r; end $$;
--> ERROR P0001: ("(1,z)")

do $$ declare r record; begin select fa(1) into r; raise exception '%', r; end $$;
--> ERROR P0001: ("(1,x)")

do $$ declare r a; begin select fa(1) into r; raise exception '%', r; end $$;
--> ERROR 22P02: invalid input syntax for type integer: "(1,x)"

do $$ declare r record; begin for r in select a from a order by id loop raise exception '%', r; end loop; end $$;
--> ERROR P0001: ("(1,x)")

do $$ declare r a; begin for r in select a from a loop null; end loop; end $$;
--> ERROR 22P02: invalid input syntax for type integer: "(1,x)"

do $$ declare r record; begin for r in select fo() loop raise exception '%', r; end loop; end $$;
--> ERROR P0001: ("(1,z)")

do $$ declare r a; begin select * into r from a where id = 1; raise exception '%', r; end $$;
--> ERROR P0001: (1,x)

do $$ declare r a; begin select x.* into r from a x where id = 2; raise exception '%', r.n; end $$;
--> ERROR P0001: y

do $$ declare r a; begin r := (select a from a where id = 2); raise exception '%', r.n; end $$;
--> ERROR P0001: y

do $$ declare r text; begin select x into r from a x where id = 1; raise exception '%', r; end $$;
--> ERROR P0001: (1,x)

do $$ declare r int; begin select x into r from a x where id = 1; raise exception '%', r; end $$;
--> ERROR 22P02: invalid input syntax for type integer: "(1,x)"

do $$ declare r jsonb; begin select to_jsonb(x) into r from a x where id = 1; raise exception '%', r; end $$;
--> ERROR P0001: {"n": "x", "id": 1}

do $$ declare r record; begin select row(1, 2) into r; raise exception '%', r; end $$;
--> ERROR P0001: ("(1,2)")

do $$ declare r record; begin select row(1, 2) as z into r; raise exception '%', r; end $$;
--> ERROR P0001: ("(1,2)")

create function g() returns a language plpgsql as $$ declare r a; begin select x into r from a x where id = 1; return r; end $$; select g();
--> ERROR 22P02: invalid input syntax for type integer: "(1,x)"

create function h() returns jsonb language plpgsql as $$ declare r record; begin select x into r from a x where id = 1; return to_jsonb(r); end $$; select h();
--> {"h":{"x":{"n":"x","id":1}}}

create function s2() returns setof a language plpgsql as $$ declare r record; begin for r in select x.* from a x order by 1 loop return next r; end loop; end $$; select * from s2();
--> {"id":1,"n":"x"}
--> {"id":2,"n":"y"}

do $$ declare r record; k int; begin select a, 5 as k into r from a; raise exception '% %', (r.a).n, r.k; end $$;
--> ERROR P0001: x 5

do $$ declare r record; x record; begin select 1 as u, 2 as v into r; select r into x; raise exception '%', x; end $$;
--> ERROR P0001: ("(1,2)")

do $$ declare r a; begin select a into r from a where id = 77; raise exception '% %', r, found; end $$;
--> ERROR P0001: (,) f

do $$ declare r a; k int; begin select (x).id into k from a x where id = 2; raise exception '%', k; end $$;
--> ERROR P0001: 2

create function tr() returns trigger language plpgsql as $$ declare o a; begin select x.* into o from a x where id = 1; new.n := o.n; return new; end $$; create trigger t before insert on a for each row execute function tr(); insert into a values (9, 'q'); select * from a order by 1;
--> {"id":1,"n":"x"}
--> {"id":2,"n":"y"}
--> {"id":9,"n":"x"}
