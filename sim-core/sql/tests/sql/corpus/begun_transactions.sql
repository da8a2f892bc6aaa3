do $$ begin set transaction isolation level serializable; end $$;
--> ERROR 25001: SET TRANSACTION ISOLATION LEVEL must be called before any query

do $$ begin perform 1; set transaction isolation level serializable; end $$;
--> ERROR 25001: SET TRANSACTION ISOLATION LEVEL must be called before any query

do $$ begin set local transaction_isolation = 'serializable'; end $$;
--> ERROR 25001: SET TRANSACTION ISOLATION LEVEL must be called before any query

begin; set transaction isolation level serializable; commit;
--> no rows

begin; select 1; set transaction isolation level serializable; commit;
--> ERROR 25001: SET TRANSACTION ISOLATION LEVEL must be called before any query

begin; select 1; set transaction isolation level read committed; commit;
--> {"?column?":1}

begin; select 1; set transaction read only; commit;
--> {"?column?":1}

begin; set transaction read only; select 1; set transaction read write; commit;
--> ERROR 25001: transaction read-write mode must be set before any query

select set_config('app.bad-name','x',false);
--> ERROR 42602: invalid configuration parameter name "app.bad-name"
--> DETAIL: Custom parameter names must be two or more simple identifiers separated by dots.

select set_config('a.b.c','x',false);
--> {"set_config":"x"}

select set_config('a..c','x',false);
--> ERROR 42602: invalid configuration parameter name "a..c"
--> DETAIL: Custom parameter names must be two or more simple identifiers separated by dots.

select set_config('1a.b','x',false);
--> ERROR 42602: invalid configuration parameter name "1a.b"
--> DETAIL: Custom parameter names must be two or more simple identifiers separated by dots.

set app."bad-name" = 'x';
--> ERROR 42602: invalid configuration parameter name "app.bad-name"
--> DETAIL: Custom parameter names must be two or more simple identifiers separated by dots.

begin; select 1; set transaction deferrable; commit;
--> ERROR 25001: SET TRANSACTION [NOT] DEFERRABLE must be called before any query

begin; set transaction isolation level repeatable read; select 1; set transaction isolation level repeatable read; commit;
--> {"?column?":1}

begin isolation level serializable; select 1; commit and chain; set transaction isolation level read committed; select 2; commit;
--> {"?column?":2}

select set_config('transaction_isolation', 'serializable', true);
--> ERROR 25001: SET TRANSACTION ISOLATION LEVEL must be called before any query

begin; create table tx (id int); set transaction isolation level serializable; commit;
--> ERROR 25001: SET TRANSACTION ISOLATION LEVEL must be called before any query

begin; set transaction isolation level serializable; create table tx (id int); commit;
--> no rows

show app.nope;
--> ERROR 42704: unrecognized configuration parameter "app.nope"

select current_setting('app.nope');
--> ERROR 42704: unrecognized configuration parameter "app.nope"

set pg_stat_statements.nope = 1;
--> no rows

select set_config('plpgsql.variable_conflict', 'error', false);
--> {"set_config":"error"}
