import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { fillTemplate } from '#app/platform/mail/mail-kind.server.ts';
import { ask } from '#database/ask.ts';
import type { LeftOutDeal, NewsletterContent } from './newsletter-content.ts';
import * as template from './newsletter-email.tsx';
import type { Newsletter } from './managed-newsletter-queries.server.ts';
import { writeNewsletter } from './write-newsletter.server.ts';

/**
 * Returns the email as it was sent. Before that and while paused, returns the email as it would be
 * rendered now.
 */
export async function previewNewsletter(
  services: Pick<AppServices, 'db' | 'env' | 'log' | 'now'>,
  newsletter: Newsletter,
) {
  const { letter, leftOut } = await readStoredContent(services, newsletter);
  const site = await readMailSite(services.db, services.env);
  const props = { ...letter, unsubscribePath: '/unsubscribe' };
  return { ...(await fillTemplate(template, props, site)), leftOut };
}

/** Returns the email for an unsaved text, as it would be rendered now. */
export async function previewUnsaved(
  services: Parameters<typeof previewNewsletter>[0],
  typed: Pick<Newsletter, 'subject' | 'preview' | 'content'>,
) {
  const { letter } = await writeNewsletter(services, { id: 0, ...typed }, { isCounted: false });
  const site = await readMailSite(services.db, services.env);
  return fillTemplate(template, { ...letter, unsubscribePath: '/unsubscribe' }, site);
}

async function readStoredContent(
  services: Parameters<typeof previewNewsletter>[0],
  newsletter: Newsletter,
): Promise<{ letter: NewsletterContent; leftOut: LeftOutDeal[] }> {
  if (newsletter.state === 'sending' || newsletter.state === 'sent') {
    const letter = await ask(services.db).value<NewsletterContent>`
      select letter from newsletters where id = ${newsletter.id}`;
    if (letter) return { letter, leftOut: [] };
  }
  return writeNewsletter(services, newsletter, { isCounted: false });
}

export type Scheme = 'light' | 'dark';

/** Forces a color scheme in the preview, regardless of the viewer's setting. */
export function inScheme(html: string, scheme: Scheme): string {
  const media = scheme === 'dark' ? '@media all' : '@media not all';
  return html
    .replaceAll('@media (prefers-color-scheme: dark)', media)
    .replaceAll('light dark', scheme);
}
