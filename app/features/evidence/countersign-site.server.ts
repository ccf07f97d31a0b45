import { mailAdministrators } from '#app/features/accounts/people/mail-administrators.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { openEvidenceKey } from './evidence-key.server.ts';
import type { EvidenceSite } from './evidence-site-queries.server.ts';
import { fetchCheckpoints, rulesFor } from './fetch-checkpoints.server.ts';
import { writeCosigned } from './signed-statements.ts';
import type { SignedCheckpoint } from './verify-evidence.ts';
import { type Conflict, witnessSite } from './witness-site.server.ts';

/**
 * Stores and countersigns a site's new days, unless it rewrote one. Returns the problem, or `null`.
 */
export async function countersignSite(
  services: AppServices,
  { id, address }: EvidenceSite,
  signal: AbortSignal,
): Promise<string | null> {
  const { db, env } = services;
  const kept = await listKeptDays(db, id);
  const { added, conflict, problems } = await witnessSite(
    kept,
    (from) => fetchCheckpoints(address, from, rulesFor(env, address, signal)),
    await listAcceptedTexts(db, id),
  );
  const time = Math.floor(services.now().getTime() / 1_000);
  const key = await openEvidenceKey(db);
  const open = await db.transaction().execute(async (tx) => {
    await ask(tx).rows`select from evidence_sites where id = ${id} for update`;
    const newest = await ask(tx).value<string>`
      select max(day) from witnessed_days where site_id = ${id}`;
    // Meanwhile, another run may have stored days, or staff may have accepted new ones.
    const isCurrent = newest === (kept.at(-1)?.day ?? null);
    if (conflict && isCurrent)
      await noteConflict(tx, { id, address, now: services.now() }, conflict);
    if (problems.length === 0) await settleGap(tx, id, services.now());
    const conflictDay = await ask(tx).value<string>`
      select day from witness_conflicts where site_id = ${id} and settled_at is null`;
    if (conflictDay === null && isCurrent) await keepDays(tx, id, added, { time, key });
    return conflictDay;
  });
  if (problems.length > 0) return problems.slice(0, 3).join(' ');
  return open === null ? null : `${open}: the site’s days did not continue those that we keep.`;
}

/** Stores days with our countersignatures. */
async function keepDays(
  tx: Tx,
  siteId: number,
  days: readonly SignedCheckpoint[],
  { time, key }: { time: number; key: Awaited<ReturnType<typeof openEvidenceKey>> },
): Promise<void> {
  const rows = days.map(({ day, text, signature }) => ({
    site_id: siteId,
    day,
    text,
    signature: Buffer.from(signature, 'hex'),
    cosigned_at: new Date(time * 1_000),
    public_key: Buffer.from(key.publicKey, 'hex'),
    cosignature: key.sign(writeCosigned(text, time)),
  }));
  for (let at = 0; at < rows.length; at += 1_000)
    await tx
      .insertInto('witnessed_days')
      .values(rows.slice(at, at + 1_000))
      .execute();
}

function listKeptDays(db: Db, siteId: number): Promise<SignedCheckpoint[]> {
  return ask(db).rows<SignedCheckpoint>`
    select day, text, encode(signature, 'hex') as signature from witnessed_days
     where site_id = ${siteId} order by day`;
}

/** Stores a rewritten day and emails administrators once. */
async function noteConflict(
  tx: Tx,
  { id, address, now }: { id: number; address: string; now: Date },
  { day, kept, found }: Conflict,
): Promise<void> {
  const bytes = (side: SignedCheckpoint | null) => side && Buffer.from(side.signature, 'hex');
  const versions = {
    day,
    kept_text: kept?.text ?? null,
    kept_signature: bytes(kept),
    found_text: found?.text ?? null,
    found_signature: bytes(found),
  };
  const added = await tx
    .insertInto('witness_conflicts')
    .values({ site_id: id, ...versions, found_at: now })
    .onConflict((conflict) =>
      conflict.column('site_id').where('settled_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (added) {
    await mailAdministrators(tx, {
      key: `witness-conflict:${added.id}`,
      kind: 'witness-conflict',
      props: { address, day },
    });
    return;
  }
  // The missing days are back, but one has different content: both versions prove the change.
  if (found)
    await tx
      .updateTable('witness_conflicts')
      .set(versions)
      .where('site_id', '=', id)
      .where('settled_at', 'is', null)
      .where('found_text', 'is', null)
      .execute();
}

/** Settles a conflict about missing days once they are back unchanged. */
async function settleGap(tx: Tx, siteId: number, now: Date): Promise<void> {
  await tx
    .updateTable('witness_conflicts')
    .set('settled_at', now)
    .where('site_id', '=', siteId)
    .where('settled_at', 'is', null)
    .where('found_text', 'is', null)
    .execute();
}

/** Returns the checkpoints that staff accepted, whose keys may be new. */
async function listAcceptedTexts(db: Db, siteId: number): Promise<string[]> {
  return ask(db).column<string>`
    select found_text from witness_conflicts
     where site_id = ${siteId} and settled_at is not null and found_text is not null`;
}
