import { confirmWatchMail } from '#app/features/price-alerts/alert-mails.server.ts';
import { alertListPath } from '#app/features/price-alerts/watch-link.server.ts';
import { mailKind, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';
import { findSearchRequest } from './confirm-search.server.ts';
import { readSearchNews } from './read-search-news.server.ts';
import { isOfProduct } from './watchable.ts';
import { forgetToldLow } from './watched-search-queries.server.ts';

interface SearchNewsPayload {
  searchId?: number;
  mail?: number;
  couponIds?: number[];
}

export const searchMails = {
  'search-news': mailKind({
    isAboutAccount: false,
    load: () => import('./search-news-email.tsx'),
    async prepare(db, { payload }: OutboxMail<SearchNewsPayload>, { origin }, purpose) {
      const { searchId = 0, mail = 0, couponIds } = payload;
      const sentFrom = purpose === 'send' ? origin : null;
      const news = await readSearchNews(db, searchId, mail, couponIds, sentFrom);
      if (!news) {
        if (purpose === 'send') await forgetToldLow(db, searchId, mail);
        return null;
      }
      const { id, watcherId, ...shown } = news;
      const { stopPath, unsubscribePath } = await stopMailPaths(db, {
        what: 'search',
        id: String(id),
      });
      const props = { ...shown, stopPath, listPath: await alertListPath(db, watcherId) };
      return { props, unsubscribePath };
    },
  }),
  'search-confirm': confirmWatchMail(
    ({ address }) => (isOfProduct(address) ? 'alert' : 'search'),
    findSearchRequest,
  ),
};
