import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/evidence-page';
import { isBehind } from '#app/features/evidence/describe-witness.ts';
import { listNewestDays } from '#app/features/evidence/evidence-queries.server.ts';
import {
  type EvidenceSite,
  listEvidenceSites,
} from '#app/features/evidence/evidence-site-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { PageHeading } from '#app/ui/page-heading.tsx';
import styles from './evidence-page.module.css';

const shownDays = 30;

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const days = await listNewestDays(db, shownDays);
  const sites = await listEvidenceSites(db);
  allowPageCache(context, ['evidence']);
  const newest = days[0]?.day ?? null;
  return {
    witnesses: sites.filter(({ role }) => role === 'witness').map((site) => asShown(site, newest)),
    witnessed: sites
      .filter(({ role }) => role === 'witnessed')
      .map((site) => asShown(site, newest)),
    key: days[0]?.key ?? null,
    days: days.map(({ day, prices, voids, root }) => ({ day, prices, voids, root })),
  };
}

function asShown(site: EvidenceSite, newest: string | null) {
  const { address, key, through, problem, conflictDay } = site;
  return { address, key, through, problem, conflictDay, isBehind: isBehind(site, newest) };
}

type ShownSite = ReturnType<typeof asShown>;

export const meta = fixedMeta({
  path: '/evidence',
  title: 'Price log evidence',
  description: 'How to verify that no price in our log was changed afterwards.',
  feedPath: '/feeds/evidence.xml',
});

export default function EvidencePage({
  loaderData: { key, days, witnesses, witnessed },
}: Route.ComponentProps) {
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
      <p>
        If we lose data and restore a backup, the days after it are sealed again, and a witness
        reports that we rewrote them. An honest restore changes no day from before the backup.
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

      <Witnesses witnesses={witnesses} witnessed={witnessed} />

      <h2>Our public key</h2>
      {key === null ? (
        <p>The first day is sealed tonight.</p>
      ) : (
        <p className={styles.hash}>
          Ed25519: <code>{key}</code>
        </p>
      )}
      <p>If we change the key, the old key signs the change. Otherwise every check fails.</p>

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

function Witnesses({ witnesses, witnessed }: { witnesses: ShownSite[]; witnessed: ShownSite[] }) {
  const { origin } = useSite();
  if (witnesses.length + witnessed.length === 0) return null;
  return (
    <>
      <h2>Witnesses</h2>
      {witnesses.length > 0 ? (
        <>
          <p>
            These sites keep our signed days and countersign each of them. Compare a key with the
            one that the site itself publishes.
          </p>
          <ul>
            {witnesses.map(({ address, key, through, problem, isBehind: isLate }) => (
              <li key={address}>
                <a href={witnessedUrl(address, origin)}>{new URL(address).host}</a>:{' '}
                {through === null ? 'no day countersigned yet' : `countersigned through ${through}`}
                {isLate && through !== null ? ', and it is behind' : ''}.{' '}
                {problem === null ? null : <strong>{problem}</strong>}
                {key === null ? null : (
                  <div className={styles.hash}>
                    Its key: <code>{key}</code>
                  </div>
                )}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {witnessed.length > 0 ? (
        <>
          <p>We keep and countersign the signed days of these sites.</p>
          <ul>
            {witnessed.map(({ address, through, conflictDay }) => (
              <li key={address}>
                <a href={witnessedUrl(origin, address)}>{new URL(address).host}</a>:{' '}
                {through === null ? 'no day kept yet' : `kept through ${through}`}.{' '}
                {conflictDay === null ? null : (
                  <strong>{`From ${conflictDay} on, its days do not continue those that we keep.`}</strong>
                )}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  );
}

function witnessedUrl(witness: string, site: string): string {
  return `${witness}/api/v1/evidence/witnessed?site=${encodeURIComponent(site)}`;
}
