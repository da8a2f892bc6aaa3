-- Small forms of migrations: routines of one kind, settings of now, options beside a declaration, names of queried columns.

create function counted(a int) returns int language sql as $$ select a $$;
--> no rows

create procedure done(a int) language plpgsql as $$ begin null; end $$;
--> no rows

revoke execute on all functions in schema public from public;
--> no rows

select proname, has_function_privilege('public', oid, 'execute') as open from pg_proc where proname in ('counted', 'done') order by proname;
--> {"proname":"counted","open":false}
--> {"proname":"done","open":true}

revoke execute on all procedures in schema public from public;
--> no rows

select proname, has_function_privilege('public', oid, 'execute') as open from pg_proc where proname in ('counted', 'done') order by proname;
--> {"proname":"counted","open":false}
--> {"proname":"done","open":false}

grant execute on all routines in schema public to public;
--> no rows

select proname, has_function_privilege('public', oid, 'execute') as open from pg_proc where proname in ('counted', 'done') order by proname;
--> {"proname":"counted","open":true}
--> {"proname":"done","open":true}

set search_path = public, pg_temp;
--> no rows

set extra_float_digits = 2;
--> no rows

create function as_now() returns text language sql set search_path from current set extra_float_digits from current as $$ select current_setting('search_path') || ' ' || current_setting('extra_float_digits') $$;
--> no rows

reset search_path;
--> no rows

reset extra_float_digits;
--> no rows

select as_now();
--> {"as_now":"\"$user\", public, extensions 1"}

alter function counted set extra_float_digits from current;
--> no rows

alter function counted set no_such_thing from current;
--> ERROR 42704: unrecognized configuration parameter "no_such_thing"

create table seats (id int, taken boolean);
--> no rows

insert into seats values (1, true), (2, false);
--> no rows

create function seat_of(id int) returns boolean language plpgsql as $$ #variable_conflict use_column declare found_one boolean; begin select taken into found_one from seats where id = 2; return found_one; end $$;
--> no rows

select seat_of(1);
--> {"seat_of":false}

create function seat_again(id int) returns boolean language plpgsql as $$
  #print_strict_params on
  #variable_conflict use_variable
  begin return (select bool_or(taken) from seats s where s.id = id); end $$;
--> no rows

select seat_again(1);
--> {"seat_again":true}

create function no_option(id int) returns boolean language plpgsql as $$ #variable_conflict nothing begin return true; end $$;
--> ERROR 42601: syntax error at or near "nothing"
--> AT 93

select (select * from (values (5)) v(n)), (select s.* from (select 1 as x) s), (select 1 as a union select 1), ((select taken from seats where id = 1));
--> {"n":5,"x":1,"a":1,"taken":true}

create function tell_dropped() returns event_trigger language plpgsql as $$
  declare gone record;
  begin
    for gone in select object_type, object_identity, original from pg_event_trigger_dropped_objects() where object_type in ('table', 'table column') order by 1, 2 loop
      raise exception '% % %', gone.object_type, gone.object_identity, gone.original;
    end loop;
  end $$;
--> no rows

create event trigger tells on sql_drop execute function tell_dropped();
--> no rows

drop table seats;
--> ERROR P0001: table public.seats t

alter table seats drop column taken;
--> ERROR P0001: table column public.seats.taken t

drop event trigger tells;
--> no rows

drop table seats;
--> no rows
