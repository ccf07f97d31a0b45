import type { ComponentProps } from 'react';
import { longestListName } from '#app/features/favorites/favorite-list-input.ts';
import { favoriteListMessages } from '#app/features/favorites/favorite-list-messages.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { SendLinkAgain } from '../send-link-again.tsx';
import { favoritesPath } from './favorites-address.ts';
import type { OwnLists } from './read-own-lists.server.ts';

/** The rejected name, as it was typed, and the ticked lists. */
type TypedName = { value: string; lists: number[]; error?: string } | null;

interface Refused {
  error: string | null;
  typedName: TypedName;
}

/** The dialog that the URL requests, over the favorites. */
export function ListDialogs({ own, refused }: { own: OwnLists; refused: Refused | undefined }) {
  const { dialog, list } = own;
  if (!dialog) return null;
  const { error = null, typedName = null } = refused ?? {};
  const shared = { own, error, typedName };
  if (dialog.kind === 'place') return <PlaceDialog {...shared} {...dialog} />;
  if (dialog.kind === 'share') return <ShareDialog {...shared} {...dialog} />;
  return dialog.kind === 'rename' && list ? (
    <NameDialog {...shared} title="Rename list" label="Save" />
  ) : (
    <NameDialog {...shared} title="New list" label="Create list" />
  );
}

/** A dialog that shows its form's error itself, since it covers the page. */
function ListDialog({
  error,
  children,
  ...rest
}: { error: string | null } & Pick<
  ComponentProps<typeof ModalDialog>,
  'kind' | 'title' | 'children'
>) {
  return (
    <ModalDialog {...rest}>
      {error === null ? null : (
        <div className="below-4">
          <FormNotice kind="error" text={error} />
        </div>
      )}
      {children}
    </ModalDialog>
  );
}

function Close({ own, label }: { own: OwnLists; label: string }) {
  return (
    <ButtonLink to={favoritesPath(own.view)} swap="replace">
      {label}
    </ButtonLink>
  );
}

function NameField({
  label,
  initial,
  typed,
}: {
  label: string;
  initial: string;
  typed: TypedName;
}) {
  return (
    <TextField
      label={label}
      name="name"
      maxLength={longestListName}
      autoComplete="off"
      defaultValue={typed?.value ?? initial}
      error={typed?.error}
    />
  );
}

function NameDialog({
  own: { view, list, dialog, ...own },
  title,
  label,
  error,
  typedName,
}: Refused & { own: OwnLists; title: string; label: string }) {
  const renamed = dialog?.kind === 'rename' ? list : null;
  return (
    <ListDialog title={title} error={error}>
      <form
        method="post"
        action={favoritesPath(view, renamed ? { rename: '' } : { new: '' })}
        className={forms.stack}
        noValidate
        data-in-place=""
      >
        <HiddenFields
          fields={renamed ? { intent: 'rename-list', id: renamed.id } : { intent: 'create-list' }}
        />
        <NameField label="Name" initial={renamed?.name ?? ''} typed={typedName} />
        <div className={forms.actions}>
          <Button type="submit" variant="primary">
            {label}
          </Button>
          <Close own={{ ...own, view, list, dialog }} label="Cancel" />
        </div>
      </form>
    </ListDialog>
  );
}

function PlaceDialog({
  own,
  deal,
  error,
  typedName,
}: Refused & { own: OwnLists; deal: { id: number; title: string; listIds: number[] } }) {
  const { view, lists } = own;
  return (
    <ListDialog kind="Add to list" title={deal.title} error={error}>
      <form
        method="post"
        action={favoritesPath(view, { place: deal.id })}
        className={forms.stack}
        noValidate
        data-in-place=""
      >
        <HiddenFields fields={{ intent: 'place-favorite', deal_id: deal.id }} />
        {lists.map(({ id, name }) => (
          <div key={id} data-key={id}>
            <input type="hidden" name="shown" value={id} />
            <CheckField
              label={name}
              name="list"
              value={id}
              defaultChecked={(typedName?.lists ?? deal.listIds).includes(id)}
            />
          </div>
        ))}
        <NameField
          label={lists.length === 0 ? 'Name of your first list' : 'Or a new list'}
          initial=""
          typed={typedName}
        />
        <div className={forms.actions}>
          <Button type="submit" variant="primary">
            Save
          </Button>
          <Close own={own} label="Cancel" />
        </div>
      </form>
    </ListDialog>
  );
}

function ShareDialog({
  own,
  path,
  isVerified,
  error,
}: {
  own: OwnLists;
  path: string | null;
  isVerified: boolean;
  error: string | null;
}) {
  const { origin } = useSite();
  const link = `${origin}${path}`;
  return (
    <ListDialog kind="Share this list" title={own.list?.name ?? ''} error={error}>
      <div className={forms.stack}>
        <p>Anyone with the link sees the list’s name and its deals, but not your name or email.</p>
        {path !== null ? (
          <TextField
            label="Secret link"
            readOnly
            value={link}
            after={<CopyButton text={link} label="Copy the link to this list" />}
          />
        ) : null}
        {path !== null || isVerified ? (
          <ShareForm own={own} isShared={path !== null} />
        ) : (
          <>
            <p>{favoriteListMessages.unverified}</p>
            <div className={forms.actions}>
              <SendLinkAgain />
              <Close own={own} label="Cancel" />
            </div>
          </>
        )}
      </div>
    </ListDialog>
  );
}

function ShareForm({ own, isShared }: { own: OwnLists; isShared: boolean }) {
  const fields = { intent: isShared ? 'stop-sharing' : 'share-list', id: own.list?.id ?? 0 };
  return (
    <form method="post" action={favoritesPath(own.view, { share: '' })} data-in-place="">
      <HiddenFields fields={fields} />
      <div className={forms.actions}>
        {isShared ? <Close own={own} label="Done" /> : null}
        <Button type="submit" variant={isShared ? 'remove' : 'primary'}>
          {isShared ? 'Stop sharing' : 'Create secret link'}
        </Button>
        {isShared ? null : <Close own={own} label="Cancel" />}
      </div>
    </form>
  );
}
