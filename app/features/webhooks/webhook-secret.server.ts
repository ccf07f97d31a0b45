import { randomBytes } from 'node:crypto';
import { openSealedSecret, sealSecret } from '#app/platform/sealed-secret.server.ts';
import type { Db } from '#database/connect.ts';

const secretBytes = 32;

/** Creates a secret for an endpoint, and its stored form. */
export async function newWebhookSecret(db: Db, endpointId: number) {
  const secret = randomBytes(secretBytes);
  return { secret, sealed: await sealSecret(db, sealedFor(endpointId), secret) };
}

export function openWebhookSecret(db: Db, endpointId: number, sealed: Buffer): Promise<Buffer> {
  return openSealedSecret(db, sealedFor(endpointId), sealed);
}

function sealedFor(endpointId: number) {
  return { purpose: 'webhook secrets', owner: String(endpointId) } as const;
}
