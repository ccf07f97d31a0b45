import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { countAudience, inAudience } from '#app/features/newsletter/audience.server.ts';
import { countUserFigures } from '#app/features/accounts/people/user-table-queries.server.ts';
import { countSubscriptionFigures } from '#app/features/newsletter/subscription-table-queries.server.ts';
import { ask } from '#database/ask.ts';
import { seededRandom } from '#database/seed/seeded-random.ts';
import { useTestDatabase } from '#test/database.ts';
import { readCounters } from './site-counters.server.ts';

const database = useTestDatabase();
const steps = 120;

/** Changes to accounts and subscriptions. Each changes several rows in one statement. */
const acts = {
  join: sql`insert into users (id, email, email_verified, role)
    select gen_random_uuid(), gen_random_uuid() || '@mail.example', true, (array['user', 'admin', 'super_admin'])[1 + floor(random() * 3)]
      from generate_series(1, 3)`,
  promote: sql`update users set role = (array['user', 'admin', 'super_admin'])[1 + floor(random() * 3)] where random() < 0.3`,
  rename: sql`update users set full_name = 'Somebody' where random() < 0.5`,
  leave: sql`delete from users where random() < 0.2`,
  subscribe: sql`insert into newsletter_subscriptions (email, is_active, confirmed_at, subscribed_at)
    select gen_random_uuid() || '@mail.example', random() < 0.7, case when random() < 0.5 then now() end, now() - random() * interval '2 days'
      from generate_series(1, 4)`,
  again: sql`insert into newsletter_subscriptions (email)
      select email from newsletter_subscriptions where random() < 0.3
    on conflict ((lower(email))) do update set is_active = true, unsubscribed_at = null`,
  confirm: sql`update newsletter_subscriptions set is_active = true, confirmed_at = now() where random() < 0.2`,
  unsubscribe: sql`update newsletter_subscriptions set is_active = false, unsubscribed_at = now() where random() < 0.2`,
  forget: sql`delete from newsletter_subscriptions where random() < 0.1`,
  bounce: sql`insert into mail_suspensions (recipient, reason, source, diagnostic, since)
      select lower(email), 'bounce', 'smtp', '', now() from newsletter_subscriptions where random() < 0.1
    on conflict (recipient) do update set lifted_at = null`,
  lift: sql`update mail_suspensions set lifted_at = now() where random() < 0.3`,
};

test('keeps the counters of accounts and subscriptions equal to their rows after any change', async () => {
  const { db } = database;
  const seed = Date.now() % 1_000_000;
  const random = seededRandom(seed);
  const names = Object.keys(acts) as (keyof typeof acts)[];
  const done: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    const name = random.pick(names);
    done.push(name);
    const isUndone = random.chance(0.2);
    await db
      .transaction()
      .execute(async (tx) => {
        await sql`select setseed(${random.next()})`.execute(tx);
        await acts[name].execute(tx);
        if (isUndone) throw new Error('undone');
      })
      .catch((error: Error) => {
        if (error.message !== 'undone') throw error;
      });
    const counted = await ask(db).row`
      select (select count(*) from users) as total, (select count(*) from users where role = 'super_admin') as "superAdmins",
             (select count(*) from users where role = 'admin') as admins, (select count(*) from users where role = 'user') as users`;
    expect({ seed, done, ...(await countUserFigures(db)) }).toEqual({
      seed,
      done,
      ...counted,
      ofSets: 0,
    });
    const subscribed = await ask(db).row`
      select count(*) as total, count(*) filter (where is_active) as active, count(unsubscribed_at) as unsubscribed
        from newsletter_subscriptions`;
    expect({ seed, done, ...(await countSubscriptionFigures(db)) }).toMatchObject({
      seed,
      ...subscribed,
    });
    const waiting = await ask(db).value`
      select count(*) from newsletter_subscriptions where not is_active and unsubscribed_at is null`;
    expect((await readCounters(db, 'subscriptions'))('waiting')).toBe(waiting);
    for (const audience_confirmed of [false, true]) {
      for (const daysAgo of [0, 1]) {
        const until = new Date(Date.now() - daysAgo * 86_400_000);
        const audience = { audience_since: null, audience_confirmed };
        const everybody = await ask(db).value`
          select count(*) from newsletter_subscriptions s where ${inAudience(audience, until)}`;
        expect([seed, await countAudience(db, audience, until)]).toEqual([seed, everybody]);
      }
    }
  }
});
