import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { earningsOf, earningsOfLinks } from '#app/features/earnings/earning-figures.server.ts';
import { countAudience } from '#app/features/newsletter/audience.server.ts';
import {
  findNewsletter,
  listLinkClicks,
  readDeliveryCounts,
} from '#app/features/newsletter/managed-newsletter-queries.server.ts';
import { readTestCounts } from '#app/features/newsletter/choose-subject.server.ts';
import { previewNewsletter } from '#app/features/newsletter/preview-newsletter.server.ts';
import { findSendProblem } from '#app/features/newsletter/send-newsletter.server.ts';
import { isTest } from '#app/features/newsletter/subject-test.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { toWallClock } from '#app/platform/wall-clock.ts';
import { nameAudience } from '#app/features/newsletter/audience-choices.server.ts';
import type { Context } from '../frame/read-or-fail.server.ts';

const hour = 3_600_000;

export type ShownNewsletter = NonNullable<Awaited<ReturnType<typeof readNewsletterPage>>>;

/** Reads everything on a newsletter's page. Returns `null` if there is no such newsletter. */
export async function readNewsletterPage(context: Context, viewer: SessionUser, id: number) {
  const services = appServices(context);
  const { db, env, now } = services;
  const newsletter = await findNewsletter(db, id);
  if (!newsletter) return null;
  const { newsletterPerHour, timeZone, postalAddress } = await readSiteSettings(db);
  const counted = now();
  const figuresOf = await readDeliveryCounts(db, [id]);
  const { text, leftOut } = await previewNewsletter(services, newsletter);
  const links = await listLinkClicks(db, id);
  const maySee = viewer.rights.has('earnings.read');
  const earnedByLink = maySee ? await earningsOfLinks(db, id) : null;
  const earned = maySee
    ? await earningsOf(db, 'newsletter', [id], { days: 1, now: counted })
    : null;
  const { content: _content, ...facts } = newsletter;
  const hasBegun = newsletter.started_at !== null;
  return {
    newsletter: facts,
    preview: { text, leftOut, mark: `${newsletter.version}-${postalAddress.length}` },
    audience: {
      // Counting reads many subscribers, so a newsletter that was started uses its stored number.
      count: hasBegun ? (newsletter.recipients ?? 0) : await countAudience(db, newsletter, counted),
      counted,
      ...(await nameAudience(db, newsletter)),
    },
    test: isTest(newsletter) ? await readTestCounts(db, id) : null,
    figures: figuresOf(id),
    // Omits links that occurred only in tests of an earlier draft. Such links still redirect, but
    // have no clicks.
    links: links.filter(({ position, clicks }) =>
      clicks > 0 ? true : text.includes(`/out/newsletter/${id}/${position}>`),
    ),
    /** `null` without the right to see earnings. */
    earned: earned && (earned.get(id) ?? []),
    earnedByLink,
    problem: await findSendProblem(db, env),
    rate: newsletterPerHour,
    email: viewer.email,
    maySend: viewer.rights.has('newsletter.send'),
    maySet: viewer.rights.has('settings.write'),
    /** The default time: the next whole hour. */
    nextHour: toWallClock(
      new Date(Math.ceil((counted.getTime() + 60_000) / hour) * hour),
      timeZone,
    ),
  };
}
