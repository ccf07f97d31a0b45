import type { Address } from '#app/ui/address.ts';
import type { ComponentProps, ReactNode } from 'react';
import type { MetaDescriptor } from 'react-router';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import formStyles from '#app/features/accounts/account-form.module.css';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Button, type ButtonVariant } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { DeadLinkPanel } from '#app/ui/dead-link-panel.tsx';
import { Link } from '#app/ui/link.tsx';

interface UnderRoot {
  matches: readonly [{ loaderData?: { site: PublicSite } | undefined }, ...unknown[]];
}

/** Account pages are private, so search engines must not index them. */
export function accountMeta(title: string): (page: UnderRoot) => MetaDescriptor[] {
  return ({ matches }) => [
    { title: `${title} | ${matches[0].loaderData?.site.name ?? 'Deal Hub'}` },
    { name: 'robots', content: 'noindex' },
    // `same-origin` keeps the token in the URL from reaching another host. With `no-referrer`,
    // a browser without JavaScript posts forms under the origin `null`, which the router refuses.
    { name: 'referrer', content: 'same-origin' },
  ];
}

/** Shown when an emailed link no longer works, with the next step. */
export function DeadAccountLink({ children }: { children: ReactNode }) {
  return <DeadLinkPanel actions={children}>{accountMessages.linkDead}</DeadLinkPanel>;
}

/** A link to another page, below the form. */
export function PanelLink<const To extends string>({
  to,
  children,
}: {
  to: Address<To>;
  children: string;
}) {
  return (
    <p className={formStyles.switch} data-before-done>
      <Link to={to}>{children}</Link>
    </p>
  );
}

/** A form with one button. `fields` are posted along with the input. */
export function PanelForm({
  fields,
  submitLabel,
  isMain,
  isDocument,
  variant = isMain ? 'primary' : 'secondary',
  children,
  ...form
}: ComponentProps<'form'> & {
  fields?: Record<string, string>;
  submitLabel: string;
  /** Whether this is the page's main form. */
  isMain?: boolean;
  /**
   * Set if the response is a file or redirects to another site, so the browser itself must post the
   * form.
   */
  isDocument?: boolean;
  variant?: ButtonVariant;
  children?: ReactNode;
}) {
  return (
    <form
      {...form}
      method="post"
      className={forms.stack}
      data-in-place={isDocument ? undefined : ''}
    >
      <HiddenFields fields={fields ?? {}} />
      {children}
      <Button
        type="submit"
        variant={variant}
        isWide={isMain}
        data-busy={isMain ? accountMessages.busy : undefined}
      >
        {submitLabel}
      </Button>
    </form>
  );
}

/** Returns a function that formats a time in the site's time zone: `Nov 21, 2026, 12:00 PM`. */
export function useMoments(): (moment: Date) => string {
  const { timeZone } = useSite();
  return (moment) =>
    moment.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone });
}
