import { alertListPath, confirmAlertPath } from '#app/features/price-alerts/watch-link.server.ts';
import { mailKind, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';
import { readSearchNews } from './read-search-news.server.ts';
import { findWatchRequest } from './watch-requests.server.ts';
import { forgetToldLow } from './watched-search-queries.server.ts';

interface SearchNewsPayload {
  searchId?: number;
  mail?: number;
  couponIds?: number[];
}

/** The email that asks to confirm a request, sent only while the request is open. */
const confirmMail = mailKind({
  isAboutAccount: false,
  isConfirmation: true,
  load: () => import('./confirm-watch-email.tsx'),
  async prepare(db, { payload }: OutboxMail<{ requestId?: number }>) {
    const request = await findWatchRequest(db, payload.requestId ?? 0);
    if (!request || request.confirmed_at) return null;
    const id = String(request.id);
    const { unsubscribePath } = await stopMailPaths(db, { what: 'request', id });
    const confirmPath = await confirmAlertPath(db, request.id);
    const what = request.what === 'search' ? ('search' as const) : ('alert' as const);
    return { props: { what, confirmPath }, unsubscribePath };
  },
});

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
  'price-alert-confirm': confirmMail,
  'search-confirm': confirmMail,
};
