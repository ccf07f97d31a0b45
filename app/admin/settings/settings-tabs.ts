/** The sections of the settings, each with its own URL. */
export const settingsTabs = [
  { name: 'site', label: 'Site' },
  { name: 'words', label: 'Homepage' },
  { name: 'prices', label: 'Price claims' },
  { name: 'newsletter', label: 'Newsletter' },
  { name: 'discovery', label: 'Discovery' },
  { name: 'staff', label: 'Staff' },
  { name: 'maintenance', label: 'Maintenance' },
  { name: 'mail', label: 'Mail test' },
  { name: 'data', label: 'Data' },
  { name: 'system', label: 'System' },
] as const;

export type SettingsTab = (typeof settingsTabs)[number]['name'];

/** Returns the section named in the URL, or the first one. */
export function tabOf(search: URLSearchParams): SettingsTab {
  const asked = search.get('section');
  return settingsTabs.find(({ name }) => name === asked)?.name ?? 'site';
}

export const tabHref = (tab: SettingsTab) => `/admin/settings?section=${tab}`;
