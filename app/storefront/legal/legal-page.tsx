import type { Route } from './+types/legal-page';
import prose from '#app/features/blog/prose.module.css';
import { Island } from '#app/islands/island.tsx';
import { allowPageCache } from '#app/platform/app-context.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { type DocumentName, readDocument } from '#app/storefront/reading/read-content.server.ts';
import { readSiteFacts } from '#app/storefront/reading/site-facts.server.ts';
import type { CookieToggles } from './cookie-toggles.tsx';
import styles from './legal-page.module.css';

/** Shows the policy named in the address. The texts are in `content/`. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const path = new URL(request.url).pathname;
  allowPageCache(context, []);
  const text = readDocument(path.slice(1) as DocumentName, await readSiteFacts(context));
  return { path, text };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { path, text } = loaderData;
  const { title, description } = text;
  return pageMeta({ site: matches[0].loaderData?.site, path, title, description });
}

export default function LegalPage({ loaderData: { path, text } }: Route.ComponentProps) {
  const { title, lead, dated, sections } = text;
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        <p className="small">Last updated: {dated}</p>
        <p className={styles.lead}>{lead}</p>
      </header>
      <nav className={styles.contents} aria-labelledby="on-this-page">
        <h2 id="on-this-page">On this page</h2>
        <ol>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className={styles.body}>
        {sections.map((section) => (
          <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
            <h2 id={`${section.id}-title`}>{section.title}</h2>
            <div className={prose.prose} dangerouslySetInnerHTML={{ __html: section.html }} />
            {path === '/cookies' && section.id === 'choose' ? (
              <Island<typeof CookieToggles> name="cookie-toggles" wakesOn="visible" props={{}} />
            ) : null}
          </section>
        ))}
      </div>
    </article>
  );
}
