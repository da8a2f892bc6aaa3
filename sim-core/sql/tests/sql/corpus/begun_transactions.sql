do $$ begin set transaction isolation level serializable; end $$;

do $$ begin perform 1; set transaction isolation level serializable; end $$;

do $$ begin set local transaction_isolation = 'serializable'; end $$;

begin; set transaction isolation level serializable; commit;

begin; select 1; set transaction isolation level serializable; commit;

begin; select 1; set transaction isolation level read committed; commit;

begin; select 1; set transaction read only; commit;

begin; set transaction read only; select 1; set transaction read write; commit;

select set_config('app.bad-name','x',false);

select set_config('a.b.c','x',false);

select set_config('a..c','x',false);

select set_config('1a.b','x',false);

set app."bad-name" = 'x';

begin; select 1; set transaction deferrable; commit;

begin; set transaction isolation level repeatable read; select 1; set transaction isolation level repeatable read; commit;

begin isolation level serializable; select 1; commit and chain; set transaction isolation level read committed; select 2; commit;

select set_config('transaction_isolation', 'serializable', true);

begin; create table tx (id int); set transaction isolation level serializable; commit;

begin; set transaction isolation level serializable; create table tx (id int); commit;

create function fs() returns int language sql set app.b = 'in' as 'select 1';

set app.b = 'x'; create function fs3() returns int language sql set app.b = 'in' as 'select 1';

create function fs4() returns int language sql as 'select 1'; alter function fs4() set app.c = 'y';

alter function fs4() set app.c to default; alter function fs4() reset app.c;

select set_config('app.c', 'z', false); alter function fs4() set app.c = 'y';

create procedure ps() language sql set my.v = '1' as 'select 1';

show app.nope;

select current_setting('app.nope');

set plpgsql.nope = 1;

set pg_stat_statements.nope = 1;

select set_config('plpgsql.variable_conflict', 'error', false);
