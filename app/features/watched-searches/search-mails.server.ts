import { alertListPath, confirmAlertPath } from '#app/features/price-alerts/watch-link.server.ts';
import { mailKind, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';
import { findSearchRequest } from './confirm-search.server.ts';
import { readSearchNews } from './read-search-news.server.ts';

export const searchMails = {
  'search-news': mailKind({
    isAboutAccount: false,
    load: () => import('./search-news-email.tsx'),
    async prepare(db, { payload }: OutboxMail<{ searchId?: number; mail?: number }>) {
      const news = await readSearchNews(db, payload.searchId ?? 0, payload.mail ?? 0);
      if (!news) return null;
      const { id, watcherId, ...shown } = news;
      const { stopPath, unsubscribePath } = await stopMailPaths(db, {
        what: 'search',
        id: String(id),
      });
      const props = { ...shown, stopPath, listPath: await alertListPath(db, watcherId) };
      return { props, unsubscribePath };
    },
  }),
  /** Only while the request waits for it. */
  'search-confirm': mailKind({
    isAboutAccount: false,
    isConfirmation: true,
    load: () => import('./confirm-search-email.tsx'),
    async prepare(db, { payload }: OutboxMail<{ requestId?: number }>) {
      const request = await findSearchRequest(db, payload.requestId ?? 0);
      if (!request || request.confirmed_at) return null;
      const id = String(request.id);
      const { unsubscribePath } = await stopMailPaths(db, { what: 'request', id });
      const confirmPath = await confirmAlertPath(db, request.id);
      return { props: { confirmPath }, unsubscribePath };
    },
  }),
};
