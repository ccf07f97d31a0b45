import { mailKind } from '#app/platform/mail/mail-kind.server.ts';

export const evidenceMails = {
  'witness-conflict': mailKind({
    isAboutAccount: true,
    load: () => import('./witness-conflict-email.tsx'),
  }),
};
