-- Rooms and appointments: ranges that must not overlap, opening hours, free slots.

create extension if not exists btree_gist;
--> no rows

create table room (id int primary key, name text not null, seats int not null, open_from time not null default '08:00', open_to time not null default '18:00', check (open_from < open_to));
--> no rows

create table booking (id int generated always as identity primary key, room_id int not null references room, who text not null, during tstzrange not null, status text not null default 'booked', check (not isempty(during)), check (lower(during) >= '2000-01-01'), constraint no_overlap exclude using gist (room_id with =, during with &&) where (status <> 'cancelled'));
--> no rows

insert into room (id, name, seats) values (1, 'Blue', 4), (2, 'Green', 10), (3, 'Attic', 2);
--> no rows

insert into booking (room_id, who, during) values (1, 'ann', '[2024-05-06 09:00+00,2024-05-06 10:00+00)'), (1, 'bob', '[2024-05-06 10:00+00,2024-05-06 11:30+00)'), (2, 'ann', '[2024-05-06 09:30+00,2024-05-06 12:00+00)') returning id, who;
--> {"id":1,"who":"ann"}
--> {"id":2,"who":"bob"}
--> {"id":3,"who":"ann"}

insert into booking (room_id, who, during) values (1, 'cid', '[2024-05-06 09:59+00,2024-05-06 10:01+00)');
--> ERROR 23P01: conflicting key value violates exclusion constraint "no_overlap"
--> DETAIL: Key (room_id, during)=(1, ["2024-05-06 09:59:00+00","2024-05-06 10:01:00+00")) conflicts with existing key (room_id, during)=(1, ["2024-05-06 09:00:00+00","2024-05-06 10:00:00+00")).

insert into booking (room_id, who, during) values (1, 'cid', '[2024-05-06 10:00+00,2024-05-06 10:00+00)');
--> ERROR 23514: new row for relation "booking" violates check constraint "booking_during_check"
--> DETAIL: Failing row contains (5, 1, cid, empty, booked).

update booking set status = 'cancelled' where who = 'bob' returning id, status;
--> {"id":2,"status":"cancelled"}

insert into booking (room_id, who, during) values (1, 'cid', '[2024-05-06 10:30+00,2024-05-06 11:00+00)') returning id;
--> {"id":6}

update booking set status = 'booked' where who = 'bob';
--> ERROR 23P01: conflicting key value violates exclusion constraint "no_overlap"
--> DETAIL: Key (room_id, during)=(1, ["2024-05-06 10:00:00+00","2024-05-06 11:30:00+00")) conflicts with existing key (room_id, during)=(1, ["2024-05-06 10:30:00+00","2024-05-06 11:00:00+00")).

insert into booking (room_id, who, during) values (1, 'dan', '[2024-05-06 10:30+00,2024-05-06 11:00+00)') on conflict do nothing;
--> no rows

insert into booking (room_id, who, during) values (1, 'dan', '[2024-05-06 10:30+00,2024-05-06 11:00+00)') on conflict on constraint no_overlap do nothing returning id;
--> no rows

insert into booking (room_id, who, during) values (1, 'dan', '[2024-05-06 13:00+00,2024-05-06 14:00+00)') on conflict on constraint no_overlap do nothing returning who;
--> {"who":"dan"}

select room_id, who, lower(during) as starts, upper(during) - lower(during) as length from booking where status = 'booked' order by room_id, during;
--> {"room_id":1,"who":"ann","starts":"2024-05-06 09:00:00+00","length":"01:00:00"}
--> {"room_id":1,"who":"cid","starts":"2024-05-06 10:30:00+00","length":"00:30:00"}
--> {"room_id":1,"who":"dan","starts":"2024-05-06 13:00:00+00","length":"01:00:00"}
--> {"room_id":2,"who":"ann","starts":"2024-05-06 09:30:00+00","length":"02:30:00"}

select r.name, count(b.id) filter (where b.status = 'booked') as n from room r left join booking b on b.room_id = r.id group by r.id order by r.id;
--> {"name":"Blue","n":3}
--> {"name":"Green","n":1}
--> {"name":"Attic","n":0}

select who from booking where during @> timestamptz '2024-05-06 09:45+00' and status = 'booked' order by who;
--> {"who":"ann"}
--> {"who":"ann"}

select who from booking where during && '[2024-05-06 12:30+00,2024-05-06 15:00+00)' order by who;
--> {"who":"dan"}

select room_id, range_agg(during) as busy from booking where status = 'booked' group by room_id order by room_id;
--> {"room_id":1,"busy":"{[\"2024-05-06 09:00:00+00\",\"2024-05-06 10:00:00+00\"),[\"2024-05-06 10:30:00+00\",\"2024-05-06 11:00:00+00\"),[\"2024-05-06 13:00:00+00\",\"2024-05-06 14:00:00+00\")}"}
--> {"room_id":2,"busy":"{[\"2024-05-06 09:30:00+00\",\"2024-05-06 12:00:00+00\")}"}

select room_id, tstzmultirange(tstzrange('2024-05-06 08:00+00', '2024-05-06 18:00+00')) - range_agg(during) as free from booking where status = 'booked' group by room_id order by room_id;
--> {"room_id":1,"free":"{[\"2024-05-06 08:00:00+00\",\"2024-05-06 09:00:00+00\"),[\"2024-05-06 10:00:00+00\",\"2024-05-06 10:30:00+00\"),[\"2024-05-06 11:00:00+00\",\"2024-05-06 13:00:00+00\"),[\"2024-05-06 14:00:00+00\",\"2024-05-06 18:00:00+00\")}"}
--> {"room_id":2,"free":"{[\"2024-05-06 08:00:00+00\",\"2024-05-06 09:30:00+00\"),[\"2024-05-06 12:00:00+00\",\"2024-05-06 18:00:00+00\")}"}

create function free_slots(room int, day date, step interval default '1 hour') returns table (slot tstzrange) language sql stable as $$
select tstzrange(s, s + step) from room r, generate_series((day + r.open_from) at time zone 'UTC', (day + r.open_to) at time zone 'UTC' - step, step) as s
where r.id = room and not exists (select 1 from booking b where b.room_id = r.id and b.status = 'booked' and b.during && tstzrange(s, s + step)) order by s $$;
--> no rows

select count(*) as n, min(lower(slot)) as first from free_slots(1, '2024-05-06');
--> {"n":7,"first":"2024-05-06 08:00:00+00"}

select slot from free_slots(2, '2024-05-06', '4 hours');
--> {"slot":"[\"2024-05-06 12:00:00+00\",\"2024-05-06 16:00:00+00\")"}

create function book(the_room int, who text, at timestamptz, length interval) returns int language plpgsql as $$
declare made int;
begin
  if (at at time zone 'UTC')::time < (select open_from from room where id = the_room) then raise exception 'room % is closed', the_room using detail = 'It opens later.', hint = 'Come back.', errcode = 'check_violation'; end if;
  insert into booking (room_id, who, during) values (the_room, book.who, tstzrange(at, at + length)) returning id into made;
  return made;
exception when exclusion_violation then return -1;
end $$;
--> no rows

select book(3, 'eve', '2024-05-07 09:00+00', '30 minutes') > 0 as ok, book(3, 'fay', '2024-05-07 09:15+00', '30 minutes') as taken;
--> {"ok":true,"taken":-1}

select book(3, 'eve', '2024-05-07 05:00+00', '30 minutes');
--> ERROR 23514: room 3 is closed
--> DETAIL: It opens later.
--> HINT: Come back.

select who, during -|- lead(during) over (partition by room_id order by during) as touches from booking where room_id = 1 order by during;
--> {"who":"ann","touches":true}
--> {"who":"bob","touches":false}
--> {"who":"cid","touches":false}
--> {"who":"dan","touches":null}

select distinct on (room_id) room_id, who, lower(during) as starts from booking where status = 'booked' order by room_id, lower(during);
--> {"room_id":1,"who":"ann","starts":"2024-05-06 09:00:00+00"}
--> {"room_id":2,"who":"ann","starts":"2024-05-06 09:30:00+00"}
--> {"room_id":3,"who":"eve","starts":"2024-05-07 09:00:00+00"}

create table holiday (day date primary key, name text); insert into holiday values ('2024-05-09', 'Ascension'), ('2024-05-20', 'Whit Monday');
--> no rows

select d::date as day, to_char(d, 'FMDay') as name, h.name as holiday from generate_series('2024-05-06'::date, '2024-05-10', '1 day') d left join holiday h on h.day = d::date order by d;
--> {"day":"2024-05-06","name":"Monday","holiday":null}
--> {"day":"2024-05-07","name":"Tuesday","holiday":null}
--> {"day":"2024-05-08","name":"Wednesday","holiday":null}
--> {"day":"2024-05-09","name":"Thursday","holiday":"Ascension"}
--> {"day":"2024-05-10","name":"Friday","holiday":null}

select count(*) as workdays from generate_series('2024-05-01'::date, '2024-05-31', '1 day') d where extract(isodow from d) < 6 and not exists (select 1 from holiday h where h.day = d::date);
--> {"workdays":21}

create table shift (worker text, weekday int check (weekday between 1 and 7), hours int4range not null, exclude using gist (worker with =, weekday with =, hours with &&));
--> no rows

insert into shift values ('ann', 1, '[8,12)'), ('ann', 1, '[12,16)'), ('bob', 1, '[8,16)');
--> no rows

insert into shift values ('ann', 1, '[15,17)');
--> ERROR 23P01: conflicting key value violates exclusion constraint "shift_worker_weekday_hours_excl"
--> DETAIL: Key (worker, weekday, hours)=(ann, 1, [15,17)) conflicts with existing key (worker, weekday, hours)=(ann, 1, [12,16)).

select worker, sum(upper(hours) - lower(hours)) as hours from shift group by worker order by worker;
--> {"worker":"ann","hours":8}
--> {"worker":"bob","hours":8}

select worker, range_merge(hours, '[0,1)') as whole from shift where worker = 'bob';
--> {"worker":"bob","whole":"[0,16)"}

select b.id, b.who from booking b join room r on r.id = b.room_id where (lower(b.during) at time zone 'UTC')::time between r.open_from and r.open_to order by b.id;
--> {"id":1,"who":"ann"}
--> {"id":2,"who":"bob"}
--> {"id":3,"who":"ann"}
--> {"id":6,"who":"cid"}
--> {"id":9,"who":"dan"}
--> {"id":10,"who":"eve"}

alter table booking drop constraint no_overlap;
--> no rows

insert into booking (room_id, who, during) values (1, 'gil', '[2024-05-06 09:00+00,2024-05-06 10:00+00)') returning who;
--> {"who":"gil"}

alter table booking add constraint no_overlap exclude using gist (room_id with =, during with &&);
--> ERROR 23P01: could not create exclusion constraint "no_overlap"
--> DETAIL: Key (room_id, during)=(1, ["2024-05-06 09:00:00+00","2024-05-06 10:00:00+00")) conflicts with key (room_id, during)=(1, ["2024-05-06 09:00:00+00","2024-05-06 10:00:00+00")).

delete from booking where who in ('gil', 'bob');
--> no rows

alter table booking add constraint no_overlap exclude using gist (room_id with =, during with &&);
--> no rows

select conname, contype, pg_get_constraintdef(oid) as def from pg_constraint where conrelid = 'booking'::regclass order by conname;
--> {"conname":"booking_during_check","contype":"c","def":"CHECK ((NOT isempty(during)))"}
--> {"conname":"booking_during_check1","contype":"c","def":"CHECK ((lower(during) >= '2000-01-01 00:00:00+00'::timestamp with time zone))"}
--> {"conname":"booking_pkey","contype":"p","def":"PRIMARY KEY (id)"}
--> {"conname":"booking_room_id_fkey","contype":"f","def":"FOREIGN KEY (room_id) REFERENCES room(id)"}
--> {"conname":"no_overlap","contype":"x","def":"EXCLUDE USING gist (room_id WITH =, during WITH &&)"}

select age(timestamp '2024-03-31', timestamp '2024-02-29') as a, date_trunc('week', timestamp '2024-05-06 10:00') as w, timestamptz '2024-05-06 12:00+02' at time zone 'America/New_York' as ny;
--> {"a":"1 mon 2 days","w":"2024-05-06 00:00:00","ny":"2024-05-06 06:00:00"}

select extract(epoch from upper(during) - lower(during))::int / 60 as minutes from booking order by id limit 2;
--> {"minutes":60}
--> {"minutes":150}
