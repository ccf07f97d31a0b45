import type { MailState } from '#app/platform/mail/mail-states.ts';

export const stateLabels: Record<MailState, string> = {
  queued: 'Queued',
  sent: 'Sent',
  failed: 'Failed',
  cancelled: 'Not needed any more',
  kept: 'Kept (no mail server)',
};
