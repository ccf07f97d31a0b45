import type { ReactNode } from 'react';
import { data, Form } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { changeDeals } from '#app/features/deals/change-deals.server.ts';
import { type EditKind, editKinds, readDealEdit } from '#app/features/deals/deal-edit.ts';
import { previewEdit } from '#app/features/deals/edit-deals.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { examplePrice, formatMoney } from '#app/platform/money.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { fullTime } from '#app/platform/time-words.ts';
import { ActForm, HiddenFields } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/edit-many-page';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrFail } from '../frame/read-or-fail.server.ts';
import { titled } from '../frame/titled.ts';
import { answerChange } from './act-on-deals.server.ts';
import { readChosen } from './edit-many-address.ts';
import styles from './edit-many-page.module.css';

// Reads the selection and the change from the URL, so that the preview shows what the button
// does.

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  const { db } = appServices(context);
  const { searchParams } = new URL(request.url);
  const chosen = readChosen(searchParams);
  return readOrFail(context, 'deals', async () => {
    const unit = await readSiteSettings(db);
    const typed = readTyped(searchParams, unit);
    const edit = typed.read && 'edit' in typed.read ? typed.read.edit : null;
    return { ...chosen, ...typed, ...(await previewEdit(db, chosen.selection, edit)), edit };
  });
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'catalog.write').id;
  const { db } = appServices(context);
  const { searchParams } = new URL(request.url);
  const { selection, listHref } = readChosen(searchParams);
  const unit = await readSiteSettings(db);
  const { read } = readTyped(searchParams, unit);
  const form = await readFormBody(request);
  const [seen, expectedCount] = [readText(form, 'seen'), Number(readText(form, 'expected'))];
  const isMoment =
    /^[\d-]{10}T[\d:.]{8,15}[+-]\d\d:\d\d$/.test(seen) && !Number.isNaN(Date.parse(seen));
  if (!read || !('edit' in read) || !isMoment || !Number.isSafeInteger(expectedCount)) {
    return data(null, { status: 400 });
  }
  const verb = read.edit.field === 'sale_price' ? 'price' : 'end';
  const edit = { ...read.edit, seen };
  const choice = 'ids' in selection ? selection : { ...selection, expectedCount };
  const result = await changeDeals(db, { actor, verb, categoryId: null, edit }, choice);
  return answerChange({ context, here: listHref }, verb, result);
}

function readTyped(params: URLSearchParams, unit: { currency: string; timeZone: string }) {
  const change = params.get('change');
  const typed = (params.get('to') ?? '').slice(0, 40);
  const kind = editKinds.find((one) => one === change) ?? null;
  return { kind, typed, read: readDealEdit(kind, typed.trim(), unit) };
}

export const meta = titled('Change prices');

type Shown = Extract<Route.ComponentProps['loaderData'], { ok: true }>;

export default function EditManyPage({ loaderData }: Route.ComponentProps) {
  const { currency } = useSite();
  if (!loaderData.ok) return <LoadFailure title="Change prices" failure={loaderData} />;
  const { count, listHref, edit } = loaderData;
  return (
    <>
      <AdminHeading title={`Change the prices of ${countNoun(count, 'deal')}`}>
        <Link to={listHref}>Back to the list</Link>
      </AdminHeading>
      <div className={styles.ways}>
        <Way kind="price" title="Set a price" shown={loaderData}>
          {(field) => (
            <TextField
              {...field}
              label="New price"
              inputMode="decimal"
              hint={`For all selected deals, such as ${examplePrice(currency)}`}
            />
          )}
        </Way>
        <Way kind="percent" title="Change by percent" shown={loaderData}>
          {(field) => (
            <TextField
              {...field}
              label="Percent"
              inputMode="text"
              hint="-10 lowers prices by 10%, rounded to the smallest coin"
            />
          )}
        </Way>
        <Way kind="end" title="Set expiry" shown={loaderData}>
          {(field) => (
            <TextField
              {...field}
              type="datetime-local"
              label="Expires at"
              hint="Leave blank for no expiry"
            />
          )}
        </Way>
      </div>
      {edit ? <Preview shown={loaderData} /> : null}
    </>
  );
}

interface Field {
  name: string;
  defaultValue: string;
  error: string | undefined;
}

/** One kind of change: a form that requests a preview. */
function Way({
  kind,
  title,
  shown: { kind: asked, typed, read, fields },
  children,
}: {
  kind: EditKind;
  title: string;
  shown: Shown;
  children: (field: Field) => ReactNode;
}) {
  const isAsked = asked === kind;
  const error = isAsked && read && 'error' in read ? read.error : undefined;
  return (
    <Form method="get" className={styles.way} aria-label={title} key={isAsked ? typed : ''}>
      <h2>{title}</h2>
      <HiddenFields fields={{ ...fields, change: kind }} />
      {children({ name: 'to', defaultValue: isAsked ? typed : '', error })}
      <Button type="submit">Preview changes</Button>
    </Form>
  );
}

/** Shows the first few changed deals, and the button that applies the change. */
function Preview({ shown: { count, examples, alerts, seen, edit } }: { shown: Shown }) {
  const { currency, timeZone } = useSite();
  if (!edit) return null;
  const say = (value: number | string | null) => {
    if (value === null) return 'no expiry';
    return typeof value === 'number'
      ? formatMoney(value, currency)
      : fullTime(new Date(value), timeZone);
  };
  const what = edit.field === 'sale_price' ? 'price' : 'end';
  return (
    <section aria-labelledby="preview" className={styles.preview}>
      <h2 id="preview">Changes</h2>
      <ul>
        {examples.map(({ id, title, was, will }) => (
          <li key={id}>
            <span className="anywhere">{title}</span>
            <span className={`figures ${styles.values}`}>
              {was === will ? (
                `stays ${say(was)}`
              ) : (
                <>
                  <s>
                    <span className="visually-hidden">before </span>
                    {say(was)}
                  </s>{' '}
                  <b>
                    <span className="visually-hidden">after </span>
                    {say(will)}
                  </b>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {count > examples.length ? (
        <p>{`and ${countNoun(count - examples.length, 'more', 'more')}.`}</p>
      ) : null}
      {alerts === null ? <p>These deals have more than 10,000 price alerts.</p> : null}
      {alerts ? <p>{`${countNoun(alerts, 'price alert')} will fire.`}</p> : null}
      <p className={styles.note}>
        You can undo this for an hour. Later changes by others are kept, and a message lists them.
      </p>
      <ActForm fields={{ seen, expected: count }}>
        <Button type="submit" variant="primary" disabled={count === 0}>
          {`Change the ${what} of ${countNoun(count, 'deal')}`}
        </Button>
      </ActForm>
    </section>
  );
}
