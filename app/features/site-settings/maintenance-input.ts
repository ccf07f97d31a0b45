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

/** Of the stored row and of every change. */
export const maintenanceInput = z.object({
  enabled: z.boolean(),
  allowedIPs: addresses,
  message: z.string().trim().min(1).max(500),
  showDebugInfo: z.boolean(),
  gate: z.object({
    enabled: z.boolean(),
    allowedIPs: addresses,
    siteName: z.string().trim().min(1).max(60),
  }),
});
