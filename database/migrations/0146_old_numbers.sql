-- Old links with a post id, such as /?p=12, redirect to imported posts and pages.
create index post_move_items_old_id on post_move_items (old_id) where outcome in ('moved', 'kept');
