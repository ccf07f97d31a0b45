import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import type { WebhookEndpointSummary } from '#app/features/webhooks/webhook-queries.server.ts';

/** How an endpoint stands, in a word. */
export function EndpointState({
  endpoint: { is_active, switched_off_at, failures },
}: {
  endpoint: Pick<WebhookEndpointSummary, 'is_active' | 'switched_off_at' | 'failures'>;
}) {
  if (switched_off_at) return <StatusPill look="bad">Switched off</StatusPill>;
  if (!is_active) return <StatusPill look="plain">Off</StatusPill>;
  if (failures > 0) return <StatusPill look="warn">Failing</StatusPill>;
  return <StatusPill look="good">On</StatusPill>;
}
