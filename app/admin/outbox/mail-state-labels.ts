import type { MailState } from '#app/platform/mail/mail-states.ts';

export const stateLabels: Record<MailState, string> = {
  queued: 'Queued',
  sent: 'Sent',
  failed: 'Failed',
  cancelled: 'No longer needed',
  kept: 'Kept (no email server)',
};
