import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { listMessages } from '#app/features/imported-lists/list-import-messages.ts';
import { type ListPlan, planList } from '#app/features/imported-lists/plan-list.server.ts';
import { readList } from '#app/features/imported-lists/read-listed-lines.server.ts';
import {
  parseWanted,
  undoListImport,
  type AddedList,
  addList,
  writeWanted,
} from '#app/features/imported-lists/add-list.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { isWrittenIn } from '#app/platform/is-written-in.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import { requestedLink } from '#app/features/search/requested-link.ts';

type Plan = Omit<ListPlan, 'unknown'> & {
  /** `ask` is the query string of the page that can request the product, or `null`. */
  unknown: (Pick<ListPlan['unknown'][number], 'line' | 'text' | 'why'> & { ask: string | null })[];
  total: number;
  isJson: boolean;
  /** The new favorites and alerts, as the form posts them. */
  wanted: string;
  currency: string;
};

export type ListImport =
  | { state: 'refused'; message: string; typed: string }
  | { state: 'planned'; plan: Plan }
  | { state: 'added'; added: AddedList }
  | { state: 'undone'; counts: { favorites: number; alerts: number } };

/** Previews a list, adds what a preview offered, or undoes an import. */
export async function actOnList(post: Post, userId: string): Promise<ListImport> {
  const { db, form, text, intent, services } = post;
  const { currency } = await readSiteSettings(db);
  const refuse = (message: string, typed = ''): ListImport => ({
    state: 'refused',
    message,
    typed,
  });
  if (intent === 'take') {
    if (!isWrittenIn(form, currency)) return refuse(alertMessages.otherCurrency(currency));
    const wanted = parseWanted(text('wanted'));
    if (!wanted) return refuse(listMessages.nothingAdded);
    const isWatching = form.has('watch');
    const chosen = isWatching ? wanted : wanted.map((one) => ({ ...one, target: null }));
    return { state: 'added', added: await addList(db, userId, chosen, currency) };
  }
  if (intent === 'undo') {
    const ids = { favorites: idsIn(text('favorites')), alerts: idsIn(text('alerts')) };
    return { state: 'undone', counts: await undoListImport(db, userId, ids) };
  }
  const file = form.get('file');
  const isFile = file instanceof File && file.size > 0;
  const typed = isFile ? '' : text('list');
  const list = await readList(isFile ? Buffer.from(await file.arrayBuffer()) : Buffer.from(typed));
  if (!list.ok) return refuse(list.message, typed);
  const { origin } = services.env;
  const plan = await planList(db, list.lines, { userId, currency, origin });
  return {
    state: 'planned',
    plan: {
      ...plan,
      unknown: plan.unknown.map(({ link, title, ...line }) => ({
        ...line,
        ask: askFor(link, title),
      })),
      total: list.lines.length,
      isJson: list.isJson,
      wanted: writeWanted(plan),
      currency,
    },
  };
}

function idsIn(text: string): number[] {
  return /^\d{1,15}(?:,\d{1,15}){0,1999}$/.test(text) ? text.split(',').map(Number) : [];
}

/** characters; the longest accepted request has 2,048 */
const longestAsk = 1_800;

function askFor(link: string, title: string): string | null {
  const complete = /^https?:/i.test(link) ? link : `https://${link}`;
  if (link === '' || requestedLink(complete) === null) return null;
  const asked = new URLSearchParams({ url: link, title: title.slice(0, 200).toWellFormed() });
  return String(asked).length > longestAsk ? null : String(asked);
}
