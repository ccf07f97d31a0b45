import { data } from 'react-router';
import { redirectWithError, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import {
  acceptNewDays,
  addEvidenceSite,
  removeEvidenceSite,
} from '#app/features/evidence/change-evidence-sites.server.ts';
import {
  evidenceSiteInput,
  evidenceSiteMessages,
} from '#app/features/evidence/evidence-site-input.ts';
import { listEvidenceSites } from '#app/features/evidence/evidence-site-queries.server.ts';
import { visitSite } from '#app/features/evidence/visit-site.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import type { Post } from '#app/platform/read-post.server.ts';

const path = '/admin/developers/witnesses';

/** ms that staff wait for a site; the nightly job waits longer */
const patienceMs = 15_000;

/**
 * Adds a witness or a witnessed site, removes it, fetches its sealed days, or accepts rewritten
 * ones.
 */
export async function actOnWitnesses(
  { context, services, db, text, rowId, intent }: Post,
  actor: string,
) {
  if (intent === 'add') {
    const values = { role: text('role'), address: text('address') };
    const refuse = (errors: Record<string, string>) => data({ values, errors }, { status: 422 });
    const read = evidenceSiteInput.safeParse(values);
    if (!read.success) return refuse(fieldErrors(read.error));
    if (read.data.address === services.env.origin)
      return refuse({ address: evidenceSiteMessages.ownAddress });
    const id = await addEvidenceSite(db, { actor, ...read.data });
    if (id === null) return refuse({ address: evidenceSiteMessages.tooMany });
    await visit(services, id);
    return redirectWithFlash(context, path, 'Site added.');
  }
  const id = rowId('id') ?? 0;
  const site = (await listEvidenceSites(db)).find((one) => one.id === id);
  if (!site) return redirectWithError(context, path, 'This site was already removed.');
  switch (intent) {
    case 'remove': {
      await removeEvidenceSite(db, { actor, id });
      const { role, address } = site;
      const fields = { intent: 'add', role, address };
      const undo = { label: 'Undo', action: path, fields };
      return redirectWithFlash(context, path, 'Site removed.', { undo });
    }
    case 'fetch':
      await visit(services, id);
      return redirectWithFlash(context, path, 'Fetched from the site.');
    case 'accept':
      if (await acceptNewDays(db, { actor, id, now: services.now() })) await visit(services, id);
      return redirectWithFlash(context, path, 'New days accepted.');
    default:
      throw data(null, { status: 400 });
  }
}

async function visit(services: AppServices, id: number): Promise<void> {
  const site = (await listEvidenceSites(services.db)).find((one) => one.id === id);
  if (site) await visitSite(services, site, new AbortController().signal, patienceMs);
}
