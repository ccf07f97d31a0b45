drop table site_versions;
