import type { Route } from './+types/legal-page';
import prose from '#app/features/blog/prose.module.css';
import { Island } from '#app/islands/island.tsx';
import { allowPageCache } from '#app/platform/app-context.server.ts';
import { pagesTag, readSiteText, sectionsOf } from '#app/features/pages/read-site-text.server.ts';
import type { TextName } from '#app/features/pages/site-texts.ts';
import { textMeta } from '#app/storefront/reading/text-meta.ts';
import type { CookieToggles } from './cookie-toggles.tsx';
import styles from './legal-page.module.css';

/** Shows the policy named in the URL. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const path = new URL(request.url).pathname;
  const text = await readSiteText(context, path.slice(1).replace(/\.data$/, '') as TextName);
  allowPageCache(context, [pagesTag]);
  const { title, intro, dated, head } = text;
  return { path, text: { title, intro, dated, sections: sectionsOf(text) }, head };
}

export function meta(page: Route.MetaArgs) {
  const { loaderData } = page;
  return loaderData ? textMeta(page, loaderData.path, loaderData.head) : [];
}

export default function LegalPage({ loaderData: { path, text } }: Route.ComponentProps) {
  const { title, intro, dated, sections } = text;
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        <p className="small">Last updated: {dated}</p>
        {intro ? <p className={styles.lead} dangerouslySetInnerHTML={{ __html: intro }} /> : null}
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
