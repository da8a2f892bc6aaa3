-- Events of users: funnels, retention, sessions, cohorts, top lists.

create table visitor (id int primary key, country text, signed_up date not null);
--> no rows

create table event (id bigint generated always as identity primary key, visitor_id int not null references visitor, name text not null, at timestamp not null, props jsonb not null default '{}');
--> no rows

insert into visitor select i, (array['de', 'fr', 'us'])[1 + i % 3], date '2024-01-01' + (i % 4) * 7 from generate_series(1, 12) i;
--> no rows

insert into event (visitor_id, name, at, props) select v.id, e.name, v.signed_up + e.after, case e.name when 'pay' then jsonb_build_object('amount', v.id * 10) else '{}' end from visitor v, (values ('visit', interval '0'), ('signup', interval '5 minutes'), ('pay', interval '1 day'), ('visit', interval '8 days')) as e(name, after) where not (e.name = 'pay' and v.id % 3 = 0) and not (e.name = 'signup' and v.id % 6 = 0) and not (e.after = interval '8 days' and v.id % 2 = 0);
--> no rows

select name, count(*), count(distinct visitor_id) as people from event group by name order by name;
--> {"name":"pay","count":8,"people":8}
--> {"name":"signup","count":10,"people":10}
--> {"name":"visit","count":18,"people":12}

with steps as (select visitor_id, min(at) filter (where name = 'visit') as visit, min(at) filter (where name = 'signup') as signup, min(at) filter (where name = 'pay') as pay from event group by visitor_id) select count(visit) as visits, count(signup) filter (where signup >= visit) as signups, count(pay) filter (where pay >= signup) as pays, round(100.0 * count(pay) / count(visit), 1) as rate from steps;
--> {"visits":12,"signups":10,"pays":8,"rate":"66.7"}

select v.signed_up as cohort, (e.at::date - v.signed_up) / 7 as week, count(distinct v.id) as active from visitor v join event e on e.visitor_id = v.id group by 1, 2 order by 1, 2;
--> {"cohort":"2024-01-01","week":0,"active":3}
--> {"cohort":"2024-01-08","week":0,"active":3}
--> {"cohort":"2024-01-08","week":1,"active":3}
--> {"cohort":"2024-01-15","week":0,"active":3}
--> {"cohort":"2024-01-22","week":0,"active":3}
--> {"cohort":"2024-01-22","week":1,"active":3}

select cohort, week0, week1, round(week1::numeric / week0, 2) as kept from (select v.signed_up as cohort, count(distinct v.id) filter (where e.at < v.signed_up + 7) as week0, count(distinct v.id) filter (where e.at >= v.signed_up + 7) as week1 from visitor v join event e on e.visitor_id = v.id group by 1) t order by 1;
--> {"cohort":"2024-01-01","week0":3,"week1":0,"kept":"0.00"}
--> {"cohort":"2024-01-08","week0":3,"week1":3,"kept":"1.00"}
--> {"cohort":"2024-01-15","week0":3,"week1":0,"kept":"0.00"}
--> {"cohort":"2024-01-22","week0":3,"week1":3,"kept":"1.00"}

with marked as (select visitor_id, at, case when at - lag(at) over w > interval '30 minutes' or lag(at) over w is null then 1 else 0 end as begins from event window w as (partition by visitor_id order by at)), numbered as (select visitor_id, at, sum(begins) over (partition by visitor_id order by at) as session from marked) select visitor_id, session, count(*) as n, max(at) - min(at) as length from numbered where visitor_id <= 2 group by 1, 2 order by 1, 2;
--> {"visitor_id":1,"session":1,"n":2,"length":"00:05:00"}
--> {"visitor_id":1,"session":2,"n":1,"length":"00:00:00"}
--> {"visitor_id":1,"session":3,"n":1,"length":"00:00:00"}
--> {"visitor_id":2,"session":1,"n":2,"length":"00:05:00"}
--> {"visitor_id":2,"session":2,"n":1,"length":"00:00:00"}

select country, sum((props ->> 'amount')::int) as revenue, count(*) filter (where name = 'pay') as orders from event join visitor v on v.id = visitor_id group by rollup (country) order by country nulls last;
--> {"country":"de","revenue":null,"orders":0}
--> {"country":"fr","revenue":220,"orders":4}
--> {"country":"us","revenue":260,"orders":4}
--> {"country":null,"revenue":480,"orders":8}

select country, name, count(*) from event join visitor v on v.id = visitor_id group by cube (country, name) having count(*) > 5 order by 1 nulls last, 2 nulls last;
--> {"country":"de","name":"visit","count":6}
--> {"country":"de","name":null,"count":8}
--> {"country":"fr","name":"visit","count":6}
--> {"country":"fr","name":null,"count":14}
--> {"country":"us","name":"visit","count":6}
--> {"country":"us","name":null,"count":14}
--> {"country":null,"name":"pay","count":8}
--> {"country":null,"name":"signup","count":10}
--> {"country":null,"name":"visit","count":18}
--> {"country":null,"name":null,"count":36}

select visitor_id, sum((props ->> 'amount')::int) as total, rank() over (order by sum((props ->> 'amount')::int) desc nulls last) as place from event group by visitor_id order by place, visitor_id fetch first 3 rows with ties;
--> {"visitor_id":11,"total":110,"place":1}
--> {"visitor_id":10,"total":100,"place":2}
--> {"visitor_id":8,"total":80,"place":3}

select visitor_id, ntile(3) over (order by total desc) as tier, total, round(total * 100.0 / sum(total) over (), 1) as share from (select visitor_id, sum((props ->> 'amount')::int) as total from event where name = 'pay' group by 1) t order by total desc;
--> {"visitor_id":11,"tier":1,"total":110,"share":"22.9"}
--> {"visitor_id":10,"tier":1,"total":100,"share":"20.8"}
--> {"visitor_id":8,"tier":1,"total":80,"share":"16.7"}
--> {"visitor_id":7,"tier":2,"total":70,"share":"14.6"}
--> {"visitor_id":5,"tier":2,"total":50,"share":"10.4"}
--> {"visitor_id":4,"tier":2,"total":40,"share":"8.3"}
--> {"visitor_id":2,"tier":3,"total":20,"share":"4.2"}
--> {"visitor_id":1,"tier":3,"total":10,"share":"2.1"}

select at::date as day, count(*) as n, sum(count(*)) over (order by at::date) as running, avg(count(*)) over (order by at::date rows between 1 preceding and 1 following exclude current row)::numeric(6,2) as around from event group by 1 order by 1;
--> {"day":"2024-01-01","n":5,"running":"5","around":"2.00"}
--> {"day":"2024-01-02","n":2,"running":"7","around":"5.50"}
--> {"day":"2024-01-08","n":6,"running":"13","around":"2.00"}
--> {"day":"2024-01-09","n":2,"running":"15","around":"5.50"}
--> {"day":"2024-01-15","n":5,"running":"20","around":"3.50"}
--> {"day":"2024-01-16","n":5,"running":"25","around":"5.50"}
--> {"day":"2024-01-22","n":6,"running":"31","around":"3.50"}
--> {"day":"2024-01-23","n":2,"running":"33","around":"4.50"}
--> {"day":"2024-01-30","n":3,"running":"36","around":"2.00"}

select to_char(d, 'YYYY-MM-DD') as day, coalesce(n, 0) as n from generate_series(timestamp '2024-01-01', '2024-01-05', '1 day') d left join (select at::date as day, count(*) as n from event group by 1) c on c.day = d::date order by 1;
--> {"day":"2024-01-01","n":5}
--> {"day":"2024-01-02","n":2}
--> {"day":"2024-01-03","n":0}
--> {"day":"2024-01-04","n":0}
--> {"day":"2024-01-05","n":0}

select extract(isodow from at)::int as dow, extract(hour from at)::int as hour, count(*) from event group by 1, 2 order by 1, 2;
--> {"dow":1,"hour":0,"count":22}
--> {"dow":2,"hour":0,"count":14}

select name, lead(name) over (partition by visitor_id order by at) as next, count(*) over (partition by name) as n from event where visitor_id = 1 order by at;
--> {"name":"visit","next":"signup","n":2}
--> {"name":"signup","next":"pay","n":1}
--> {"name":"pay","next":"visit","n":1}
--> {"name":"visit","next":null,"n":2}

select path, count(*) from (select visitor_id, string_agg(name, ' > ' order by at) as path from event group by 1) t group by path order by 2 desc, 1;
--> {"path":"visit > signup > pay","count":4}
--> {"path":"visit > signup > pay > visit","count":4}
--> {"path":"visit","count":2}
--> {"path":"visit > signup > visit","count":2}

select a.name as first, b.name as then, count(*) from event a join event b on b.visitor_id = a.visitor_id and b.at > a.at group by 1, 2 order by 3 desc, 1, 2;
--> {"first":"visit","then":"signup","count":10}
--> {"first":"signup","then":"pay","count":8}
--> {"first":"visit","then":"pay","count":8}
--> {"first":"signup","then":"visit","count":6}
--> {"first":"visit","then":"visit","count":6}
--> {"first":"pay","then":"visit","count":4}

create view dau as select at::date as day, count(distinct visitor_id) as users from event group by 1;
--> no rows

select day, users, round(avg(users) over (order by day rows 2 preceding), 2) as smooth from dau order by day;
--> {"day":"2024-01-01","users":3,"smooth":"3.00"}
--> {"day":"2024-01-02","users":2,"smooth":"2.50"}
--> {"day":"2024-01-08","users":3,"smooth":"2.67"}
--> {"day":"2024-01-09","users":2,"smooth":"2.33"}
--> {"day":"2024-01-15","users":3,"smooth":"2.67"}
--> {"day":"2024-01-16","users":5,"smooth":"3.33"}
--> {"day":"2024-01-22","users":3,"smooth":"3.67"}
--> {"day":"2024-01-23","users":2,"smooth":"3.33"}
--> {"day":"2024-01-30","users":3,"smooth":"2.67"}

select max(users) as best, mode() within group (order by users) as usual, percentile_disc(0.9) within group (order by users) as p90 from dau;
--> {"best":5,"usual":3,"p90":5}

create function funnel(steps text[]) returns table (step int, name text, people bigint) language plpgsql stable as $$
declare s text; n int := 0; ids int[]; begin
  select array_agg(id) into ids from visitor;
  foreach s in array steps loop
    n := n + 1;
    select array_agg(distinct e.visitor_id) into ids from event e where e.name = s and e.visitor_id = any (ids);
    step := n; name := s; people := coalesce(cardinality(ids), 0);
    return next;
  end loop;
end $$;
--> no rows

select * from funnel(array['visit', 'signup', 'pay']);
--> {"step":1,"name":"visit","people":12}
--> {"step":2,"name":"signup","people":10}
--> {"step":3,"name":"pay","people":8}

select name, people from funnel(array['pay', 'nothing', 'visit']) where step > 1;
--> {"name":"nothing","people":0}
--> {"name":"visit","people":0}

select jsonb_object_agg(name, n) as counts from (select name, count(*) as n from event group by name) t;
--> {"counts":{"pay":8,"visit":18,"signup":10}}

select country, array_agg(id order by id) as ids, bool_and(id > 1) as later, bool_or(id = 12) as last from visitor group by country order by country;
--> {"country":"de","ids":[3,6,9,12],"later":true,"last":true}
--> {"country":"fr","ids":[1,4,7,10],"later":false,"last":false}
--> {"country":"us","ids":[2,5,8,11],"later":true,"last":false}

select id from visitor where id in (select visitor_id from event where name = 'pay' intersect select visitor_id from event where at > '2024-01-20') order by id;
--> {"id":7}
--> {"id":11}

select id from visitor except select visitor_id from event where name = 'pay' order by id;
--> {"id":3}
--> {"id":6}
--> {"id":9}
--> {"id":12}

select v.id, exists (select 1 from event e where e.visitor_id = v.id and e.props ? 'amount') as paid from visitor v where v.country = 'de' order by v.id;
--> {"id":3,"paid":false}
--> {"id":6,"paid":false}
--> {"id":9,"paid":false}
--> {"id":12,"paid":false}

select grouping(country) as g, country, count(*) from visitor group by grouping sets ((country), ()) order by 1, 2;
--> {"g":0,"country":"de","count":4}
--> {"g":0,"country":"fr","count":4}
--> {"g":0,"country":"us","count":4}
--> {"g":1,"country":null,"count":12}

create table experiment (visitor_id int primary key references visitor, variant char(1) not null check (variant in ('A', 'B')));
--> no rows

insert into experiment select id, case when id % 2 = 0 then 'A' else 'B' end from visitor;
--> no rows

select variant, count(*) as n, count(distinct e.visitor_id) filter (where e.name = 'pay') as paid, round(count(distinct e.visitor_id) filter (where e.name = 'pay')::numeric / count(distinct x.visitor_id), 3) as rate from experiment x left join event e using (visitor_id) group by variant order by variant;
--> {"variant":"A","n":14,"paid":4,"rate":"0.667"}
--> {"variant":"B","n":22,"paid":4,"rate":"0.667"}

select variant, avg(amount)::numeric(8,2) as mean, var_samp(amount)::numeric(10,3) as variance, regr_slope(amount, x.visitor_id)::numeric(8,4) as slope from experiment x join (select visitor_id, (props ->> 'amount')::float8 as amount from event where name = 'pay') p using (visitor_id) group by variant order by variant;
--> {"variant":"A","mean":"60.00","variance":"1333.333","slope":"10.0000"}
--> {"variant":"B","mean":"60.00","variance":"1733.333","slope":"10.0000"}

delete from event where at < '2024-01-02';
--> no rows

with gone as (delete from event where visitor_id = 2 returning name) select name, count(*) from gone group by name order by name;
--> {"name":"pay","count":1}
--> {"name":"signup","count":1}
--> {"name":"visit","count":1}

explain (costs off) select 1;
--> {"QUERY PLAN":"Result"}

select count(*) from event tablesample bernoulli (100);
--> {"count":28}

update event set props = props || '{"seen":true}' where id = (select min(id) from event) returning props;
--> {"props":{"seen":true}}

select min(at), max(at), max(at) - min(at) as span from event;
--> {"min":"2024-01-02 00:00:00","max":"2024-01-30 00:00:00","span":"28 days"}

drop table visitor;
--> ERROR 2BP01: cannot drop table visitor because other objects depend on it
--> DETAIL: constraint event_visitor_id_fkey on table event depends on table visitor\nconstraint experiment_visitor_id_fkey on table experiment depends on table visitor
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop table visitor, event, experiment cascade;
--> no rows

select count(*) from pg_views where viewname = 'dau';
--> {"count":0}
