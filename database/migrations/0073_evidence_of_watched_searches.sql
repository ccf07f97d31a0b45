-- A list that is narrowed to real lows, or to prices that fell this week, can be watched.
alter table watched_searches add column evidence text check (evidence in ('low', 'fell'));
