import type { LoaderFunctionArgs } from 'react-router';
import { postbackNetworks } from '#app/features/earnings/postback-address.ts';
import { takePostback } from '#app/features/earnings/take-postback.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';

/**
 * Stores a sale that an affiliate network reports. Accepts only GET, which all these networks can
 * send. A repeated postback succeeds without effect, so that networks do not retry it.
 */
export async function loader({ request, context, params }: LoaderFunctionArgs): Promise<Response> {
  const services = appServices(context);
  const network = postbackNetworks.find((one) => one === params['network']);
  if (!network) return answer(404, 'Unknown network.');
  if (request.method !== 'GET') return answer(405, 'Send GET.', { allow: 'GET' });
  const within = await limit(services, 'postback-address', requestFacts(context).address);
  if (!within.ok) return answer(429, 'Too many requests.', retryAfter(within));
  const { searchParams } = new URL(request.url);
  const taken = await takePostback(services.db, network, searchParams, services.now());
  if (taken === 'forged') return answer(403, 'The token is wrong.');
  if (typeof taken === 'object') return answer(400, taken.malformed);
  services.log.info({ network, taken }, 'postback');
  return answer(200, taken === 'stored' ? 'Stored.' : 'Unchanged.');
}

/** Returns 405 for POST. */
export function action(): Response {
  return answer(405, 'Send GET.', { allow: 'GET' });
}

function answer(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      ...headers,
    },
  });
}
