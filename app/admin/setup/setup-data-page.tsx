import { data, Form, useNavigation } from 'react-router';
import type { Route } from './+types/setup-data-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { removeDemoData, seedDemoShop } from '#app/features/desk/demo-data.server.ts';
import { hasDemoData } from '#app/features/desk/desk-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import styles from './setup-data-page.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'settings.write');
  return { isDemo: await hasDemoData(appServices(context).db) };
}

/** Sets up the demo shop, an empty site, or a feed import. */
export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'settings.write').id;
  const { services, db, text } = await readPost(context, request);
  const choice = text('choice');
  if (!['demo', 'empty', 'import'].includes(choice)) {
    return data({ error: 'Choose one of the options.' }, 422);
  }
  const isDemo = await hasDemoData(db);
  if (isDemo && choice !== 'demo') await removeDemoData(services, actor);
  if (!isDemo && choice === 'demo') await seedDemoShop(services, actor);
  return choice === 'import'
    ? redirectWithFlash(context, '/admin/imports/new', 'The site is set up. Now import your deals.')
    : redirectWithFlash(context, '/admin', 'The site is set up. See Getting started for the rest.');
}

export const meta = () => [{ title: 'Set up the site' }];

const question = 'How do you want to start?';

/** The last setup step: the site's initial content. */
export default function SetupDataPage({
  loaderData: { isDemo },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === 'POST';
  const choices = [
    {
      value: 'demo',
      label: isDemo ? 'Keep the demo shop' : 'Explore with demo data',
      hint: 'A bar marks the site as a demo, and removes the data in one click.',
    },
    {
      value: 'empty',
      label: 'Start empty',
      hint: 'Add deals manually or import them later.',
    },
    {
      value: 'import',
      label: 'Import a feed',
      hint: 'Start empty and import a product feed now.',
    },
  ];
  return (
    <>
      <AdminHeading title={question}>
        Step 4 of 4. <Link to="/admin/setup/mail">Back</Link>
      </AdminHeading>
      <Form method="post" className={styles.form}>
        <FormNotice kind="error" text={actionData?.error} />
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">{question}</legend>
          {choices.map(({ value, label, hint }) => (
            <label key={value} className={styles.choice}>
              <input
                type="radio"
                name="choice"
                value={value}
                defaultChecked={value === (isDemo ? 'demo' : 'empty')}
              />
              {label}
              <span>{hint}</span>
            </label>
          ))}
        </fieldset>
        <div>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {isBusy ? 'Working...' : 'Finish'}
          </Button>
        </div>
      </Form>
    </>
  );
}
