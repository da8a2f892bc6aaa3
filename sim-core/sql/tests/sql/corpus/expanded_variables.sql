create table kept (id int primary key, n text); create table history (id int, n text); create table marked (op text, id int, n text);
--> no rows

do $$ declare r kept; begin r.id := 9; insert into kept select (r).*; end $$; select * from kept;
--> {"id":9,"n":null}

create function audited() returns trigger language plpgsql as $$ begin insert into history select (new).*; insert into marked select 'I', (new).*; return new; end $$; create trigger audited after insert on kept for each row execute function audited();
--> no rows

insert into kept values (50, 'x'); select * from history; select * from marked;
--> {"op":"I","id":50,"n":"x"}

do $$ declare r kept; begin r.id := 10; insert into kept values ((r).*); insert into marked values ('V', (r).*); end $$; select * from kept; select * from marked;
--> {"op":"I","id":50,"n":"x"}
--> {"op":"I","id":10,"n":null}
--> {"op":"V","id":10,"n":null}

do $$ declare r kept; begin r.id := 7; r.n := 'm'; insert into history values (1, 'a'), ((r).*), ((r).id, (r).n); end $$; select * from history where n = 'm';
--> {"id":7,"n":"m"}
--> {"id":7,"n":"m"}

do $$ declare r kept; n record; begin r.id := 10; r.n := 'q'; select (r).* into n; raise exception '%', n; end $$;
--> ERROR P0001: (10,q)

do $$ declare r kept; n record; begin r.id := 10; select * into n from (select (r).*) q; raise exception '%', n; end $$;
--> ERROR P0001: (10,)

do $$ declare r kept; n record; begin r.id := 1; for n in select (r).* loop raise exception '%', n; end loop; end $$;
--> ERROR P0001: (1,)

do $$ declare r kept; begin perform (r).*; end $$;
--> no rows

do $$ declare r kept; begin r.id := 5; update history set (id, n) = (select (r).*) where id = 50; end $$; select * from history order by id;
--> {"id":1,"n":"a"}
--> {"id":5,"n":null}
--> {"id":7,"n":"m"}
--> {"id":7,"n":"m"}
--> {"id":10,"n":null}

do $$ declare r kept; begin r.id := 4; insert into history select (r).* union all select (r).*; end $$; select count(*) from history;
--> {"count":7}

do $$ declare r int; n record; begin select (r).* into n; end $$;
--> ERROR 42809: type integer is not composite

create function given(x kept) returns setof kept language plpgsql as $$ begin return query select (x).*; end $$; select * from given(row(1, 'k'));
--> {"id":1,"n":"k"}

create function queried(x kept) returns setof kept language sql as $$ select (x).* $$; select * from queried(row(1, 'k'));
--> {"id":1,"n":"k"}

create function named(x kept) returns setof kept language sql as $$ select x.* $$; select * from named(row(1, 'k'));
--> {"id":1,"n":"k"}

create function inserted(x kept) returns kept language sql as $$ insert into kept select x.* returning * $$; select * from inserted(row(101, 'k'));
--> {"id":101,"n":"k"}

create function bracketed(x kept) returns kept language sql as $$ insert into kept select (x).* returning * $$; select * from bracketed(row(102, 'k'));
--> {"id":102,"n":"k"}
