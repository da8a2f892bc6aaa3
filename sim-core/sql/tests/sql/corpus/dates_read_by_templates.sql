-- Dates and times read by templates: texts that end early, widths, weeks, centuries, and fields that contradict each other.

select to_date('2026', 'YYYYMM');
--> {"to_date":"2026-01-01"}

select to_date('202603','YYYYMMDD'), to_date('2026-03','YYYY-MM-DD'), to_date('2026-','YYYY-MM');
--> {"to_date":"2026-01-01"}

select to_date('','YYYY-MM-DD');
--> {"to_date":"0001-01-01 BC"}

select to_timestamp('2026-03-04','YYYY-MM-DD HH24:MI:SS'), to_timestamp('10:20','HH24:MI:SS');
--> {"to_timestamp":"0001-01-01 10:20:00+00 BC"}

select to_date('2026-W10','IYYY-"W"IW');
--> {"to_date":"2026-03-02"}

select to_date('2026-10-3','IYYY-IW-ID');
--> {"to_date":"2026-03-04"}

select to_date('2026-10','YYYY-WW');
--> {"to_date":"2026-03-05"}

select to_date('2026-065','IYYY-IDDD');
--> {"to_date":"2026-03-03"}

select to_number('','999');
--> ERROR 22P02: invalid input syntax for type numeric: " "

select to_date('2026-','YYYY-Mon');
--> {"to_date":"2026-01-01"}

select to_date('','Mon');
--> {"to_date":"0001-01-01 BC"}

select to_date('   ','YYYY');
--> ERROR 22007: invalid value "" for "YYYY"
--> DETAIL: Value must be an integer.

select to_date('2026 ','YYYY MM');
--> {"to_date":"2026-01-01"}

select to_date('2026abc','YYYYMM');
--> ERROR 22007: invalid value "ab" for "MM"
--> DETAIL: Value must be an integer.

select to_date('2026-xx','YYYY-MM');
--> ERROR 22007: invalid value "xx" for "MM"
--> DETAIL: Value must be an integer.

select to_date('20261','YYYYMM');
--> {"to_date":"2026-01-01"}

select to_date('2026-3-4','YYYY-MM-DD'), to_date('4/3/26','DD/MM/YY'), to_date('4/3/2026 junk','DD/MM/YYYY');
--> {"to_date":"2026-03-04"}

select to_date('04 mar 2026','DD Mon YYYY'), to_date('4 March 2026','DD Month YYYY'), to_date('mar','mon');
--> {"to_date":"0001-03-01 BC"}

select to_timestamp('04/03','DD/MM/YYYY'), to_timestamp('2026','YYYY-MM-DD'), to_timestamp('2026-03-04T10','YYYY-MM-DD"T"HH24:MI');
--> {"to_timestamp":"2026-03-04 10:00:00+00"}

select to_timestamp('10 PM','HH12 AM'), to_timestamp('10','HH12 AM'), to_timestamp('10','HH AM MI');
--> {"to_timestamp":"0001-01-01 10:00:00+00 BC"}

select to_timestamp('1','MS'), to_timestamp('1.5','SS.MS'), to_timestamp('','US');
--> {"to_timestamp":"0001-01-01 00:00:00+00 BC"}

select to_timestamp('2026-03-04 10:11:12.345','YYYY-MM-DD HH24:MI:SS'), to_timestamp('2026-03-04 10:11:12.345','YYYY-MM-DD HH24:MI:SS.MS');
--> {"to_timestamp":"2026-03-04 10:11:12.345+00"}

select to_timestamp('2026-03-04 10:11','YYYY-MM-DD HH24:MI TZH');
--> {"to_timestamp":"2026-03-04 10:11:00+00"}

select to_timestamp('2026-03-04 10:11+02','YYYY-MM-DD HH24:MITZH'), to_timestamp('2026-03-04 10:11+02:30','YYYY-MM-DD HH24:MITZH:TZM');
--> {"to_timestamp":"2026-03-04 07:41:00+00"}

select to_timestamp('2026-03-04 10:11+02','YYYY-MM-DD HH24:MIOF');
--> ERROR 0A000: formatting field "OF" is only supported in to_char

select to_timestamp('2026-03-04 10:11 UTC','YYYY-MM-DD HH24:MI TZ');
--> ERROR 0A000: formatting field "TZ" is only supported in to_char

select to_date('20','YY'), to_date('026','YYY'), to_date('6','Y'), to_date('1,026','Y,YYY');
--> {"to_date":"1026-01-01"}

select to_date('2026','Y,YYY');
--> ERROR 22007: invalid input string for "Y,YYY"

select to_date('100','YY');
--> {"to_date":"2100-01-01"}

select to_date('0','YYYY'), to_date('0001','YYYY'), to_date('-5','YYYY');
--> {"to_date":"0005-01-01 BC"}

select to_date('10 BC','YYYY BC'), to_date('10','YYYY BC');
--> {"to_date":"0010-01-01"}

select to_date('20260304','YYYY-MM-DD'), to_date('2026-03-04','YYYYMMDD');
--> ERROR 22008: date out of range: "20260304"

select to_date('2026/03/04','YYYY-MM-DD'), to_date('2026 03 04','YYYY-MM-DD'), to_date('2026--03','YYYY-MM');
--> ERROR 22008: date/time field value out of range: "2026--03"

select to_date('2026-03-04','FXYYYY-MM-DD');
--> {"to_date":"2026-03-04"}

select to_date('2026/03/04','FXYYYY-MM-DD');
--> {"to_date":"2026-03-04"}

select to_date('4th March 2026','DDth Month YYYY');
--> {"to_date":"2026-03-04"}

select to_date('2460000','J');
--> {"to_date":"2023-02-24"}

select to_date('21','CC'), to_date('2126','CCYY');
--> {"to_date":"2026-01-01"}

select to_date('2026-IV','YYYY-RM'), to_date('2026-xii','YYYY-rm');
--> {"to_date":"2026-12-01"}

select to_date('2026 3','YYYY Q');
--> {"to_date":"2026-01-01"}

select to_date('2026 3 2','YYYY MM W');
--> {"to_date":"2026-03-08"}

select to_timestamp('86399','SSSS'), to_timestamp('3600','SSSSS');
--> {"to_timestamp":"0001-01-01 01:00:00+00 BC"}

select to_date('032026','MMYYYY'), to_date('122025','MMYYYY');
--> {"to_date":"2025-12-01"}

select to_date('2026-02-30','YYYY-MM-DD');
--> ERROR 22008: date/time field value out of range: "2026-02-30"

select to_date('2026-13-01','YYYY-MM-DD');
--> ERROR 22008: date/time field value out of range: "2026-13-01"

select to_date('2026-00-01','YYYY-MM-DD');
--> {"to_date":"2026-01-01"}

select to_date('2026-01-00','YYYY-MM-DD');
--> {"to_date":"2026-01-01"}

select to_date('monday','day'), to_date('mon 4','dy DD');
--> {"to_date":"0001-01-04 BC"}

select to_date('2026-03 extra','YYYY-MM-DD');
--> ERROR 22007: invalid value "ex" for "DD"
--> DETAIL: Value must be an integer.

select to_date('yyyy','YYYY');
--> ERROR 22007: invalid value "yyyy" for "YYYY"
--> DETAIL: Value must be an integer.

select to_timestamp('25:00','HH24:MI');
--> ERROR 22008: date/time field value out of range: "25:00"

select to_timestamp('13','HH12');
--> ERROR 22007: hour "13" is invalid for the 12-hour clock
--> HINT: Use the 24-hour clock, or give an hour between 1 and 12.

select to_timestamp('10:60','HH24:MI');
--> ERROR 22008: date/time field value out of range: "10:60"

select to_date('2026-03-04','');
--> {"to_date":"0001-01-01 BC"}

select to_date('2026 366','YYYY DDD'), to_date('2026 065','YYYY DDD');
--> ERROR 22008: date/time field value out of range: "2026 366"

select to_date('1 2','MM');
--> {"to_date":"0001-01-01 BC"}

select to_date('2026-03-04','YYYY-DD-MM-DD');
--> {"to_date":"2026-04-03"}

select to_date('2026-03','YYYY-MM-MM');
--> {"to_date":"2026-03-01"}

select to_date('2026-10','YYYY-IW');
--> ERROR 22007: invalid combination of date conventions
--> HINT: Do not mix Gregorian and ISO week date conventions in a formatting template.

select to_date('2026-03-01 10','IYYY-MM-DD');
--> ERROR 22007: invalid combination of date conventions
--> HINT: Do not mix Gregorian and ISO week date conventions in a formatting template.

create function d(t text) returns date language plpgsql as $$ begin return to_date(substring(t from '(\d{4})'), 'YYYYMM'); end $$; select d('y2026');
--> {"d":"2026-01-01"}

select to_date('2026-03', 'YYYY-MM-DD') from generate_series(1, 2);
--> {"to_date":"2026-03-01"}
--> {"to_date":"2026-03-01"}

select to_timestamp('2026-03-04 10:11:12 +02', 'YYYY-MM-DD HH24:MI:SS TZH'), to_timestamp('2026-03-04 10:11:12-03', 'YYYY-MM-DD HH24:MI:SS-TZH');
--> {"to_timestamp":"2026-03-04 07:11:12+00"}

select to_timestamp('2026-03-04T10:11:12Z', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), to_timestamp('2026-03-04T10:11:12.123456', 'YYYY-MM-DD"T"HH24:MI:SS.US'), to_timestamp('04/Mar/2026:10:11:12 +0100', 'DD/Mon/YYYY:HH24:MI:SS TZH'), to_timestamp('12:30 pm', 'HH:MI am'), to_timestamp('2026-03-04 12:30 p.m.', 'YYYY-MM-DD HH12:MI p.m.');
--> ERROR 22009: time zone displacement out of range: "04/Mar/2026:10:11:12 +0100"

select to_timestamp('20260304101112', 'YYYYMMDDHH24MISS'), to_timestamp('2026063 1530', 'YYYYDDD HH24MI'), to_date('2026 March 4th', 'YYYY Month DDth');
--> {"to_timestamp":"2026-03-04 15:30:00+00","to_date":"2026-03-04"}

select to_date('26-3-4', 'YY-MM-DD'), to_date('99-12-31', 'YY-MM-DD'), to_date('1-Jan-70', 'DD-Mon-YY'), to_date('450', 'YYY'), to_date('620', 'YYY');
--> {"to_date":"1620-01-01"}

select to_timestamp('1.1', 'SS.FF1'), to_timestamp('1.123456', 'SS.FF3'), to_timestamp('1.999', 'SS.FF2');
--> {"to_timestamp":"0001-01-01 00:00:02+00 BC"}

select to_date('  2026-03-04', 'YYYY-MM-DD'), to_date('2026-03-04', '  YYYY-MM-DD'), to_date('2026   03', 'YYYY MM'), to_date('2026.03.04', 'YYYY MM DD'), to_date('2026x03x04', 'YYYYxMMxDD'), to_date('2026y03', 'YYYYxMM');
--> {"to_date":"2026-03-01"}

select to_date('99999999', 'YYYY');
--> ERROR 22008: date out of range: "99999999"

select to_date('9999999', 'YYYY');
--> ERROR 22008: date out of range: "9999999"

select to_date('4714-01-01 BC', 'YYYY-MM-DD BC');
--> ERROR 22008: date out of range: "4714-01-01 BC"

select to_timestamp('300000', 'YYYY');
--> ERROR 22008: timestamp out of range

select to_date('12é2026', 'MM"é"YYYY'), to_date('março 2026', 'TMMonth YYYY');
--> ERROR 22007: invalid value "março" for "Month"
--> DETAIL: The given value did not match any of the allowed values for this field.

select to_date(null, 'YYYY'), to_date('2026', null), to_timestamp('', ''), to_date('x', '');
--> {"to_date":"0001-01-01 BC","to_timestamp":"0001-01-01 00:00:00+00 BC"}

select to_char(date '2026-03-04', 'YYYY\\MM "a\"b" \"'), to_char(date '2026-03-04', '"x\\y"');
--> {"to_char":"x\\y"}
