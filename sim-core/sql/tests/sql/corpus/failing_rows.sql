-- Long values of rows that are refused.

create table f (a int, t text, c text check (length(c) < 3), primary key (a));
--> no rows

insert into f values (1, repeat('x', 80), 'abcd');
--> ERROR 23514: new row for relation "f" violates check constraint "f_c_check"
--> DETAIL: Failing row contains (1, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..., abcd).

insert into f values (1, repeat('ä', 33), 'abcd');
--> ERROR 23514: new row for relation "f" violates check constraint "f_c_check"
--> DETAIL: Failing row contains (1, ääääääääääääääääääääääääääääääää..., abcd).

insert into f values (1, repeat('ä', 32), 'abcd');
--> ERROR 23514: new row for relation "f" violates check constraint "f_c_check"
--> DETAIL: Failing row contains (1, ääääääääääääääääääääääääääääääää, abcd).

insert into f values (1, repeat('x', 64), 'abcd');
--> ERROR 23514: new row for relation "f" violates check constraint "f_c_check"
--> DETAIL: Failing row contains (1, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, abcd).

insert into f values (1, repeat('x', 65), 'abcd');
--> ERROR 23514: new row for relation "f" violates check constraint "f_c_check"
--> DETAIL: Failing row contains (1, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..., abcd).

insert into f values (null, repeat('x', 80), 'abc');
--> ERROR 23502: null value in column "a" of relation "f" violates not-null constraint
--> DETAIL: Failing row contains (null, xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..., abc).

insert into f values (1, repeat('xy', 80), null); update f set a = null;
--> ERROR 23502: null value in column "a" of relation "f" violates not-null constraint
--> DETAIL: Failing row contains (null, xyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxyxy..., null).

create view fv as select * from f where a > 5 with check option;
--> no rows

insert into fv values (3, repeat('z', 100), null);
--> ERROR 44000: new row violates check option for view "fv"
--> DETAIL: Failing row contains (3, zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz..., null).

create table g (a text primary key, j jsonb not null, arr int[] check (array_length(arr, 1) > 1000)); insert into g values (repeat('k', 100), '{}', array(select generate_series(1, 200)));
--> ERROR 23514: new row for relation "g" violates check constraint "g_arr_check"
--> DETAIL: Failing row contains (kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk..., {}, {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,...).

insert into g values (repeat('k', 100), '{}', null); insert into g values (repeat('k', 100), '{}', null);
--> ERROR 42P01: relation "g" does not exist
--> AT 13
