import sharp from 'sharp';
import { expect, test } from 'vitest';
import { accentColors } from '#app/features/site-settings/brand/accent-colors.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import {
  findFault,
  type OutboxMail,
  type WrittenMail,
} from '#app/platform/mail/mail-kind.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { createNewsletter } from './change-newsletter.server.ts';
import { findNewsletter } from './managed-newsletter-queries.server.ts';
import { newsletterMails } from './newsletter-mails.server.ts';
import { previewNewsletter, previewUnsaved } from './preview-newsletter.server.ts';
import { testNewsletter } from './send-newsletter.server.ts';

const database = useTestDatabase();
const services = () => testServices(database, { SMTP_HOST: '127.0.0.1' });

/** Returns the test email for this content, checked like every email. */
async function mailOf(content: string): Promise<WrittenMail> {
  const { db } = database;
  const { env } = services();
  const typed = {
    subject: 'Lamps',
    preview: '',
    content,
    audience_since: null,
    audience_confirmed: false,
  };
  const saved = await createNewsletter(db, typed, { actor: 'ada', origin: env.origin });
  if (!saved.ok) throw new Error(saved.reason);
  await testNewsletter(services(), saved.newsletter.id, { id: 'ada', email: 'ada@mail.example' });
  const [queued] = await db.selectFrom('mail_outbox').selectAll().execute();
  const site = await readMailSite(db, env);
  const kind = newsletterMails['newsletter-test'];
  const mail = await kind.write(db, queued as OutboxMail, site, 'send');
  if (!mail) throw new Error('the email was cancelled');
  expect(findFault(kind, mail, site)).toBeNull();
  return mail;
}

const bodyOf = ({ html }: WrittenMail) => html.slice(html.indexOf('</h1>'));

test('renders a button in the accent color, counts its link and keeps it in the plain text', async () => {
  await writeSiteSetting(database.db, 'accent', '#c2185b', 'test');
  const mail = await mailOf(
    '<p><a data-button href="/deals?a=1&amp;b=2">See <b>20%</b> &amp; more</a></p>',
  );
  const { fill, onFill } = accentColors('#c2185b').light;
  const [button = ''] = /<a class="mail-button"[^>]*>/.exec(bodyOf(mail)) ?? [];
  expect(button).toContain(`background-color:${fill}`);
  expect(button).toContain(`color:${onFill}`);
  expect(button).toMatch(/href="https?:\/\/[^"]+\/out\/newsletter\/1\/1"/);
  expect(bodyOf(mail)).toContain('See 20% &amp; more');
  expect(mail.text).toMatch(/See 20% & more <https?:\/\/[^>]+\/out\/newsletter\/1\/1>/);
  const links = await database.db.selectFrom('newsletter_links').select('href').execute();
  expect(links).toEqual([{ href: '/deals?a=1&b=2' }]);
});

test('renders no button without a link, and does not take similar text for a button', async () => {
  const mail = await mailOf(
    '<p><a data-button>None</a><a data-button href="javascript:alert(1)">Evil</a></p>' +
      '<p>&lt;a data-button="mail"&gt;x&lt;/a&gt;</p>' +
      '<p><a title=\'<a data-button="mail" href="https://evil.example">x</a>\' href="/blog">y</a></p>' +
      '<p><a data-button="mail" href="https://lamps.example/"></a>.</p>',
  );
  expect(bodyOf(mail)).not.toContain('mail-button');
  expect(bodyOf(mail)).not.toMatch(/javascript:|href="https:\/\/evil/);
});

test('shows a library picture as a JPEG from this site, no wider than the email', async () => {
  const media = openMedia(services());
  const picture = sharp({ create: { width: 1600, height: 400, channels: 3, background: '#08f' } });
  await media.write('library/lamp.webp', await picture.webp().toBuffer());
  const mail = await mailOf('<p><img src="/media/library/lamp.webp" alt="A lamp"></p>');
  const [image = ''] = /<img alt="A lamp"[^>]*>/.exec(bodyOf(mail)) ?? [];
  const [, file = ''] = /\/media\/(newsletter\/[^"]+\.jpg)"/.exec(image) ?? [];
  expect(image).toContain('max-width:100%');
  expect(await media.find(file)).not.toBeNull();
});

test('previews unsaved text exactly as the saved newsletter would look', async () => {
  await mailOf('<h2>Now</h2><p><a data-button href="/deals">Deals</a></p>');
  const newsletter = await findNewsletter(database.db, 1);
  if (!newsletter) throw new Error('there is no newsletter');
  const { html, text, subject } = await previewNewsletter(services(), newsletter);
  expect(await previewUnsaved(services(), newsletter)).toEqual({ html, text, subject });
});
