import { listNewestDays } from '#app/features/evidence/evidence-queries.server.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import type { Db } from '#database/connect.ts';
import type { FeedDocument } from './feed-document.ts';

const entriesInFeed = 30;

/** Returns the newest checkpoints. A feed reader that keeps them is a witness. */
export async function readEvidenceFeed(db: Db, site: PublicSite): Promise<FeedDocument> {
  const days = await listNewestDays(db, entriesInFeed);
  return {
    title: `${site.name} price log evidence`,
    description: 'The signed root of each day of the price log.',
    homePath: '/evidence',
    query: '',
    entries: days.map(({ day, prices, text, signature, sealedAt }) => ({
      permanentPath: `/evidence#${day}`,
      path: '/evidence',
      title: `${day}: ${countNoun(prices, 'price')}`,
      // A checkpoint contains no character that HTML must escape.
      html: `<pre>${text}</pre><p>Signature: ${signature}</p>`,
      summary: null,
      image: null,
      author: null,
      publishedAt: sealedAt,
      changedAt: sealedAt,
      categories: [],
    })),
  };
}
