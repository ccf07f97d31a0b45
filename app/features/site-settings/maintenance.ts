import { z } from 'zod';
import { readAddressRange } from '#app/platform/address-ranges.ts';

/** As they are stored and checked: each in its one spelling, none twice. */
const addresses = z
  .array(
    z.string().transform((text, context) => {
      const range = readAddressRange(text);
      if (range === null) context.addIssue({ code: 'custom', message: 'no address', input: text });
      return range ?? '';
    }),
  )
  .max(200)
  .transform((list) => [...new Set(list)]);

/** What stands at the gate: maintenance mode and the access gate (P14 to P16). Both let staff pass. */
export const maintenanceInput = z.object({
  enabled: z.boolean(),
  /** Addresses and ranges that pass while the mode is on. */
  allowedIPs: addresses,
  message: z.string().trim().min(1).max(500),
  /** Shown to those who are let in, never to the others. */
  showDebugInfo: z.boolean(),
  gate: z.object({
    enabled: z.boolean(),
    /** The only addresses that see the site while the gate is on. */
    allowedIPs: addresses,
    /** What the others take the site for. */
    siteName: z.string().trim().min(1).max(60),
  }),
});

export type MaintenanceSettings = z.output<typeof maintenanceInput>;

export const defaultMaintenance: MaintenanceSettings = {
  enabled: false,
  allowedIPs: [],
  message: "Site is under maintenance. We'll be back soon!",
  showDebugInfo: false,
  gate: { enabled: false, allowedIPs: [], siteName: 'New Site' },
};
