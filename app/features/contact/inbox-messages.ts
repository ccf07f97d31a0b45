import { countChanged } from '#app/platform/count-changed.ts';
import { countNoun } from '#app/platform/count-noun.ts';

/** The words of the inbox of contact messages. */
export const inboxMessages = {
  confirmDelete: 'Are you sure you want to delete this message?',
  deleted: 'Message deleted successfully!',
  deleteFailed: 'Failed to delete message',
  nothingSelected: 'Select at least one message first.',
  countChanged: countChanged('messages'),
  done: (verb: 'read' | 'unread' | 'delete', changed: number) => {
    const messages = countNoun(changed, 'message');
    return verb === 'delete' ? `Deleted ${messages}.` : `Marked ${messages} as ${verb}.`;
  },
} as const;
