-- The columns that a foreign key sets when the row is deleted to which it refers.

create table o (id int primary key, z int, unique (id, z)); create table c (id int, pid int, pz int, foreign key (pid, pz) references o (id, z) on delete set null (pz), q int references o on delete set null, r int references o on delete cascade, foreign key (q, r) references o (id, z) on delete set default (q, r));
--> no rows

select conname, confdelsetcols, confdeltype, conkey from pg_constraint where conrelid = 'c'::regclass order by 1;
--> {"conname":"c_pid_pz_fkey","confdelsetcols":[3],"confdeltype":"n","conkey":[2,3]}
--> {"conname":"c_q_fkey","confdelsetcols":null,"confdeltype":"n","conkey":[4]}
--> {"conname":"c_q_r_fkey","confdelsetcols":[4,5],"confdeltype":"d","conkey":[4,5]}
--> {"conname":"c_r_fkey","confdelsetcols":null,"confdeltype":"c","conkey":[5]}

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'c'::regclass order by 1;
--> {"conname":"c_pid_pz_fkey","pg_get_constraintdef":"FOREIGN KEY (pid, pz) REFERENCES o(id, z) ON DELETE SET NULL (pz)"}
--> {"conname":"c_q_fkey","pg_get_constraintdef":"FOREIGN KEY (q) REFERENCES o(id) ON DELETE SET NULL"}
--> {"conname":"c_q_r_fkey","pg_get_constraintdef":"FOREIGN KEY (q, r) REFERENCES o(id, z) ON DELETE SET DEFAULT (q, r)"}
--> {"conname":"c_r_fkey","pg_get_constraintdef":"FOREIGN KEY (r) REFERENCES o(id) ON DELETE CASCADE"}
