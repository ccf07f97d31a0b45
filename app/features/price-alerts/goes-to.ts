import type { GoesTo } from '#database/schema/alert-tables.ts';

export const goesToLabels: Record<GoesTo, string> = {
  both: 'Email and your channels',
  mail: 'Email only',
  channels: 'Your channels only',
};

/** Returns the choice in a form, or `null` if the form has none. */
export function readGoesTo(typed: FormDataEntryValue | null): GoesTo | null {
  return isGoesTo(typed) ? typed : null;
}

function isGoesTo(typed: unknown): typed is GoesTo {
  return typeof typed === 'string' && Object.hasOwn(goesToLabels, typed);
}

/** The outcome of an email that was replaced by a message to the person's channel. */
export const sentByChannel = 'sent to the person’s own channel';
