-- Pages load pictures by https only. Stored http addresses become https, as new ones do. Those with a port stay,
-- since no port serves both.
update deals set image_url = 'https' || substr(image_url, 5) where image_url ~ '^http://[^/:]+(/|$)';
update merchants set logo_url = 'https' || substr(logo_url, 5) where logo_url ~ '^http://[^/:]+(/|$)';
update blog_posts set featured_image_url = 'https' || substr(featured_image_url, 5)
 where featured_image_url ~ '^http://[^/:]+(/|$)';
-- The values that a rollback of an import would restore.
update import_changes set before = jsonb_set(before, '{image_url}', to_jsonb('https' || substr(before->>'image_url', 5)))
 where before->>'image_url' ~ '^http://[^/:]+(/|$)';
