import verifyWebhook from '#content/verify-webhook.txt?raw';
import message from '#content/webhook-message.json?raw';
import { Code } from './api-parts.tsx';
import styles from './developers-page.module.css';

/** Explains what a receiver of webhooks must do. */
export function WebhookRecipe({ events }: { events: { name: string; summary: string }[] }) {
  return (
    <>
      <p>
        We POST to your https address when something happens. The site’s owner adds the address and
        gives you its secret. The body is a <a href="#schema-WebhookMessage">WebhookMessage</a>.
      </p>
      <dl className={styles.fields}>
        {events.map(({ name, summary }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{summary}</dd>
          </div>
        ))}
      </dl>
      <Code>{message}</Code>
      <h3>Respond quickly</h3>
      <p>
        Any 2xx within five seconds means accepted. Everything else, even a redirect, is retried
        with growing delays for 48 hours. After five days without a success, or a 410, the address
        is turned off. A message may arrive twice and out of order: <code>webhook-id</code> stays
        the same in every attempt, so skip ids you have seen, and sort by <code>timestamp</code>.
      </p>
      <h3>Check the signature</h3>
      <p>
        Messages are signed as Standard Webhooks describes, so its libraries work. Without one, in
        JavaScript, with the body as received, before any parsing:
      </p>
      <Code>{verifyWebhook}</Code>
      <p>
        While a secret is being changed, the header has two signatures for a day, one with each
        secret. One match is enough.
      </p>
    </>
  );
}
