import { data } from 'react-router';
import type { Route } from './+types/developer-access-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { apiKeyInput, tooManyKeys } from '#app/features/public-api/api-key-input.ts';
import { listApiKeys } from '#app/features/public-api/api-key-queries.server.ts';
import { createApiKey } from '#app/features/public-api/create-api-key.server.ts';
import { describeLimits } from '#app/features/public-api/describe-limits.server.ts';
import { revokeApiKey } from '#app/features/public-api/revoke-api-key.server.ts';
import { addWebhookEndpoint } from '#app/features/webhooks/change-webhook-endpoint.server.ts';
import { webhookInput } from '#app/features/webhooks/webhook-input.ts';
import { webhookMessages } from '#app/features/webhooks/webhook-messages.ts';
import { listWebhookEndpoints } from '#app/features/webhooks/webhook-queries.server.ts';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrSay } from '#app/admin/frame/read-or-say.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { ApiKeysPart } from './api-keys-part.tsx';
import type { RefusedKey, RefusedWebhook } from './refused-forms.ts';
import { ShownSecret, type SecretOnce } from './shown-secret.tsx';
import { WebhooksPart } from './webhooks-part.tsx';
import styles from './developers.module.css';

const path = '/admin/developers';
/** Those in use are at most 100; of the revoked ones the newest are shown. */
const mostShown = 200;

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'api.manage');
  const services = appServices(context);
  return readOrSay(context, 'developer access', async () => {
    const [keys, endpoints] = await Promise.all([
      listApiKeys(services.db, mostShown),
      listWebhookEndpoints(services.db),
    ]);
    return { keys, endpoints, limits: describeLimits(services), now: services.now() };
  });
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'api.manage');
  const { db } = appServices(context);
  const form = await readFormBody(request);
  switch (form.get('intent')) {
    case 'create-key': {
      const values = { name: readText(form, 'name'), per_minute: readText(form, 'per_minute') };
      const read = apiKeyInput.safeParse(values);
      if (!read.success) return refuseKey(values, fieldErrors(read.error));
      const { name, per_minute: perMinute } = read.data;
      const made = await createApiKey(db, { actor: user.id, name, perMinute });
      if (!made.ok) return refuseKey(values, { name: tooManyKeys });
      return shown({ kind: 'key', text: made.key, of: name });
    }
    case 'revoke-key': {
      const id = parseRowId(readText(form, 'id')) ?? 0;
      const isDone = await revokeApiKey(db, { actor: user.id, id });
      return isDone
        ? redirectWithFlash(context, path, 'The key has been revoked.')
        : redirectWithFlash(context, path, 'This key had already been revoked.', { kind: 'error' });
    }
    case 'add-webhook': {
      const values = { url: readText(form, 'url'), events: form.getAll('events').map(String) };
      const read = webhookInput.safeParse(values);
      if (!read.success) return refuseWebhook(values, fieldErrors(read.error));
      const added = await addWebhookEndpoint(db, { actor: user.id, ...read.data });
      if (!added.ok) return refuseWebhook(values, { url: webhookMessages.tooMany });
      return shown({ kind: 'secret', text: added.secret, of: new URL(read.data.url).host });
    }
    default:
      throw data(null, { status: 400 });
  }
}

interface Outcome {
  secret?: SecretOnce;
  key?: RefusedKey;
  webhook?: RefusedWebhook;
}

function shown(secret: SecretOnce) {
  return data<Outcome>({ secret });
}

function refuseKey(values: RefusedKey['values'], errors: Record<string, string>) {
  return data<Outcome>({ key: { values, errors } }, { status: 422 });
}

function refuseWebhook(values: RefusedWebhook['values'], errors: Record<string, string>) {
  return data<Outcome>({ webhook: { values, errors } }, { status: 422 });
}

export function meta() {
  return [{ title: 'Developers' }];
}

export default function DeveloperAccessPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Developers" failure={loaderData} />;
  const { keys, endpoints, limits, now } = loaderData;
  return (
    <div className={styles.page}>
      <AdminHeading title="Developers">
        Keys for programs that read more than others may, and webhooks that tell them what happens.
        What there is to read stands in the <a href="/developers">public documentation</a>.
      </AdminHeading>
      {actionData?.secret ? (
        <ShownSecret key={actionData.secret.text} secret={actionData.secret} />
      ) : null}
      <ApiKeysPart
        key={`keys of ${actionData?.secret?.text}`}
        keys={keys}
        limits={limits}
        refused={actionData?.key}
        now={now}
      />
      <WebhooksPart
        key={`webhooks of ${actionData?.secret?.text}`}
        endpoints={endpoints}
        refused={actionData?.webhook}
        now={now}
      />
    </div>
  );
}
