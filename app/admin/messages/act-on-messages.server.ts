import { listContactMessageIds } from '#app/features/contact/contact-queries.server.ts';
import { contactTable } from '#app/features/contact/contact-table.ts';
import { deleteContactMessages } from '#app/features/contact/delete-contact-messages.server.ts';
import { inboxMessages } from '#app/features/contact/inbox-messages.ts';
import { markContactMessages } from '#app/features/contact/mark-contact-messages.server.ts';
import { actOnRows } from '../frame/act-on-rows.server.ts';
import type { Context } from '../frame/read-or-say.server.ts';

const { deleted, deleteFailed, done } = inboxMessages;

/** Every act on messages, of the list and of the page of one. */
export function actOnMessages(
  request: Request,
  context: Context,
  after?: (verb: 'read' | 'unread' | 'delete') => string,
) {
  return actOnRows(request, context, {
    spec: contactTable,
    verbs: [
      { verb: 'read', done: done('read', 1) },
      { verb: 'unread', done: done('unread', 1) },
      { verb: 'delete', done: deleted, failed: deleteFailed },
    ],
    change: async (db, { verb, actor }, choice) => {
      const ids = 'ids' in choice ? choice.ids : await listContactMessageIds(db, choice.filter);
      if ('filter' in choice && ids.length !== choice.expectedCount) {
        return { ok: false, seen: choice.expectedCount, count: ids.length };
      }
      const changed =
        verb === 'delete'
          ? await deleteContactMessages(db, { ids, actor })
          : await markContactMessages(db, { ids, actor, isRead: verb === 'read' });
      return { ok: true, changed };
    },
    words: { ...inboxMessages, changedMany: done },
    after,
  });
}
