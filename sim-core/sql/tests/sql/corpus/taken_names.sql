-- New names that something else has already.

create type a1 as enum ('x'); create type a2 as enum ('y');
--> no rows

alter type a1 rename to a2;
--> ERROR 42710: type "a2" already exists

create domain d1 as int; create domain d2 as int;
--> no rows

alter domain d1 rename to d2;
--> ERROR 42710: type "d2" already exists

create schema q1; create schema q2;
--> no rows

alter schema q1 rename to q2;
--> ERROR 42P06: schema "q2" already exists

alter type a1 rename to k9;
--> no rows
