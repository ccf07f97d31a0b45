import { z } from 'zod';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Db } from '#database/connect.ts';
import { openEvidenceKey } from './evidence-key.server.ts';
import { listCheckpoints } from './evidence-queries.server.ts';
import type { EvidenceSite, WitnessedDay } from './evidence-site-queries.server.ts';
import { fetchPages, hex, keyChanges, rulesFor, signedDay } from './fetch-checkpoints.server.ts';
import { isSigned, leadsTo, readKeyChanges, writeCosigned } from './signed-statements.ts';

/** The end of the year 9999 in seconds since 1970. */
const lastSecond = 253_402_300_799;

const page = z.object({
  key: hex(32),
  data: z.array(
    signedDay.extend({
      time: z.int().min(0).max(lastSecond),
      key: hex(32),
      cosignature: hex(64),
    }),
  ),
  conflicts: z.array(
    z.object({
      day: z.iso.date(),
      kept: signedDay.nullable(),
      settled_at: z.string().nullable(),
    }),
  ),
  key_changes: keyChanges,
  next_from: z.iso.date().nullable(),
});

/**
 * Fetches, verifies and stores a witness's countersignatures of our days. Returns the problem, or
 * `null`.
 */
export async function fetchCosignatures(
  { db, env }: AppServices,
  { id, address, key: pinned, through }: EvidenceSite,
  signal: AbortSignal,
): Promise<string | null> {
  const from = through === null ? '2000-01-01' : dayAfter(through);
  const pages = fetchPages(page, {
    site: address,
    path: '/api/v1/evidence/witnessed',
    query: { site: env.origin },
    from,
    rules: rulesFor(env, address, signal),
  });
  const own = await openEvidenceKey(db);
  let current = pinned;
  let conflict: z.infer<typeof page>['conflicts'][number] | undefined;
  for await (const { key, data, conflicts, key_changes: changes } of pages) {
    if (key === own.publicKey) return 'It signs with our key, so it is this site or a copy of it.';
    const nextKeys = await readKeyChanges(changes);
    if (current !== null && !leadsTo(current, key, nextKeys))
      return 'Its key changed, and the old key did not sign the change.';
    if (current !== key) await pinKey(db, id, key);
    current = key;
    conflict = conflicts.find(({ settled_at }) => settled_at === null);
    const ours = await listCheckpoints(db, data[0]?.day ?? from, data.length);
    const texts = new Map(ours.map(({ day, text }) => [day, text]));
    for (const day of data) {
      const text = texts.get(day.day);
      if (text !== day.text) {
        const which = text === undefined ? 'is missing from our log' : 'differs from ours';
        return `Its version of ${day.day} ${which}. We restored a backup or rewrote our log.`;
      }
      const isByIt = leadsTo(day.key, key, nextKeys);
      if (!isByIt || !(await isSigned(writeCosigned(text, day.time), day.cosignature, day.key)))
        return `Its countersignature of ${day.day} is wrong.`;
      await storeCosignature(db, id, day);
    }
  }
  if (!conflict) return null;
  return conflict.kept === null
    ? `It reports that the old key did not sign our new key of ${conflict.day}.`
    : `It reports that we rewrote ${conflict.day}.`;
}

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

async function pinKey(db: Db, siteId: number, key: string): Promise<void> {
  await db
    .updateTable('evidence_sites')
    .set('public_key', Buffer.from(key, 'hex'))
    .where('id', '=', siteId)
    .execute();
}

async function storeCosignature(
  db: Db,
  siteId: number,
  { day, time, key, cosignature }: WitnessedDay,
): Promise<void> {
  await db
    .insertInto('cosignatures')
    .values({
      site_id: siteId,
      day,
      cosigned_at: new Date(time * 1_000),
      public_key: Buffer.from(key, 'hex'),
      signature: Buffer.from(cosignature, 'hex'),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
