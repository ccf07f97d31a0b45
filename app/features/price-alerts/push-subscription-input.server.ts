import { z } from 'zod';
import { arePushKeys } from '#app/platform/push/encrypt-push.server.ts';
import { safeUrl } from '#app/platform/safe-url.ts';

/** The data of a browser's `PushSubscription`. */
export const pushSubscriptionSchema = z
  .object({
    endpoint: z
      .string()
      .transform((text) => safeUrl(text) ?? '')
      .refine((address) => address.startsWith('https://')),
    p256dh: z.string(),
    auth: z.string(),
  })
  .refine(arePushKeys);

export type PushSubscriptionInput = z.infer<typeof pushSubscriptionSchema>;
