-- The names that the server gives.

create table a_very_long_table_name_that_goes_on_and_on_for_ever (id serial, a_rather_long_column_name_as_well_yes int unique, other_column int check (other_column > 0), primary key (id));
--> no rows

alter table a_very_long_table_name_that_goes_on_and_on_for_ever add constraint twice unique (other_column);
--> no rows

alter table a_very_long_table_name_that_goes_on_and_on_for_ever add unique (a_rather_long_column_name_as_well_yes, other_column);
--> no rows

alter table a_very_long_table_name_that_goes_on_and_on_for_ever add foreign key (other_column) references a_very_long_table_name_that_goes_on_and_on_for_ever;
--> no rows

alter table a_very_long_table_name_that_goes_on_and_on_for_ever add foreign key (other_column) references a_very_long_table_name_that_goes_on_and_on_for_ever;
--> no rows

create index on a_very_long_table_name_that_goes_on_and_on_for_ever (a_rather_long_column_name_as_well_yes, other_column);
--> no rows

create index on a_very_long_table_name_that_goes_on_and_on_for_ever (a_rather_long_column_name_as_well_yes, other_column);
--> no rows

select conname from pg_constraint where conrelid = 'a_very_long_table_name_that_goes_on_and_on_for_ever'::regclass order by 1;
--> {"conname":"a_very_long_table_name_that_g_a_rather_long_column_name_as__key"}
--> {"conname":"a_very_long_table_name_that_g_a_rather_long_column_name_as_key1"}
--> {"conname":"a_very_long_table_name_that_goes_on_and_on_f_other_column_check"}
--> {"conname":"a_very_long_table_name_that_goes_on_and_on_f_other_column_fkey1"}
--> {"conname":"a_very_long_table_name_that_goes_on_and_on_fo_other_column_fkey"}
--> {"conname":"a_very_long_table_name_that_goes_on_and_on_for_ever_pkey"}
--> {"conname":"twice"}

select indexname from pg_indexes where tablename like 'a_very%' order by 1;
--> {"indexname":"a_very_long_table_name_that_g_a_rather_long_column_name_as__idx"}
--> {"indexname":"a_very_long_table_name_that_g_a_rather_long_column_name_as__key"}
--> {"indexname":"a_very_long_table_name_that_g_a_rather_long_column_name_as_idx1"}
--> {"indexname":"a_very_long_table_name_that_g_a_rather_long_column_name_as_key1"}
--> {"indexname":"a_very_long_table_name_that_goes_on_and_on_for_ever_pkey"}
--> {"indexname":"twice"}

select pg_get_serial_sequence('a_very_long_table_name_that_goes_on_and_on_for_ever', 'id') as drawn;
--> {"drawn":"public.a_very_long_table_name_that_goes_on_and_on_for_ever_id_seq"}

create table "größenübersicht_der_überlieferten_maßangaben_für_alle_jahre" (id serial primary key, "übergrößenzuschlag_für_jede_einzelne_position" int unique);
--> no rows

select conname from pg_constraint where conrelid = '"größenübersicht_der_überlieferten_maßangaben_für_alle_jahre"'::regclass order by 1;
--> {"conname":"größenübersicht_der_überl_übergrößenzuschlag_für_je_key"}
--> {"conname":"größenübersicht_der_überlieferten_maßangaben_für_all_pkey"}

create table t (id int primary key, a text, b text, n int, at timestamptz, j jsonb, tags text[]);
--> no rows

create index on t (lower(a), lower(b));
--> no rows

create index on t (coalesce(a, b));
--> no rows

create index on t ((case when n > 0 then a end));
--> no rows

create index on t ((n::text));
--> no rows

create index on t ((at at time zone 'utc'));
--> no rows

create index on t ("left"(a, 2));
--> no rows

create index on t (trim(a));
--> no rows

create index on t ((j ->> 'k'));
--> no rows

create index on t ((a || b), a);
--> no rows

create index on t (a, (n + 1), (n + 2));
--> no rows

create index on t (greatest(a, b));
--> no rows

create index on t (nullif(a, b));
--> no rows

create index on t (substring(a from 1 for 2));
--> no rows

create index on t (n) where n > 1;
--> no rows

create index on t (n);
--> no rows

select indexname from pg_indexes where tablename = 't' order by 1;
--> {"indexname":"t_a_expr_expr1_idx"}
--> {"indexname":"t_btrim_idx"}
--> {"indexname":"t_case_idx"}
--> {"indexname":"t_coalesce_idx"}
--> {"indexname":"t_expr_a_idx"}
--> {"indexname":"t_expr_idx"}
--> {"indexname":"t_greatest_idx"}
--> {"indexname":"t_left_idx"}
--> {"indexname":"t_lower_lower1_idx"}
--> {"indexname":"t_n_idx"}
--> {"indexname":"t_n_idx1"}
--> {"indexname":"t_n_idx2"}
--> {"indexname":"t_nullif_idx"}
--> {"indexname":"t_pkey"}
--> {"indexname":"t_substring_idx"}
--> {"indexname":"t_timezone_idx"}
