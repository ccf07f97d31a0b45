import type { FormOutcome } from '#app/admin/frame/form-outcome.ts';
import type { MaintenanceRefusal } from '#app/features/site-settings/submit-maintenance.server.ts';

/** What the forms of the settings say on the page itself, each in its own field. */
export interface SettingsAnswer {
  form?: FormOutcome;
  maintenance?: MaintenanceRefusal;
  /** Why a picture did not become the logo, and the address that was typed. */
  logo?: { error: string; address: string };
  imported?: { imported: number; errors: string[] };
}
