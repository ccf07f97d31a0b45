import { countChanged } from '#app/platform/count-changed.ts';
import { countNoun } from '#app/platform/count-noun.ts';

/** Actions on one or many messages. */
export type InboxVerb = 'read' | 'unread' | 'take' | 'close' | 'reopen' | 'delete';

/** Messages of the inbox. */
export const inboxMessages = {
  confirmDelete: 'Are you sure you want to delete this message?',
  deleted: 'Message deleted successfully!',
  deleteFailed: 'Failed to delete message',
  nothingSelected: 'Select at least one message first.',
  countChanged: countChanged('messages'),
  answered: (email: string) => `Answer to ${email} is on its way.`,
  answeredAndClosed: (email: string) => `Answer to ${email} is on its way. Message closed.`,
  answerFailed: 'The answer was not sent',
  answerRequired: 'Write an answer first',
  answerTooLong: 'The answer may have at most 10,000 characters',
  badAddress: 'The address of this message cannot receive email.',
  gone: 'This message was deleted in the meantime.',
  assigned: (to: string) => `Assigned to ${to}.`,
  unassigned: 'Unassigned.',
  notStaff: 'This colleague can no longer be assigned messages.',
  done: (verb: InboxVerb, changed: number) => {
    const messages = countNoun(changed, 'message');
    switch (verb) {
      case 'delete':
        return `Deleted ${messages}.`;
      case 'take':
        return `Assigned ${messages} to you.`;
      case 'close':
        return `Closed ${messages}.`;
      case 'reopen':
        return `Reopened ${messages}.`;
      default:
        return `Marked ${messages} as ${verb}.`;
    }
  },
} as const;
