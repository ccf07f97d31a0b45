import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { ActForm } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import { ConfirmAct } from './confirm-act.tsx';
import { menuItemClass, RowMenu } from './row-menu.tsx';

/** An action on a row. */
export type RowAct = { label: string } & (
  | {
      /** The link's URL. A URL outside the admin loads a whole page. */
      to: string;
      /** Whether the link opens over the list, keeping the list's search. */
      isOver?: boolean;
      /** Whether `e` follows this link. */
      isEdit?: boolean;
    }
  | {
      /** The action that is posted to the list with the row's `id`. */
      intent: string;
      /** The confirmation to show first. */
      ask?: { question: string; detail: ReactNode; confirmLabel?: string };
    }
);

/** The menu of a row. */
export function RowActs({
  id,
  name,
  acts,
}: {
  id: string | number;
  name: string;
  acts: readonly (RowAct | null)[];
}) {
  return (
    <RowMenu label={name}>
      {/* The key is the position, so that an action keeps the focus when it toggles. */}
      {Object.entries(acts).map(
        ([place, act]) => act && <Act key={place} act={act} id={String(id)} />,
      )}
    </RowMenu>
  );
}

function Act({ act, id }: { act: RowAct; id: string }) {
  const { search } = useLocation();
  const { label } = act;
  if ('to' in act) {
    return (
      <Link
        to={act.isOver ? act.to + search : act.to}
        className={menuItemClass}
        data-key-edit={act.isEdit}
      >
        {label}
      </Link>
    );
  }
  const fields = { intent: act.intent, id };
  if (act.ask) {
    return <ConfirmAct label={label} className={menuItemClass} fields={fields} {...act.ask} />;
  }
  return (
    <ActForm fields={fields}>
      <button type="submit" className={menuItemClass}>
        {label}
      </button>
    </ActForm>
  );
}
