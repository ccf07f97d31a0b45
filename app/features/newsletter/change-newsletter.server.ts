import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { sanitisePost } from '#app/features/blog/sanitise-post.server.ts';
import { changedFields, writeAudit } from '#app/platform/audit/audit.server.ts';
import { cutText } from '#app/platform/cut-text.ts';
import { keepDeleted } from '#app/platform/trash/keep-deleted.server.ts';
import { restoreDeleted, type RestoreResult } from '#app/platform/trash/restore-deleted.server.ts';
import { type NewsletterInput, mostNewsletterBytes } from './newsletter-input.ts';
import {
  lockNewsletter,
  type Newsletter,
  newsletterColumns,
} from './managed-newsletter-queries.server.ts';
import { holdList } from './newsletter-lists.server.ts';
import { isTest } from './subject-test.ts';
import { isEditable } from './newsletter-state.ts';

/** The acting user, and the site's origin, which distinguishes internal links from others. */
interface Writer {
  actor: string;
  origin: string;
}

export type SaveNewsletterResult =
  | { ok: true; newsletter: Newsletter }
  | { ok: false; reason: 'not-found' | 'not-editable' | 'content-empty' | 'content-too-long' }
  | { ok: false; reason: 'list-retired' }
  | { ok: false; reason: 'changed-meanwhile'; current: Newsletter };

export async function createNewsletter(
  db: Db,
  input: NewsletterInput,
  { actor, origin }: Writer,
): Promise<SaveNewsletterResult> {
  const cleaned = cleanContent(input.content, origin);
  if (!cleaned.ok) return cleaned;
  return db.transaction().execute(async (tx): Promise<SaveNewsletterResult> => {
    if (!(await isListUsable(tx, input))) return { ok: false, reason: 'list-retired' };
    const newsletter = await tx
      .insertInto('newsletters')
      .values({ ...input, content: cleaned.content })
      .returning(newsletterColumns)
      .executeTakeFirstOrThrow();
    await writeAudit(tx, {
      ...actOn(newsletter.id, actor, 'create'),
      after: audited({ ...input, content: cleaned.content }),
    });
    return { ok: true, newsletter };
  });
}

/**
 * Updates a newsletter whose version is `expectedVersion`. Once sending has started, its audience
 * is fixed. While it is paused, its content may change for the remaining subscribers.
 */
export async function updateNewsletter(
  db: Db,
  id: number,
  input: NewsletterInput,
  { actor, origin, expectedVersion }: Writer & { expectedVersion: number },
): Promise<SaveNewsletterResult> {
  const cleaned = cleanContent(input.content, origin);
  if (!cleaned.ok) return cleaned;
  return db.transaction().execute(async (tx): Promise<SaveNewsletterResult> => {
    const current = await lockNewsletter(tx, id);
    if (!current) return { ok: false, reason: 'not-found' };
    if (!isEditable(current.state)) return { ok: false, reason: 'not-editable' };
    if (current.version !== expectedVersion) {
      return { ok: false, reason: 'changed-meanwhile', current };
    }
    const isPaused = current.state === 'paused';
    if (!isPaused && !(await isListUsable(tx, input))) return { ok: false, reason: 'list-retired' };
    // Once a test has begun, its subjects and preview texts are fixed, since its clicks belong to
    // them.
    const { subject, preview } = isPaused && isTest(current) ? current : input;
    const fixed = plannedFields(isPaused ? current : input);
    const change = { subject, preview, content: cleaned.content, ...fixed };
    const newsletter = await tx
      .updateTable('newsletters')
      .set({ ...change, version: expectedVersion + 1, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .returning(newsletterColumns)
      .executeTakeFirstOrThrow();
    const changed = changedFields(current, change);
    await writeAudit(tx, {
      ...actOn(id, actor, 'update'),
      before: audited(changed.before),
      after: audited(changed.after),
    });
    return { ok: true, newsletter };
  });
}

/** Creates a draft with the same content. */
export async function copyNewsletter(db: Db, id: number, actor: string): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    const source = await lockNewsletter(tx, id);
    if (!source) return null;
    const { subject, preview, content } = source;
    const copied = { subject, preview, content, ...plannedFields(source) };
    const copy = await tx
      .insertInto('newsletters')
      .values(copied)
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeAudit(tx, { ...actOn(copy.id, actor, 'create'), after: audited(copied) });
    return copy.id;
  });
}

/** Deletes a newsletter if it is a draft. Sent newsletters are kept, and their links stay valid. */
export async function deleteNewsletter(db: Db, id: number, actor: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const before = await lockNewsletter(tx, id);
    if (before?.state !== 'draft') return false;
    const { subject: name } = before;
    await keepDeleted(tx, { table: 'newsletters', entity: 'newsletter', id, name, actor });
    await tx.deleteFrom('newsletters').where('id', '=', id).execute();
    await writeAudit(tx, { ...actOn(id, actor, 'delete'), before: audited(before) });
    return true;
  });
}

/** Undoes a deletion within an hour. Any member of staff may do so. */
export function restoreNewsletter(db: Db, id: number, actor: string): Promise<RestoreResult> {
  return restoreDeleted(db, { table: 'newsletters', entity: 'newsletter', id, actor });
}

async function isListUsable(tx: Tx, { list_id: id }: NewsletterInput): Promise<boolean> {
  return id === undefined || holdList(tx, id);
}

type Planned = Omit<NewsletterInput, 'subject' | 'preview' | 'content'>;

/**
 * Returns the audience and test settings of a newsletter, which are fixed once sending has started.
 */
function plannedFields(newsletter: Planned): Planned {
  const { audience_since, audience_confirmed, list_id } = newsletter;
  const { audience_category_id, audience_merchant_id } = newsletter;
  const { subject_b, preview_b, test_percent, test_hours } = newsletter;
  return {
    audience_since,
    audience_confirmed,
    list_id,
    audience_category_id,
    audience_merchant_id,
    subject_b,
    preview_b,
    test_percent,
    test_hours,
  };
}

export function actOn(id: number, actor: string, verb: string) {
  return { actor, action: `newsletter.${verb}`, entity: 'newsletter', entityId: id };
}

/** Sanitizes the content. Rejects content that is empty or too long. */
function cleanContent(
  html: string,
  origin: string,
): { ok: true; content: string } | { ok: false; reason: 'content-empty' | 'content-too-long' } {
  const content = sanitisePost(html, origin, { hasDeals: true }).trim();
  const text = content.replace(/<[^<>]*>|&nbsp;|\s/g, '');
  if (text === '' && !/<img |data-deal=/.test(content)) {
    return { ok: false, reason: 'content-empty' };
  }
  if (Buffer.byteLength(content) > mostNewsletterBytes) {
    return { ok: false, reason: 'content-too-long' };
  }
  return { ok: true, content };
}

const auditedContent = 500;

/** Returns the row for the audit log, with only the beginning of the newsletter. */
function audited<Row extends object>(row: Row): Row {
  if (!('content' in row) || typeof row.content !== 'string') return row;
  return { ...row, content: cutText(row.content, auditedContent) };
}
