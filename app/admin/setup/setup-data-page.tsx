import { data, Form, useNavigation } from 'react-router';
import type { Route } from './+types/setup-data-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { removeDemoData, seedDemoShop } from '#app/features/desk/demo-data.server.ts';
import { hasDemoData } from '#app/features/desk/desk-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import styles from './setup-data-page.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'settings.write');
  return { isDemo: await hasDemoData(appServices(context).db) };
}

/** The demo shop, nothing, or a feed of the owner's own. */
export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'settings.write').id;
  const services = appServices(context);
  const choice = readText(await readFormBody(request), 'choice');
  const isDemo = await hasDemoData(services.db);
  const said = 'The site is set up. What is left stands under Getting started.';
  if (choice === 'demo') {
    if (!isDemo) await seedDemoShop(services, actor);
    return redirectWithFlash(context, '/admin', said);
  }
  if (choice !== 'empty' && choice !== 'import') {
    return data({ error: 'Choose one of the three.' }, 422);
  }
  if (isDemo) await removeDemoData(services, actor);
  return choice === 'import'
    ? redirectWithFlash(
        context,
        '/admin/imports/new',
        'The site is set up. Now bring your deals in.',
      )
    : redirectWithFlash(context, '/admin', said);
}

export function meta() {
  return [{ title: 'Set up the site' }];
}

/** The third step: what stands in the shop. */
export default function SetupDataPage({
  loaderData: { isDemo },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === 'POST';
  const choices = [
    {
      value: 'demo',
      label: isDemo ? 'Keep the demo shop' : 'Fill it with the demo shop',
      hint: 'To look around. A bar reminds you of it, and removes it in one go.',
    },
    {
      value: 'empty',
      label: 'Begin empty',
      hint: 'You enter your deals by hand, or import them later.',
    },
    {
      value: 'import',
      label: 'Import a feed',
      hint: 'Begin empty, and bring in a product feed now.',
    },
  ];
  return (
    <>
      <AdminHeading title="What shall stand in the shop?">Step 3 of 3.</AdminHeading>
      <Form method="post" className={styles.form}>
        <FormNotice kind="error" text={actionData?.error} />
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">What shall stand in the shop?</legend>
          {choices.map(({ value, label, hint }) => (
            <label key={value} className={styles.choice}>
              <input type="radio" name="choice" value={value} defaultChecked={value === 'demo'} />
              {label}
              <span>{hint}</span>
            </label>
          ))}
        </fieldset>
        <div>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {isBusy ? 'Working...' : 'Finish'}
          </Button>
        </div>
      </Form>
    </>
  );
}
