/** Messages of newsletter lists in the admin. */
export const listMessages = {
  added: 'List added',
  saved: 'List saved',
  retired: 'List retired. Its subscribers are kept.',
  resumed: 'List in use again',
  failed: 'The list was not changed',
  refused: {
    'no-name': 'Enter a name of at most 60 characters',
    'name-taken': 'Another list has this name',
    missing: 'List not found',
    'in-use': 'A newsletter to this list is scheduled or being sent. Wait until it is sent.',
    last: 'Newsletters need a list, so the last one stays.',
  },
} as const;
