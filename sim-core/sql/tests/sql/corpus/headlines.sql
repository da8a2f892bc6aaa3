-- `ts_headline` and its options.

create table d(t text);
--> no rows

insert into d values ('The quick brown fox jumps over the lazy dog. The dog barks at the fox, who runs away into the forest quickly. Later the fox returns with other foxes to visit the lazy dog again and again, and the story goes on.');
--> no rows

select ts_headline('english', t, to_tsquery('english','fox')) from d;
--> {"ts_headline":"<b>fox</b>, who runs away into the forest quickly. Later the <b>fox</b> returns with other <b>foxes</b>"}

select ts_headline('english', t, to_tsquery('english','fox & dog'), 'MaxWords=10, MinWords=5') from d;
--> {"ts_headline":"<b>dog</b>. The <b>dog</b> barks at the <b>fox</b>"}

select ts_headline('english', t, to_tsquery('english','fox'), 'MaxFragments=2, MaxWords=7, MinWords=3, FragmentDelimiter=" ... "') from d;
--> {"ts_headline":"quick brown <b>fox</b> jumps over the lazy ... barks at the <b>fox</b>, who runs away"}

select ts_headline('english', t, to_tsquery('english','fox'), 'HighlightAll=true, StartSel=<mark>, StopSel=</mark>') from d;
--> {"ts_headline":"The quick brown <mark>fox</mark> jumps over the lazy dog. The dog barks at the <mark>fox</mark>, who runs away into the forest quickly. Later the <mark>fox</mark> returns with other <mark>foxes</mark> to visit the lazy dog again and again, and the story goes on."}

select ts_headline('english', t, phraseto_tsquery('english','lazy dog'), 'MaxFragments=1, MaxWords=8, MinWords=2') from d;
--> {"ts_headline":"jumps over the <b>lazy</b> <b>dog</b>. The <b>dog</b> barks"}

select ts_headline('english', t, websearch_to_tsquery('english','"lazy dog" -cat'), 'ShortWord=0, MaxWords=6, MinWords=1') from d;
--> {"ts_headline":"<b>lazy</b> <b>dog</b>"}

select ts_headline(t, plainto_tsquery('english','quickly')) from d;
--> {"ts_headline":"<b>quick</b> brown fox jumps over the lazy dog. The dog barks at the fox, who runs"}

select ts_headline('simple', t, to_tsquery('simple','fox'), 'StartSel="<b class=x>", StopSel=</b>') from d;
--> {"ts_headline":"<b class=x>fox</b> jumps over the lazy dog. The dog barks at the <b class=x>fox</b>, who runs away"}

select ts_headline('english', t, to_tsquery('english','nothing')) from d;
--> {"ts_headline":"The quick brown fox jumps over the lazy dog. The dog barks at the fox"}

select ts_headline('english', t, to_tsquery('english','nothing'), 'MinWords=3, MaxWords=5') from d;
--> {"ts_headline":"The quick brown"}

select ts_headline('english', t, to_tsquery('english','fox'), 'MaxWords=1') from d;
--> ERROR 22023: MinWords should be less than MaxWords

select ts_headline('english', t, to_tsquery('english','fox'), 'MaxWords=5, MinWords=5') from d;
--> ERROR 22023: MinWords should be less than MaxWords

select ts_headline('english', t, to_tsquery('english','fox'), 'Nope=1') from d;
--> ERROR 22023: unrecognized headline parameter: "Nope"

select ts_headline('english', t, to_tsquery('english','fox'), 'MaxFragments=-1') from d;
--> ERROR 22023: MaxFragments should be >= 0

select ts_headline('english', t, to_tsquery('english','fox:*'), 'MaxFragments=3, MaxWords=5, MinWords=2, FragmentDelimiter=|') from d;
--> {"ts_headline":"quick brown <b>fox</b> jumps over|<b>fox</b>, who runs away into|Later the <b>fox</b> returns with"}

select ts_headline('english', jsonb '{"a":"the fox","b":["dog fox",1]}', to_tsquery('english','fox'));
--> {"ts_headline":{"a":"the <b>fox</b>","b":["dog <b>fox</b>",1]}}

select ts_headline('english', '<b>fox</b> & http://fox.com/x fox@x.com', to_tsquery('english','fox'));
--> {"ts_headline":" <b>fox</b>  & http://fox.com/x fox@x.com"}

select ts_headline('english', t, to_tsquery('english','fox <-> jump | lazy <2> bark')) from d;
--> {"ts_headline":"<b>fox</b> <b>jumps</b> over the <b>lazy</b> dog. The dog <b>barks</b> at the <b>fox</b>, who runs away"}

select ts_headline('english', t, to_tsquery('english','!fox')) from d;
--> {"ts_headline":"The quick brown <b>fox</b> jumps over the lazy dog. The dog barks at the <b>fox</b>"}

select ts_headline('english', t, to_tsquery('english','fox'), '') from d;
--> {"ts_headline":"<b>fox</b>, who runs away into the forest quickly. Later the <b>fox</b> returns with other <b>foxes</b>"}

select ts_headline('english', '', to_tsquery('english','fox'));
--> {"ts_headline":""}

select ts_headline('english', t, to_tsquery('english', 'fox'), 'MaxFragments=5, MaxWords=4, MinWords=1') from d;
--> {"ts_headline":"brown <b>fox</b> jumps over ... <b>fox</b>, who runs away ... <b>fox</b> returns with other ... <b>foxes</b> to visit"}

select ts_headline('english', t, to_tsquery('english', 'fox & dog'), 'MaxFragments=2, MaxWords=10, MinWords=3') from d;
--> {"ts_headline":"lazy <b>dog</b>. The <b>dog</b> barks at the <b>fox</b>, who runs ... <b>fox</b> returns with other <b>foxes</b> to visit the lazy <b>dog</b>"}

select ts_headline('english', t, to_tsquery('english', 'fox & story'), 'MaxFragments=2, MaxWords=6, MinWords=3') from d;
--> {"ts_headline":"quick brown <b>fox</b> jumps over ... <b>fox</b> returns with other <b>foxes</b>"}

select ts_headline('english', t, to_tsquery('english', 'quick | forest | stories'), 'MaxFragments=3, MaxWords=3, MinWords=1, ShortWord=0') from d;
--> {"ts_headline":"The <b>quick</b> brown ... the <b>forest</b> <b>quickly</b> ... the <b>story</b> goes"}

select ts_headline('english', t, to_tsquery('english', 'nothing'), 'MaxFragments=2, MaxWords=6, MinWords=3') from d;
--> {"ts_headline":"The quick brown"}

select ts_headline('english', t, to_tsquery('english', 'fox'), 'MaxFragments=2, HighlightAll=true') from d;
--> {"ts_headline":"quick brown <b>fox</b> jumps over the lazy dog. The dog barks at the <b>fox</b>, who runs away into the forest quickly. Later the <b>fox</b> returns with other <b>foxes</b> to visit the lazy dog again"}

select ts_headline('english', t, to_tsquery('english', 'fox'), 'MaxFragments=1') from d;
--> {"ts_headline":"quick brown <b>fox</b> jumps over the lazy dog. The dog barks at the <b>fox</b>, who runs away into the forest quickly. Later the <b>fox</b> returns with other <b>foxes</b> to visit the lazy dog again"}

select ts_headline('english', t, to_tsquery('english', 'fox'), 'MaxFragments=2, FragmentDelimiter=""') from d;
--> {"ts_headline":"quick brown <b>fox</b> jumps over the lazy dog. The dog barks at the <b>fox</b>, who runs away into the forest quickly. Later the <b>fox</b> returns with other <b>foxes</b> to visit the lazy dog again"}

select ts_headline('english', t, to_tsquery('english', 'fox'), 'ShortWord=-1') from d;
--> ERROR 22023: ShortWord should be >= 0

select ts_headline('english', t, to_tsquery('english', 'fox'), 'MaxFragments=x') from d;
--> ERROR 22P02: invalid input syntax for type integer: "x"

select ts_headline('english', '<p>The fox</p> and <b>a dog</b> and one more fox', to_tsquery('english', 'fox'), 'MaxFragments=2, MaxWords=4, MinWords=1');
--> {"ts_headline":"<b>fox</b> ... more <b>fox</b>"}

select ts_headline('english', jsonb '{"a":"the fox and the dog and the other fox"}', to_tsquery('english', 'fox'), 'MaxFragments=2, MaxWords=3, MinWords=1');
--> {"ts_headline":{"a":"<b>fox</b> ... other <b>fox</b>"}}
