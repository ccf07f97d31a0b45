import { describe, expect, test } from 'vitest';
import { signIn } from '#test/staff.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { addDemoSettings } from '#database/seed/seed-demo.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const fields = {
  name: 'Ada',
  email: 'ada@mail.example',
  subject: 'Hello',
  message: 'Is the lamp still on sale?',
};
let visitors = 0;

/** Each visitor has a separate address, since the limits depend on it. */
const visitor = (env: Record<string, string> = {}) =>
  testVisitor(
    testSite(database, { env: testServices(database, env).env }),
    `198.51.100.${++visitors}`,
  );
const count = async () =>
  (await database.db.selectFrom('contact_messages').select('id').execute()).length;

describe('/contact', () => {
  test('shows the contact form beside the settings’ address, phone and hours', async () => {
    await writeSiteSetting(database.db, 'contactEmail', 'hello@shop.test', 'test');
    await writeSiteSetting(
      database.db,
      'supportTimes',
      [{ days: 'Every day', hours: '1–2 AM' }],
      'test',
    );
    const { status, html } = await visitor().open('/contact');
    expect(status).toBe(200);
    expect(html).toContain('mailto:hello@shop.test');
    expect(html).toMatch(/Every day<\/dt><dd>1–2 AM/);
    expect(html).toContain(`<link rel="canonical" href="${testOrigin}/contact"`);
    for (const [name, longest] of Object.entries({ name: 100, subject: 150, message: 5000 }))
      expect(fieldOf(html, name)).toContain(`maxLength="${longest}"`);
  });

  test('omits a blank address, phone or hours from the contact page', async () => {
    const { html } = await visitor().open('/contact');
    expect(html).toContain('A person reads every message and answers');
    const main = /<main.*<\/main>/s.exec(html)?.[0];
    expect(main).not.toMatch(/mailto:|Phone|Support hours|within \d|null hours|Company/);
  });

  // Proves Back office 1: Support within 24 hours; hours of support (demo-settings.ts)
  test('shows the specification’s hours for the demo shop', async () => {
    await addDemoSettings(database.db);
    const { html } = await visitor().open('/contact');
    expect(html).toMatch(/Monday to Friday<\/dt><dd>9AM–6PM EST/);
    expect(html).toMatch(/Saturday<\/dt><dd>10AM–4PM/);
    expect(html).toMatch(/Sunday<\/dt><dd>Closed/);
    expect(html).toContain('within 24 hours');
  });

  test('prefills the address of a signed-in user in the contact form', async () => {
    const { cookie } = await signIn(database, { email: 'member@mail.example' });
    const { html } = await testSite(database).page('/contact', { headers: { cookie } });
    expect(fieldOf(html, 'email')).toContain('value="member@mail.example"');
  });

  // Proves Storefront 2: Routes: contact
  test('accepts a contact message after the question without JavaScript, and confirms it', async () => {
    const somebody = visitor();
    const { status, html } = await somebody.sendAsHuman('/contact', fields);
    expect(status).toBe(200);
    expect(html).toContain('Message Sent!');
    expect(html).toMatch(/href="\/contact"[^>]*>Send Another Message/);
    expect(html).not.toContain('name="message"');
    expect(await count()).toBe(1);
  });

  test('requires the captcha of the contact form and keeps the input', async () => {
    const { status, html } = await visitor().send('/contact', fields);
    expect(status).toBe(422);
    expect(html).toContain('Please complete the security verification.');
    expect(html).toContain('Is the lamp still on sale?</textarea>');
    expect(await count()).toBe(0);
  });

  test('shows errors of the contact form at their fields', async () => {
    const { status, html } = await visitor().send('/contact', {
      ...fields,
      email: 'nonsense',
      subject: '',
    });
    expect(status).toBe(422);
    for (const [name, words] of [
      ['email', 'Please enter a valid email address'],
      ['subject', 'Subject is required'],
    ] as const) {
      const noteId = /aria-describedby="([^"]+)"/.exec(fieldOf(html, name))?.[1];
      expect(html).toContain(`id="${noteId}" class="field-frame-error">${words}`);
    }
    expect(fieldOf(html, 'email')).toContain('value="nonsense"');
    expect(fieldOf(html, 'name')).toContain('value="Ada"');
  });

  test('rejects the sixth contact message in an hour with 429 and keeps it in the form', async () => {
    const somebody = visitor({ RATE_LIMITS: 'contact-address=1/600' });
    expect((await somebody.sendAsHuman('/contact', fields)).status).toBe(200);
    const { status, html, headers } = await somebody.sendAsHuman('/contact', fields);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(html).toContain('Too many attempts');
    expect(html).toContain('Is the lamp still on sale?');
  });

  test('reports a contact message that could not be stored and keeps the input', async () => {
    await database.db.schema.alterTable('contact_messages').renameTo('contact_hidden').execute();
    try {
      const { status, html } = await visitor().sendAsHuman('/contact', fields);
      expect(status).toBe(500);
      expect(html).toContain('Failed to send your message. Please try again.');
      expect(html).toContain('Is the lamp still on sale?');
    } finally {
      await database.db.schema.alterTable('contact_hidden').renameTo('contact_messages').execute();
    }
  });

  test('R62: returns 503 for a contact message while the database is read-only', async () => {
    await database.pool.query(`
      create function only_reads() returns trigger language plpgsql as
        $$ begin raise exception 'read-only' using errcode = 'read_only_sql_transaction'; end $$;
      create trigger only_reads before insert on contact_messages execute function only_reads()`);
    try {
      const { status, html } = await visitor().sendAsHuman('/contact', fields);
      expect(status).toBe(503);
      expect(html).toContain('Is the lamp still on sale?');
    } finally {
      await database.pool.query('drop function only_reads cascade');
    }
  });
});

/** Returns the tag of a contact form field, with all of its attributes. */
function fieldOf(html: string, name: string): string {
  return new RegExp(`<(?:input|textarea)[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? '';
}
