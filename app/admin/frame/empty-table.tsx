import { Link } from 'react-router';
import { buttonClass } from '#app/ui/button.tsx';
import type { IconName } from '#app/ui/icon.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';

/** In place of a table's rows: that nothing matches, with the way back to all; or what will stand here, and how to begin. */
export function EmptyTable({
  icon,
  title,
  titleWhenNew = title,
  isFiltered,
  path,
  begin,
  hint,
}: {
  icon: IconName;
  title: string;
  titleWhenNew?: string;
  isFiltered: boolean;
  /** Of the table, without a search or filter. */
  path: string;
  begin?: { href: string; label: string };
  /** A sentence for a table that never had a row. */
  hint: string;
}) {
  if (isFiltered) {
    return (
      <MessagePanel
        icon={icon}
        title={title}
        actions={
          <Link to={path} className={buttonClass()}>
            Clear filters
          </Link>
        }
      >
        <p>Nothing matches. Try other words, or clear the filters.</p>
      </MessagePanel>
    );
  }
  return (
    <MessagePanel
      icon={icon}
      title={titleWhenNew}
      actions={
        begin && (
          <Link to={begin.href} className={buttonClass({ look: 'primary' })}>
            {begin.label}
          </Link>
        )
      }
    >
      <p>{hint}</p>
    </MessagePanel>
  );
}
