import { z } from 'zod';
import { checkUrl } from '#app/platform/safe-url.ts';
import { webhookEvents } from '#database/schema/program-tables.ts';
import { webhookMessages } from './webhook-messages.ts';

/**
 * The form of an endpoint. Private addresses are rejected when sending, after the name is
 * resolved.
 */
export const webhookInput = z.object({
  url: z.string().transform((text, context) => {
    const checked = checkUrl(text);
    if (checked.ok && checked.url.startsWith('https://') && new URL(checked.url).port === '') {
      return checked.url;
    }
    context.addIssue({ code: 'custom', message: webhookMessages.badAddress });
    return z.NEVER;
  }),
  events: z
    .array(z.enum(webhookEvents))
    .min(1, webhookMessages.noEvent)
    .transform((events) => webhookEvents.filter((event) => events.includes(event))),
});
