import type { ComponentProps } from 'react';

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  to: string;
  /**
   * The link changes part of its page, such as a list, in place. It replaces or adds a history
   * entry.
   */
  swap?: 'replace' | 'push' | undefined;
  /** It links to a file, or needs the browser's own navigation for another reason. */
  isDocument?: boolean | undefined;
};

/**
 * A link within the site. On visitors' pages the browser follows it; on pages with a router,
 * `RouterLinks` handles it.
 */
export function Link({ to, swap, isDocument, children, ...rest }: LinkProps) {
  return (
    <a {...rest} href={to} data-swap={swap} data-document={isDocument || undefined}>
      {children}
    </a>
  );
}
