import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import type { WebhookEndpointSummary } from '#app/features/webhooks/webhook-queries.server.ts';
import { EndpointState } from './endpoint-state.tsx';
import styles from './developers.module.css';

/** How it goes with an endpoint, and since when. */
export function EndpointHealth({ endpoint, now }: { endpoint: WebhookEndpointSummary; now: Date }) {
  const { switched_off_at, failing_since, failures, paused_until, old_secret_until } = endpoint;
  const isPaused = paused_until !== null && paused_until > now && endpoint.is_active;
  return (
    <p className={styles.health}>
      <EndpointState endpoint={endpoint} />{' '}
      {switched_off_at ? (
        <>
          The site switched it off <RelativeTime at={switched_off_at} now={now} />, after days
          without a good answer. Ping it, and switch it on when it listens again.
        </>
      ) : failing_since ? (
        <>
          No good answer since <RelativeTime at={failing_since} now={now} />, {failures}{' '}
          {failures === 1 ? 'try' : 'tries'}.{isPaused ? ' It is left alone for a while.' : ''}
        </>
      ) : null}
      {old_secret_until !== null && old_secret_until > now ? ' Two secrets sign for now.' : ''}
    </p>
  );
}
