import { ButtonLink } from '#app/ui/button.tsx';
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
  const link = isFiltered ? { href: path, label: 'Clear filters' } : begin;
  return (
    <MessagePanel
      icon={icon}
      title={isFiltered ? title : titleWhenNew}
      actions={
        link && (
          <ButtonLink to={link.href} look={isFiltered ? 'secondary' : 'primary'}>
            {link.label}
          </ButtonLink>
        )
      }
    >
      <p>{isFiltered ? 'Nothing matches. Try other words, or clear the filters.' : hint}</p>
    </MessagePanel>
  );
}
