import { data, redirect } from 'react-router';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import {
  createList,
  deleteList,
  type ListOutcome,
  placeFavorite,
  renameList,
  restoreList,
  setInList,
} from '#app/features/favorites/change-favorite-lists.server.ts';
import { favoriteListMessages } from '#app/features/favorites/favorite-list-messages.ts';
import { shareList, stopSharing } from '#app/features/favorites/share-favorite-list.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import { favoritesPath, readView } from './favorites-address.ts';

/** The name and the ticked lists of a rejected form. */
interface Kept {
  value: string;
  lists: number[];
}

/** The response to a rejected form. If `isAboutName`, the message is shown at the name field. */
const refuse = (
  { status, message }: { status: number; message: string },
  { kept, isAboutName = false }: { kept: Kept | null; isAboutName?: boolean },
  headers = {},
) =>
  data(
    {
      isSaved: false,
      error: isAboutName ? null : message,
      returnTo: favoritesPath({}),
      typedName: kept && { ...kept, ...(isAboutName && { error: message }) },
    },
    { status, headers },
  );

/**
 * Changes a user's lists. `id` is one of their own lists; any other one is treated as missing. A
 * rejected name keeps its dialog open.
 */
export async function changeOwnLists(post: Post, user: SessionUser, request: Request) {
  const { services, form, text, rowId, intent } = post;
  const change = Object.hasOwn(changes, intent) ? changes[intent] : undefined;
  const ids = (name: string) => form.getAll(name).flatMap((value) => parseRowId(value) ?? []);
  const [name, chosen] = [text('name'), ids('list')];
  const kept = change?.hasName ? { value: name, lists: chosen } : null;
  const limited = await limit(services, 'member-write', user.id);
  if (!limited.ok) {
    return refuse({ status: 429, message: tooManyAttempts }, { kept }, retryAfter(limited));
  }
  if (!change) return refuse({ status: 422, message: favoriteListMessages.gone }, { kept });
  const dealId = rowId('deal_id') ?? 0;
  const typed = { id: rowId('id') ?? 0, dealId, name, shown: ids('shown'), chosen };
  const outcome = await change.run(post, user, typed);
  if (!outcome.ok) {
    const isAboutName = change.hasName === true && outcome.status !== 404;
    return refuse(outcome, { kept, isAboutName });
  }
  const view = readView(new URL(request.url).searchParams);
  throw redirect(change.next(outcome.id, dealId, view), 303);
}

interface Typed {
  id: number;
  dealId: number;
  name: string;
  shown: number[];
  chosen: number[];
}

interface Change {
  /** Whether the form has a field for a list name. */
  hasName?: true;
  run: (post: Post, user: SessionUser, typed: Typed) => Promise<ListOutcome>;
  /** Returns the address that shows the change. */
  next: (id: number, dealId: number, view: ReturnType<typeof readView>) => string;
}

const changes: Readonly<Record<string, Change | undefined>> = {
  'create-list': {
    hasName: true,
    run: ({ db }, user, { name }) => createList(db, user.id, name),
    next: (list) => favoritesPath({ list }),
  },
  'rename-list': {
    hasName: true,
    run: ({ db }, user, { id, name }) => renameList(db, user.id, id, name),
    next: (_list, _deal, view) => favoritesPath(view),
  },
  'delete-list': {
    run: ({ db }, user, { id }) => deleteList(db, user.id, id),
    next: (list) => favoritesPath({}, { deleted: list }),
  },
  'restore-list': {
    run: ({ db }, user, { id }) => restoreList(db, user.id, id),
    next: (list) => favoritesPath({ list }),
  },
  'place-favorite': {
    hasName: true,
    run: ({ db }, user, { name: newName, ...placing }) =>
      placeFavorite(db, user.id, { ...placing, newName }),
    next: (_list, _deal, view) => favoritesPath(view),
  },
  'remove-from-list': {
    run: ({ db }, user, { id, dealId }) =>
      setInList(db, user.id, { listId: id, dealId, isWanted: false }),
    next: (_list, dealId, view) => favoritesPath(view, { removed: dealId }),
  },
  'add-to-list': {
    run: ({ db }, user, { id, dealId }) =>
      setInList(db, user.id, { listId: id, dealId, isWanted: true }),
    next: (_list, _deal, view) => favoritesPath(view),
  },
  'share-list': {
    run: ({ db }, user, { id }) => shareList(db, user, id),
    next: (_list, _deal, view) => favoritesPath(view, { share: '' }),
  },
  'stop-sharing': {
    run: ({ db }, user, { id }) => stopSharing(db, user.id, id),
    next: (_list, _deal, view) => favoritesPath(view, { share: '' }),
  },
};
