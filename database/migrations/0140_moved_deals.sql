-- Deals, coupons and cloaked links of a WordPress export move in with its posts.

alter table post_moves
  -- of deals whose categories are not here; null: missing categories are added
  add column category_id bigint,
  -- ids of the merchants and categories that it added
  add column made jsonb not null default '{"merchants": [], "categories": []}';

alter table post_move_items
  drop constraint post_move_items_kind_check,
  add constraint post_move_items_kind_check check (kind in ('post', 'page', 'deal', 'coupon', 'link'));
