import { data, Form, redirect } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  type BulkProgress,
  readBulkProgress,
  resumeBulkChange,
} from '#app/features/deals/bulk-change-queries.server.ts';
import { undoDeletion, undoEdit } from '#app/features/deals/change-deals.server.ts';
import {
  dealMessages,
  describeChange,
  failureWords,
  nameChange,
} from '#app/features/deals/deal-messages.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/bulk-change-page';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import { titled } from '../frame/titled.ts';
import { useAskAgain } from '../frame/use-ask-again.ts';
import styles from './bulk-change-page.module.css';

export async function loader({ params, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.read');
  return { change: await find(params.id, context) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'catalog.write').id;
  const { db } = appServices(context);
  const change = await find(params.id, context);
  const here = `/admin/deals/changes/${change.id}`;
  const form = await readFormBody(request);
  if (readText(form, 'intent') === 'resume') {
    await resumeBulkChange(db, change.id);
    return redirect(here);
  }
  if (readText(form, 'intent') !== 'undo') return data(null, { status: 400 });
  const isDeletion = change.verb === 'delete';
  const undo = isDeletion ? undoDeletion : undoEdit;
  const undone = await undo(db, { actor, batch: change.batch });
  if (!undone.ok) {
    const { tooLate, tooLateToPutBack } = dealMessages;
    return redirectWithError(context, here, isDeletion ? tooLate : tooLateToPutBack);
  }
  if (undone.state === 'queued') return redirect(`/admin/deals/changes/${undone.id}`);
  const failed = undone.failures.length;
  return redirectWithFlash(
    context,
    undone.report === null ? '/admin/deals' : `/admin/deals/changes/${undone.report}`,
    describeChange(isDeletion ? 'restore' : 'put-back', { ...undone, failed }),
  );
}

export const meta = titled('Bulk change');

export default function BulkChangePage({ loaderData: { change } }: Route.ComponentProps) {
  const isUnderWay = change.state === 'queued';
  useAskAgain(isUnderWay, 1_000);

  const { verb, total, done, changed, failed, category } = change;
  return (
    <>
      <AdminHeading title={nameChange(verb, total, category)}>
        <Link to="/admin/deals">All deals</Link>
      </AdminHeading>
      <div className={styles.progress}>
        <progress aria-label="Deals processed" max={total} value={done} />
        <p role="status">
          {isUnderWay
            ? `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}. You can leave this page; the change continues.`
            : describeChange(verb, { asked: done, changed, failed })}
        </p>
        <Acts change={change} />
      </div>
      <Failures change={change} />
    </>
  );
}

function Acts({ change }: { change: BulkProgress }) {
  if (change.state === 'queued') {
    return (
      <a href={`/admin/deals/changes/${change.id}`} data-without-js className={buttonClass()}>
        Refresh
      </a>
    );
  }
  if (change.state === 'done' && !change.canUndo) return null;
  return (
    <Form method="post" className={`bar gap-3 ${styles.acts}`}>
      {change.state === 'failed' ? (
        <>
          <p role="alert">
            It stopped after {change.done.toLocaleString('en-US')} deals. These changes are kept.
          </p>
          <Button type="submit" name="intent" value="resume" variant="primary">
            Resume
          </Button>
        </>
      ) : null}
      {change.canUndo ? (
        <Button type="submit" name="intent" value="undo">
          Undo
        </Button>
      ) : null}
    </Form>
  );
}

function Failures({ change: { failures, failed } }: { change: BulkProgress }) {
  if (failed === 0) return null;
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">Errors</h2>
      <ul className="disc-list">
        {failures.map(({ id, reason }) => (
          <li key={id}>
            Deal #{id} {failureWords[reason]}
          </li>
        ))}
      </ul>
      {failed > failures.length ? (
        <p>And {(failed - failures.length).toLocaleString('en-US')} more.</p>
      ) : null}
    </section>
  );
}

async function find(id: string, context: Route.LoaderArgs['context']): Promise<BulkProgress> {
  const { db } = appServices(context);
  const change = await readBulkProgress(db, parseRowId(id) ?? 0);
  if (!change) throw data(null, { status: 404 });
  return change;
}
