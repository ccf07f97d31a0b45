import type { NewsletterState } from '#app/features/newsletter/newsletter-state.ts';
import type { PillVariant } from '#app/admin/frame/status-pill.tsx';

export const newsletterStateLabels: Record<NewsletterState, string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  sending: 'Sending',
  paused: 'Paused',
  sent: 'Sent',
};

export const newsletterStateStyles: Record<NewsletterState, PillVariant> = {
  draft: 'plain',
  scheduled: 'warn',
  sending: 'good',
  paused: 'warn',
  sent: 'good',
};
