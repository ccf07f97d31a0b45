import { redirect } from 'react-router';
import type { Route } from './+types/subscriptions-file-route';
import { confirmIdentity, readProof } from '#app/features/accounts/confirm-identity.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  exportSubscriptions,
  subscriptionExportColumns,
} from '#app/features/newsletter/export-subscriptions.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { csvResponse } from '#app/platform/csv.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';

/** Exports every subscription as CSV, after an identity check. */
export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'newsletter.manage');
  const services = appServices(context);
  const confirmed = await confirmIdentity(services, user, readProof(await readFormBody(request)));
  if (!confirmed.ok) {
    return redirect(`/admin/subscriptions/export?refused=${confirmed.reason}`, { status: 303 });
  }
  const { db, log, now } = services;
  await writeAudit(db, {
    actor: user.id,
    action: 'subscription.export',
    entity: 'subscription',
  });
  log.info({ event: 'export', of: 'subscriptions', by: user.id }, 'subscriptions exported');
  const name = `newsletter-subscriptions-${now().toISOString().slice(0, 10)}`;
  return csvResponse(name, subscriptionExportColumns, exportSubscriptions(db));
}

export function loader({ context }: Route.LoaderArgs): Response {
  requireRight(context, 'newsletter.manage');
  return redirect('/admin/subscriptions/export');
}
