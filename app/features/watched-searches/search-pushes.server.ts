import type { Push, PushMessage } from '#app/features/price-alerts/send-due-pushes.server.ts';
import type { Db } from '#database/connect.ts';
import { newsTitle } from './news-title.ts';
import { readSearchNews } from './read-search-news.server.ts';

/** Renders a watched search's news as a push notification of two lines. */
export async function writeSearchPush(
  db: Db,
  { search_id, search_mail }: Push,
): Promise<PushMessage | null> {
  const news = await readSearchNews(db, search_id ?? 0, search_mail ?? 0);
  const [first] = news?.deals ?? [];
  if (!news || !first) return null;
  const more = news.count > 1 ? `, and ${news.count - 1} more` : '';
  return {
    title: newsTitle({ ...news, coupons: [] }),
    body: `${first.price}: ${first.title.slice(0, 120).toWellFormed()}${more}`,
    path: news.address,
    tag: `search-${news.id}`,
  };
}
