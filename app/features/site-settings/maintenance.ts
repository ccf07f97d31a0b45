import { z } from 'zod';
import { readAddressRange } from '#app/platform/address-ranges.ts';

/** Addresses are stored normalized, without duplicates. */
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

/** The site's gate: maintenance mode and access gate. Both let staff in. */
export const maintenanceInput = z.object({
  enabled: z.boolean(),
  /** Addresses and ranges with access during maintenance. */
  allowedIPs: addresses,
  message: z.string().trim().min(1).max(500),
  /** Whether visitors with access see debug info. */
  showDebugInfo: z.boolean(),
  gate: z.object({
    enabled: z.boolean(),
    /** The only addresses with access while the gate is on. */
    allowedIPs: addresses,
    /** The name that other visitors see. */
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
