-- Results of bodies that are rows: null ones, and those of procedures

create type pair as (n int, t text);
create function f1() returns table (o0 pair, o1 int) language plpgsql as $$ begin return next; o0 := row(1, 'a'); return next; o0 := null; return next; o0.n := 5; return next; o0 := row(null, null); return next; end $$;
select * from f1();
--> {"o0":null,"o1":null}
--> {"o0":"(1,a)","o1":null}
--> {"o0":null,"o1":null}
--> {"o0":"(5,)","o1":null}
--> {"o0":"(,)","o1":null}

select f1();
--> {"f1":"(,)"}
--> {"f1":"(\"(1,a)\",)"}
--> {"f1":"(,)"}
--> {"f1":"(\"(5,)\",)"}
--> {"f1":"(\"(,)\",)"}

select o0 is null, o0::text from f1();
--> {"?column?":true,"o0":null}
--> {"?column?":false,"o0":"(1,a)"}
--> {"?column?":true,"o0":null}
--> {"?column?":false,"o0":"(5,)"}
--> {"?column?":true,"o0":"(,)"}

create function f2(out a pair) language plpgsql as $$ begin end $$;
select f2(), (f2()).n, f2() is null;
--> {"f2":null,"n":null,"?column?":true}

select * from f2();
--> {"n":null,"t":null}

create function f3(out a pair, out b int) language plpgsql as $$ begin end $$;
select f3();
--> {"f3":"(,)"}

select * from f3();
--> {"a":null,"b":null}

select (f3()).a, (f3()).b;
--> {"a":null,"b":null}

create function f4() returns setof pair language plpgsql as $$ declare p pair; begin return next p; p := null; return next p; p.n := 1; return next p; return next row(1,'b'); return next null::pair; end $$;
select * from f4();
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Returned type unknown does not match expected type text in column 2.

select f4();
--> ERROR 42883: function f4() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function f5() returns pair language plpgsql as $$ declare p pair; begin return p; end $$;
select f5(), f5() is null, f5()::text;
--> {"f5":null,"?column?":true}

select * from f5();
--> {"n":null,"t":null}

create function f6() returns record language plpgsql as $$ declare p pair; begin return p; end $$;
select f6();
--> {"f6":null}

create function f7(inout p pair) language plpgsql as $$ begin end $$;
select f7(null), f7(row(1,'x'));
--> {"f7":"(1,x)"}

select * from f7(null);
--> {"n":null,"t":null}

select * from f7(row(1,'x'));
--> {"n":1,"t":"x"}

create procedure r1(inout p pair) language plpgsql as $$ begin end $$;
call r1(null);
--> {"p":null}

call r1(row(1,'x'));
--> {"p":"(1,x)"}

create procedure r2(inout p pair) language plpgsql as $$ begin p := true; end $$;
call r2(row(1,'x'));
--> ERROR 22P02: malformed record literal: "t"
--> DETAIL: Missing left parenthesis.

create procedure r3(inout p pair) language plpgsql as $$ declare q pair := p; begin p := null; end $$;
call r3(row(1,'x'));
--> {"p":null}

create procedure r4(inout p pair, inout n int) language plpgsql as $$ begin p.n := n; end $$;
call r4(row(1,'x'), 4);
--> {"p":"(4,x)","n":4}

call r4(null, 4);
--> {"p":"(4,)","n":4}

create procedure r5(inout p pair) language plpgsql as $$ begin p := 5; end $$;
call r5(row(1,'x'));
--> ERROR 22P02: malformed record literal: "5"
--> DETAIL: Missing left parenthesis.

create procedure r6(inout p pair) language plpgsql as $$ begin p := '(7,z)'; end $$;
call r6(row(1,'x'));
--> {"p":"(7,z)"}

create procedure r7(inout p pair) language plpgsql as $$ begin p := 'x'; end $$;
call r7(row(1,'x'));
--> ERROR 22P02: malformed record literal: "x"
--> DETAIL: Missing left parenthesis.

create procedure r8(inout p pair) language plpgsql as $$ begin p := row(3, 'q'); end $$;
call r8(row(1,'x'));
--> {"p":"(3,q)"}

do $$ declare p pair; begin p := 5; end $$;
--> ERROR 22P02: malformed record literal: "5"
--> DETAIL: Missing left parenthesis.

do $$ declare p pair; begin p := true; end $$;
--> ERROR 22P02: malformed record literal: "t"
--> DETAIL: Missing left parenthesis.

do $$ declare p pair; begin p := '2024-01-01'::date; end $$;
--> ERROR 22P02: malformed record literal: "2024-01-01"
--> DETAIL: Missing left parenthesis.

do $$ declare p pair; begin p := array[1]; end $$;
--> ERROR 22P02: malformed record literal: "{1}"
--> DETAIL: Missing left parenthesis.

do $$ declare p record; begin p := 5; end $$;
--> ERROR 0A000: input of anonymous composite types is not implemented

do $$ declare p record; begin p := 'x'; end $$;
--> ERROR 0A000: input of anonymous composite types is not implemented

do $$ declare p pair; begin select 5 into p; raise notice '%', p; end $$;
--> no rows

do $$ declare p pair; begin p := row(1); end $$;
--> no rows

do $$ declare p pair; begin p := row(1, 2, 3); end $$;
--> no rows

do $$ declare p pair; begin p := row('a', 2); end $$;
--> ERROR 22P02: invalid input syntax for type integer: "a"

do $$ declare p pair; begin p := null::text; raise notice '%', p is null; end $$;
--> no rows

do $$ declare p pair; begin p := null::int; raise notice '%', p is null; end $$;
--> no rows

do $$ declare p pair; begin p := 1 where false; raise notice '%', p is null; end $$;
--> no rows

create function f8() returns pair language plpgsql as $$ begin return 5; end $$;
select f8();
--> ERROR 42804: cannot return non-composite value from function returning composite type

create function f9() returns pair language plpgsql as $$ begin return '(1,b)'; end $$;
select f9();
--> ERROR 42804: cannot return non-composite value from function returning composite type

create function f10() returns pair language plpgsql as $$ begin return null; end $$;
select f10();
--> {"f10":null}

create function f11() returns setof pair language plpgsql as $$ begin return next 5; end $$;
select f11();
--> ERROR 42804: cannot return non-composite value from function returning composite type

create function f12() returns table(p pair) language plpgsql as $$ begin return next; p := row(1,'x'); return next; end $$;
select * from f12();
--> {"n":null,"t":null}
--> {"n":1,"t":"x"}

select f12();
--> {"f12":"(,)"}
--> {"f12":"(1,x)"}

create function f13() returns table(p pair, q int) language plpgsql as $$ begin return query select null::pair, 1; return query select row(1,'a')::pair, 2; end $$;
select * from f13();
--> {"p":null,"q":1}
--> {"p":"(1,a)","q":2}

create function f14(out p pair, out q int) returns setof record language plpgsql as $$ begin return next; p.t := 'z'; return next; end $$;
select * from f14();
--> {"p":null,"q":null}
--> {"p":"(,z)","q":null}

create function f15(a pair) returns text language plpgsql as $$ begin return a is null; end $$;
select f15(null), f15(row(null,null)), f15(row(1,null));
--> {"f15":"false"}

create function f16(a pair) returns pair language plpgsql as $$ begin return a; end $$;
select f16(null), f16(row(null,null)), f16(row(1,null)), f16(null)::text, f16(row(null,null))::text;
--> {"f16":"(,)"}
