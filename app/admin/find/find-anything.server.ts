import { type FoundKind, findRows, type Held } from '#app/features/desk/find-rows.server.ts';
import type { Db } from '#database/connect.ts';
import { entityHref } from '../audit/entity-href.ts';
import { findTargets } from './find-targets.ts';

export type FoundGroup = Awaited<ReturnType<typeof findAnything>>[number];

const titles: Record<FoundKind, string> = {
  deal: 'Deals',
  merchant: 'Merchants',
  category: 'Categories',
  post: 'Posts',
  page: 'Pages',
  user: 'Users',
};

/** Returns what matches the text, in groups: rows first, then actions, screens and settings. */
export async function findAnything(db: Db, { text, rights }: { text: string; rights: Held }) {
  const rows = await findRows(db, { text, rights });
  const groups = rows.map(({ kind, rows: found }) => ({
    title: titles[kind],
    found: found.map(({ id, name, detail }) => ({
      name,
      detail,
      href: entityHref(kind, id) ?? '/admin',
    })),
  }));
  return [...groups, ...findTargets(text, rights)].filter(({ found }) => found.length > 0);
}
