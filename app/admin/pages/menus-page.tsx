import { Form } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { editFields } from '#app/admin/frame/edit-form.tsx';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { findLivePaths } from '#app/features/catalog/live-paths.server.ts';
import { listLinkTargets } from '#app/features/pages/list-link-targets.server.ts';
import {
  longestLabel,
  type MenuLink,
  type MenuName,
  menuNames,
  menusOf,
  menuTitles,
} from '#app/features/site-settings/menus.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import forms from '#app/ui/form.module.css';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/menus-page';
import { actOnMenus } from './act-on-menus.server.ts';

/** The menus of header and footer, in the owner's order. */
export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'settings.read');
  const { db } = appServices(context);
  return readOrFail(context, 'menus', async () => {
    const { menus: stored } = await readSiteSettings(db);
    const shown = menusOf(stored);
    const paths = Object.values(shown)
      .flat()
      .map(({ href }) => pathOf(href));
    const live = await findLivePaths(
      db,
      paths.filter((path) => path.startsWith('/')),
    );
    const menus = menuNames.map((name) => ({
      name,
      isOwn: stored[name] !== undefined,
      links: shown[name].map((link, place) => ({
        ...link,
        place,
        isMissing: link.href.startsWith('/') && !live.has(pathOf(link.href)),
      })),
    }));
    return { menus, targets: await listLinkTargets(db) };
  });
}

function pathOf(href: string): string {
  return href.split(/[?#]/)[0] ?? href;
}

export function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'settings.write');
  return actOnMenus(request, context, user.id);
}

export const meta = titled('Menus');

export default function MenusPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Menus" failure={loaderData} />;
  const { menus, targets } = loaderData;
  return (
    <div className="column gap-8">
      <AdminHeading title="Menus">
        Links in the header and in the footer’s columns. <Link to="/admin/pages">Pages</Link>
      </AdminHeading>
      {menus.map((menu) => (
        <MenuTable key={menu.name} {...menu} />
      ))}
      <NewLink targets={targets} answer={actionData} />
    </div>
  );
}

type Row = MenuLink & { place: number; isMissing: boolean };

function MenuTable({ name, isOwn, links }: { name: MenuName; isOwn: boolean; links: Row[] }) {
  const title = name === 'header' ? 'Header' : `Footer: ${menuTitles[name]}`;
  return (
    <section className="column gap-4" aria-labelledby={`menu-${name}`}>
      <div className="bar spread">
        <h2 id={`menu-${name}`}>{title}</h2>
        {isOwn ? (
          <ConfirmAct
            label="Restore the default"
            question={`Restore the default of “${title}”?`}
            detail="Its links and their order are replaced."
            fields={{ intent: 'reset', menu: name }}
          />
        ) : null}
      </div>
      <PlainTable
        page={links}
        noun={{ one: 'link', many: 'links' }}
        columns={columnsOf(name, links.length)}
        idOf={({ href }) => href}
        nameOf={({ label }) => label}
        empty={
          <MessagePanel icon="external" title="No links">
            {name === 'header' ? 'The header shows no links.' : 'The footer hides this column.'}
          </MessagePanel>
        }
      />
    </section>
  );
}

function columnsOf(menu: MenuName, count: number): PlainColumn<Row>[] {
  return [
    { label: 'Label', cell: ({ label }) => label },
    {
      label: 'Address',
      cell: ({ href, isMissing }) => (
        <span className="row gap-2">
          {href}
          {isMissing ? <StatusPill variant="warn">Page missing</StatusPill> : null}
        </span>
      ),
    },
    {
      label: 'Action',
      cell: ({ place, label, href }) => {
        const fields = { menu, place, label, href };
        return (
          <div className="row gap-2">
            <PostButton
              fields={{ ...fields, intent: 'up' }}
              disabled={place === 0}
              aria-label={`Move ${label} up`}
            >
              Up
            </PostButton>
            <PostButton
              fields={{ ...fields, intent: 'down' }}
              disabled={place === count - 1}
              aria-label={`Move ${label} down`}
            >
              Down
            </PostButton>
            <PostButton
              fields={{ ...fields, intent: 'remove' }}
              variant="quiet"
              aria-label={`Remove ${label}`}
            >
              Remove
            </PostButton>
          </div>
        );
      },
    },
  ];
}

const labels = { menu: 'Menu', listed: 'Page', href: 'Or an address', label: 'Label' };

function NewLink({
  targets,
  answer,
}: {
  targets: MenuLink[];
  answer: Route.ComponentProps['actionData'];
}) {
  const fields = editFields(answer?.values ?? {}, labels, answer?.errors);
  return (
    <Form method="post" className={forms.stack} noValidate>
      <FormSection title="New link">
        <ChoiceField
          {...fields.of('menu')}
          options={menuNames.map((name) => ({
            value: name,
            label: name === 'header' ? 'Header' : `Footer: ${menuTitles[name]}`,
          }))}
        />
        <TextField {...fields.of('label')} required maxLength={longestLabel} autoComplete="off" />
        <ChoiceField
          {...fields.of('listed')}
          options={[
            { value: '', label: 'None' },
            ...targets.map(({ href, label }) => ({ value: href, label })),
          ]}
        />
        <TextField
          {...fields.of('href')}
          maxLength={2_048}
          inputMode="url"
          autoComplete="off"
          hint="A path such as /shipping, or a URL with https://"
        />
      </FormSection>
      <div className="row gap-3">
        <Button type="submit" variant="primary" name="intent" value="add">
          Add link
        </Button>
      </div>
    </Form>
  );
}
