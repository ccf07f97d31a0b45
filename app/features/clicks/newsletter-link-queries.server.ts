import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

interface PlaceOfLink {
  newsletterId: number;
  position: number;
}

/** Returns the target of a newsletter's link: an internal path or an http(s) URL. */
export function findNewsletterLink(db: Db, { newsletterId, position }: PlaceOfLink) {
  return ask(db).value<string>`
    select href from newsletter_links where newsletter_id = ${newsletterId} and position = ${position}`;
}

/**
 * Adds one click, without any data of the person. In a subject test, the click also counts for the
 * email's variant. Clicks in test emails, before sending, do not count.
 */
export async function countNewsletterLink(
  db: Db,
  { newsletterId, position }: PlaceOfLink,
  variant: 'a' | 'b' | null = null,
) {
  await sql`
    update newsletter_links set clicks = clicks + 1,
           clicks_a = clicks_a + ${variant === 'a' ? 1 : 0}, clicks_b = clicks_b + ${variant === 'b' ? 1 : 0}
     where newsletter_id = ${newsletterId} and position = ${position}
       and exists (select from newsletters where id = ${newsletterId} and started_at is not null)`.execute(
    db,
  );
}
