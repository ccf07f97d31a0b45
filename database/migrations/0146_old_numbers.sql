-- Old links by number, such as /?p=12, lead to moved posts and pages.
create index post_move_items_old_id on post_move_items (old_id) where outcome in ('moved', 'kept');
