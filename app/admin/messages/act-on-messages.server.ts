import { assignContactMessages } from '#app/features/contact/assign-contact-messages.server.ts';
import { closeContactMessages } from '#app/features/contact/close-contact-messages.server.ts';
import { listContactMessageIds } from '#app/features/contact/contact-queries.server.ts';
import { contactTable } from '#app/features/contact/contact-table.ts';
import { deleteContactMessages } from '#app/features/contact/delete-contact-messages.server.ts';
import { inboxMessages, type InboxVerb } from '#app/features/contact/inbox-messages.ts';
import { markContactMessages } from '#app/features/contact/mark-contact-messages.server.ts';
import type { Db } from '#database/connect.ts';
import { actOnRows } from '../frame/act-on-rows.server.ts';
import type { Context } from '../frame/read-or-fail.server.ts';

const { deleted, deleteFailed, done } = inboxMessages;
const gentle = ['read', 'unread', 'take', 'close', 'reopen'] as const;

/** Handles the actions on messages, of the list and of a message's page. */
export function actOnMessages(
  request: Request,
  context: Context,
  after?: (verb: InboxVerb) => string,
) {
  return actOnRows<InboxVerb, (typeof contactTable.sorts)[number], 'state'>(request, context, {
    spec: contactTable,
    verbs: [
      ...gentle.map((verb) => ({ verb, done: done(verb, 1) })),
      { verb: 'delete', done: deleted, failed: deleteFailed },
    ],
    change: async (db, { verb, actor }, choice) => {
      const ids =
        'ids' in choice ? choice.ids : await listContactMessageIds(db, choice.filter, actor);
      if ('filter' in choice && ids.length !== choice.expectedCount) {
        return { ok: false, seen: choice.expectedCount, count: ids.length };
      }
      return { ok: true, changed: await doAll(db, verb, { ids, actor }) };
    },
    words: { ...inboxMessages, changedMany: done },
    after,
  });
}

async function doAll(
  db: Db,
  verb: InboxVerb,
  on: { ids: number[]; actor: string },
): Promise<number> {
  switch (verb) {
    case 'delete':
      return deleteContactMessages(db, on);
    case 'take': {
      const taken = await assignContactMessages(db, { ...on, to: on.actor });
      return taken.ok ? taken.changed : 0;
    }
    case 'close':
    case 'reopen':
      return closeContactMessages(db, { ...on, isClosed: verb === 'close' });
    default:
      return markContactMessages(db, { ...on, isRead: verb === 'read' });
  }
}
