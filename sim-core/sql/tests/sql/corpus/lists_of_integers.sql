-- Lists of integers: the extension intarray.

create extension intarray;
--> no rows

select icount('{1,2,3}'::int[]) as c1, sort('{3,1,2}'::int[]) as c2, sort('{3,1,2}'::int[],'desc') as c3, uniq('{1,1,2,1}'::int[]) as c4, idx('{5,6,7}'::int[],6) as c5, subarray('{1,2,3,4,5}'::int[],2,3) as c6, subarray('{1,2,3,4,5}'::int[],-2) as c7, subarray('{1,2,3,4,5}'::int[],1,-1) as c8;
--> {"c1":3,"c2":[1,2,3],"c3":[3,2,1],"c4":[1,2,1],"c5":2,"c6":[2,3,4],"c7":[4,5],"c8":[1,2,3,4]}

select # '{1,2}'::int[] as c1, '{1,2}'::int[] # 2 as c2, '{1,2}'::int[] + 3 as c3, '{1,2}'::int[] + '{3,1}'::int[] as c4, '{1,2,1}'::int[] - 1 as c5, '{3,1,2,1}'::int[] - '{1}'::int[] as c6, '{3,1}'::int[] | 2 as c7, '{3,1}'::int[] | '{2,1}'::int[] as c8, '{3,1}'::int[] & '{1,4}'::int[] as c9, '{1,2}'::int[] @> '{1}'::int[] as c10, '{1,2}' && '{2}'::int[] as c11;
--> {"c1":2,"c2":2,"c3":[1,2,3],"c4":[1,2,3,1],"c5":[2],"c6":[2,3],"c7":[1,2,3],"c8":[1,2,3],"c9":[1],"c10":true,"c11":true}

select '{1,2,3}'::int[] @@ '1&(2|5)&!4'::query_int as c1, '1 & ( 2|!3 )&(4)'::query_int as c2, '!(1|2)|3'::query_int as c3, '(1&2)&(3&4)'::query_int as c4, '(1|2)|3'::query_int as c5, '!!1'::query_int as c6;
--> {"c1":true,"c2":"1 & ( 2 | !3 ) & 4","c3":"!( 1 | 2 ) | 3","c4":"1 & 2 & 3 & 4","c5":"( 1 | 2 ) | 3","c6":"!( !1 )"}

create table tg(id int, tags int[]);
--> no rows

create index on tg using gin (tags gin__int_ops);
--> no rows

create index on tg using gist (tags gist__int_ops);
--> no rows

select '1&'::query_int as c1;
--> ERROR 42601: syntax error
--> AT 8

select sort('{1,null}'::int[]) as c1;
--> ERROR 22004: array must not contain nulls
