import { data } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { isNetworkId, networkIds, networkOf } from '#app/features/earnings/affiliate-networks.ts';
import {
  postbackAddress,
  postbackHint,
  postbackNetworks,
} from '#app/features/earnings/postback-address.ts';
import {
  changePostbackAddress,
  postbackToken,
} from '#app/features/earnings/take-postback.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { Link } from '#app/ui/link.tsx';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { redirectWithFlash } from '../frame/flash.server.ts';
import { titled } from '../frame/titled.ts';
import styles from './earnings-page.module.css';
import type { Route } from './+types/postbacks-page';

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'earnings.write');
  const { db, env } = appServices(context);
  const networks = await Promise.all(
    postbackNetworks.map(async (id) => ({
      id,
      address: postbackAddress(env.origin, id, await postbackToken(db, id)),
    })),
  );
  return { networks };
}

/** Replaces a network's URL, so that the former one is refused. */
export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'earnings.write').id;
  const { db, text } = await readPost(context, request);
  const network = text('network');
  if (!isNetworkId(network)) throw data(null, { status: 400 });
  await changePostbackAddress(db, network, actor);
  const said = `The address of ${networkOf(network).name} changed. Enter the new one at the network.`;
  return redirectWithFlash(context, '/admin/earnings/postbacks', said);
}

export const meta = titled('Postbacks');

const silent = networkIds.filter((id) => !postbackNetworks.includes(id));

export default function PostbacksPage({ loaderData }: Route.ComponentProps) {
  return (
    <div className={`stack gap-5 ${styles.page}`}>
      <AdminHeading title="Postbacks">
        <Link to="/admin/earnings">Back to earnings</Link>
      </AdminHeading>
      <p>
        A network that calls its address reports each sale at once. The address contains a secret:
        anyone who knows it can report sales. {silent.map((id) => networkOf(id).name).join(', ')}{' '}
        send no postbacks; upload their reports.
      </p>
      {loaderData.networks.map(({ id, address }) => (
        <section key={id} className={`stack gap-3 ${styles.panel}`} aria-labelledby={id}>
          <h2 id={id}>{networkOf(id).name}</h2>
          <p>{postbackHint(id)}</p>
          <code className={styles.address}>{address}</code>
          <div className="bar gap-3">
            <CopyButton text={address} label={`Copy the address of ${networkOf(id).name}`} />
            <ConfirmAct
              label="New address"
              question="Replace this address?"
              detail={<p>The current address of {networkOf(id).name} stops working at once.</p>}
              confirmLabel="Replace address"
              fields={{ network: id }}
            />
          </div>
        </section>
      ))}
    </div>
  );
}
