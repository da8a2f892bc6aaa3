create type pair as (x int, y text);
--> no rows

create type deep as (p pair, tags text[], d jsonb);
--> no rows

do $$ declare v jsonb := '{}'; begin v['k'] := '1'; v['a']['b'] := '"x"'; raise notice '%', v; v['l'][2] := 'true'; raise notice '%', v; end $$;
--> no rows

do $$ declare v jsonb; begin v['k'] := to_jsonb(1); raise notice '%', v; v := null; v[1] := '5'; raise notice '%', v; v[-5] := '5'; end $$;
--> ERROR 22023: path element at position 1 is out of range: -5

do $$ declare v jsonb := '5'; begin v['k'] := '1'; raise notice '%', v; end $$;
--> ERROR 22023: cannot replace existing key
--> DETAIL: The path assumes key is a composite object, but it is a scalar value.

do $$ declare v jsonb := '[]'; begin v['k'] := '1'; raise notice '%', v; end $$;
--> ERROR 22P02: path element at position 1 is not an integer: "k"

do $$ declare v jsonb := '{}'; begin v['k'] := 1; raise notice '%', v; end $$;
--> no rows

do $$ declare v jsonb := '{}'; begin v['k'] := null; v[null] := '1'; raise notice '%', v; end $$;
--> ERROR 22004: jsonb subscript in assignment must not be null

do $$ declare a int[] := '{1,2,3,4}'; begin a[1:2] := array[7,8]; raise notice '%', a; a[3:] := '{9,9}'; raise notice '%', a; a[:1] := '{0}'; raise notice '%', a; a[6] := 3; raise notice '%', a; a[0] := 3; raise notice '%', a; a[1:9] := '{1}'; end $$;
--> ERROR 2202E: source array too small

do $$ declare a int[]; begin a[1:2] := array[7,8]; raise notice '%', a; a[1] := '5'; a[2] := 5.6; raise notice '%', a; a['1'] := 8; raise notice '%', a; a[null] := 1; end $$;
--> ERROR 22004: array subscript in assignment must not be null

do $$ declare a int[][] := '{{1,2},{3,4}}'; begin a[1][2] := 9; a[1:1][1:1] := '{{5}}'; raise notice '%', a; a[1] := 4; end $$;
--> ERROR 2202E: wrong number of array subscripts

do $$ declare a int[]; begin a[1] := 'x'::text; end $$;
--> ERROR 22P02: invalid input syntax for type integer: "x"

do $$ declare a json; begin a['x'] := '1'; end $$;
--> ERROR 42804: cannot subscript type json because it does not support subscripting

do $$ declare r deep; begin r.p.x := 1; r.p.y := 'z'; r.tags[2] := 'q'; r.tags[1:1] := '{k}'; r.d['m'] := '1'; raise notice '%', r; r.p := row(3,'u'); raise notice '%', r; r.p.z := 4; end $$;
--> ERROR 42703: cannot assign to field "z" of column "r" because there is no such column in data type pair

do $$ declare r record; begin select 1 as i, '{1,2}'::int[] as t, '{}'::jsonb as j, row(1,'x')::pair as p into r; r.t[2] := 7; r.j['z'] := '1'; r.p.y := 'zz'; raise notice '%', r; end $$;
--> no rows

create table t (id int, tags text[], c pair, j jsonb);
--> no rows

create function tr() returns trigger language plpgsql as $$ begin new.tags[1] := 'first'; new.c.x := 77; new.j['at'] := to_jsonb(new.id); return new; end $$;
--> no rows

create trigger tr before insert on t for each row execute function tr();
--> no rows

insert into t values (1,'{a,b}',row(1,'k'),'{"q":1}'), (2,null,null,null);
--> no rows

select * from t order by id;
--> {"id":1,"tags":["first","b"],"c":"(77,k)","j":{"q":1,"at":1}}
--> {"id":2,"tags":["first"],"c":"(77,)","j":{"at":2}}

insert into t values (1,'{a,b}',row(1,'k'),'{"q":1}'), (2,null,null,null);
--> no rows

create function n2() returns trigger language plpgsql as $$ begin new.c.nope := 'first'; return new; end $$;
--> no rows

insert into t values (1,'{a,b}',row(1,'k'),'{"q":1}'), (2,null,null,null);
--> no rows

create domain da as int[] check (array_length(value,1) < 3);
--> no rows

do $$ declare a da; begin a[1] := 1; a[2] := 2; raise notice '%', a; a[3] := 3; end $$;
--> ERROR 23514: value for domain da violates check constraint "da_check"

create domain dp as pair check ((value).x > 0);
--> no rows

do $$ declare a dp; begin a.x := 1; raise notice '%', a; a.x := -1; end $$;
--> ERROR 23514: value for domain dp violates check constraint "dp_check"

do $$ declare m int[] := '{}'; i int; begin for i in 1..3 loop m[i] := i*i; m[i:i] := array[m[i]+1]; end loop; raise notice '%', m; m[m[1]] := 0; raise notice '%', m; end $$;
--> no rows

do $$ declare p pair; begin p.x = 4; p.y := p.x || 'q'; raise notice '%', p; p := null; p.y := 'n'; raise notice '%', p; end $$;
--> no rows

do $$ <<b>> declare p pair; a int[]; begin b.p.x := 4; b.a[2] := 3; raise notice '% %', b.p, b.a; end $$;
--> no rows

create extension hstore;
--> no rows

do $$ declare h hstore := 'a=>1'; begin h['b'] := 2; raise notice '%', h; end $$;
--> no rows

create procedure swap(inout a int[], inout j jsonb) language plpgsql as $$ begin a[2] := a[1] + 1; j['n'] := to_jsonb(a); end $$;
--> no rows

call swap('{5}', '{"x":[1]}');
--> {"a":[5,6],"j":{"n":[5,6],"x":[1]}}

do $$ declare a int[] := '{1,2,3}'; j jsonb := '[1,2,3]'; begin a[array_length(a, 1) + 1] := (select max(x) from unnest(a) x); j[-1] := to_jsonb(a); raise notice '% %', a, j; end $$;
--> no rows

do $$ declare j jsonb := '{"a":{"b":[1]}}'; k text := 'a'; begin for i in 0..2 loop j[k]['b'][i] := to_jsonb(i * 10); end loop; j[k]['c'] := j; raise notice '%', j; end $$;
--> no rows

create table inv (id int, lines pair[], extra deep);
--> no rows

do $$ declare r inv; begin r.extra.p.x := 3; r.lines[1] := row(1, 'a'); r.lines[1].y := 'b'; raise notice '%', r; insert into inv values (r.*); end $$;
--> no rows

select id, lines, extra from inv;
--> {"id":null,"lines":"{\"(1,b)\"}","extra":"(\"(3,)\",,)"}

select (extra).p.x, lines[1] from inv;
--> {"x":3,"lines":"(1,b)"}

select '{"(1,a)","(2,\"b c\")"}'::pair[], ('{"(1,a)",NULL}'::pair[])[2] is null;
--> {"pair":"{\"(1,a)\",\"(2,\\\"b c\\\")\"}","?column?":true}

select array_length(array['(1,a)','(2,b)']::pair[], 1), (array['(1,a)','(2,b)']::pair[])[2];
--> {"array_length":2,"array":"(2,b)"}

select '{x}'::pair[];
--> ERROR 22P02: malformed record literal: "x"
--> DETAIL: Missing left parenthesis.
--> AT 8
