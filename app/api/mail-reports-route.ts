import { type ActionFunctionArgs, data } from 'react-router';
import { type AppServices, appServices } from '#app/platform/app-context.server.ts';
import type { ReadReports, ReportRequest } from '#app/platform/mail/reports/mail-report.ts';
import { noteMailReports } from '#app/platform/mail/reports/note-mail-reports.server.ts';
import { readJsonReports } from '#app/platform/mail/reports/read-json-reports.server.ts';
import { readMailgunReports } from '#app/platform/mail/reports/read-mailgun-reports.server.ts';
import { readSendgridReports } from '#app/platform/mail/reports/read-sendgrid-reports.server.ts';
import { readSesReports } from '#app/platform/mail/reports/read-ses-reports.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';

const providers = ['json', 'ses', 'sendgrid', 'mailgun'] as const;
type Provider = (typeof providers)[number];

/**
 * Bounces and complaints posted by an email provider. Only configured providers have an address.
 */
export async function action({ request, context, params }: ActionFunctionArgs): Promise<Response> {
  const services = appServices(context);
  const provider = providers.find((one) => one === params['provider']);
  if (!provider) return answer(404);
  const body = Buffer.from(await request.arrayBuffer());
  const read = await readReports(services, provider, {
    headers: request.headers,
    body,
    now: services.now(),
  });
  if (read === null) return answer(404);
  if (!read.ok) return answer(read.reason === 'forged' ? 403 : 400);
  const news = await noteMailReports(services.db, provider, read.reports);
  if (news > 0) services.log.info({ provider, addresses: news }, 'addresses suspended');
  return answer(204);
}

/** Returns 405 for GET, since there is nothing to read. */
export function loader() {
  throw data(null, { status: 405, headers: { allow: 'POST' } });
}

/** Returns `null` if the provider is not configured. */
async function readReports(
  services: AppServices,
  provider: Provider,
  request: ReportRequest,
): Promise<ReadReports | null> {
  const { webhookSecret, sesTopic, sendgridKey, mailgunSecret } = services.env.mail.bounces;
  switch (provider) {
    case 'json':
      return webhookSecret === null ? null : readJsonReports(webhookSecret, request);
    case 'sendgrid':
      return sendgridKey === null ? null : readSendgridReports(sendgridKey, request);
    case 'mailgun':
      return mailgunSecret === null ? null : readMailgunReports(mailgunSecret, request);
    case 'ses': {
      const mayFetch = async () => (await limit(services, 'sns-certificate', '')).ok;
      return sesTopic === null ? null : readSesReports(sesTopic, request, { mayFetch });
    }
  }
}

function answer(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } });
}
