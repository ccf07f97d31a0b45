import { Form } from 'react-router';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import type {
  FailedPicture,
  PictureCounts,
} from '#app/features/moved-posts/moved-pictures.server.ts';
import { describePictureHosts } from '#app/features/moved-posts/move-words.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import type { MoveState } from '#database/schema/site-tables.ts';
import { Button } from '#app/ui/button.tsx';

const columns: PlainColumn<FailedPicture>[] = [
  { label: 'Address', cell: ({ address }) => address },
  { label: 'Shown in', cell: ({ title }) => title },
  { label: 'Reason', cell: reasonOf },
];

function reasonOf({ reason, is_http: isHttp }: FailedPicture): string {
  const sentence = reason.slice(0, 1).toUpperCase() + reason.slice(1);
  return isHttp
    ? `${sentence}. The old site showed it by http, which browsers block here`
    : sentence;
}

function progressOf(state: MoveState, { total, fetched, waiting }: PictureCounts): string {
  const done = `${fetched.toLocaleString('en-US')} of ${countNoun(total, 'picture')} copied into the media library`;
  return state === 'done' && waiting > 0
    ? `${done}, ${waiting.toLocaleString('en-US')} waiting.`
    : `${done}.`;
}

/** The pictures of an export: the hosts that have them, their progress, and those that failed. */
export function MovedPictures({
  state,
  pictures,
  failed,
}: {
  state: MoveState;
  pictures: PictureCounts;
  failed: FailedPicture[];
}) {
  if (pictures.total === 0) return null;
  const total = countNoun(pictures.total, 'picture');
  return (
    <section className="column gap-4">
      <h2>Pictures</h2>
      {state === 'ready' || state === 'running' ? (
        <p>
          {`${total} will be copied into the media library after the move, from ${describePictureHosts(pictures)}. Keep the old site reachable until then.`}
        </p>
      ) : (
        <p role="status">{progressOf(state, pictures)}</p>
      )}
      {state === 'done' && failed.length > 0 ? (
        <>
          <h3>Not copied</h3>
          <p>
            {countNoun(pictures.failed, 'picture')} stayed at the old address
            {failed.length < pictures.failed ? `, the first ${failed.length} shown` : ''}.
          </p>
          <Form method="post">
            <Button type="submit" name="intent" value="retry">
              Try again
            </Button>
          </Form>
          <PlainTable
            noun={{ one: 'picture', many: 'pictures' }}
            page={failed}
            idOf={({ id }) => id}
            nameOf={({ address }) => address}
            columns={columns}
            empty={null}
          />
        </>
      ) : null}
    </section>
  );
}
