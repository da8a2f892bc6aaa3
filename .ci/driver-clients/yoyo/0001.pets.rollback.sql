drop table pet;
drop type kind;
