import { expect, it } from 'vitest';
import { useTestDatabase } from '#test/database.ts';

const database = useTestDatabase();

// Proves Storefront 3: user profile, session, favorites, alert, newsletter, captcha: tables (account-tables.ts, alert-tables.ts)
// Proves R34: unique rows (0001_initial.sql)
it('R34: enforces unique rows in the database itself', async () => {
  const { rows } = await database.pool.query<{ line: string }>(
    `select tablename || ' ' || regexp_replace(indexdef, '^.* USING btree ', '') as line
       from pg_indexes where schemaname = 'public' and indexdef like 'CREATE UNIQUE%'`,
  );
  expect(rows.map(({ line }) => line)).toEqual(
    expect.arrayContaining([
      'users (email)', // addresses are in lower case, see below
      'user_favorites (user_id, deal_id)',
      'follows (user_id, merchant_id) WHERE (merchant_id IS NOT NULL)',
      'follows (user_id, category_id) WHERE (category_id IS NOT NULL)',
      'follows (user_id, brand) WHERE (brand IS NOT NULL)',
      'price_alerts (user_id, deal_id, kind)', // decision 051
      'newsletter_subscriptions (lower(email))',
      'deals (slug)',
      'categories (slug)',
      'merchants (slug)',
      'blog_posts (slug)',
      'deals (merchant_id, external_id)',
    ]),
  );
});

it('R34: accepts one account per email address, regardless of letter case', async () => {
  const insert = database.pool.query(
    `insert into users (id, email) values ('ada', 'Ada@mail.example')`,
  );
  await expect(insert).rejects.toMatchObject({
    code: '23514',
    constraint: 'users_email_is_lower_case',
  });
});

it('R34: keeps only one row when two writers insert the same slug simultaneously', async () => {
  const take = () =>
    database.pool.query(`insert into categories (name, slug) values ('Audio', 'audio')`);
  const done = await Promise.allSettled([take(), take(), take()]);
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(done.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: '23505' },
  });
});
