import type { WebhookEvent } from '#database/schema/program-tables.ts';

export const webhookMessages = {
  badAddress: 'Enter an https address on its usual port, such as https://example.com/hooks.',
  noEvent: 'Choose at least one event.',
  tooMany: 'There are already 20 endpoints. Delete one that is no longer needed.',
  gone: 'This endpoint no longer exists.',
};

export const webhookEventLabels: Record<WebhookEvent | 'ping', string> = {
  'deal.published': 'A deal is published',
  'deal.price_changed': 'A price changes',
  'alert.fired': 'A price alert fires',
  ping: 'Ping',
};
