alter table watched_searches drop column evidence;
