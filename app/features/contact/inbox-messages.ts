/** The words of the inbox of contact messages. */
export const inboxMessages = {
  confirmDelete: 'Are you sure you want to delete this message?',
  deleted: 'Message deleted successfully!',
  deleteFailed: 'Failed to delete message',
  nothingSelected: 'Select at least one message first.',
  countChanged: (seen: number, now: number) =>
    `Nothing was changed: ${seen.toLocaleString('en-US')} messages matched when you chose them, and ${now.toLocaleString('en-US')} do now. Look again, then repeat it.`,
  done: (verb: 'read' | 'unread' | 'delete', changed: number) => {
    const messages = `${changed.toLocaleString('en-US')} ${changed === 1 ? 'message' : 'messages'}`;
    return verb === 'delete' ? `Deleted ${messages}.` : `Marked ${messages} as ${verb}.`;
  },
} as const;
