-- A list filtered by real lows, or by prices that fell this week, can be watched.
alter table watched_searches add column evidence text check (evidence in ('low', 'fell'));
