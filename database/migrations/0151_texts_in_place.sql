-- Search reads the words of long descriptions with fewer disk accesses.
--
-- A row of up to 8 kB stays in one place, so that comparing words reads no second table. Rows
-- written before move with their next change, or all at once by `vacuum full deal_texts`.
alter table deal_texts set (toast_tuple_target = 8160);
