import type { Route } from './+types/opensearch-route';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { escapeXml } from '#app/platform/escape-xml.ts';
import { answerConditionally } from './answer-conditionally.server.ts';

const longestShortName = 16;

/** Lets a browser search the site from its address bar. */
export async function loader({ context, request }: Route.LoaderArgs): Promise<Response> {
  const { db, env } = appServices(context);
  const { siteName } = await readSiteSettings(db);
  const shortName = Array.from(siteName).slice(0, longestShortName).join('').trim();
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${escapeXml(shortName)}</ShortName>
  <Description>${escapeXml(`Search the deals on ${siteName}`)}</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="32" height="32" type="image/x-icon">${env.origin}/favicon.ico</Image>
  <Image width="192" height="192" type="image/png">${env.origin}/icon-192.png</Image>
  <Url type="text/html" method="get" template="${env.origin}/deals?search={searchTerms}"/>
  <Url type="application/opensearchdescription+xml" rel="self" template="${env.origin}/opensearch.xml"/>
</OpenSearchDescription>
`;
  return answerConditionally(request, body, 'application/opensearchdescription+xml', 3600);
}
