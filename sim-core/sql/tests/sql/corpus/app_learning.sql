-- Courses, lessons, enrolments, quizzes and certificates.

create table course (id serial primary key, code varchar(8) unique not null check (code = upper(code)), title text not null, seats int, starts date, ends date, check (ends is null or ends > starts));
--> no rows

create table lesson (course_id int references course on delete cascade, n int, title text not null, minutes int not null default 10 check (minutes > 0), primary key (course_id, n));
--> no rows

create table learner (id serial primary key, email text not null, name text, unique (email));
--> no rows

create table enrolment (course_id int references course on delete cascade, learner_id int references learner on delete cascade, enrolled date not null default '2024-05-06', status text not null default 'active' check (status in ('active', 'done', 'dropped')), grade numeric(4,1) check (grade between 0 and 100), primary key (course_id, learner_id));
--> no rows

create table progress (course_id int, learner_id int, n int, done_at timestamptz, seconds int, primary key (course_id, learner_id, n), foreign key (course_id, learner_id) references enrolment on delete cascade, foreign key (course_id, n) references lesson on delete cascade);
--> no rows

insert into course (code, title, seats, starts, ends) values ('SQL1', 'Basics', 2, '2024-01-08', '2024-03-01'), ('SQL2', 'Windows', null, '2024-03-04', null);
--> no rows

insert into course (code, title) values ('sql3', 'Lower');
--> ERROR 23514: new row for relation "course" violates check constraint "course_code_check"
--> DETAIL: Failing row contains (3, sql3, Lower, null, null, null).

insert into course (code, title) values ('TOOLONGCODE', 'Long');
--> ERROR 22001: value too long for type character varying(8)

insert into lesson (course_id, n, title, minutes) select 1, i, 'Lesson ' || i, i * 10 from generate_series(1, 4) i union all select 2, i, 'Part ' || chr(64 + i), 15 from generate_series(1, 2) i;
--> no rows

insert into learner (email, name) values ('a@x.io', 'Ann'), ('b@x.io', 'Bob'), ('c@x.io', null) returning id;
--> {"id":1}
--> {"id":2}
--> {"id":3}

create function check_seats() returns trigger language plpgsql as $$ declare c course; taken int; begin select * into c from course where id = new.course_id for update; select count(*) into taken from enrolment where course_id = new.course_id and status <> 'dropped'; if c.seats is not null and taken >= c.seats then raise exception using message = 'course ' || c.code || ' is full', errcode = 'P0002', detail = format('%s of %s seats', taken, c.seats); end if; return new; end $$;
--> no rows

create trigger enrolment_seats before insert on enrolment for each row execute function check_seats();
--> no rows

insert into enrolment (course_id, learner_id) values (1, 1), (1, 2), (2, 1);
--> no rows

insert into enrolment (course_id, learner_id) values (1, 3);
--> ERROR P0002: course SQL1 is full
--> DETAIL: 2 of 2 seats

update enrolment set status = 'dropped' where course_id = 1 and learner_id = 2; insert into enrolment (course_id, learner_id) values (1, 3); select count(*) from enrolment;
--> {"count":4}

create function complete(who int, course int, lesson int, spent int) returns numeric language plpgsql as $$
declare share numeric;
begin
  insert into progress values (course, who, lesson, now(), spent) on conflict (course_id, learner_id, n) do update set seconds = progress.seconds + excluded.seconds;
  select round(100.0 * count(p.n) / count(l.n), 1) into share from lesson l left join progress p on p.course_id = l.course_id and p.n = l.n and p.learner_id = who where l.course_id = course;
  if share = 100 then update enrolment set status = 'done' where course_id = course and learner_id = who; end if;
  return share;
end $$;
--> no rows

select complete(1, 1, 1, 300) as a, complete(1, 1, 2, 500) as b, complete(1, 1, 1, 60) as again;
--> {"a":"25.0","b":"50.0","again":"50.0"}

select complete(1, 1, 9, 1);
--> ERROR 23503: insert or update on table "progress" violates foreign key constraint "progress_course_id_n_fkey"
--> DETAIL: Key (course_id, n)=(1, 9) is not present in table "lesson".

select complete(2, 2, 1, 1);
--> ERROR 23503: insert or update on table "progress" violates foreign key constraint "progress_course_id_learner_id_fkey"
--> DETAIL: Key (course_id, learner_id)=(2, 2) is not present in table "enrolment".

select complete(1, 1, 3, 900) as c, complete(1, 1, 4, 700) as d;
--> {"c":"75.0","d":"100.0"}

select status from enrolment where course_id = 1 and learner_id = 1;
--> {"status":"done"}

select l.name, c.code, count(p.*) as lessons, coalesce(sum(p.seconds), 0) / 60 as minutes from enrolment e join learner l on l.id = e.learner_id join course c on c.id = e.course_id left join progress p using (course_id, learner_id) group by l.id, c.id order by l.id, c.id;
--> {"name":"Ann","code":"SQL1","lessons":4,"minutes":41}
--> {"name":"Ann","code":"SQL2","lessons":0,"minutes":0}
--> {"name":"Bob","code":"SQL1","lessons":0,"minutes":0}
--> {"name":null,"code":"SQL1","lessons":0,"minutes":0}

select n, title, sum(minutes) over (order by n) as total, minutes::numeric / sum(minutes) over () as share from lesson where course_id = 1 order by n;
--> {"n":1,"title":"Lesson 1","total":10,"share":"0.10000000000000000000"}
--> {"n":2,"title":"Lesson 2","total":30,"share":"0.20000000000000000000"}
--> {"n":3,"title":"Lesson 3","total":60,"share":"0.30000000000000000000"}
--> {"n":4,"title":"Lesson 4","total":100,"share":"0.40000000000000000000"}

create table question (id int primary key, course_id int references course, kind text, body jsonb not null);
--> no rows

insert into question values (1, 1, 'choice', '{"q":"2+2?","options":[3,4,5],"answer":1}'), (2, 1, 'text', '{"q":"Name a join","answer":["inner","left"]}'), (3, 1, 'choice', '{"q":"null = null?","options":[true,false,null],"answer":2}');
--> no rows

create table attempt (learner_id int, question_id int, n int generated always as identity, given jsonb, primary key (learner_id, question_id, n));
--> no rows

create function is_right(q question, given jsonb) returns boolean language sql immutable as $$ select case q.kind when 'choice' then (q.body -> 'answer') = given else q.body -> 'answer' @> given end $$;
--> no rows

insert into attempt (learner_id, question_id, given) values (1, 1, '0'), (1, 1, '1'), (1, 2, '"left"'), (1, 3, '2'), (3, 1, '1'), (3, 2, '"outer"');
--> no rows

select a.learner_id, a.question_id, a.given, is_right(q, a.given) as ok from attempt a join question q on q.id = a.question_id order by a.learner_id, a.n;
--> {"learner_id":1,"question_id":1,"given":0,"ok":false}
--> {"learner_id":1,"question_id":1,"given":1,"ok":true}
--> {"learner_id":1,"question_id":2,"given":"left","ok":true}
--> {"learner_id":1,"question_id":3,"given":2,"ok":true}
--> {"learner_id":3,"question_id":1,"given":1,"ok":true}
--> {"learner_id":3,"question_id":2,"given":"outer","ok":false}

select a.learner_id, count(distinct a.question_id) filter (where is_right(q.*, a.given)) as points, count(*) as tries from attempt a join question q on q.id = a.question_id group by 1 order by 1;
--> {"learner_id":1,"points":3,"tries":4}
--> {"learner_id":3,"points":1,"tries":2}

with best as (select learner_id, question_id, bool_or(is_right(q, given)) as ok from attempt join question q on q.id = question_id group by 1, 2) update enrolment e set grade = t.g from (select learner_id, round(100.0 * count(*) filter (where ok) / (select count(*) from question where course_id = 1), 1) as g from best group by 1) t where e.course_id = 1 and e.learner_id = t.learner_id;
--> no rows

select learner_id, grade, rank() over (order by grade desc nulls last) as place, case when grade >= 90 then 'A' when grade >= 50 then 'C' else 'F' end as mark from enrolment where course_id = 1 order by place;
--> {"learner_id":1,"grade":"100.0","place":1,"mark":"A"}
--> {"learner_id":3,"grade":"33.3","place":2,"mark":"F"}
--> {"learner_id":2,"grade":null,"place":3,"mark":"F"}

select q.body ->> 'q' as q, jsonb_array_length(q.body -> 'options') as options, (q.body -> 'options') ->> (q.body ->> 'answer')::int as answer from question q where kind = 'choice' order by id;
--> {"q":"2+2?","options":3,"answer":"4"}
--> {"q":"null = null?","options":3,"answer":null}

select q.id, o.ordinality, o.value from question q, jsonb_array_elements(q.body -> 'options') with ordinality o where q.id = 3 order by 2;
--> {"id":3,"ordinality":1,"value":true}
--> {"id":3,"ordinality":2,"value":false}
--> {"id":3,"ordinality":3,"value":null}

create view certificate as select e.learner_id, l.name, c.title, e.grade from enrolment e join learner l on l.id = e.learner_id join course c on c.id = e.course_id where e.status = 'done' and e.grade >= 50 with check option;
--> ERROR 0A000: WITH CHECK OPTION is supported only on automatically updatable views
--> HINT: Views that do not select from a single table or view are not automatically updatable.

create view certificate as select e.learner_id, l.name, c.title, e.grade from enrolment e join learner l on l.id = e.learner_id join course c on c.id = e.course_id where e.status = 'done' and e.grade >= 50;
--> no rows

select * from certificate;
--> {"learner_id":1,"name":"Ann","title":"Basics","grade":"100.0"}

update certificate set grade = 100;
--> ERROR 55000: cannot update view "certificate"
--> DETAIL: Views that do not select from a single table or view are not automatically updatable.
--> HINT: To enable updating the view, provide an INSTEAD OF UPDATE trigger or an unconditional ON UPDATE DO INSTEAD rule.

update enrolment set grade = 101 where learner_id = 3;
--> ERROR 23514: new row for relation "enrolment" violates check constraint "enrolment_grade_check"
--> DETAIL: Failing row contains (1, 3, 2024-05-06, active, 101.0).

select c.code, c.starts, c.ends, coalesce(c.ends - c.starts, 0) as days, (c.starts, coalesce(c.ends, 'infinity')) overlaps (date '2024-02-01', date '2024-02-02') as in_february from course c order by 1;
--> {"code":"SQL1","starts":"2024-01-08","ends":"2024-03-01","days":53,"in_february":true}
--> {"code":"SQL2","starts":"2024-03-04","ends":null,"days":0,"in_february":false}

delete from lesson where course_id = 1 and n = 1;
--> no rows

select count(*) from progress;
--> {"count":3}

delete from course where code = 'SQL1';
--> ERROR 23503: update or delete on table "course" violates foreign key constraint "question_course_id_fkey" on table "question"
--> DETAIL: Key (id)=(1) is still referenced from table "question".

delete from question; delete from course where code = 'SQL1'; select (select count(*) from enrolment) as e, (select count(*) from lesson) as l, (select count(*) from progress) as p;
--> {"e":1,"l":2,"p":0}

alter table course rename column code to key; select key from course;
--> {"key":"SQL2"}

select column_name, data_type, character_maximum_length as len from information_schema.columns where table_name = 'course' order by ordinal_position;
--> {"column_name":"id","data_type":"integer","len":null}
--> {"column_name":"key","data_type":"character varying","len":8}
--> {"column_name":"title","data_type":"text","len":null}
--> {"column_name":"seats","data_type":"integer","len":null}
--> {"column_name":"starts","data_type":"date","len":null}
--> {"column_name":"ends","data_type":"date","len":null}
