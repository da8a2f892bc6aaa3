-- Figures on a plane: box, circle, line, lseg, path, polygon, and points with them.

select box '((0,0),(1,1))' as a, circle '<(0,0),2>' as b, line '{1,2,3}' as c, lseg '[(0,0),(1,1)]' as d, path '((0,0),(1,1),(2,0))' as e, path '[(0,0),(1,1),(2,0)]' as f, polygon '((0,0),(1,1),(2,0))' as g;
--> {"a":"(1,1),(0,0)","b":"<(0,0),2>","c":"{1,2,3}","d":"[(0,0),(1,1)]","e":"((0,0),(1,1),(2,0))","f":"[(0,0),(1,1),(2,0)]","g":"((0,0),(1,1),(2,0))"}

select box '1,2,0,5' as a, box '(1,2),(3,4)' as b, circle '1,2,3' as c, circle '((1,2),3)' as d, circle '(1,2),3' as e, line '[(0,0),(1,2)]' as f, line '0,0,0,3' as g, lseg '1,2,3,4' as h, path '1,2,3,4' as i, polygon '(1.5,2e3)' as j, path '((1,2),(3,4))' as k, path '(1,2)' as l;
--> {"a":"(1,5),(0,2)","b":"(3,4),(1,2)","c":"<(1,2),3>","d":"<(1,2),3>","e":"<(1,2),3>","f":"{2,-1,0}","g":"{-1,0,0}","h":"[(1,2),(3,4)]","i":"((1,2),(3,4))","j":"((1.5,2000))","k":"((1,2),(3,4))","l":"((1,2))"}

select box '(1,2)';
--> ERROR 22P02: invalid input syntax for type box: "(1,2)"
--> AT 12

select circle '<(0,0),-1>';
--> ERROR 22P02: invalid input syntax for type circle: "<(0,0),-1>"
--> AT 15

select line '{0,0,1}';
--> ERROR 22P02: invalid line specification: A and B cannot both be zero
--> AT 13

select line '(1,1),(1,1)';
--> ERROR 22P02: invalid line specification: must be two distinct points
--> AT 13

select polygon '((1,2),(3))';
--> ERROR 22P02: invalid input syntax for type polygon: "((1,2),(3))"
--> AT 16

create table figures (id int primary key, b box, c circle, p polygon, pa path, l lseg, li line, at point);
--> no rows

insert into figures values (1, '(2,2),(0,0)', '<(1,1),2>', '((0,0),(0,4),(4,4),(4,0))', '[(0,0),(3,4)]', '[(0,0),(3,4)]', '{1,-1,0}', '(1,1)'), (2, '(7,7),(5,5)', '<(6,6),1>', '((5,5),(5,6),(6,6),(6,5))', '((0,0),(3,0),(3,4))', '[(1,0),(1,9)]', '{0,-1,3}', '(9,9)');
--> no rows

create index on figures using gist (b);
--> no rows

create index on figures using gist (c);
--> no rows

create index on figures using gist (p);
--> no rows

create index on figures using spgist (at);
--> no rows

create index on figures using gist (l);
--> ERROR 42704: data type lseg has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on figures (b);
--> ERROR 42704: data type box has no default operator class for access method "btree"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index on figures using hash (c);
--> ERROR 42704: data type circle has no default operator class for access method "hash"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

select id, area(b) as a, area(c) as ac, area(pa) as ap, center(b) as cb, center(c) as cc, diameter(c) as d, radius(c) as r, height(b) as h, width(b) as w, length(pa) as lp, length(l) as ll, npoints(pa) as n, npoints(p) as np, isclosed(pa) as ic, isopen(pa) as io, diagonal(b) as dg from figures order by id;
--> {"id":1,"a":4,"ac":12.566370614359172,"ap":null,"cb":"(1,1)","cc":"(1,1)","d":4,"r":2,"h":2,"w":2,"lp":5,"ll":5,"n":2,"np":4,"ic":false,"io":true,"dg":"[(2,2),(0,0)]"}
--> {"id":2,"a":4,"ac":3.141592653589793,"ap":6,"cb":"(6,6)","cc":"(6,6)","d":2,"r":1,"h":2,"w":2,"lp":12,"ll":9,"n":3,"np":4,"ic":true,"io":false,"dg":"[(7,7),(5,5)]"}

select id, @@ b as a, @@ c as b, @@ l as d, @@ p as e, # pa as f, # p as g, @-@ l as h, @-@ pa as i, ?- l as j, ?| l as k, ?- li as m from figures order by id;
--> {"id":1,"a":"(1,1)","b":"(1,1)","d":"(1.5,2)","e":"(2,2)","f":2,"g":4,"h":5,"i":5,"j":false,"k":false,"m":false}
--> {"id":2,"a":"(6,6)","b":"(6,6)","d":"(1,4.5)","e":"(5.5,5.5)","f":3,"g":4,"h":9,"i":12,"j":false,"k":true,"m":true}

select id, b <-> at as bp, c <-> at as cp, p <-> at as pp, pa <-> at as pap, l <-> at as lp, at <-> li as lip, at <-> p as x, at <-> c as y from figures order by id;
--> {"id":1,"bp":0,"cp":0,"pp":0,"pap":0.2,"lp":0.2,"lip":0,"x":0,"y":0}
--> {"id":2,"bp":2.8284271247461903,"cp":3.2426406871192857,"pp":4.242640687119286,"pap":7.810249675906656,"lp":8,"lip":6,"x":4.242640687119286,"y":3.2426406871192857}

select id from figures order by at <-> point(8, 8);
--> {"id":2}
--> {"id":1}

select a.id as a, b.id as b, a.b <-> b.b as bb, a.c <-> b.c as cc, a.p <-> b.p as pp, a.l <-> b.l as ll, a.pa <-> b.pa as papa, a.li <-> b.li as li, a.c <-> b.p as cp, a.l <-> b.b as lb, a.l <-> b.li as lli from figures a, figures b where a.id < b.id;
--> {"a":1,"b":2,"bb":7.0710678118654755,"cc":4.0710678118654755,"pp":1.4142135623730951,"ll":0,"papa":0,"li":0,"cp":3.6568542494923806,"lb":2.23606797749979,"lli":0}

select a.id as a, b.id as b, a.b && b.b as o, a.c && b.c as oc, a.p && b.p as op, a.b @> b.b as cb, a.p @> b.p as cp, a.p <@ b.p as icp, a.c @> b.c as ccc, a.b << b.b as l, a.b &< b.b as ol, a.b >> b.b as r, a.b &> b.b as oright, a.b <<| b.b as be, a.b &<| b.b as ob, a.b |>> b.b as ab, a.b |&> b.b as oa, a.c << b.c as lc, a.p <<| b.p as bp from figures a, figures b order by 1, 2;
--> {"a":1,"b":1,"o":true,"oc":true,"op":true,"cb":true,"cp":true,"icp":true,"ccc":true,"l":false,"ol":true,"r":false,"oright":true,"be":false,"ob":true,"ab":false,"oa":true,"lc":false,"bp":false}
--> {"a":1,"b":2,"o":false,"oc":false,"op":false,"cb":false,"cp":false,"icp":false,"ccc":false,"l":true,"ol":true,"r":false,"oright":false,"be":true,"ob":true,"ab":false,"oa":false,"lc":true,"bp":true}
--> {"a":2,"b":1,"o":false,"oc":false,"op":false,"cb":false,"cp":false,"icp":false,"ccc":false,"l":false,"ol":false,"r":true,"oright":true,"be":false,"ob":false,"ab":true,"oa":true,"lc":false,"bp":false}
--> {"a":2,"b":2,"o":true,"oc":true,"op":true,"cb":true,"cp":true,"icp":true,"ccc":true,"l":false,"ol":true,"r":false,"oright":true,"be":false,"ob":true,"ab":false,"oa":true,"lc":false,"bp":false}

select a.id as a, b.id as b, a.b ~= b.b as x, a.c ~= b.c as y, a.p ~= b.p as z, a.at ~= b.at as w, a.l ?# b.l as il, a.li ?# b.li as ili, a.l ?# b.b as ib, a.pa ?# b.pa as ipa, a.l ?|| b.l as par, a.l ?-| b.l as perp, a.li ?-| b.li as perpl, a.l # b.l as cl, a.li # b.li as cli, a.b # b.b as cbb from figures a, figures b order by 1, 2;
--> {"a":1,"b":1,"x":true,"y":true,"z":true,"w":true,"il":false,"ili":false,"ib":true,"ipa":false,"par":true,"perp":false,"perpl":false,"cl":null,"cli":null,"cbb":"(2,2),(0,0)"}
--> {"a":1,"b":2,"x":false,"y":false,"z":false,"w":false,"il":true,"ili":true,"ib":false,"ipa":true,"par":false,"perp":false,"perpl":false,"cl":"(1,1.3333333333333333)","cli":"(3,3)","cbb":null}
--> {"a":2,"b":1,"x":false,"y":false,"z":false,"w":false,"il":true,"ili":true,"ib":true,"ipa":true,"par":false,"perp":false,"perpl":false,"cl":"(1,1.3333333333333333)","cli":"(3,3)","cbb":null}
--> {"a":2,"b":2,"x":true,"y":true,"z":true,"w":true,"il":false,"ili":false,"ib":false,"ipa":true,"par":true,"perp":false,"perpl":false,"cl":null,"cli":null,"cbb":"(7,7),(5,5)"}

select id, b @> at as ba, at <@ b as ab, c @> at as ca, at <@ c as ac, p @> at as pa, at <@ p as ap, pa @> at as paa, at <@ l as al, at <@ li as ali, l <@ b as lb, l <@ li as lli from figures order by id;
--> {"id":1,"ba":true,"ab":true,"ca":true,"ac":true,"pa":true,"ap":true,"paa":false,"al":false,"ali":true,"lb":false,"lli":false}
--> {"id":2,"ba":false,"ab":false,"ca":false,"ac":false,"pa":false,"ap":false,"paa":false,"al":false,"ali":false,"lb":false,"lli":false}

select b + point '(1,2)' as a, b - point '(1,2)' as b, b * point '(0,1)' as c, b / point '(2,0)' as d, c + point '(1,2)' as e, c * point '(3,4)' as f, c / point '(3,4)' as g, pa + point '(1,1)' as h, pa * point '(2,0)' as i from figures order by id;
--> {"a":"(3,4),(1,2)","b":"(1,0),(-1,-2)","c":"(0,2),(-2,0)","d":"(1,1),(0,0)","e":"<(2,3),2>","f":"<(-1,7),10>","g":"<(0.28,-0.04),0.4>","h":"[(1,1),(4,5)]","i":"[(0,0),(6,8)]"}
--> {"a":"(8,9),(6,7)","b":"(6,5),(4,3)","c":"(-5,7),(-7,5)","d":"(3.5,3.5),(2.5,2.5)","e":"<(7,8),1>","f":"<(-6,42),5>","g":"<(1.68,-0.24),0.2>","h":"((1,1),(4,1),(4,5))","i":"((0,0),(6,0),(6,8))"}

select point '(1,2)' + point '(3,4)' as a, point '(1,2)' - point '(3,4)' as b, point '(1,2)' * point '(3,4)' as c, point '(1,2)' / point '(3,4)' as d, path '[(0,0),(1,1)]' + path '[(2,2)]' as e, path '((0,0),(1,1))' + path '[(2,2)]' as f;
--> {"a":"(4,6)","b":"(-2,-2)","c":"(-5,10)","d":"(0.44,0.08)","e":"[(0,0),(1,1),(2,2)]","f":null}

select point '(1,2)' / point '(0,0)';
--> ERROR 22012: division by zero

select point '(1,2)' ## lseg '[(0,0),(4,0)]' as a, point '(1,2)' ## box '(5,5),(3,3)' as b, point '(1,2)' ## line '{1,-1,0}' as c, point '(1,2)' <^ point '(3,4)' as d, point '(1,2)' >^ point '(3,4)' as e, point '(1,2)' ?- point '(3,2)' as f, point '(1,2)' ?| point '(1,4)' as g, point '(1,2)' << point '(3,4)' as h;
--> {"a":"(1,0)","b":"(3,3)","c":"(1.5,1.5)","d":true,"e":false,"f":true,"g":true,"h":true}

select box(circle '<(0,0),2>') as a, box(point '(1,2)') as b, box(point '(1,2)', point '(0,5)') as c, box(polygon '((0,0),(1,3),(2,1))') as d, circle(box '(2,2),(0,0)') as e, circle(point '(1,1)', 4) as f, circle(polygon '((0,0),(0,2),(2,2),(2,0))') as g, line(point '(0,0)', point '(1,3)') as h, lseg(box '(2,2),(0,0)') as i, path(polygon '((0,0),(1,3))') as j, pclose(path '[(0,0),(1,1)]') as k, popen(path '((0,0),(1,1))') as l, point(circle '<(1,2),3>') as m, point(polygon '((0,0),(2,2))') as n, polygon(box '(2,2),(0,0)') as o, polygon(path '((0,0),(1,1))') as p, slope(point '(0,0)', point '(2,3)') as q, bound_box(box '(1,1),(0,0)', box '(5,5),(3,3)') as r;
--> {"a":"(1.414213562373095,1.414213562373095),(-1.414213562373095,-1.414213562373095)","b":"(1,2),(1,2)","c":"(1,5),(0,2)","d":"(2,3),(0,0)","e":"<(1,1),1.4142135623730951>","f":"<(1,1),4>","g":"<(1,1),1.4142135623730951>","h":"{3,-1,0}","i":"[(2,2),(0,0)]","j":"((0,0),(1,3))","k":"((0,0),(1,1))","l":"[(0,0),(1,1)]","m":"(1,2)","n":"(1,1)","o":"((0,0),(0,2),(2,2),(2,0))","p":"((0,0),(1,1))","q":1.5,"r":"(5,5),(0,0)"}

select polygon(4, circle '<(0,0),1>') as a, npoints(polygon(circle '<(0,0),1>')) as b, (box '(2,2),(0,0)')::circle as c, (circle '<(0,0),1>')::point as d, (polygon '((0,0),(2,2))')::box as e, (point '(1,1)')::box as f;
--> {"a":"((-1,0),(-6.123233995736766e-17,1),(1,1.2246467991473532e-16),(1.8369701987210297e-16,-1))","b":12,"c":"<(1,1),1.4142135623730951>","d":"(0,0)","e":"(2,2),(0,0)","f":"(1,1),(1,1)"}

select polygon(path '[(0,0),(1,1)]');
--> ERROR 22023: open path cannot be converted to polygon

select polygon(1, circle '<(0,0),1>');
--> ERROR 22023: must request at least 2 points

select '{(1,1),(0,0);(3,3),(2,2)}'::box[]::text as a, array[circle '<(0,0),1>', circle '<(1,1),2>']::text as b, array[box '(1,1),(0,0)', box '(2,2),(1,1)']::text as c;
--> {"a":"{(1,1),(0,0);(3,3),(2,2)}","b":"{\"<(0,0),1>\",\"<(1,1),2>\"}","c":"{(1,1),(0,0);(2,2),(1,1)}"}

select to_jsonb(b) as a, to_jsonb(c) as b, row_to_json(f) as r from figures f where id = 1;
--> {"a":"(2,2),(0,0)","b":"<(1,1),2>","r":{"id":1,"b":"(2,2),(0,0)","c":"<(1,1),2>","p":"((0,0),(0,4),(4,4),(4,0))","pa":"[(0,0),(3,4)]","l":"[(0,0),(3,4)]","li":"{1,-1,0}","at":"(1,1)"}}

select distinct b from figures;
--> ERROR 42883: could not identify an equality operator for type box
--> AT 17

select c from figures group by c;
--> ERROR 42883: could not identify an equality operator for type circle
--> AT 32

select (at)[0] as x, (at)[1] as y, b[0] as high, b[1] as low, l[0] as start from figures order by id;
--> {"x":1,"y":1,"high":"(2,2)","low":"(0,0)","start":"(0,0)"}
--> {"x":9,"y":9,"high":"(7,7)","low":"(5,5)","start":"(1,0)"}

create table areas (c circle, exclude using gist (c with &&));
--> no rows

insert into areas values ('<(0,0),1>'), ('<(5,0),1>');
--> no rows

insert into areas values ('<(1,0),1>');
--> ERROR 23P01: conflicting key value violates exclusion constraint "areas_c_excl"
--> DETAIL: Key (c)=(<(1,0),1>) conflicts with existing key (c)=(<(0,0),1>).

select p from figures where p @> point '(5.5,5.5)';
--> {"p":"((5,5),(5,6),(6,6),(6,5))"}

select id from figures where box '(3,3),(1,1)' && b;
--> {"id":1}

update figures set at = at + point(1, 0) where at[0] < 5 returning at;
--> {"at":"(2,1)"}

select point '(4,4)' <@ polygon '((0,0),(0,4),(4,4),(4,0))' as a, point '(2,4)' <@ polygon '((0,0),(0,4),(4,4),(4,0))' as b, point '(4.1,4)' <@ polygon '((0,0),(0,4),(4,4),(4,0))' as c, point '(2,2)' <@ polygon '((0,0),(4,4),(4,0),(0,4))' as d, point '(1,2)' <@ polygon '((0,0),(4,4),(4,0),(0,4))' as e;
--> {"a":true,"b":true,"c":false,"d":true,"e":true}

select polygon '((0,0),(0,4),(4,4),(4,0))' @> polygon '((1,1),(1,2),(2,1))' as a, polygon '((0,0),(0,4),(2,2),(4,4),(4,0))' @> polygon '((1,3),(3,3),(2,1))' as b, polygon '((0,0),(2,0),(2,2),(0,2))' && polygon '((1,1),(3,1),(3,3),(1,3))' as c, polygon '((0,0),(2,0),(2,2))' ~= polygon '((2,0),(2,2),(0,0))' as d, polygon '((0,0),(2,0),(2,2))' ~= polygon '((2,2),(2,0),(0,0))' as e;
--> {"a":true,"b":false,"c":true,"d":true,"e":true}

create function in_area(p point) returns boolean language sql immutable as $$ select p <@ circle '<(0,0),2>' $$;
--> no rows

select in_area('(1,1)') as a, in_area(point(5, 5)) as b;
--> {"a":true,"b":false}

create view near as select id, at <-> point '(0,0)' as far, c && circle '<(0,0),1>' as meets from figures;
--> no rows

select pg_get_viewdef('near'::regclass) as v;
--> {"v":" SELECT figures.id,\n    (figures.at <-> '(0,0)'::point) AS far,\n    (figures.c && '<(0,0),1>'::circle) AS meets\n   FROM figures;"}

select box '(1,1),(0,0)' = box '(2,2),(1,1)' as a, box '(1,1),(0,0)' < box '(2,2),(0,0)' as b, circle '<(0,0),1>' = circle '<(1,1),1>' as c, lseg '[(0,0),(1,1)]' = lseg '[(0,0),(1,1)]' as d, line '{1,-1,0}' = line '{2,-2,0}' as e, circle '<(0,0),1>' <> circle '<(1,1),2>' as f;
--> {"a":true,"b":true,"c":true,"d":true,"e":true,"f":true}

select point '(1,1)' = point '(1,1)';
--> ERROR 42883: operator does not exist: point = point
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 22

select point '(1,1)' <> point '(1,2)' as a;
--> {"a":true}
