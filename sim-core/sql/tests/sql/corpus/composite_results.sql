-- What functions return whose result is one row, or one parameter that is a row.

create table a (id int primary key, n text); insert into a values (1,'x'),(2,'y');
--> no rows

create function g1() returns a language sql as $$ select * from a order by id $$; select * from g1();
--> {"id":1,"n":"x"}

create function g2() returns int language sql as $$ select id from a order by id $$; select * from g2();
--> {"g2":1}

create function g3(out i int, out t text) language sql as $$ select * from a order by id $$; select * from g3();
--> {"i":1,"t":"x"}

create function g4(out i int) language sql as $$ select id from a order by id $$; select * from g4();
--> {"i":1}

select z.* from generate_series(1,2) g, g1() z;
--> {"id":1,"n":"x"}
--> {"id":1,"n":"x"}

create function g5() returns a language sql as $$ select * from a where false $$; select * from g5();
--> {"id":null,"n":null}

create function g6(out x a) language sql as $$ select * from a where false $$; select * from g6();
--> {"id":null,"n":null}

create function f2() returns setof a language sql as $$ select (id, n) from a order by id $$;
--> no rows

select * from f2();
--> {"id":1,"n":"x"}
--> {"id":2,"n":"y"}

create function f5(out x a) language sql as $$ select * from a order by id $$;
--> no rows

select * from f5();
--> {"id":1,"n":"x"}

select f5();
--> {"f5":"(1,x)"}

create function f6(out x a) language sql as $$ select q from a q order by id $$;
--> no rows

select * from f6();
--> {"id":1,"n":"x"}

select (f6()).n;
--> {"n":"x"}

create function f7() returns table(x a) language sql as $$ select q.* from a q order by id $$;
--> no rows

select * from f7();
--> {"id":1,"n":"x"}
--> {"id":2,"n":"y"}

create function f8() returns table(x a) language sql as $$ select q from a q order by id $$;
--> no rows

select * from f8();
--> {"id":1,"n":"x"}
--> {"id":2,"n":"y"}

create function f9(out x a) language plpgsql as $$ begin select q.* into x from a q where id = 1; end $$;
--> no rows

select * from f9();
--> {"id":1,"n":"x"}

select f9();
--> {"f9":"(1,x)"}

create function f10() returns table(x a) language plpgsql as $$ begin return query select q from a q order by id; end $$;
--> no rows

select * from f10();
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Returned type a does not match expected type integer in column 1.

create function f11() returns table(x a) language plpgsql as $$ begin return query select q.* from a q order by id; end $$;
--> no rows

select * from f11();
--> {"id":1,"n":"x"}
--> {"id":2,"n":"y"}

create function f12() returns table(x a) language plpgsql as $$ begin for x in select * from a order by id loop return next; end loop; end $$;
--> no rows

select * from f12();
--> {"id":1,"n":"x"}
--> {"id":2,"n":"y"}

create function f15(inout x a) language plpgsql as $$ begin x.n := 'zz'; end $$;
--> no rows

select * from f15(row(1,'u'));
--> {"id":1,"n":"zz"}

select x.n from f15(row(1,'u')) x;
--> {"n":"zz"}

create function f17(out x a, out k int) language sql as $$ select q, 4 from a q where id = 1 $$;
--> no rows

select * from f17();
--> {"x":"(1,x)","k":4}

create function f19() returns a language sql as $$ select a from a where id = 2 $$;
--> no rows

select * from f19();
--> {"id":2,"n":"y"}
