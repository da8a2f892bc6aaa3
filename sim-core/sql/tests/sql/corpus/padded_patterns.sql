-- In a match with patterns the trailing blanks of a char are part of the text

create table padded_texts (c char(6), v varchar(6)); insert into padded_texts values ('b', 'b'), ('ab', 'ab  ');
--> no rows

select c like any (array['a%', '%b']) as a, c not like all (array['%b']) as b, c ilike any (array['%B']) as c, c like any (array['%b *', '%b    ']) as d, c ~ any (array['b$', 'x']) as e, c !~~ any (array['%b']) as f, c ~~* all (array['%B', 'b%']) as g, c = any (array['b', 'ab']) as h, c like all (array['%b%', '%']) as i from padded_texts order by padded_texts.c;
--> {"a":true,"b":true,"c":false,"d":true,"e":false,"f":true,"g":false,"h":true,"i":true}
--> {"a":false,"b":true,"c":false,"d":false,"e":false,"f":true,"g":false,"h":true,"i":true}

select c from padded_texts where c like any (select '%b') order by c;
--> no rows
