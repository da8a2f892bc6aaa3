-- Keywords that name no parameter.

create function f(all int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "all"
--> AT 19

create function f() returns table (all int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "all"
--> AT 36

create function f(analyse int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "analyse"
--> AT 19

create function f() returns table (analyse int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "analyse"
--> AT 36

create function f(analyze int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "analyze"
--> AT 19

create function f() returns table (analyze int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "analyze"
--> AT 36

create function f(and int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "and"
--> AT 19

create function f() returns table (and int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "and"
--> AT 36

create function f() returns table (any int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "any"
--> AT 36

create function f(array int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "array"
--> AT 19

create function f() returns table (array int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "array"
--> AT 36

create function f(as int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "as"
--> AT 19

create function f() returns table (as int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "as"
--> AT 36

create function f(asc int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "asc"
--> AT 19

create function f() returns table (asc int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "asc"
--> AT 36

create function f(asymmetric int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "asymmetric"
--> AT 19

create function f() returns table (asymmetric int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "asymmetric"
--> AT 36

create function f(between int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "between"
--> AT 19

create function f() returns table (between int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "between"
--> AT 36

create function f(bigint int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 26

create function f() returns table (bigint int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "bigint"
--> AT 36

create function f(bit int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 23

create function f() returns table (bit int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "bit"
--> AT 36

create function f(boolean int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 27

create function f() returns table (boolean int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "boolean"
--> AT 36

create function f(both int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "both"
--> AT 19

create function f() returns table (both int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "both"
--> AT 36

create function f(case int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "case"
--> AT 19

create function f() returns table (case int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "case"
--> AT 36

create function f(cast int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "cast"
--> AT 19

create function f() returns table (cast int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "cast"
--> AT 36

create function f(char int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 24

create function f() returns table (char int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "char"
--> AT 36

create function f(character int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 29

create function f() returns table (character int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "character"
--> AT 36

create function f(check int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "check"
--> AT 19

create function f() returns table (check int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "check"
--> AT 36

create function f(coalesce int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "coalesce"
--> AT 19

create function f() returns table (coalesce int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "coalesce"
--> AT 36

create function f(collate int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "collate"
--> AT 19

create function f() returns table (collate int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "collate"
--> AT 36

create function f(column int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "column"
--> AT 19

create function f() returns table (column int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "column"
--> AT 36

create function f(constraint int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "constraint"
--> AT 19

create function f() returns table (constraint int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "constraint"
--> AT 36

create function f(create int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "create"
--> AT 19

create function f() returns table (create int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "create"
--> AT 36

create function f(current_catalog int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_catalog"
--> AT 19

create function f() returns table (current_catalog int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_catalog"
--> AT 36

create function f(current_date int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_date"
--> AT 19

create function f() returns table (current_date int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_date"
--> AT 36

create function f(current_role int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_role"
--> AT 19

create function f() returns table (current_role int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_role"
--> AT 36

create function f(current_time int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_time"
--> AT 19

create function f() returns table (current_time int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_time"
--> AT 36

create function f(current_timestamp int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_timestamp"
--> AT 19

create function f() returns table (current_timestamp int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_timestamp"
--> AT 36

create function f(current_user int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_user"
--> AT 19

create function f() returns table (current_user int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "current_user"
--> AT 36

create function f(dec int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 23

create function f() returns table (dec int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "dec"
--> AT 36

create function f(decimal int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 27

create function f() returns table (decimal int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "decimal"
--> AT 36

create function f(default int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "default"
--> AT 19

create function f() returns table (default int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "default"
--> AT 36

create function f(deferrable int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "deferrable"
--> AT 19

create function f() returns table (deferrable int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "deferrable"
--> AT 36

create function f(desc int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "desc"
--> AT 19

create function f() returns table (desc int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "desc"
--> AT 36

create function f(distinct int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "distinct"
--> AT 19

create function f() returns table (distinct int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "distinct"
--> AT 36

create function f(do int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "do"
--> AT 19

create function f() returns table (do int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "do"
--> AT 36

create function f(else int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "else"
--> AT 19

create function f() returns table (else int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "else"
--> AT 36

create function f(end int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "end"
--> AT 19

create function f() returns table (end int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "end"
--> AT 36

create function f(except int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "except"
--> AT 19

create function f() returns table (except int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "except"
--> AT 36

create function f(exists int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "exists"
--> AT 19

create function f() returns table (exists int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "exists"
--> AT 36

create function f(extract int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "extract"
--> AT 19

create function f() returns table (extract int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "extract"
--> AT 36

create function f(false int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "false"
--> AT 19

create function f() returns table (false int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "false"
--> AT 36

create function f(fetch int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "fetch"
--> AT 19

create function f() returns table (fetch int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "fetch"
--> AT 36

create function f(float int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 25

create function f() returns table (float int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "float"
--> AT 36

create function f(for int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "for"
--> AT 19

create function f() returns table (for int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "for"
--> AT 36

create function f(foreign int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "foreign"
--> AT 19

create function f() returns table (foreign int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "foreign"
--> AT 36

create function f(from int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "from"
--> AT 19

create function f() returns table (from int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "from"
--> AT 36

create function f(grant int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "grant"
--> AT 19

create function f() returns table (grant int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "grant"
--> AT 36

create function f(greatest int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "greatest"
--> AT 19

create function f() returns table (greatest int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "greatest"
--> AT 36

create function f(group int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "group"
--> AT 19

create function f() returns table (group int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "group"
--> AT 36

create function f(grouping int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "grouping"
--> AT 19

create function f() returns table (grouping int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "grouping"
--> AT 36

create function f(having int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "having"
--> AT 19

create function f() returns table (having int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "having"
--> AT 36

create function f(initially int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "initially"
--> AT 19

create function f() returns table (initially int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "initially"
--> AT 36

create function f(int int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 23

create function f() returns table (int int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int"
--> AT 36

create function f(integer int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 27

create function f() returns table (integer int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "integer"
--> AT 36

create function f(intersect int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "intersect"
--> AT 19

create function f() returns table (intersect int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "intersect"
--> AT 36

create function f(interval int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 28

create function f() returns table (interval int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "interval"
--> AT 36

create function f(into int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "into"
--> AT 19

create function f() returns table (into int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "into"
--> AT 36

create function f(lateral int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "lateral"
--> AT 19

create function f() returns table (lateral int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "lateral"
--> AT 36

create function f(leading int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "leading"
--> AT 19

create function f() returns table (leading int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "leading"
--> AT 36

create function f(least int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "least"
--> AT 19

create function f() returns table (least int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "least"
--> AT 36

create function f(limit int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "limit"
--> AT 19

create function f() returns table (limit int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "limit"
--> AT 36

create function f(localtime int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "localtime"
--> AT 19

create function f() returns table (localtime int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "localtime"
--> AT 36

create function f(localtimestamp int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "localtimestamp"
--> AT 19

create function f() returns table (localtimestamp int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "localtimestamp"
--> AT 36

create function f() returns table (national int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "national"
--> AT 36

create function f(nchar int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 25

create function f() returns table (nchar int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "nchar"
--> AT 36

create function f(none int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "none"
--> AT 19

create function f() returns table (none int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "none"
--> AT 36

create function f(normalize int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "normalize"
--> AT 19

create function f() returns table (normalize int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "normalize"
--> AT 36

create function f(not int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "not"
--> AT 19

create function f() returns table (not int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "not"
--> AT 36

create function f(null int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "null"
--> AT 19

create function f() returns table (null int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "null"
--> AT 36

create function f(nullif int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "nullif"
--> AT 19

create function f() returns table (nullif int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "nullif"
--> AT 36

create function f(numeric int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 27

create function f() returns table (numeric int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "numeric"
--> AT 36

create function f(offset int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "offset"
--> AT 19

create function f() returns table (offset int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "offset"
--> AT 36

create function f(on int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "on"
--> AT 19

create function f() returns table (on int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "on"
--> AT 36

create function f(only int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "only"
--> AT 19

create function f() returns table (only int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "only"
--> AT 36

create function f(or int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "or"
--> AT 19

create function f() returns table (or int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "or"
--> AT 36

create function f(order int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "order"
--> AT 19

create function f() returns table (order int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "order"
--> AT 36

create function f(overlay int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "overlay"
--> AT 19

create function f() returns table (overlay int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "overlay"
--> AT 36

create function f(placing int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "placing"
--> AT 19

create function f() returns table (placing int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "placing"
--> AT 36

create function f(position int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "position"
--> AT 19

create function f() returns table (position int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "position"
--> AT 36

create function f(precision int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "precision"
--> AT 19

create function f() returns table (precision int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "precision"
--> AT 36

create function f(primary int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "primary"
--> AT 19

create function f() returns table (primary int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "primary"
--> AT 36

create function f(real int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 24

create function f() returns table (real int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "real"
--> AT 36

create function f(references int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "references"
--> AT 19

create function f() returns table (references int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "references"
--> AT 36

create function f(returning int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "returning"
--> AT 19

create function f() returns table (returning int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "returning"
--> AT 36

create function f(row int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "row"
--> AT 19

create function f() returns table (row int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "row"
--> AT 36

create function f(select int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "select"
--> AT 19

create function f() returns table (select int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "select"
--> AT 36

create function f(session_user int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "session_user"
--> AT 19

create function f() returns table (session_user int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "session_user"
--> AT 36

create function f(smallint int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 28

create function f() returns table (smallint int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "smallint"
--> AT 36

create function f(some int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "some"
--> AT 19

create function f() returns table (some int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "some"
--> AT 36

create function f(substring int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "substring"
--> AT 19

create function f() returns table (substring int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "substring"
--> AT 36

create function f(symmetric int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "symmetric"
--> AT 19

create function f() returns table (symmetric int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "symmetric"
--> AT 36

create function f(then int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "then"
--> AT 19

create function f() returns table (then int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "then"
--> AT 36

create function f(time int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 24

create function f() returns table (time int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "time"
--> AT 36

create function f(timestamp int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 29

create function f() returns table (timestamp int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "timestamp"
--> AT 36

create function f(to int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "to"
--> AT 19

create function f() returns table (to int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "to"
--> AT 36

create function f(trailing int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "trailing"
--> AT 19

create function f() returns table (trailing int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "trailing"
--> AT 36

create function f(treat int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "treat"
--> AT 19

create function f() returns table (treat int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "treat"
--> AT 36

create function f(trim int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "trim"
--> AT 19

create function f() returns table (trim int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "trim"
--> AT 36

create function f(true int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "true"
--> AT 19

create function f() returns table (true int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "true"
--> AT 36

create function f(union int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "union"
--> AT 19

create function f() returns table (union int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "union"
--> AT 36

create function f(unique int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "unique"
--> AT 19

create function f() returns table (unique int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "unique"
--> AT 36

create function f(user int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "user"
--> AT 19

create function f() returns table (user int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "user"
--> AT 36

create function f(using int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "using"
--> AT 19

create function f() returns table (using int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "using"
--> AT 36

create function f(values int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "values"
--> AT 19

create function f() returns table (values int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "values"
--> AT 36

create function f(varchar int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "int4"
--> AT 27

create function f() returns table (varchar int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "varchar"
--> AT 36

create function f(when int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "when"
--> AT 19

create function f() returns table (when int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "when"
--> AT 36

create function f(where int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "where"
--> AT 19

create function f() returns table (where int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "where"
--> AT 36

create function f(window int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "window"
--> AT 19

create function f() returns table (window int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "window"
--> AT 36

create function f(with int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "with"
--> AT 19

create function f() returns table (with int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "with"
--> AT 36

create function f(xmlattributes int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlattributes"
--> AT 19

create function f() returns table (xmlattributes int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlattributes"
--> AT 36

create function f(xmlconcat int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlconcat"
--> AT 19

create function f() returns table (xmlconcat int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlconcat"
--> AT 36

create function f(xmlelement int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlelement"
--> AT 19

create function f() returns table (xmlelement int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlelement"
--> AT 36

create function f(xmlexists int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlexists"
--> AT 19

create function f() returns table (xmlexists int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlexists"
--> AT 36

create function f(xmlforest int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlforest"
--> AT 19

create function f() returns table (xmlforest int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlforest"
--> AT 36

create function f(xmlnamespaces int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlnamespaces"
--> AT 19

create function f() returns table (xmlnamespaces int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlnamespaces"
--> AT 36

create function f(xmlparse int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlparse"
--> AT 19

create function f() returns table (xmlparse int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlparse"
--> AT 36

create function f(xmlpi int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlpi"
--> AT 19

create function f() returns table (xmlpi int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlpi"
--> AT 36

create function f(xmlroot int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlroot"
--> AT 19

create function f() returns table (xmlroot int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlroot"
--> AT 36

create function f(xmlserialize int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlserialize"
--> AT 19

create function f() returns table (xmlserialize int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmlserialize"
--> AT 36

create function f(xmltable int4) returns int4 language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmltable"
--> AT 19

create function f() returns table (xmltable int4) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "xmltable"
--> AT 36

create function f_left(left int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_inner(inner int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_like(like int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_ilike(ilike int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_is(is int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_name(name int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_value(value int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_key(key int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_year(year int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_type(type int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_status(status int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_date(date int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_text(text int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_row_number(row_number int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_authorization(authorization int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_binary(binary int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_concurrently(concurrently int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_cross(cross int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_freeze(freeze int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_full(full int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_natural(natural int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_notnull(notnull int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_outer(outer int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_overlaps(overlaps int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_right(right int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_similar(similar int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_tablesample(tablesample int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f_verbose(verbose int4) returns table (c_ int4) language sql as 'select 1';
--> no rows

create function f("position" int, "time" timestamptz, "end" text) returns table ("values" int, "exists" boolean) language sql as 'select 1, true';
--> no rows

select * from f(1, null, 'x');
--> {"values":1,"exists":true}

create function g(time timestamptz) returns int language sql as 'select 1';
--> ERROR 42601: syntax error at or near "timestamptz"
--> AT 24

create function g(interval interval) returns int language sql as 'select 1';
--> ERROR 42601: syntax error at or near "interval"
--> AT 28

create function g(timestamp with time zone) returns int language sql as 'select 1';
--> no rows

create function g(a int, Position int) returns int language sql as 'select 1';
--> ERROR 42601: syntax error at or near "Position"
--> AT 26

create function g(inout values int) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "values"
--> AT 25

create function g(in user text default 'x') returns int language sql as 'select 1';
--> ERROR 42601: syntax error at or near "user"
--> AT 22

create procedure g(row int) language sql as 'select 1';
--> ERROR 42601: syntax error at or near "row"
--> AT 20

create function g2() returns table (a int, timestamp timestamptz) language sql as 'select 1, now()';
--> ERROR 42601: syntax error at or near "timestamp"
--> AT 44

create function g3(character varying, bit varying, double precision) returns int language sql as 'select 1';
--> no rows

drop function if exists g_none;
--> no rows

drop function if exists no_schema_.g_none;
--> no rows

drop procedure if exists g_none;
--> no rows
