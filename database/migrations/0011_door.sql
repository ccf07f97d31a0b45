-- The access gate is a setting, and every process must be notified of a change immediately. The tag `settings` is
-- separate, so that imports, which announce `all`, do not make processes reload the settings.
drop trigger site_settings_announce on site_settings;
create trigger site_settings_announce after insert or update or delete on site_settings
  for each statement execute function announce_pages('all settings');
