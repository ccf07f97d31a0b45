import { redirect, useLocation } from 'react-router';
import prose from '#app/features/blog/prose.module.css';
import { describePage } from '#app/features/pages/page-head.ts';
import { plainText } from '#app/features/pages/divide-text.ts';
import { findOwnPage, findPageRedirect } from '#app/features/pages/page-queries.server.ts';
import { pagesTag } from '#app/features/pages/read-site-text.server.ts';
import { renderLine, renderMarkdown } from '#app/features/pages/render-markdown.server.ts';
import { allowPageCache, appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { missingMeta, pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { answerNotFound } from '#app/storefront/not-found/answer-not-found.server.ts';
import { nearestOf } from '#app/storefront/not-found/did-you-mean.tsx';
import { NotFound } from '#app/storefront/not-found/not-found.tsx';
import type { Route } from './+types/own-page';
import styles from './own-page.module.css';

/** A page written by the owner, at a path of one or more segments. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { db, env } = appServices(context);
  const path = params['*'];
  const found = await findOwnPage(db, path);
  if (!found) {
    // A 302 is never cached, so the page is rendered again for this visitor alone. Only that
    // render can keep the visitor's query in a redirect, and count a missed path.
    if (requestFacts(context).isForCache) throw redirect(request.url, 302);
    const slug = await findPageRedirect(db, path);
    const { search } = new URL(request.url);
    throw slug ? redirect(`/${slug}${search}`, 301) : await answerNotFound(context, request);
  }
  allowPageCache(context, [pagesTag]);
  const { slug, title, intro, content, noindex } = found;
  return {
    slug,
    title,
    intro: renderLine(intro, env.origin),
    html: renderMarkdown(content, env.origin),
    head: { ...describePage({ ...found, intro: plainText(intro) }), isIndexed: !noindex },
  };
}

/** Returns 404 for a post to an unknown path. */
export async function action({ context, request }: Route.ActionArgs): Promise<never> {
  throw await answerNotFound(context, request);
}

export function meta(page: Route.MetaArgs) {
  const { matches, loaderData } = page;
  if (!loaderData) return missingMeta(page, 'This page does not exist.');
  const { slug, head } = loaderData;
  return pageMeta({ site: matches[0].loaderData?.site, path: `/${slug}`, ...head });
}

export default function OwnPage({ loaderData: { title, intro, html } }: Route.ComponentProps) {
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {intro ? <p className={styles.intro} dangerouslySetInnerHTML={{ __html: intro }} /> : null}
      </header>
      <div className={prose.prose} dangerouslySetInnerHTML={{ __html: html }} />
    </article>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <NotFound path={useLocation().pathname} nearest={nearestOf(error)} />;
}
