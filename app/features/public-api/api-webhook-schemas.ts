import { z } from 'zod';
import { webhookEvents } from '#database/schema/program-tables.ts';
import { address, id, money, named, ofProduct, time } from './api-schemas.ts';

export const webhookMessage = named(
  'WebhookMessage',
  z
    .object({
      type: z.enum([...webhookEvents, 'ping']),
      timestamp: time.describe('The time of the event.'),
      data: z.object({
        deal: z
          .object({
            id,
            slug: z.string(),
            title: z.string(),
            url: address,
            api_url: address,
            ...ofProduct,
          })
          .optional(),
        price: money
          .nullable()
          .optional()
          .describe('The price then; null if the store’s program requires hiding it.'),
        previous_price: money.nullable().optional(),
        alert_id: id
          .optional()
          .describe('The alert’s id, for `alert.fired`. Nothing else is revealed.'),
      }),
    })
    .describe('The body of a webhook. A ping has no data.'),
);
