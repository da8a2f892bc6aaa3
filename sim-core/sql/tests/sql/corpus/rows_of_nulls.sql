-- Variables of PL/pgSQL that hold a row of nulls, and such that hold none.

create table thing (id int, name text);
--> no rows

create type pair as (a text, b int);
--> no rows

create function r1() returns json language plpgsql as $$ declare r record; begin select * from thing limit 1 into r; return row_to_json(r); end $$;
--> no rows

select r1();
--> {"r1":{"id":null,"name":null}}

create function r2() returns json language plpgsql as $$ declare r thing; begin select * from thing limit 1 into r; return row_to_json(r); end $$;
--> no rows

select r2();
--> {"r2":{"id":null,"name":null}}

create function r3() returns json language plpgsql as $$ declare r thing%rowtype; begin return row_to_json(r); end $$;
--> no rows

select r3() is null;
--> {"?column?":true}

create function r4() returns text language plpgsql as $$ declare r record; begin execute 'select * from thing' into r; return to_jsonb(r)::text || (r is null) || coalesce(r.name, 'none'); end $$;
--> no rows

select r4();
--> {"r4":"{\"id\": null, \"name\": null}truenone"}

create function r8() returns jsonb language plpgsql as $$ declare r thing; begin update thing set id = 1 where false returning * into r; return jsonb_build_object('r', r, 'n', r.id, 'null', r is null, 'j', to_jsonb(r)); end $$;
--> no rows

select r8();
--> {"r8":{"j":{"id":null,"name":null},"n":null,"r":{"id":null,"name":null},"null":true}}

create function r9() returns jsonb language plpgsql as $$ declare r thing; begin r := null; return jsonb_build_object('r', r, 'null', r is null, 'j', to_jsonb(r)); end $$;
--> no rows

select r9();
--> {"r9":{"j":null,"r":null,"null":true}}

create function r10() returns jsonb language plpgsql as $$ declare r record; begin select 1 as a into r; r := null; return jsonb_build_object('r', r is null, 'j', to_jsonb(r)); end $$;
--> no rows

select r10();
--> {"r10":{"j":null,"r":true}}

create function r12() returns text language plpgsql as $$ declare r thing; c refcursor; begin open c for select * from thing; fetch c into r; return row_to_json(r)::text; end $$;
--> no rows

select r12();
--> {"r12":"{\"id\":null,\"name\":null}"}

create function r14() returns text language plpgsql as $$ declare r thing; begin for r in select * from thing loop null; end loop; return row_to_json(r)::text; end $$;
--> no rows

select r14();
--> {"r14":"{\"id\":null,\"name\":null}"}

create function a1() returns boolean language plpgsql as $$ declare r record; begin return r is null; end $$;
--> no rows

select a1();
--> {"a1":true}

create function a2() returns text language plpgsql as $$ declare r record; begin if r is null then select * into r from thing; end if; return r.name; end $$;
--> no rows

select a2() is null;
--> {"?column?":true}

create function a3(n int) returns text language plpgsql as $$ declare r record; made text := ''; begin for i in 1..n loop if i = 2 then select 1 as a, null as b into r; end if; made := made || coalesce(to_jsonb(r)::text, 'none') || (r is null); if i = 3 then r := null; end if; end loop; return made; end $$;
--> no rows

select a3(5);
--> {"a3":"nonetrue{\"a\": 1, \"b\": null}false{\"a\": 1, \"b\": null}falsenonetruenonetrue"}

create function a4() returns text language plpgsql as $$ declare r record; begin return r.name; end $$;
--> no rows

select a4();
--> ERROR 55000: record "r" is not assigned yet
--> DETAIL: The tuple structure of a not-yet-assigned record is indeterminate.

create function a5() returns text language plpgsql as $$ declare r thing; q thing; begin q := r; return coalesce(to_jsonb(q)::text, 'none') || (q is null); end $$;
--> no rows

select a5();
--> {"a5":"nonetrue"}

create function a6() returns text language plpgsql as $$ declare r thing; q record; begin select * into r from thing; q := r; return coalesce(to_jsonb(q)::text, 'none'); end $$;
--> no rows

select a6();
--> {"a6":"{\"id\": null, \"name\": null}"}

create function a7(r thing) returns text language plpgsql as $$ begin return coalesce(to_jsonb(r)::text, 'none'); end $$;
--> no rows

select a7(null), a7(row(null, null));
--> {"a7":"{\"id\": null, \"name\": null}"}

create function a8() returns text language plpgsql as $$ declare r thing; begin r := null; r.id := null; return to_jsonb(r); end $$;
--> no rows

select a8();
--> {"a8":"{\"id\": null, \"name\": null}"}

create function a9() returns text language plpgsql as $$ declare r thing[]; q thing; begin q := r[1]; return coalesce(to_jsonb(q)::text, 'none'); end $$;
--> no rows

select a9();
--> {"a9":"none"}

create function f1(pair[]) returns text language plpgsql as $$ declare x text; y int; z text := ''; begin foreach x, y in array $1 loop z := z || x || coalesce(y, -1); end loop; return z; end $$;
--> no rows

select f1(array[('a', 1), ('b', null)]::pair[]);
--> {"f1":"a1b-1"}

select f1(array[null, ('c', 3)]::pair[]) is null;
--> {"?column?":true}

create function f2(int[]) returns text language plpgsql as $$ declare x text; y int; begin foreach x, y in array $1 loop null; end loop; return 'x'; end $$;
--> no rows

select f2('{}');
--> {"f2":"x"}

select f2('{1}');
--> ERROR 42804: cannot assign non-composite value to a row variable

create table seen (n int generated always as identity, op text, new jsonb, old jsonb, is_old boolean);
--> no rows

create function note() returns trigger language plpgsql as $$ begin insert into seen (op, new, old, is_old) values (tg_op, to_jsonb(new), to_jsonb(old), old is null); return coalesce(new, old); end $$;
--> no rows

create trigger note before insert or update or delete on thing for each row execute function note();
--> no rows

insert into thing values (null, null);
--> no rows

update thing set id = null;
--> no rows

delete from thing;
--> no rows

select op, new, old, is_old from seen order by n;
--> {"op":"INSERT","new":{"id":null,"name":null},"old":null,"is_old":true}
--> {"op":"UPDATE","new":{"id":null,"name":null},"old":{"id":null,"name":null},"is_old":true}
--> {"op":"DELETE","new":null,"old":{"id":null,"name":null},"is_old":true}
