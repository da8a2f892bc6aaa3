-- Templates of dates with TM, whose names are those of English, and prefixes without a pattern.

select to_char(date '2026-01-05', 'TMMonth YYYY') as a, to_char(date '2026-01-05', 'TMDay') as b, to_char(date '2026-01-05', 'FXYYYY') as c, to_char(date '2026-01-05', 'TMMON tmmon tmDY TMDD') as d;
--> {"a":"January 2026","b":"Monday","c":"2026","d":"JAN jan MON 05"}

select to_char(date '2026-01-05', 'FMTMMonth') as a, to_char(date '2026-01-05', 'TMFMMonth') as b, to_char(date '2026-01-05', 'TM Month|') as c, to_char(date '2026-01-05', 'TMD TMHH24 TMYY') as d;
--> {"a":"T01onth","b":"F01onth","c":" January  |","d":"2 00 26"}

select to_char(date '2026-01-05', 'FmDD') as a, to_char(date '2026-01-05', 'TmMonth') as b, to_char(timestamp '2026-01-05 03:04:05', 'TMDay, FMDD TMMonth YYYY, FMHH12:MI am') as c;
--> {"a":"Fm05","b":"TmJanuary  ","c":"Monday, 5 January 2026, 3:04 am"}

select to_date('5 january 2026', 'DD TMMonth YYYY') as a, to_date('Mon 5 Jan 2026', 'TMDy DD TMMon YYYY') as b, to_char(interval '1 day', 'TMDD') as c;
--> {"a":"2026-01-05","b":"2026-01-05","c":"01"}

select to_char(date '2026-01-05', 'mMonth') as a, to_char(date '2026-01-05', 'Month MONTH month MOnth') as b, to_char(date '2026-01-05', 'Dd dD Yyyy Hh24') as c;
--> {"a":"mJanuary  ","b":"January   JANUARY   january   MOnth","c":"22 22 6026 Hh24"}
