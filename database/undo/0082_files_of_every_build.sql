drop table build_files;
