-- Run once on the primary as user postgres: psql -v password=… -f roles.sql
create role deals login in role pg_monitor password :'password';
create database deals owner deals template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8';
