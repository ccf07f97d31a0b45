-- Imports of a WordPress export include its deals, coupons and cloaked links.

alter table post_moves
  -- the category of deals whose own is missing; null: missing categories are added
  add column category_id bigint,
  -- ids of the merchants and categories that the import added
  add column made jsonb not null default '{"merchants": [], "categories": []}';

alter table post_move_items
  drop constraint post_move_items_kind_check,
  add constraint post_move_items_kind_check check (kind in ('post', 'page', 'deal', 'coupon', 'link'));
