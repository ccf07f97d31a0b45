drop table stored_pictures;
