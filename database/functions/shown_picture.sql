-- Returns the URL that pages use for a picture: our copy if there is one, nothing if the picture
-- was rejected, otherwise the original. `may_copy`: the store allows copies.
create or replace function shown_picture(address text, may_copy boolean) returns text
language sql stable parallel safe
return nullif(coalesce((
  select case when p.name is not null then '/media/' || p.name || '.avif' when p.is_refused then '' end
    from pictures p where may_copy and p.source_key = md5(address)::uuid), address), '');
