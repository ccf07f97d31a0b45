import type { MoveState } from '#database/schema/site-tables.ts';

/** The states of an import in lists. */
export const moveStates: Readonly<Record<MoveState, string>> = {
  reading: 'Reading',
  ready: 'Preview',
  running: 'Importing',
  done: 'Imported',
  undoing: 'Undoing',
  undone: 'Undone',
};
