import type { MaintenanceSettings } from './maintenance.ts';

/** The action that opens the site again. */
export const openSiteAct = {
  label: 'Open the site',
  action: '/admin/settings?section=maintenance',
  fields: { intent: 'open-site' },
} as const;

/** Describes for staff what locks visitors out, or `null` while the site is open. */
export function describeClosed({ enabled, gate }: MaintenanceSettings): string | null {
  if (enabled && gate.enabled) return 'Maintenance mode and the access gate keep visitors out.';
  if (enabled) return 'Maintenance mode keeps visitors out.';
  return gate.enabled ? 'The access gate keeps visitors out.' : null;
}
