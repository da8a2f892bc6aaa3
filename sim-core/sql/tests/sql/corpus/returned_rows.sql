-- Rows that functions in PL/pgSQL return: their types must be those of the declared row.

create type ct as (ok boolean, msg text, amt numeric); create table t (id int primary key, n text); insert into t values (1,'x');
--> no rows

create function r2() returns ct language plpgsql as $$ begin return row(true, 'done', 5); end $$;
--> no rows

select * from r2();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type unknown does not match expected type text in column 2.

create function r3() returns ct language plpgsql as $$ begin return row(true, null, null); end $$;
--> no rows

select * from r3();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type unknown does not match expected type text in column 2.

create function r3b() returns ct language plpgsql as $$ begin return (true, 'a'::text, 5); end $$;
--> no rows

select * from r3b();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type integer does not match expected type numeric in column 3.

create function r3c() returns ct language plpgsql as $$ begin return row(true, 'a'::text, 5.0); end $$;
--> no rows

select * from r3c();
--> {"ok":true,"msg":"a","amt":"5.0"}

create function r7() returns ct language plpgsql as $$ declare v record; begin select true, 'done', 5 into v; return v; end $$;
--> no rows

select * from r7();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type integer does not match expected type numeric in column 3.

create function r7b() returns ct language plpgsql as $$ declare v record; begin select true, 'done', 5.5 into v; return v; end $$;
--> no rows

select * from r7b();
--> {"ok":true,"msg":"done","amt":"5.5"}

create function r8() returns ct language plpgsql as $$ declare v record; begin v := row(true, 'done', 5.5); return v; end $$;
--> no rows

select * from r8();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type unknown does not match expected type text in column 2.

create function r10() returns setof ct language plpgsql as $$ declare v record; begin for v in select true, 'x', 5 loop return next v; end loop; end $$;
--> no rows

select * from r10();
--> ERROR 42804: wrong record type supplied in RETURN NEXT
--> DETAIL: Returned type integer does not match expected type numeric in column 3.

create function r11() returns setof ct language plpgsql as $$ begin return next row(true, 'x', 5); end $$;
--> no rows

select * from r11();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type unknown does not match expected type text in column 2.

create function r12() returns setof ct language plpgsql as $$ begin return next (true, 'x', 5)::ct; return; end $$;
--> no rows

select * from r12();
--> {"ok":true,"msg":"x","amt":"5"}

create function r13() returns t language plpgsql as $$ begin return (1,'x'); end $$;
--> no rows

select * from r13();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type unknown does not match expected type text in column 2.

create function r14() returns t language plpgsql as $$ begin return row(1,2); end $$;
--> no rows

select * from r14();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type integer does not match expected type text in column 2.

create function r15() returns t language plpgsql as $$ declare r record; begin r := row(1,2); return r; end $$;
--> no rows

select * from r15();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type integer does not match expected type text in column 2.

create function r15b() returns t language plpgsql as $$ declare r t; begin r := row(1,2); return r; end $$;
--> no rows

select * from r15b();
--> {"id":1,"n":"2"}

create function r16() returns t language plpgsql as $$ declare r record; begin select * into r from t; return r; end $$;
--> no rows

select * from r16();
--> {"id":1,"n":"x"}

create function r16b() returns t language plpgsql as $$ declare r record; begin select id::bigint, n into r from t; return r; end $$;
--> no rows

select * from r16b();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type bigint does not match expected type integer in column 1.

create function r16c() returns t language plpgsql as $$ begin return row(1::bigint, 'x'::text); end $$;
--> no rows

select r16c();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type bigint does not match expected type integer in column 1.

create function r16d() returns t language plpgsql as $$ begin return (select row(id, n) from t limit 1); end $$;
--> no rows

select r16d();
--> {"r16d":"(1,x)"}

create function r16e() returns t language plpgsql as $$ begin return (select x from t x limit 1); end $$;
--> no rows

select r16e();
--> {"r16e":"(1,x)"}

create function trg() returns trigger language plpgsql as $$ begin return row(new.id, 'lit'); end $$; create trigger trg before insert on t for each row execute function trg();
--> no rows

insert into t values (5,'a');
--> ERROR 42804: returned row structure does not match the structure of the triggering table
--> DETAIL: Returned type unknown does not match expected type text in column 2.

create or replace function trg() returns trigger language plpgsql as $$ begin return row(new.id, 'lit'::text); end $$;
--> no rows

insert into t values (5,'a') returning *;
--> {"id":5,"n":"lit"}

create or replace function trg() returns trigger language plpgsql as $$ declare r record; begin r := row(new.id, 5); return r; end $$;
--> no rows

insert into t values (6,'a') returning *;
--> ERROR 42804: returned row structure does not match the structure of the triggering table
--> DETAIL: Returned type integer does not match expected type text in column 2.

create or replace function trg() returns trigger language plpgsql as $$ declare r record; begin r := new; return r; end $$;
--> no rows

insert into t values (7,'a') returning *;
--> {"id":7,"n":"a"}

create or replace function trg() returns trigger language plpgsql as $$ declare r record; begin select new.id, new.n, 3 into r; return r; end $$;
--> no rows

insert into t values (8,'a') returning *;
--> ERROR 42804: returned row structure does not match the structure of the triggering table
--> DETAIL: Number of returned columns (3) does not match expected column count (2).

create or replace function trg() returns trigger language plpgsql as $$ begin return 5; end $$;
--> no rows

insert into t values (9,'a') returning *;
--> ERROR 42804: cannot return non-composite value from function returning composite type

create function rr() returns record language plpgsql as $$ begin return (1, 'x'::text); end $$;
--> no rows

select * from rr() as q(a int, b text);
--> {"a":1,"b":"x"}

select * from rr() as q(a int, b int);
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type text does not match expected type integer in column 2.

select * from rr() as q(a bigint, b text);
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type integer does not match expected type bigint in column 1.

select * from rr() as q(a int, b varchar);
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type text does not match expected type character varying in column 2.

select * from rr() as q(a int);
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Number of returned columns (2) does not match expected column count (1).

create function rr2() returns record language plpgsql as $$ begin return (1, 'x'); end $$;
--> no rows

select * from rr2() as q(a int, b text);
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type unknown does not match expected type text in column 2.

create function rr3() returns setof record language plpgsql as $$ declare r record; begin for r in select 1, 'x' loop return next r; end loop; end $$;
--> no rows

select * from rr3() as q(a int, b text);
--> {"a":1,"b":"x"}

select * from rr3() as q(a bigint, b text);
--> ERROR 42804: wrong record type supplied in RETURN NEXT
--> DETAIL: Returned type integer does not match expected type bigint in column 1.

create function rr4() returns record language plpgsql as $$ declare r record; begin select 1, 'x' into r; return r; end $$;
--> no rows

select * from rr4() as q(a int, b text);
--> {"a":1,"b":"x"}

select * from rr4() as q(a bigint, b text);
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type integer does not match expected type bigint in column 1.

select * from rr4() as q(a int, b text, c int);
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Number of returned columns (2) does not match expected column count (3).

create function ro(out a int, out b text) returns record language plpgsql as $$ begin a := 1; b := 2; return; end $$;
--> no rows

select * from ro();
--> {"a":1,"b":"2"}

create table v (id int, c varchar(5), d numeric(4,1));
--> no rows

create function vf() returns v language plpgsql as $$ declare r record; begin select 1, 'abcdefg'::varchar, 5.55::numeric into r; return r; end $$;
--> no rows

select * from vf();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type character varying does not match expected type character varying(5) in column 2.

create function vf2() returns v language plpgsql as $$ declare r record; begin select 1, 'abc'::text, 5.55::numeric into r; return r; end $$;
--> no rows

select * from vf2();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type text does not match expected type character varying(5) in column 2.

create domain dm as ct check ((value).amt > 1);
--> no rows

create function df() returns dm language plpgsql as $$ begin return row(true, 'x', 5); end $$;
--> no rows

select df();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type unknown does not match expected type text in column 2.

create function df2() returns dm language plpgsql as $$ begin return row(true, 'x'::text, 5.0); end $$;
--> no rows

select df2();
--> {"df2":"(t,x,5.0)"}

create domain pint as int check (value > 0); create type cd as (a pint, b text);
--> no rows

create function cdf() returns cd language plpgsql as $$ begin return row(-1, 'x'::text); end $$;
--> no rows

select cdf();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type integer does not match expected type pint in column 1.

create function cdf2() returns cd language plpgsql as $$ begin return row(-1::pint, 'x'::text); end $$;
--> no rows

create function cdf3() returns cd language plpgsql as $$ begin return row(1::pint, 'x'::text); end $$;
--> no rows

select cdf3();
--> {"cdf3":"(1,x)"}

create function nx() returns setof t language plpgsql as $$ declare r record; begin return next r; end $$;
--> no rows

select * from nx();
--> ERROR 55000: record "r" is not assigned yet
--> DETAIL: The tuple structure of a not-yet-assigned record is indeterminate.

create function nx2() returns t language plpgsql as $$ declare r record; begin return r; end $$;
--> no rows

select * from nx2();
--> {"id":null,"n":null}

create function nx3() returns t language plpgsql as $$ begin return null; end $$;
--> no rows

select * from nx3();
--> {"id":null,"n":null}

create function nx4() returns t language plpgsql as $$ begin return '(4,q)'; end $$;
--> no rows

select * from nx4();
--> ERROR 42804: cannot return non-composite value from function returning composite type

create function nx5() returns t language plpgsql as $$ declare r ct; begin r := row(true,'m',3); return r; end $$;
--> no rows

select * from nx5();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type boolean does not match expected type integer in column 1.

create function nx6() returns setof t language plpgsql as $$ declare r ct; begin r := row(true,'m',3); return next r; end $$;
--> no rows

select * from nx6();
--> ERROR 42804: wrong record type supplied in RETURN NEXT
--> DETAIL: Returned type boolean does not match expected type integer in column 1.

create type ct2 as (a boolean, b text, c numeric);
--> no rows

create function nx7() returns ct language plpgsql as $$ declare r ct2; begin r := row(true,'m',3); return r; end $$;
--> no rows

select * from nx7();
--> {"ok":true,"msg":"m","amt":"3"}

create function nx8() returns setof ct language plpgsql as $$ declare r ct2; begin r := row(true,'m',3); return next r; return next row(true, 'u'::text, 3); end $$;
--> no rows

select * from nx8();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type integer does not match expected type numeric in column 3.

do $$ declare r ct; begin r := r2(); raise notice '%', r; end $$;
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type unknown does not match expected type text in column 2.

create type mood as enum ('a','b'); create domain pos as int check (value > 0); create table vv (id bigserial primary key, c varchar(5), d numeric(4,1), e mood, p pos, ts timestamp(3), ch char(3), arr text[], j jsonb, at timestamptz default '2020-01-01', vs varchar(3)[], b bit(3)); insert into vv (c, d, e, p, ts, ch, arr, j, vs, b) values ('abc', 1.5, 'a', 3, '2020-01-01', 'xy', '{a,b}', '{"a":1}', '{a}', b'101');
--> no rows

create function g1() returns vv language plpgsql as $$ declare r record; begin select * into r from vv; return r; end $$;
--> no rows

select * from g1();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":3,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g2() returns setof vv language plpgsql as $$ declare r record; begin for r in select * from vv loop return next r; end loop; for r in select w.* from (select * from vv) w loop return next r; end loop; for r in with w as (select * from vv order by id) select * from w loop return next r; end loop; end $$;
--> no rows

select * from g2();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":3,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":3,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":3,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g3() returns setof vv language plpgsql as $$ declare r record; begin for r in select * from vv union all select * from vv loop return next r; end loop; end $$;
--> no rows

select * from g3();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":3,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":3,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g4() returns setof vv language plpgsql as $$ declare r record; begin for r in execute 'select * from vv' loop return next r; end loop; end $$;
--> no rows

select * from g4();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":3,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g5() returns vv language plpgsql as $$ declare r record; begin update vv set p = 4 where id = 1 returning * into r; return r; end $$;
--> no rows

select * from g5();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":4,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g6() returns vv language plpgsql as $$ declare r record; c cursor for select * from vv; begin open c; fetch c into r; close c; return r; end $$;
--> no rows

select * from g6();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":4,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g7() returns vv language plpgsql as $$ declare r vv%rowtype; begin select * into r from vv; return r; end $$;
--> no rows

select * from g7();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":4,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g8() returns vv language plpgsql as $$ begin return (select vv from vv limit 1); end $$;
--> no rows

select * from g8();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":4,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g9() returns vv language plpgsql as $$ declare r record; begin r := (select vv from vv limit 1); return r; end $$;
--> no rows

select * from g9();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":4,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g10() returns vv language plpgsql as $$ begin return g9(); end $$;
--> no rows

select * from g10();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":4,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g11() returns vv language plpgsql as $$ declare r record; begin r := g9(); r.c := 'q'; return r; end $$;
--> no rows

select * from g11();
--> {"id":1,"c":"q","d":"1.5","e":"a","p":4,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g12() returns vv language plpgsql as $$ declare r record; begin select * into r from g9(); return r; end $$;
--> no rows

select * from g12();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":4,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g13() returns setof vv language plpgsql as $$ declare a vv[]; x vv; begin a := array(select vv from vv); foreach x in array a loop return next x; end loop; return next a[1]; end $$;
--> no rows

select * from g13();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":4,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":4,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g15() returns vv language plpgsql as $$ declare r record; begin select id, max(c), d, e, p, ts, ch, arr, j, at, vs, b into r from vv group by id; return r; end $$;
--> no rows

select * from g15();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type text does not match expected type character varying(5) in column 2.

create function g16() returns vv language plpgsql as $$ declare r record; begin select id, c, sum(d), e, p, ts, ch, arr, j, at, vs, b into r from vv group by id; return r; end $$;
--> no rows

select * from g16();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type numeric does not match expected type numeric(4,1) in column 3.

create function g17() returns vv language plpgsql as $$ declare r record; begin select id, c::varchar(5), d::numeric(4,1), e, p, ts, ch, arr, j, at, vs, b into r from vv; return r; end $$;
--> no rows

select * from g17();
--> {"id":1,"c":"abc","d":"1.5","e":"a","p":4,"ts":"2020-01-01 00:00:00","ch":"xy ","arr":["a","b"],"j":{"a":1},"at":"2020-01-01 00:00:00+00","vs":["a"],"b":"101"}

create function g18() returns vv language plpgsql as $$ declare r record; begin select * into r from vv where id = 77; return r; end $$;
--> no rows

select * from g18();
--> {"id":null,"c":null,"d":null,"e":null,"p":null,"ts":null,"ch":null,"arr":null,"j":null,"at":null,"vs":null,"b":null}

create function g19() returns vv language plpgsql as $$ declare r record; begin select * into r from jsonb_populate_record(null::vv, '{"id":4,"c":"z"}'); return r; end $$;
--> no rows

select * from g19();
--> {"id":4,"c":"z","d":null,"e":null,"p":null,"ts":null,"ch":null,"arr":null,"j":null,"at":null,"vs":null,"b":null}

create function g20() returns vv language plpgsql as $$ begin return jsonb_populate_record(null::vv, '{"id":4,"c":"z"}'); end $$;
--> no rows

select * from g20();
--> {"id":4,"c":"z","d":null,"e":null,"p":null,"ts":null,"ch":null,"arr":null,"j":null,"at":null,"vs":null,"b":null}

create function g21(x vv) returns vv language plpgsql as $$ begin x.c := 'zz'; return x; end $$;
--> no rows

select (g21(vv)).c from vv;
--> {"c":"zz"}

create function g22(x vv) returns vv language plpgsql as $$ declare y record; begin y := x; y.c := 'zz'; return y; end $$;
--> no rows

select (g22(vv)).c from vv;
--> {"c":"zz"}

create view vw as select id, c, d, upper(c) as u from vv; create function io() returns trigger language plpgsql as $$ begin new.c := 'io'; return new; end $$; create trigger io instead of insert or update on vw for each row execute function io();
--> no rows

insert into vw (id, c) values (9, 'h') returning id, c;
--> {"id":9,"c":"io"}

create table pt (id int, k int, n varchar(4)) partition by list (k); create table pt1 partition of pt for values in (1); create table pt2 (n varchar(4), zz int, k int, id int); alter table pt2 drop column zz; alter table pt attach partition pt2 for values in (2);
--> no rows

create function ptf() returns trigger language plpgsql as $$ declare r record; begin r := new; r.n := 'q'; return r; end $$; create trigger ptf before insert on pt for each row execute function ptf();
--> no rows

insert into pt values (1,1,'a'), (1,2,'b') returning *;
--> {"id":1,"k":1,"n":"q"}
--> {"id":1,"k":2,"n":"q"}

create table dc (a int, b int, c varchar(3)); alter table dc drop column b; create function dcf() returns dc language plpgsql as $$ declare r record; begin select 1, 'x'::varchar(3) into r; return r; end $$;
--> no rows

select * from dcf();
--> {"a":1,"c":"x"}

create function evf() returns trigger language plpgsql as $$ begin return null; end $$; create trigger evf after insert on dc for each row execute function evf();
--> no rows

create function evs() returns trigger language plpgsql as $$ begin return row(1); end $$; create trigger evs after insert on dc for each statement execute function evs();
--> no rows

insert into dc values (1, 'a');
--> no rows

create or replace function evf() returns trigger language plpgsql as $$ begin return row(1); end $$;
--> no rows

insert into dc values (1, 'a');
--> ERROR 42804: returned row structure does not match the structure of the triggering table
--> DETAIL: Number of returned columns (1) does not match expected column count (2).

create function rrr(n int) returns record language plpgsql as $$ declare r record; begin select g as a, g::text as b into r from generate_series(n, n) g; return r; end $$;
--> no rows

select rrr(4);
--> {"rrr":"(4,4)"}

select * from rrr(4) as (x int, y text);
--> {"x":4,"y":"4"}

select * from rrr(4) as (x int, y varchar(5));
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type text does not match expected type character varying(5) in column 2.

create function sr() returns setof record language plpgsql as $$ begin return query select 1, 'a'::text; return query select 2, 'b'; end $$;
--> no rows

select * from sr() as (x int, y text);
--> {"x":1,"y":"a"}
--> {"x":2,"y":"b"}

select * from sr() as (x bigint, y text);
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Returned type integer does not match expected type bigint in column 1.

create type par as (x int, y text); create function fo(out p par) language plpgsql as $$ begin p := row(1,'x'); end $$;
--> no rows

select fo();
--> {"fo":"(1,x)"}

create function fi(inout p par) language plpgsql as $$ begin p.x := p.x + 1; end $$;
--> no rows

select fi(row(1,'a'));
--> {"fi":"(2,a)"}

create function h1() returns par language plpgsql as $$ begin begin return row(1,'a'); exception when others then return row(2,'b'::text); end; end $$;
--> no rows

select h1();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type unknown does not match expected type text in column 2.

create function h2() returns par language plpgsql as $$ begin return row(1, case when true then 'x' else 'y' end); end $$;
--> no rows

select h2();
--> {"h2":"(1,x)"}

create function h3() returns par language plpgsql as $$ begin return row(1, 'a' || 'b'); end $$;
--> no rows

select h3();
--> {"h3":"(1,ab)"}

create function h4() returns par language plpgsql as $$ begin return row(1, concat('a','b')); end $$;
--> no rows

select h4();
--> {"h4":"(1,ab)"}

create function h5() returns par language plpgsql as $$ declare t text := 'a'; n int; begin return (n, t); end $$;
--> no rows

select h5();
--> {"h5":"(,a)"}

create function h6() returns par language plpgsql as $$ declare t varchar := 'a'; n int; begin return (n, t); end $$;
--> no rows

select h6();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type character varying does not match expected type text in column 2.

create function h7() returns par language plpgsql as $$ begin return (select row(id::int, c::text) from vv order by id limit 1); end $$;
--> no rows

select h7();
--> {"h7":"(1,abc)"}

create function h8() returns par language plpgsql as $$ begin return (select (1, 'a')::par); end $$;
--> no rows

select h8();
--> {"h8":"(1,a)"}

create function h10() returns par language plpgsql as $$ begin return case when true then row(1,'a'::text) else row(2,'b'::text) end; end $$;
--> no rows

select h10();
--> {"h10":"(1,a)"}

create function h11() returns par language plpgsql as $$ declare r par; begin r := row(1,'a'); return coalesce(r, r); end $$;
--> no rows

select h11();
--> {"h11":"(1,a)"}

create function h12() returns par language plpgsql as $$ begin return sr2(); end $$; create function sr2() returns record language plpgsql as $$ begin return row(1, 'z'::text); end $$;
--> no rows

select h12();
--> {"h12":"(1,z)"}

create function h13() returns par language plpgsql as $$ declare r record; begin r := sr2(); return r; end $$;
--> no rows

select h13();
--> {"h13":"(1,z)"}

select (h13()).y;
--> {"y":"z"}

create function h14() returns par language plpgsql as $$ declare r record; begin return r; end $$;
--> no rows

select h14();
--> {"h14":null}

create function h15() returns par language plpgsql as $$ declare r record; begin r := null; return r; end $$;
--> no rows

select h15();
--> {"h15":null}

create function h16() returns setof par language plpgsql as $$ declare r record; begin r := null; return next r; end $$;
--> no rows

select h16();
--> ERROR 55000: record "r" is not assigned yet
--> DETAIL: The tuple structure of a not-yet-assigned record is indeterminate.

create function h17() returns setof par language plpgsql as $$ declare r par; begin return next r; return next null; return next null::par; end $$;
--> no rows

select h17();
--> {"h17":"(,)"}
--> {"h17":"(,)"}
--> {"h17":"(,)"}
