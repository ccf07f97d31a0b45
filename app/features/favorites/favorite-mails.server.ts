import { ask } from '#database/ask.ts';
import { mailKind, type OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';
import type { EndingFavorite } from './favorites-expiring-email.tsx';

/** Omits deals that were extended, unsaved or unpublished since the email was queued. */
export const favoriteMails = {
  'favorites-expiring': mailKind({
    isAboutAccount: false,
    load: () => import('./favorites-expiring-email.tsx'),
    async prepare(db, mail: OutboxMail<{ dealIds?: number[] }>) {
      const { dealIds } = mail.payload;
      const deals = await ask(db).rows<EndingFavorite>`
        select d.title, d.slug, d.sale_price as "price", d.expires_at as "expiresAt", m.name as "merchantName"
          from user_favorites f join deals d on d.id = f.deal_id join merchants m on m.id = d.merchant_id
          join users u on u.id = f.user_id
         where f.user_id = ${mail.user_id} and f.deal_id = any(${dealIds ?? []}::bigint[]) and d.is_active
           and u.remind_before_expiry and u.email_verified
           and d.expires_at > now() and d.expires_at = f.reminded_for
         order by d.expires_at, d.id`;
      if (deals.length === 0 || mail.user_id === null) return null;
      const paths = await stopMailPaths(db, { what: 'reminders', id: mail.user_id });
      return { props: { deals, stopPath: paths.stopPath }, unsubscribePath: paths.unsubscribePath };
    },
  }),
};
