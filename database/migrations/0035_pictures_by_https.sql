-- Pages load pictures over https only, so stored http URLs become https, as new ones do. URLs with a port are left,
-- because no port serves both.
update deals set image_url = 'https' || substr(image_url, 5) where image_url ~ '^http://[^/:]+(/|$)';
update merchants set logo_url = 'https' || substr(logo_url, 5) where logo_url ~ '^http://[^/:]+(/|$)';
update blog_posts set featured_image_url = 'https' || substr(featured_image_url, 5)
 where featured_image_url ~ '^http://[^/:]+(/|$)';
-- The same change to the values that an import rollback would restore.
update import_changes set before = jsonb_set(before, '{image_url}', to_jsonb('https' || substr(before->>'image_url', 5)))
 where before->>'image_url' ~ '^http://[^/:]+(/|$)';
