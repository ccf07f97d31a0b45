-- Pages state only facts about a site that its owner has entered. The demo shop's facts, until now the defaults of
-- every site, become rows that are removed with it. Values that an owner has stored are kept.

insert into site_settings (name, value, updated_by)
select 'figures', value, updated_by from site_settings where name = 'aboutFigures'
on conflict do nothing;
delete from site_settings where name = 'aboutFigures';

-- The mode `words` becomes `own` if the owner has entered figures, otherwise `document` (those of the specification).
insert into site_settings (name, value, updated_by)
select 'figuresMode', '"own"', updated_by from site_settings where name = 'figures'
on conflict (name) do update set value = '"own"' where site_settings.value = '"words"';
update site_settings set value = '"document"' where name = 'figuresMode' and value = '"words"';

insert into site_settings (name, value, updated_by)
select name, value, 'demo'
  from (values
    ('figuresMode', '"document"'::jsonb),
    ('contactEmail', '"support@dealhub.example"'),
    ('contactPhone', '"+1 (555) 123-4567"'),
    ('supportTimes', '[{"days": "Monday to Friday", "hours": "9AM–6PM EST"}, {"days": "Saturday", "hours": "10AM–4PM EST"}, {"days": "Sunday", "hours": "Closed"}]'),
    ('replyHours', '24'),
    ('openingYear', '2025'),
    ('affiliateProgrammes', '["Amazon Services LLC Associates Program"]')) as facts (name, value)
 where exists (select from deals where is_demo) or exists (select from categories where is_demo)
    or exists (select from merchants where is_demo) or exists (select from blog_posts where is_demo)
on conflict do nothing;

-- Amazon's affiliate program requires its sentence, so a site that links to Amazon keeps it.
insert into site_settings (name, value, updated_by)
select 'affiliateProgrammes', '["Amazon Services LLC Associates Program"]', null
 where exists (select from merchants where website_url ~* '^https?://([\w-]+\.)*amazon\.')
on conflict do nothing;
