/** The parts of the settings, each with an address of its own. */
export const settingsTabs = [
  { name: 'site', label: 'Site' },
  { name: 'words', label: 'Words and figures' },
  { name: 'prices', label: 'Price claims' },
  { name: 'newsletter', label: 'Newsletter' },
  { name: 'staff', label: 'Staff' },
  { name: 'maintenance', label: 'Maintenance' },
  { name: 'mail', label: 'Mail test' },
  { name: 'data', label: 'Data' },
  { name: 'system', label: 'System' },
] as const;

export type SettingsTab = (typeof settingsTabs)[number]['name'];

/** The part an address asks for; the first for every other. */
export function tabOf(search: URLSearchParams): SettingsTab {
  const asked = search.get('section');
  return settingsTabs.find(({ name }) => name === asked)?.name ?? 'site';
}

export const tabHref = (tab: SettingsTab) => `/admin/settings?section=${tab}`;
