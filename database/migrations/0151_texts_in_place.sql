-- Search reads the words of long descriptions with fewer disk accesses.
--
-- Rows of up to 8 kB are stored inline, so that comparing words does not read the TOAST table. Existing rows are
-- converted by their next change, or all at once by `vacuum full deal_texts`.
alter table deal_texts set (toast_tuple_target = 8160);
