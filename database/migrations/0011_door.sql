-- What stands at the door is one of the settings, and every process must hear of it at once (R32).
-- `settings` is a word of its own, so that imports, which announce `all`, make nobody read them again.
drop trigger site_settings_announce on site_settings;
create trigger site_settings_announce after insert or update or delete on site_settings
  for each statement execute function announce_pages('all settings');
