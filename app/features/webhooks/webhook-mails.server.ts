import { mailKind } from '#app/platform/mail/mail-kind.server.ts';

export const webhookMails = {
  'webhook-switched-off': mailKind({
    isAboutAccount: true,
    load: () => import('./webhook-switched-off-email.tsx'),
  }),
};
