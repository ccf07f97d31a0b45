import { checkRedirects } from '#app/features/catalog/check-redirects.server.ts';
import { mostRedirects, readRedirects } from '#app/features/catalog/find-redirect.server.ts';
import type { RedirectInput } from '#app/features/catalog/redirect-input.ts';
import { isFreePath, isReservedSlug } from '#app/features/pages/page-input.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { firstFreeSlug } from '#database/slug.ts';
import { isOfferKind, type MoveKind } from './move-kind.ts';
import { newPathOf } from './new-path.ts';
import { planOffers } from './plan-offers.server.ts';

interface Asked {
  id: number;
  kind: MoveKind;
  old_key: string;
  old_path: string | null;
  asked_slug: string;
  isPublished: boolean;
  skip: string | null;
}

interface Planned extends Asked {
  slug: string | null;
  redirect: 'new' | 'same' | 'none';
  redirect_note: string | null;
  /** The stored details of an offer, with its plan. */
  details?: object;
}

const alreadyMoved = 'Already moved in';
const twice = 'The file contains this item twice';

/**
 * Assigns each item of an import its new URL and decides whether to redirect the old one. Runs
 * again before the import, since the site may have changed since the preview.
 */
export async function planMove(db: Db, moveId: number, origin: string): Promise<void> {
  const asked = await ask(db).rows<Asked>`
    select i.id, i.kind, i.old_key, i.old_path, i.asked_slug, coalesce((i.details ->> 'isPublished')::boolean, false) as "isPublished",
           case when exists (select from post_move_items m where m.old_key = i.old_key and m.outcome in ('moved', 'kept'))
                then ${alreadyMoved}::text else nullif(nullif(nullif(i.skip, ${alreadyMoved}), ${twice}), i.details #>> '{plan,skip}') end as skip
      from post_move_items i where i.move_id = ${moveId} and i.outcome is null order by i.id`;
  const items = asked.map((item): Planned => ({
    ...item,
    slug: null,
    redirect: 'none',
    redirect_note: null,
  }));
  skipRepeated(items);
  await chooseSlugs(db, items);
  await planOffers(db, moveId, items);
  await chooseRedirects(db, items, origin);
  // A cloaked link is nothing but a redirect.
  for (const item of items) {
    if (item.kind !== 'link' || item.slug === null || item.redirect === 'new') continue;
    const skip = item.redirect_note ?? 'Redirects to its own address';
    Object.assign(item, { skip, slug: null, details: { ...item.details, plan: { skip } } });
  }
  await ask(db).rows`
    update post_move_items i
       set slug = p.slug, skip = p.skip, redirect = p.redirect, redirect_note = p.redirect_note,
           details = coalesce(p.details, i.details)
      from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
           as p (id bigint, slug text, skip text, redirect text, redirect_note text, details jsonb)
     where i.id = p.id`;
}

function skipRepeated(items: readonly Planned[]): void {
  const seen = new Set<string>();
  for (const item of items) {
    if (item.skip === null && seen.has(item.old_key)) item.skip = twice;
    if (item.skip === null) seen.add(item.old_key);
  }
}

/** Numbers repeated slugs. A page avoids the site's own URLs and existing redirects. */
async function chooseSlugs(db: Db, items: readonly Planned[]): Promise<void> {
  const posts = await takenSlugs(db, 'post');
  const pages = await takenSlugs(db, 'page');
  const oldPaths = new Map(
    items.flatMap((item) =>
      item.skip === null && item.old_path ? [[item.old_path, item] as const] : [],
    ),
  );
  for (const item of items) {
    if (item.skip !== null || isOfferKind(item.kind)) continue;
    const taken = item.kind === 'post' ? posts : pages;
    if (item.kind === 'post') item.slug = firstFreeSlug(item.asked_slug, taken);
    else {
      const isTaken = (slug: string) => {
        const other = oldPaths.get(`/${slug}`);
        return taken.has(slug) || isReservedSlug(slug) || (other !== undefined && other !== item);
      };
      // A page keeps its full path, including its parents, unless the site itself uses that URL.
      const path = item.old_path?.slice(1) ?? '';
      const asked = isFreePath(path) ? path : item.asked_slug;
      item.slug = firstFreeSlug(asked, { has: isTaken } as ReadonlySet<string>);
    }
    taken.add(item.slug);
  }
}

async function takenSlugs(db: Db, kind: 'post' | 'page'): Promise<Set<string>> {
  return new Set(
    kind === 'post'
      ? await ask(db).column<string>`
          select slug from blog_posts union select slug from slug_redirects where kind = 'blog_post'`
      : await ask(db).column<string>`
          select slug from site_pages union select slug from slug_redirects where kind = 'page'`,
  );
}

async function chooseRedirects(db: Db, items: readonly Planned[], origin: string): Promise<void> {
  const asked: { item: Planned; rule: RedirectInput }[] = [];
  const seen = new Set<string>();
  const stored = await readRedirects(db);
  let room = mostRedirects - stored.size;
  for (const item of items) {
    if (item.slug === null) continue;
    const { old_path: from } = item;
    const target = newPathOf({ kind: item.kind, slug: item.slug });
    if (!item.isPublished) item.redirect_note = 'A draft has no public address';
    else if (from === null)
      item.redirect_note =
        'Its old address has no path, so only links with its number are redirected';
    else if (from === target) item.redirect = 'same';
    else if (seen.has(from)) item.redirect_note = 'Another item has the same old address';
    else if (!stored.has(from) && room <= 0)
      item.redirect_note = `The site has its ${mostRedirects} redirects`;
    else if (stored.has(from))
      item.redirect_note = 'This address already has a redirect, which is kept';
    else {
      room--;
      seen.add(from);
      asked.push({ item, rule: { from_path: from, target, status: 301 } });
    }
  }
  const problems = await checkRedirects(
    db,
    origin,
    asked.map(({ rule }) => rule),
  );
  for (const [at, { item }] of asked.entries()) {
    const problem = problems[at];
    item.redirect = problem ? 'none' : 'new';
    item.redirect_note = problem?.message ?? null;
  }
}
