import { mailKind } from '#app/platform/mail/mail-kind.server.ts';

export const channelMails = {
  'channel-switched-off': mailKind({
    isAboutAccount: true,
    load: () => import('./channel-switched-off-email.tsx'),
  }),
};
