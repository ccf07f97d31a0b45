import { sql } from 'kysely';
import type { Right } from '#app/features/accounts/policy.ts';
import { containsIn, foldedContains } from '#app/platform/contains-in.server.ts';
import { fold } from '#app/platform/fold.ts';
import { hasTrigram, startsWithPattern } from '#app/platform/like-pattern.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** A row that an admin search found. `detail` distinguishes rows of the same name. */
export interface FoundRow {
  id: string;
  name: string;
  detail: string;
}

/** The kinds of rows, named as in `entityHref`. */
export type FoundKind = 'deal' | 'merchant' | 'category' | 'post' | 'page' | 'user';

/** The rights of a user. */
export interface Held {
  has(right: Right): boolean;
}

const mostFound = 6;

/** deals; if common words match more, only this many of the newest are sorted */
const mostOrdered = 300;

type Finder = (db: Db, text: string) => Promise<FoundRow[]>;

const finders: Record<FoundKind, { right: Right; find: Finder }> = {
  deal: { right: 'catalog.read', find: findDeals },
  merchant: {
    right: 'catalog.read',
    find: (db, text) => ask(db).rows<FoundRow>`
      select id::text, name, slug as detail from merchants where ${containsIn(text, 'name')}
       order by ${beginsWith(text, 'name')} desc, deal_count desc, id limit ${mostFound}`,
  },
  category: {
    right: 'catalog.read',
    find: (db, text) => ask(db).rows<FoundRow>`
      select id::text, name, slug as detail from categories where ${containsIn(text, 'name')}
       order by ${beginsWith(text, 'name')} desc, name, id limit ${mostFound}`,
  },
  post: {
    right: 'blog.read',
    find: (db, text) => ask(db).rows<FoundRow>`
      select id::text, title as name, author as detail from blog_posts where ${containsIn(text, 'title')}
       order by coalesce(published_at, created_at) desc, id limit ${mostFound}`,
  },
  page: {
    right: 'blog.read',
    find: (db, text) => ask(db).rows<FoundRow>`
      select id::text, title as name, '/' || slug as detail from site_pages
       where ${containsIn(text, 'title', 'slug')} order by lower(title), id limit ${mostFound}`,
  },
  user: {
    right: 'users.read',
    find: (db, text) => ask(db).rows<FoundRow>`
      select id, coalesce(nullif(full_name, ''), email) as name, email as detail from users
       where ${containsIn(text, 'email', 'full_name')} limit ${mostFound}`,
  },
};

/**
 * Returns the first rows of each kind whose name contains the text, for kinds that the rights
 * allow. A text of one character finds nothing.
 */
export async function findRows(
  db: Db,
  { text, rights }: { text: string; rights: Held },
): Promise<{ kind: FoundKind; rows: FoundRow[] }[]> {
  if (text.length < 2) return [];
  const allowed = Object.entries(finders).filter(([, { right }]) => rights.has(right));
  return Promise.all(
    allowed.map(async ([kind, { find }]) => ({
      kind: kind as FoundKind,
      rows: await find(db, text),
    })),
  );
}

/**
 * Returns deals that contain all words, live ones first. A query without any word of three adjacent
 * letters cannot use the index and finds nothing.
 */
async function findDeals(db: Db, text: string): Promise<FoundRow[]> {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (!words.some(hasTrigram)) return [];
  return ask(db).rows<FoundRow>`
    select d.id::text, d.title as name, m.name as detail
      from (select deal_id from deal_texts where ${foldedContains(words, 'title')} limit ${mostOrdered}) found
      join deals d on d.id = found.deal_id
      join merchants m on m.id = d.merchant_id
     order by d.is_active > d.is_expired desc, ${beginsWith(text, 'd.title')} desc, d.id desc
     limit ${mostFound}`;
}

function beginsWith(text: string, column: string) {
  return sql`fold(${sql.ref(column)}) like ${startsWithPattern(fold(text))}`;
}
