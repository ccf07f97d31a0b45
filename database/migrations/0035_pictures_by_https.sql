-- Pages show pictures by https only. Addresses by http become https, as those that are entered from now on do; on a port
-- of its own nothing answers both, so those stay.
update deals set image_url = 'https' || substr(image_url, 5) where image_url ~ '^http://[^/:]+(/|$)';
update merchants set logo_url = 'https' || substr(logo_url, 5) where logo_url ~ '^http://[^/:]+(/|$)';
update blog_posts set featured_image_url = 'https' || substr(featured_image_url, 5)
 where featured_image_url ~ '^http://[^/:]+(/|$)';
-- What a rollback of an import would put back.
update import_changes set before = jsonb_set(before, '{image_url}', to_jsonb('https' || substr(before->>'image_url', 5)))
 where before->>'image_url' ~ '^http://[^/:]+(/|$)';
