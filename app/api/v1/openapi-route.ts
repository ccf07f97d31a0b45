import type { LoaderFunctionArgs } from 'react-router';
import { describeLimits } from '#app/features/public-api/describe-limits.server.ts';
import { writeOpenApi } from '#app/features/public-api/openapi-document.ts';
import { publicSite } from '#app/features/site-settings/public-site.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerJson, apiAction } from './answer-api.server.ts';

/** Returns `/openapi.json`, the API's description. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const services = appServices(context);
  const site = publicSite(await readSiteSettings(services.db), services.env.origin);
  const document = writeOpenApi(site, describeLimits(services));
  return answerJson(request, `${JSON.stringify(document, null, 2)}\n`, {}, 3600);
}

export const action = apiAction;
