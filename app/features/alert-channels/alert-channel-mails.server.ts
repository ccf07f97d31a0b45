import { mailKind } from '#app/platform/mail/mail-kind.server.ts';

export const alertChannelMails = {
  'alert-channel-ended': mailKind({
    isAboutAccount: true,
    load: () => import('./alert-channel-ended-email.tsx'),
  }),
};
