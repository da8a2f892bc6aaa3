-- Tables that inherit from others, which the embedded engine refuses by name

create table quota (id int primary key, amount int);
--> no rows

create table extra_quota (extra int) inherits (quota);
--> no rows

select count(*) from quota;
--> {"count":0}
