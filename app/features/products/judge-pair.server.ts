import { sql } from 'kysely';
import { lockProducts } from '#app/features/deals/lock-products.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { linkLocked } from './review-links.server.ts';
import { makeVariant, undoVariant, type VariantChange } from './make-variant.server.ts';
import { undoLocked } from './undo-product-act.server.ts';

export const verdicts = ['same', 'different', 'variant', 'hide'] as const;
export type Verdict = (typeof verdicts)[number];

/** The changes made by a decision, from which it can be undone. */
interface Before {
  /** The action that linked the deals. */
  act?: number | null;
  /** Pairs that were declared different. */
  refused?: [number, number][];
  variant?: VariantChange;
  hidden?: number;
}

/**
 * Decides on a suggestion. `one` is the deal that is kept if the other one is hidden, and whose
 * product becomes the main one of a variant. Returns `false` if the suggestion is no longer open.
 */
export async function judgePair(
  db: Db,
  actor: string,
  verdict: Verdict,
  { one, other }: { one: number; other: number },
): Promise<boolean> {
  const open = await ask(db).row<{ reason: string; score: number }>`
    select reason, score from match_suggestions where deal_id = ${Math.min(one, other)} and other_id = ${Math.max(one, other)}`;
  if (!open) return false;
  const decided = { actor, verdict, one, other, ...open };
  return db.transaction().execute(async (tx) => {
    const before = await decide[verdict](tx, actor, one, other);
    if (before === null) return false;
    await record(tx, { ...decided, before });
    return true;
  });
}

type Decide = (tx: Tx, actor: string, one: number, other: number) => Promise<Before | null>;

const decide: Record<Verdict, Decide> = {
  async same(tx, actor, one, other) {
    const act = await linkLocked(tx, actor, one, other);
    return act === null ? null : { act };
  },
  async variant(tx, actor, one, other) {
    const variant = await makeVariant(tx, actor, one, other);
    if (variant === null) return null;
    const entry = { actor, action: 'deal.make-variant', entity: 'deal', entityId: other };
    await writeAudit(tx, { ...entry, after: { other: one } });
    return { variant };
  },
  async different(tx, actor, one, other) {
    await lockProducts(tx);
    const refused = await ask(tx).rows<{ deal_id: number; other_id: number }>`
      insert into duplicate_dismissals (deal_id, other_id)
        select least(a.id, b.id), greatest(a.id, b.id)
          from deals d join deals a on a.id = d.id or a.product_id = d.product_id,
               deals e join deals b on b.id = e.id or b.product_id = e.product_id
         where d.id = ${one} and e.id = ${other} and a.id <> b.id
           and (d.product_id is null or d.product_id is distinct from e.product_id)
      on conflict do nothing returning deal_id, other_id`;
    if (refused.length === 0) return null;
    const entry = { actor, action: 'deal.dismiss-duplicate', entity: 'deal', entityId: one };
    await writeAudit(tx, { ...entry, after: { other } });
    return { refused: refused.map(({ deal_id, other_id }) => [deal_id, other_id]) };
  },
  async hide(tx, actor, one, other) {
    const hidden = await ask(tx).value<number>`
      update deals h set is_active = false, version = h.version + 1, updated_at = now()
        from deals k
       where h.id = ${other} and k.id = ${one} and h.is_active and k.is_active returning h.id`;
    if (hidden === null) return null;
    const entry = { actor, action: 'deal.hide-duplicate', entity: 'deal', entityId: other };
    await writeAudit(tx, { ...entry, after: { kept: one } });
    return { hidden };
  },
};

interface Decided {
  actor: string;
  verdict: Verdict;
  one: number;
  other: number;
  reason: string;
  score: number;
  before: Before;
}

/**
 * Moves a suggestion to the decisions, unless the job has removed the suggestion in the meantime.
 */
async function record(tx: Tx, decided: Decided): Promise<void> {
  const { actor, verdict, one, other, reason, score, before } = decided;
  const [deal, partner] = [Math.min(one, other), Math.max(one, other)];
  await sql`
    delete from match_suggestions where deal_id = ${deal} and other_id = ${partner}`.execute(tx);
  await sql`
    insert into match_decisions (deal_id, other_id, reason, score, verdict, before, actor)
      values (${deal}, ${partner}, ${reason}, ${score}, ${verdict}, ${JSON.stringify(before)}::jsonb, ${actor})`.execute(
    tx,
  );
}

interface Decision {
  id: number;
  deal_id: number;
  other_id: number;
  verdict: Verdict;
  before: Before;
}

/**
 * Undoes the actor's last decision if it has this id, and puts the pair back into the queue.
 * Returns `false` if it is not the last one, or if something has changed since.
 */
export function undoDecision(db: Db, actor: string, id: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockProducts(tx);
    const last = await ask(tx).row<Decision>`
      select id, deal_id, other_id, verdict, before from match_decisions
       where actor = ${actor} order by id desc limit 1`;
    if (last?.id !== id) return false;
    const { act, variant } = last.before;
    if (act && !['done', 'undone'].includes(await undoLocked(tx, actor, act))) return false;
    if (variant && !(await undoVariant(tx, actor, variant))) return false;
    await restore(tx, last);
    const entry = { actor, action: 'deal.undo-decision', entity: 'deal', entityId: last.deal_id };
    await writeAudit(tx, { ...entry, before: { verdict: last.verdict, other: last.other_id } });
    return true;
  });
}

async function restore(tx: Tx, { id, before: { refused = [], hidden } }: Decision): Promise<void> {
  await sql`
    delete from duplicate_dismissals x using unnest(${refused.map(([one]) => one)}::bigint[], ${refused.map(([, other]) => other)}::bigint[]) r (one, other)
     where x.deal_id = r.one and x.other_id = r.other`.execute(tx);
  if (hidden !== undefined) {
    await sql`
      update deals set is_active = true, version = version + 1, updated_at = now() where id = ${hidden} and not is_active`.execute(
      tx,
    );
  }
  await sql`
    with undone as (delete from match_decisions where id = ${id} returning *)
    insert into match_suggestions (deal_id, other_id, reason, score)
      select deal_id, other_id, reason, score from undone u
       where exists (select from deals where id = u.deal_id) and exists (select from deals where id = u.other_id)
    on conflict do nothing`.execute(tx);
  // Once the pair is no longer declared different, its GTIN may link the deals.
  await sql`
    insert into match_checks (gtin)
      select distinct gtin from deals where id = any(${refused.flat()}::bigint[]) and gtin is not null order by 1`.execute(
    tx,
  );
}
