import { ButtonLink } from '#app/ui/button.tsx';
import type { IconName } from '#app/ui/icon.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';

/**
 * Shown instead of an empty table. If filters hide all rows, it links to the unfiltered table;
 * otherwise it explains how to begin.
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
  /** The table's URL without search or filters. */
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
