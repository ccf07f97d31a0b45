import { type ActionFunctionArgs, data } from 'react-router';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { isPolicyReportType } from '#app/platform/policy-report-path.ts';
import { notePolicyReports } from '#app/platform/policy-report-queries.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { readPolicyReports } from '#app/platform/read-policy-reports.ts';

const longestReport = 64 * 1024;

/** Counts a browser's report of content blocked by the content policy, and stores nothing else. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const services = appServices(context);
  if (!services.env.cspReports) return answer(404);
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!isPolicyReportType(type)) return answer(415);
  const ofOne = await limit(services, 'policy-report-address', requestFacts(context).address);
  const ofAll = ofOne.ok ? await limit(services, 'policy-report-site', '') : ofOne;
  if (!ofAll.ok) return answer(429, retryAfter(ofAll));
  const text = await request.text();
  if (text.length > longestReport) return answer(413);
  const reports = readPolicyReports(text, type, new URL(request.url).origin);
  if (reports === null) return answer(400);
  await notePolicyReports(services.db, reports);
  return answer(204);
}

/** Returns 405 for GET, since there is nothing to read. */
export function loader() {
  throw data(null, { status: 405, headers: { allow: 'POST' } });
}

function answer(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store', ...headers } });
}
