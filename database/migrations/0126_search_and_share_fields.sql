-- Owners can choose the title, text and picture of categories, stores and posts for search results and link previews.
alter table categories
  add column seo_title text check (length(seo_title) <= 200),
  add column seo_description text check (length(seo_description) <= 500),
  add column share_text text check (length(share_text) <= 500),
  add column share_image_url text,
  add column noindex boolean not null default false;
alter table merchants
  add column seo_title text check (length(seo_title) <= 200),
  add column seo_description text check (length(seo_description) <= 500),
  add column share_text text check (length(share_text) <= 500),
  add column share_image_url text,
  add column noindex boolean not null default false;
alter table blog_posts
  add column share_text text check (length(share_text) <= 500),
  add column noindex boolean not null default false;

drop trigger categories_announce_update on categories;
create trigger categories_announce_update
  after update of name, slug, description, icon, seo_title, seo_description, share_text, share_image_url, noindex on categories
  for each statement execute function announce_pages('old all');
