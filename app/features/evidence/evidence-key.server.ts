import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { openSealedSecret, sealSecret } from '#app/platform/sealed-secret.server.ts';
import { storedSecret } from '#app/platform/site-secret.server.ts';
import type { Db } from '#database/connect.ts';
import { writeKeyChange } from './signed-statements.ts';

const sealedFor = { purpose: 'evidence key', owner: 'site' } as const;
const secretName = 'evidence key';

/** Signs with the site's Ed25519 key, which is created when it is first needed. */
export async function openEvidenceKey(db: Db) {
  const sealed = await sealKey(db, makeKey());
  const stored = await storedSecret(db, secretName, () => sealed);
  const bytes = await openSealedSecret(db, sealedFor, Buffer.from(stored, 'base64url'));
  return signerOf(createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' }));
}

/** Replaces the key, and publishes the change with the signatures of both keys. */
export async function changeEvidenceKey(
  db: Db,
  { actor, now }: { actor: string; now: Date },
): Promise<{ old: string; next: string }> {
  const old = await openEvidenceKey(db);
  const made = makeKey();
  const next = signerOf(made);
  const sealed = await sealKey(db, made);
  const text = writeKeyChange(old.publicKey, next.publicKey, now);
  await db.transaction().execute(async (tx) => {
    // Changing the same old key a second time fails here.
    await tx
      .insertInto('evidence_key_changes')
      .values({
        old_key: Buffer.from(old.publicKey, 'hex'),
        new_key: Buffer.from(next.publicKey, 'hex'),
        text,
        old_signature: old.sign(text),
        new_signature: next.sign(text),
      })
      .execute();
    await tx
      .updateTable('site_secrets')
      .set('value', sealed)
      .where('name', '=', secretName)
      .execute();
    const keys = { before: { key: old.publicKey }, after: { key: next.publicKey } };
    await writeAudit(tx, { actor, action: 'evidence.change-key', entity: 'evidence', ...keys });
  });
  return { old: old.publicKey, next: next.publicKey };
}

const makeKey = () => generateKeyPairSync('ed25519').privateKey;

async function sealKey(db: Db, key: KeyObject): Promise<string> {
  const bytes = key.export({ format: 'der', type: 'pkcs8' });
  return (await sealSecret(db, sealedFor, bytes)).toString('base64url');
}

function signerOf(key: KeyObject) {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const publicKey = Buffer.from(x, 'base64url').toString('hex');
  return { publicKey, sign: (text: string) => sign(null, Buffer.from(text), key) };
}
