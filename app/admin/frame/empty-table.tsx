import { ButtonLink } from '#app/ui/button.tsx';
import type { IconName } from '#app/ui/icon.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';

/**
 * Replaces a table's rows. The replacement links to all rows if nothing matches, or explains how to
 * begin.
 */
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
  /** The table's address without search or filters. */
  path: string;
  begin?: { href: string; label: string };
  /** A sentence for a table without any rows yet. */
  hint: string;
}) {
  const link = isFiltered ? { href: path, label: 'Clear filters' } : begin;
  return (
    <MessagePanel
      icon={icon}
      title={isFiltered ? title : titleWhenNew}
      actions={
        link && (
          <ButtonLink to={link.href} variant={isFiltered ? 'secondary' : 'primary'}>
            {link.label}
          </ButtonLink>
        )
      }
    >
      <p>{isFiltered ? 'Nothing matches. Try other words or clear the filters.' : hint}</p>
    </MessagePanel>
  );
}
