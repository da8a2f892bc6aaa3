-- Intervals in `to_char`, negative ones and those with parts that only dates have

select to_char(interval '-3 days', 'DD HH24:MI'), to_char(interval '-3 days -10 hours -5 mins', 'DD HH24 MI SS MS US'), to_char(interval '-1 year -2 mons', 'YYYY MM YY YYY Y IYYY CC'), to_char(interval '-1 hour', 'HH HH12 HH24 FMHH24');
--> {"to_char":"-01 -01 -01 -1"}

select to_char(interval '-15 days', 'DD|FMDD|DDD|D|J|Q|W|WW'), to_char(interval '-5 days', 'DDD DDDD DDth Dth');
--> ERROR 22007: invalid format specification for an interval value
--> HINT: Intervals are not tied to specific calendar dates.

select to_char(interval '-400 days', 'DD DDD'), to_char(interval '-3 mons', 'MM|MON|Mon|RM|rm|Q');
--> ERROR 22007: invalid format specification for an interval value
--> HINT: Intervals are not tied to specific calendar dates.

select to_char(interval '-2 seconds', 'SS SSSS SSSSS MS FF3'), to_char(interval '-100 hours', 'HH24 HH12 HH AM'), to_char(interval '3 days', 'DD FMDD');
--> {"to_char":"03 3"}

select to_char(interval '-12345 years', 'YYYY Y,YYY YYY YY Y IYYY'), to_char(interval '-7 years', 'YYYY Y,YYY YYY YY Y');
--> {"to_char":"-0007 0,-07 -007 -07 -7"}

select to_char(interval '1 year 400 days', 'IYYY IW IDDD WW W J Q RM CC DDD') as a, to_char(interval '-1 year -2 mons -3 days -04:05:06.789', 'YYYY-MM-DD HH24:MI:SS.MS.US FF1 FF3 FF6 RM Q') as b, to_char(interval '3 days', 'DDth DD FMDD Q RM| RMth|') as c;
--> {"a":"0002 01 005 109 58 1721794  XII  00 760","b":"-0001--02--3 -04:-05:-06.-789.-789000 -7 -789 -789000 XI   0","c":"03rd 03 3  | |"}

select to_char(interval '-7 years', 'YYYY Y,YYY YYY YY Y CC IYYY IYY I') as a, to_char(interval '-1 hour', 'HH HH12 HH24 FMHH24 AM') as b, to_char(interval '-14 mons', 'RM rm FMRM MM Q') as c, to_char(interval '150 years', 'CC') as d;
--> {"a":"-0007 0,-07 -007 -07 -7 00 -0008 -008 -8","b":"-01 -01 -01 -1 AM","c":"XI   xi   XI -02 0","d":"01"}

select to_char(interval '-15 days', 'DD|FMDD|DDD|J|W|WW|IW') as a;
--> {"a":"-15|-15|-15|1721013|-1|-1|46"}

select to_char(interval '5 mons', 'Mon');
--> ERROR 22007: invalid format specification for an interval value
--> HINT: Intervals are not tied to specific calendar dates.

select to_char(interval '5 days', 'D');
--> ERROR 22007: invalid format specification for an interval value
--> HINT: Intervals are not tied to specific calendar dates.

select to_char(interval '5 days', 'ID');
--> ERROR 22007: invalid format specification for an interval value
--> HINT: Intervals are not tied to specific calendar dates.

select to_char(interval '5 days', 'BC');
--> ERROR 22007: invalid format specification for an interval value
--> HINT: Intervals are not tied to specific calendar dates.

select to_char(interval '-0.5 seconds', 'SS.MS US FF2 FMMS SSSSS') as a, to_char(timestamp '2024-01-01 00:00:00.005', 'FMMS FMUS MS US FF3') as b;
--> {"a":"00.-500 -500000 -50 -500 0","b":"005 005000 005 005000 005"}

select to_char(interval '14 mons 40 days 100 hours', 'YYYY MM DD HH24 DDD IDDD IYYY IW WW W Q RM J CC') as a, to_char(interval '13 mons', 'RM Q IYYY IW IDDD') as b, to_char(interval '11 mons 31 days', 'IYYY IW IDDD WW RM Q') as c, to_char(interval '1999 years 11 mons 31 days', 'IYYY IW IDDD WW RM Q CC J') as d;
--> {"a":"0001 02 40 100 460 071 0001 11 66 6 1 II   1721496 00","b":"I    1 0000 52 364","c":"0000 48 334 52 XI   4","d":"1999 48 332 102858 XI   4 19 2451514"}
