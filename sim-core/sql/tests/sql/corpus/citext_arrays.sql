-- Arrays of texts without case, and columns of domains without nulls.

create extension if not exists citext with schema extensions;
--> no rows

select array_position(array['a','B']::citext[], 'b') a, array['A']::citext[] @> array['a']::citext[] b, array['A','x']::citext[] && array['a']::citext[] c, array_remove(array['A','b']::citext[], 'a') d, array_positions(array['A','b','a']::citext[], 'a') e, array_replace(array['A','b']::citext[], 'a', 'z') f, array['a']::citext[] <@ array['A','b']::citext[] g, array['A']::citext[] = array['a']::citext[] h;
--> {"a":2,"b":true,"c":true,"d":"{b}","e":[1,3],"f":"{z,b}","g":true,"h":true}

select array['A'] @> array['a'] a, array_position(array['a','B'], 'b') b, array_remove(array['A','b'], 'a') c, array['A']::varchar[] && array['a']::varchar[] d;
--> {"a":false,"b":null,"c":["A","b"],"d":false}

create domain nnd as int not null; create domain nni as int; create table nnt (a nnd, b nni, c int not null);
--> no rows

select column_name, is_nullable from information_schema.columns where table_name = 'nnt' order by 1;
--> {"column_name":"a","is_nullable":"NO"}
--> {"column_name":"b","is_nullable":"YES"}
--> {"column_name":"c","is_nullable":"NO"}
