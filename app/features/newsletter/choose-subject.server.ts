import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { actOn } from './change-newsletter.server.ts';
import { lockNewsletter } from './managed-newsletter-queries.server.ts';
import { findLeader, hasRest, isTest, type Variant, type VariantCounts } from './subject-test.ts';

const hour = 3_600_000;

/** Returns the delivered emails and clicks of both variants. */
export async function readTestCounts(
  db: Db,
  id: number,
): Promise<{ a: VariantCounts; b: VariantCounts }> {
  const counts = await ask(db).row<Record<'sentA' | 'sentB' | 'clicksA' | 'clicksB', number>>`
    select n.past_sent_a + count(*) filter (where m.payload ->> 'variant' = 'a') as "sentA",
           n.past_sent_b + count(*) filter (where m.payload ->> 'variant' = 'b') as "sentB",
           (select coalesce(sum(clicks_a), 0) from newsletter_links where newsletter_id = n.id) as "clicksA",
           (select coalesce(sum(clicks_b), 0) from newsletter_links where newsletter_id = n.id) as "clicksB"
      from newsletters n left join mail_outbox m on m.kind = 'newsletter' and m.state = 'sent'
           and (m.payload ->> 'newsletterId')::bigint = n.id
     where n.id = ${id} group by n.id`;
  const { sentA = 0, sentB = 0, clicksA = 0, clicksB = 0 } = counts ?? {};
  return { a: { sent: sentA, clicks: clicksA }, b: { sent: sentB, clicks: clicksB } };
}

/**
 * Records when all emails of a test were sent. Once the test's hours are over, sends the variant
 * with more clicks to the remaining subscribers.
 */
export async function advanceTest(db: Db, id: number, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const newsletter = await lockNewsletter(tx, id);
    if (newsletter?.state !== 'sending' || !newsletter.is_queued) return;
    if (!isTest(newsletter) || !hasRest(newsletter) || newsletter.winner !== null) return;
    const { tested_at: testedAt, test_hours: hours } = newsletter;
    if (testedAt === null) {
      await sql`
        update newsletters n set tested_at = ${now}, version = version + 1
         where id = ${id} and not exists (
           select from mail_outbox where kind = 'newsletter' and (payload ->> 'newsletterId')::bigint = n.id
              and state = 'queued')`.execute(tx);
      return;
    }
    if (hours === null || now.getTime() - testedAt.getTime() < hours * hour) return;
    const { a, b } = await readTestCounts(tx, id);
    await sendRest(tx, newsletter, findLeader(a, b), 'system');
  });
}

export type ChooseResult = { ok: true } | { ok: false; reason: 'not-tested' | 'chosen' };

/** Sends a variant to the remaining subscribers. Only the first choice takes effect. */
export function chooseSubject(
  db: Db,
  id: number,
  { variant, actor }: { variant: Variant; actor: string },
): Promise<ChooseResult> {
  return db.transaction().execute(async (tx): Promise<ChooseResult> => {
    const newsletter = await lockNewsletter(tx, id);
    if (newsletter?.winner) return { ok: false, reason: 'chosen' };
    const isUnderWay = newsletter?.state === 'sending' || newsletter?.state === 'paused';
    if (!newsletter || !isUnderWay || newsletter.tested_at === null) {
      return { ok: false, reason: 'not-tested' };
    }
    await sendRest(tx, newsletter, variant, actor);
    return { ok: true };
  });
}

/** Restarts queueing from the first subscriber, except for those in the test. */
async function sendRest(
  tx: Tx,
  { id, version }: { id: number; version: number },
  winner: Variant,
  actor: string,
): Promise<void> {
  await tx
    .updateTable('newsletters')
    .set({ winner, queued_up_to: 0, is_queued: false, version: version + 1 })
    .where('id', '=', id)
    .execute();
  await writeAudit(tx, { ...actOn(id, actor, 'choose'), after: { winner } });
}
