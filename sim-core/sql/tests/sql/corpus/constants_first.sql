-- Constants are computed before a number is drawn from a sequence, so that one that fails leaves the sequence as it is

create table t (id serial primary key, c int); insert into t(c) values (1);
--> no rows

do $$ begin insert into t(c) values (1/0); exception when division_by_zero then null; end $$;
--> no rows

insert into t(c) values (2) returning id;
--> {"id":2}

insert into t(c) values (1/0);
--> ERROR 22012: division by zero

insert into t(c) values (3) returning id;
--> {"id":3}

insert into t(c) select 1/0;
--> ERROR 22012: division by zero

insert into t(c) values (3) returning id;
--> {"id":4}

insert into t(c) values (1), (1/0);
--> ERROR 22012: division by zero

insert into t(c) values (3) returning id;
--> {"id":5}

insert into t(c) values (1), ('abc'::text::int);
--> ERROR 22P02: invalid input syntax for type integer: "abc"

insert into t(c) values (3) returning id;
--> {"id":6}

do $$ begin insert into t(c) values (1), ('abc'::text::int); exception when others then null; end $$;
--> no rows

insert into t(c) values (3) returning id;
--> {"id":7}

do $$ begin insert into t(c) select 1/0; exception when others then null; end $$;
--> no rows

insert into t(c) values (3) returning id;
--> {"id":8}

do $$ declare z int := 0; begin insert into t(c) select 1/z; exception when others then null; end $$;
--> no rows

insert into t(c) values (3) returning id;
--> {"id":9}

do $$ declare z int := 0; begin insert into t(c) values (1/z); exception when others then null; end $$;
--> no rows

insert into t(c) values (3) returning id;
--> {"id":10}

do $$ declare z int := 0; begin insert into t(c) values (1/z) returning 1/0; exception when others then null; end $$;
--> no rows

insert into t(c) values (3) returning id;
--> {"id":11}

insert into t(c) values (3) returning 1/0;
--> ERROR 22012: division by zero

insert into t(c) values (3) returning id;
--> {"id":12}

create table t2 (id serial primary key, c int check (c > 0), d int not null default 1); insert into t2(c) values (1);
--> no rows

do $$ begin insert into t2(c) values (-1); exception when others then raise notice '%', sqlerrm; end $$;
--> no rows

insert into t2(c) values (2) returning id;
--> {"id":3}

do $$ begin insert into t2(c) values (5), (-1); exception when others then raise notice '%', sqlerrm; end $$;
--> no rows

insert into t2(c) values (2) returning id;
--> {"id":6}

do $$ begin insert into t2(c) select x from (values (4), (-2)) v(x); exception when others then raise notice '%', sqlerrm; end $$;
--> no rows

insert into t2(c) values (2) returning id;
--> {"id":9}

do $$ begin insert into t2(c,d) values (4,null); exception when others then raise notice '%', sqlerrm; end $$;
--> no rows

insert into t2(c) values (2) returning id;
--> {"id":11}

do $$ begin insert into t2(c) select 1/x from (values (1), (0)) v(x); exception when others then raise notice '%', sqlerrm; end $$;
--> no rows

insert into t2(c) values (2) returning id;
--> {"id":14}

do $$ begin insert into t2(c) values (1/0); exception when others then raise notice '%', sqlerrm; end $$;
--> no rows

insert into t2(c) values (2) returning id;
--> {"id":15}

do $$ begin insert into t2(c) select 1/0 from (values (1), (0)) v(x); exception when others then raise notice '%', sqlerrm; end $$;
--> no rows

insert into t2(c) values (2) returning id;
--> {"id":16}

insert into t2(c) values (2) returning id;
--> {"id":17}

insert into t2(c) values (2) returning id;
--> {"id":18}

insert into t2(c) values (2) returning id;
--> {"id":19}

create table v (id serial primary key, c varchar(3), n int default 10 / 5);
--> no rows

do $$ declare long text := 'abcdef'; begin insert into v (c) values (long); exception when string_data_right_truncation then null; end $$;
--> no rows

insert into v (c) values ('abcdef');
--> ERROR 22001: value too long for type character varying(3)

insert into v (c) values ('abc') returning id;
--> {"id":1}

do $$ begin insert into v (c) values ('a'), ('b') returning 1 / 0; exception when others then null; end $$;
--> no rows

insert into v (c, n) values ('abc', case when true then 1 else 1 / 0 end) returning id, n;
--> {"id":2,"n":1}
