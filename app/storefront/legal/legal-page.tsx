import type { Route } from './+types/legal-page';
import { allowPageCache } from '#app/platform/app-context.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { DocumentFrame } from '#app/storefront/reading/document-frame.tsx';
import { type DocumentName, readDocument } from '#app/storefront/reading/read-content.server.ts';
import { readSiteFacts } from '#app/storefront/reading/site-facts.server.ts';
import { CookieToggles } from './cookie-toggles.tsx';

/** The policies, each at the address of its name. Their words are in `content/`. */
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
  const parts = path === '/cookies' ? { choose: <CookieToggles /> } : {};
  return (
    <DocumentFrame title={title} lead={lead} dated={dated} sections={sections} parts={parts} />
  );
}
