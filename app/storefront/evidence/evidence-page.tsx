import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/evidence-page';
import { listNewestDays } from '#app/features/evidence/evidence-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { PageHeading } from '#app/ui/page-heading.tsx';
import styles from './evidence-page.module.css';

const shownDays = 30;

export async function loader({ context }: Route.LoaderArgs) {
  const days = await listNewestDays(appServices(context).db, shownDays);
  allowPageCache(context, ['evidence']);
  return {
    key: days[0]?.key ?? null,
    days: days.map(({ day, prices, voids, root }) => ({ day, prices, voids, root })),
  };
}

export const meta = fixedMeta({
  path: '/evidence',
  title: 'Price log evidence',
  description: 'How to verify that no price in our log was changed afterwards.',
  feedPath: '/feeds/evidence.xml',
});

export default function EvidencePage({ loaderData: { key, days } }: Route.ComponentProps) {
  const { origin } = useSite();
  return (
    <div className={`readable ${styles.prose}`}>
      <PageHeading title="Price log evidence">
        You don’t have to take our word for it: you can check that past prices never change.
      </PageHeading>

      <h2>How it works</h2>
      <p>
        Every night we seal the prices that were logged the day before. One hash, the root of a
        Merkle tree, represents all of them. We sign it together with the hash of the previous day.
        If a price from a sealed day is later changed, removed or added, the hashes no longer match.
      </p>
      <p>
        Prices that turn out to be mistakes stay in the log and are marked as void. These marks are
        sealed too. Price histories from other trackers are never part of the evidence.
      </p>

      <h2>What it doesn’t prove</h2>
      <p>
        Nothing proves that a price was right when we logged it, or what happened before the first
        sealed day. We hold the signing key, so we could seal every day again. Your browser can’t
        notice that. Anyone who kept the earlier days can, and we would be caught.
      </p>

      <h2>How to verify it</h2>
      <p>
        Open a deal and press <em>Check this evidence</em> below its price chart. Your browser then
        verifies the newest 1,000 prices itself.
      </p>
      <p>
        To check without our pages, run <code>docs/verify-evidence.mjs</code> of Deal Hub’s source
        code with our address and the number of a deal. It reads{' '}
        <a href="/api/v1/evidence">the signed days</a> and the proofs of the deal from{' '}
        <Link to="/developers">our API</Link>.
      </p>
      <p>
        To notice days that were sealed again, keep the signed days yourself:{' '}
        <code className="anywhere">deals witness {origin} --file roots.jsonl</code> adds the new
        days to your file and reports every day that changed. A feed reader that follows{' '}
        <a href="/feeds/evidence.xml">our feed</a> keeps them as well.
      </p>

      <h2>Our public key</h2>
      {key === null ? (
        <p>The first day is sealed tonight.</p>
      ) : (
        <p className={styles.hash}>
          Ed25519: <code>{key}</code>
        </p>
      )}

      {days.length > 0 ? (
        <>
          <h2>The newest days</h2>
          <div className={styles.days}>
            <table>
              <caption className="visually-hidden">Sealed days, newest first</caption>
              <thead>
                <tr>
                  <th scope="col">Day (UTC)</th>
                  <th scope="col" data-number>
                    Prices
                  </th>
                  <th scope="col" data-number>
                    Voids
                  </th>
                  <th scope="col">Root</th>
                </tr>
              </thead>
              <tbody>
                {days.map(({ day, prices, voids, root }) => (
                  <tr key={day}>
                    <td>
                      <time dateTime={day}>{day}</time>
                    </td>
                    <td data-number>{prices}</td>
                    <td data-number>{voids}</td>
                    <td className={styles.hash}>
                      <code>{root}</code>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      ) : null}
    </div>
  );
}
