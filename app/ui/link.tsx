import type { ComponentProps } from 'react';
import type { Address } from './address.ts';

export type LinkProps<To extends string = string> = Omit<ComponentProps<'a'>, 'href'> & {
  to: Address<To>;
  /**
   * Whether the link changes a part of its own page in place, such as a list. The history entry is
   * replaced, or a new one is added.
   */
  swap?: 'replace' | 'push' | undefined;
  /** Whether the link opens a file, or needs the browser's own navigation for another reason. */
  isDocument?: boolean | undefined;
};

/**
 * Renders a link within the site. Browsers follow it on visitor pages, and `RouterLinks` on pages
 * with a router.
 */
export function Link<const To extends string>({
  to,
  swap,
  isDocument,
  children,
  ...rest
}: LinkProps<To>) {
  return (
    <a {...rest} href={to} data-swap={swap} data-document={isDocument || undefined}>
      {children}
    </a>
  );
}
