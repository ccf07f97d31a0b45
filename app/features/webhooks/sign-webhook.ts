import { createHmac } from 'node:crypto';

export const signaturePrefix = 'whsec_';

/** Returns the secret in the format of Standard Webhooks libraries. */
export function writeWebhookSecret(secret: Buffer): string {
  return signaturePrefix + secret.toString('base64');
}

/**
 * Returns the headers of Standard Webhooks 1.0. Every secret signs the message, so that a receiver
 * needs only one of them during a change. `at` is the time of this attempt, and the id stays the
 * same.
 */
export function signWebhook(
  secrets: readonly Buffer[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map(
    (secret) =>
      `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
