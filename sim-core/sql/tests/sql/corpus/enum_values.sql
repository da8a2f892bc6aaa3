-- Labels that a transaction adds to an enum, which it can not use.

create type mood as enum ('sad', 'ok');
--> no rows

create table m (m mood);
--> no rows

alter type mood add value 'happy'; select 'happy'::mood;
--> ERROR 55P04: unsafe use of new value "happy" of enum type mood
--> HINT: New enum values must be committed before they can be used.
--> AT 43

begin; alter type mood add value 'happy'; insert into m values ('happy'); commit;
--> ERROR 55P04: unsafe use of new value "happy" of enum type mood
--> HINT: New enum values must be committed before they can be used.
--> AT 65

rollback;
--> no rows

begin; alter type mood add value 'happy'; select enum_range(null::mood); commit;
--> ERROR 55P04: unsafe use of new value "happy" of enum type mood
--> HINT: New enum values must be committed before they can be used.

rollback;
--> no rows

begin; alter type mood add value 'happy'; select enum_last(null::mood); commit;
--> ERROR 55P04: unsafe use of new value "happy" of enum type mood
--> HINT: New enum values must be committed before they can be used.

rollback;
--> no rows

begin; alter type mood add value 'happy'; select enum_first('sad'::mood) as f, 'ok'::mood as o, enum_range('sad'::mood, 'ok'::mood) as r; rollback;
--> {"f":"sad","o":"ok","r":"{sad,ok}"}

begin; alter type mood add value 'happy'; select '{happy}'::mood[]; commit;
--> ERROR 55P04: unsafe use of new value "happy" of enum type mood
--> HINT: New enum values must be committed before they can be used.
--> AT 50

rollback;
--> no rows

begin; alter type mood add value 'happy'; create table q (m mood default 'happy'); commit;
--> ERROR 55P04: unsafe use of new value "happy" of enum type mood
--> HINT: New enum values must be committed before they can be used.
--> AT 74

rollback;
--> no rows

create type fresh as enum ('a'); alter type fresh add value 'b'; select 'b'::fresh;
--> ERROR 55P04: unsafe use of new value "b" of enum type fresh
--> HINT: New enum values must be committed before they can be used.
--> AT 73

create type fresh as enum ('a', 'b'); select 'b'::fresh as m;
--> {"m":"b"}

alter type mood add value 'happy'; select ('hap' || 'py')::text::mood;
--> ERROR 55P04: unsafe use of new value "happy" of enum type mood
--> HINT: New enum values must be committed before they can be used.

alter type mood add value 'happy'; select * from jsonb_to_record('{"a":"happy"}') as x(a mood);
--> ERROR 55P04: unsafe use of new value "happy" of enum type mood
--> HINT: New enum values must be committed before they can be used.

alter type mood add value 'happy'; alter type mood rename to feeling; select 'happy'::feeling;
--> ERROR 55P04: unsafe use of new value "happy" of enum type feeling
--> HINT: New enum values must be committed before they can be used.
--> AT 78

alter type mood add value 'glad'; alter type mood rename value 'glad' to 'merry'; select 'merry'::mood;
--> ERROR 55P04: unsafe use of new value "merry" of enum type mood
--> HINT: New enum values must be committed before they can be used.
--> AT 90

do $$ begin alter type mood add value 'happy'; perform 'happy'::mood; end $$;
--> ERROR 55P04: unsafe use of new value "happy" of enum type mood
--> HINT: New enum values must be committed before they can be used.

do $$ begin alter type mood add value 'happy'; end $$;
--> no rows

select 'happy'::mood as m;
--> {"m":"happy"}

insert into m values ('happy') returning m;
--> {"m":"happy"}

alter type mood add value if not exists 'happy'; select 'happy'::mood as m;
--> {"m":"happy"}

alter type mood rename value 'happy' to 'joyful'; select 'joyful'::mood as m;
--> {"m":"joyful"}

begin; alter type mood add value 'calm' before 'ok'; commit; select enum_range(null::mood) as r;
--> {"r":"{sad,calm,ok,joyful}"}

select enum_range('calm'::mood, null) as a, enum_range(null, 'calm'::mood) as b, enum_range('joyful'::mood, 'sad'::mood) as c;
--> {"a":"{calm,ok,joyful}","b":"{sad,calm}","c":"{}"}

begin; savepoint s; alter type mood add value 'bored'; rollback to s; select 'ok'::mood as m; commit;
--> {"m":"ok"}

select 'bored'::mood;
--> ERROR 22P02: invalid input value for enum mood: "bored"
--> AT 8

begin; savepoint s; alter type mood add value 'bored'; release s; select 'bored'::mood; commit;
--> ERROR 55P04: unsafe use of new value "bored" of enum type mood
--> HINT: New enum values must be committed before they can be used.
--> AT 74
