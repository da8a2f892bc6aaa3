-- Small forms of migrations: routines of one kind, settings of now, options beside a declaration, names of queried columns.

create function counted(a int) returns int language sql as $$ select a $$;

create procedure done(a int) language plpgsql as $$ begin null; end $$;

revoke execute on all functions in schema public from public;

select proname, has_function_privilege('public', oid, 'execute') as open from pg_proc where proname in ('counted', 'done') order by proname;

revoke execute on all procedures in schema public from public;

select proname, has_function_privilege('public', oid, 'execute') as open from pg_proc where proname in ('counted', 'done') order by proname;

grant execute on all routines in schema public to public;

select proname, has_function_privilege('public', oid, 'execute') as open from pg_proc where proname in ('counted', 'done') order by proname;

set search_path = public, pg_temp;

set extra_float_digits = 2;

create function as_now() returns text language sql set search_path from current set extra_float_digits from current as $$ select current_setting('search_path') || ' ' || current_setting('extra_float_digits') $$;

reset search_path;

reset extra_float_digits;

select as_now();

alter function counted set extra_float_digits from current;

alter function counted set no_such_thing from current;

create table seats (id int, taken boolean);

insert into seats values (1, true), (2, false);

create function seat_of(id int) returns boolean language plpgsql as $$ #variable_conflict use_column declare found_one boolean; begin select taken into found_one from seats where id = 2; return found_one; end $$;

select seat_of(1);

create function seat_again(id int) returns boolean language plpgsql as $$
  #print_strict_params on
  #variable_conflict use_variable
  begin return (select bool_or(taken) from seats s where s.id = id); end $$;

select seat_again(1);

create function no_option(id int) returns boolean language plpgsql as $$ #variable_conflict nothing begin return true; end $$;

select (select * from (values (5)) v(n)), (select s.* from (select 1 as x) s), (select 1 as a union select 1), ((select taken from seats where id = 1));

create function tell_dropped() returns event_trigger language plpgsql as $$
  declare gone record;
  begin
    for gone in select object_type, object_identity, original from pg_event_trigger_dropped_objects() where object_type in ('table', 'table column') order by 1, 2 loop
      raise exception '% % %', gone.object_type, gone.object_identity, gone.original;
    end loop;
  end $$;

create event trigger tells on sql_drop execute function tell_dropped();

drop table seats;

alter table seats drop column taken;

drop event trigger tells;

drop table seats;
