import { data, Form } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { trashNote } from '#app/admin/frame/deletion-detail.tsx';
import { readPlainPage } from '#app/admin/frame/plain-table.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { listCategories } from '#app/features/categories/category-queries.server.ts';
import { isChannelKind } from '#app/features/channels/channel-fields.ts';
import {
  countChannelPosts,
  findChannel,
  listChannelPosts,
} from '#app/features/channels/channel-queries.server.ts';
import { usualTemplate } from '#app/features/channels/channel-template.ts';
import { nameMerchant } from '#app/features/merchants/merchant-picker-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { askedRow } from '#app/platform/asked-row.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import type { Route } from './+types/channel-page';
import { actOnChannel, saveChannel } from './save-channel.server.ts';
import { ChannelForm, type ChannelFormState } from './channel-form.tsx';
import { ChannelPosts } from './channel-posts.tsx';
import { ChannelState } from './channel-state.tsx';
import styles from './channels.module.css';

/** The page of a stored channel, or of a new one, whose kind is in the URL. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  requireRight(context, 'api.manage');
  const { db, now } = appServices(context);
  const categories = (await listCategories(db)).map(({ id, name }) => ({
    value: String(id),
    label: name,
  }));
  if (params.id === undefined) {
    const kind = askedKind(request);
    return { kind, state: blankState, channel: null, posts: null, categories, now: now() };
  }
  const channel = await askedRow(db, params.id, findChannel);
  const posts = await readPlainPage(request, async (cut) => ({
    rows: await listChannelPosts(db, channel.id, cut),
    total: await countChannelPosts(db, channel.id),
  }));
  const { category_id: categoryId, merchant_id: merchantId } = channel;
  // Without this option, saving the form would choose all categories.
  if (categoryId !== null && !categories.some(({ value }) => value === String(categoryId))) {
    categories.push({ value: String(categoryId), label: 'Deleted category' });
  }
  const merchant = merchantId === null ? '' : await nameMerchant(db, merchantId);
  const state = stateOf(channel, merchant ?? 'Deleted merchant');
  return { kind: channel.kind, state, channel, posts, categories, now: now() };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'api.manage').id;
  if (params.id === undefined) {
    const kind = askedKind(request);
    return saveChannel(await readPost(context, request), { actor, kind, id: null });
  }
  const channel = await askedRow(appServices(context).db, params.id, findChannel);
  const post = await readPost(context, request);
  return ['save', 'preview'].includes(post.intent)
    ? saveChannel(post, { actor, kind: channel.kind, id: channel.id })
    : actOnChannel(post, { actor, id: channel.id });
}

function askedKind(request: Request) {
  const kind = new URL(request.url).searchParams.get('kind') ?? 'telegram';
  if (!isChannelKind(kind)) throw data(null, { status: 404 });
  return kind;
}

const blankState: ChannelFormState = {
  values: { least_percent: '0', posts_a_day: '10', template: usualTemplate },
  events: ['low'],
  isActive: true,
  errors: {},
};

type Channel = NonNullable<Awaited<ReturnType<typeof findChannel>>>;

function stateOf(
  { settings, events, is_active, ...channel }: Channel,
  merchant: string,
): ChannelFormState {
  const own = ['name', 'least_percent', 'category_id', 'posts_a_day'] as const;
  const more = ['quiet_from', 'quiet_to', 'template'] as const;
  const values = [...own, ...more].map((name) => [name, String(channel[name] ?? '')]);
  const stored = Object.entries(settings).map(([name, value]) => [`setting.${name}`, value]);
  return {
    values: { ...Object.fromEntries([...values, ...stored]), merchant },
    events,
    isActive: is_active,
    errors: {},
  };
}

export const meta = titled('Channel', 'New channel');

export default function ChannelPage({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, channel, posts, categories, now } = loaderData;
  const state = actionData?.state ?? loaderData.state;
  return (
    <div className="column gap-8">
      <AdminHeading
        title={channel ? channel.name : 'New channel'}
        more={
          channel ? <PostButton fields={{ intent: 'test' }}>Send a test post</PostButton> : null
        }
      >
        <a href="/admin/channels">All channels</a>
      </AdminHeading>
      {channel ? (
        <p>
          <ChannelState channel={channel} /> {channel.last_error}
        </p>
      ) : null}
      <Form method="post" className={`${forms.stack} ${styles.form}`} noValidate>
        <ChannelForm kind={kind} isNew={!channel} state={state} categories={categories} />
        <Preview text={actionData?.preview} />
        <div className="row gap-3">
          <Button type="submit" variant="primary" name="intent" value="save">
            {channel ? 'Save' : 'Add channel'}
          </Button>
          <Button type="submit" variant="secondary" name="intent" value="preview">
            Preview
          </Button>
        </div>
      </Form>
      {channel && posts ? (
        <>
          <ChannelPosts path={`/admin/channels/${channel.id}`} page={posts} now={now} />
          <div>
            <ConfirmAct
              label="Delete the channel"
              variant="remove"
              question={`Delete the channel ${channel.name}?`}
              detail={
                <>
                  <p>Posts stay in the channel and are no longer edited.</p>
                  <p className="above-2">{trashNote}</p>
                </>
              }
              confirmLabel="Delete"
              fields={{ intent: 'delete' }}
            />
          </div>
        </>
      ) : null}
    </div>
  );
}

function Preview({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <section aria-label="Preview" role="status">
      <p className={styles.preview}>{text}</p>
    </section>
  );
}
