import { Fragment } from 'react';
import { data } from 'react-router';
import type { Route } from './+types/developer-access-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  apiKeyInput,
  notYoursToGive,
  tooManyKeys,
} from '#app/features/public-api/api-key-input.ts';
import { grantableRights } from '#app/features/public-api/api-key-rights.ts';
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
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { ApiKeysPart, type RefusedKey } from './api-keys-part.tsx';
import { ShownSecret, type SecretOnce } from './shown-secret.tsx';
import { type RefusedWebhook, WebhooksPart } from './webhook-parts.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './developers.module.css';

/** keys; at most 100 are active, and the rest are the newest revoked ones */
const mostShown = 200;

export function loader({ context }: Route.LoaderArgs) {
  const { rights } = requireRight(context, 'api.manage');
  const services = appServices(context);
  return readOrFail(context, 'developer access', async () => {
    const [keys, endpoints] = await Promise.all([
      listApiKeys(services.db, mostShown),
      listWebhookEndpoints(services.db),
    ]);
    const grantable = grantableRights(rights);
    return { keys, endpoints, grantable, limits: describeLimits(services), now: services.now() };
  });
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'api.manage');
  const { db, form, text, rowId, intent } = await readPost(context, request);
  switch (intent) {
    case 'create-key': {
      const rights = form.getAll('rights').map(String);
      const values = { name: text('name'), per_minute: text('per_minute'), rights };
      const refuse = (errors: RefusedKey['errors']) => answer({ key: { values, errors } });
      const read = apiKeyInput.safeParse(values);
      if (!read.success) return refuse(fieldErrors(read.error));
      const { name, per_minute: perMinute, ...chosen } = read.data;
      const grantable = grantableRights(user.rights);
      if (chosen.rights.some((right) => !grantable.includes(right))) {
        return refuse({ rights: notYoursToGive });
      }
      const made = await createApiKey(db, { actor: user.id, name, perMinute, ...chosen });
      if (!made.ok) return refuse({ name: tooManyKeys });
      return answer({ secret: { kind: 'key', text: made.key, of: name } });
    }
    case 'revoke-key': {
      const isDone = await revokeApiKey(db, { actor: user.id, id: rowId('id') ?? 0 });
      const words = isDone ? 'The key has been revoked.' : 'This key was already revoked.';
      const kind = isDone ? 'info' : 'error';
      return redirectWithFlash(context, '/admin/developers', words, { kind });
    }
    case 'add-webhook': {
      const values = { url: text('url'), events: form.getAll('events').map(String) };
      const refuse = (errors: RefusedWebhook['errors']) => answer({ webhook: { values, errors } });
      const read = webhookInput.safeParse(values);
      if (!read.success) return refuse(fieldErrors(read.error));
      const added = await addWebhookEndpoint(db, { actor: user.id, ...read.data });
      if (!added.ok) return refuse({ url: webhookMessages.tooMany });
      const of = new URL(read.data.url).host;
      return answer({ secret: { kind: 'secret', text: added.secret, of } });
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

const answer = (outcome: Outcome) => data(outcome, { status: outcome.secret ? 200 : 422 });

export const meta = () => [{ title: 'Developers' }];

export default function DeveloperAccessPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Developers" failure={loaderData} />;
  const { keys, endpoints, grantable, limits, now } = loaderData;
  const secret = actionData?.secret;
  return (
    <div className={`column gap-8 ${styles.page}`}>
      <AdminHeading title="Developers">
        API keys give programs more access, and webhooks notify them of events. See the{' '}
        <a href="/developers">public documentation</a> for everything they can read. Other Deal Hub
        sites can be <Link to="/admin/developers/witnesses">witnesses</Link> of the price log.
      </AdminHeading>
      {secret ? <ShownSecret key={secret.text} secret={secret} /> : null}
      {/* Creating a key or webhook remounts the form, which clears it. */}
      <Fragment key={secret?.text}>
        <ApiKeysPart
          keys={keys}
          grantable={grantable}
          limits={limits}
          refused={actionData?.key}
          now={now}
        />
        <WebhooksPart endpoints={endpoints} refused={actionData?.webhook} now={now} />
      </Fragment>
    </div>
  );
}
