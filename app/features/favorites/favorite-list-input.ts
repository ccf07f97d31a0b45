import { nameOfAtMost } from '#app/features/accounts/account-input.ts';
import { favoriteListMessages } from './favorite-list-messages.ts';

export const longestListName = 60;

const listName = nameOfAtMost(
  longestListName,
  favoriteListMessages.nameMissing,
  favoriteListMessages.nameTooLong,
);

export type ReadName = { ok: true; name: string } | { ok: false; status: 422; message: string };

/** Returns a list's name in its stored form, or an error for the field. */
export function readListName(typed: string): ReadName {
  const read = listName.safeParse(typed);
  if (read.success) return { ok: true, name: read.data };
  const [issue] = read.error.issues;
  return { ok: false, status: 422, message: issue?.message ?? favoriteListMessages.nameMissing };
}
