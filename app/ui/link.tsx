import type { ComponentProps } from 'react';
import type { Address } from './address.ts';

export type LinkProps<To extends string = string> = Omit<ComponentProps<'a'>, 'href'> & {
  to: Address<To>;
  /** The link changes the list, or the like, of the page it stands on: in place, and in the history instead of or beside it. */
  swap?: 'replace' | 'push' | undefined;
  /** It links to a file, or needs the browser's own navigation for another reason. */
  isDocument?: boolean | undefined;
};

/** A link within the site. Browsers follow it on visitor pages, `RouterLinks` where a router runs. */
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
