import type { Db } from '#database/connect.ts';

const rowsAtATime = 1_000;

export const subscriptionExportColumns = ['Email', 'Status', 'Subscribed At', 'Unsubscribed At'];

/** Yields every subscription, oldest first, as fast as the client consumes them. */
export async function* exportSubscriptions(db: Db): AsyncGenerator<(string | null)[]> {
  let last = 0;
  for (;;) {
    const rows = await db
      .selectFrom('newsletter_subscriptions')
      .select(['id', 'email', 'is_active', 'subscribed_at', 'unsubscribed_at'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(rowsAtATime)
      .execute();
    for (const row of rows) {
      yield [
        row.email,
        row.is_active ? 'Active' : 'Inactive',
        row.subscribed_at.toISOString(),
        row.unsubscribed_at?.toISOString() ?? null,
      ];
      last = row.id;
    }
    if (rows.length < rowsAtATime) return;
  }
}
