import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { Link, type LinkProps } from './link.tsx';

/** `danger` confirms a deletion. `remove` begins one, and is never the most prominent button. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'remove' | 'danger';

interface Appearance {
  variant?: ButtonVariant;
  isWide?: boolean;
  isIcon?: boolean;
}

const variants: Record<ButtonVariant, string | undefined> = {
  primary: styles.primary,
  secondary: styles.secondary,
  quiet: styles.quiet,
  remove: styles.remove,
  danger: styles.danger,
};

export function buttonClass(
  { variant = 'secondary', isWide, isIcon }: Appearance = {},
  extra?: string,
): string {
  return [styles.button, variants[variant], isWide && styles.wide, isIcon && styles.icon, extra]
    .filter(Boolean)
    .join(' ');
}

/**
 * Renders a button with an action. `isBusy` shows work in progress: further presses are ignored,
 * and the button stays in the tab order. `isHeld` announces the button as disabled, but its form
 * remembers a press and submits as soon as it may.
 */
export function Button({
  variant,
  isWide,
  isIcon,
  isBusy,
  isHeld,
  className,
  onClick,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & Appearance & { isBusy?: boolean; isHeld?: boolean }) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, isWide, isIcon }, className)}
      aria-busy={isBusy || undefined}
      aria-disabled={isHeld || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  );
}

/** Renders a link within the site that looks like a button. */
export function ButtonLink<const To extends string>({
  variant,
  isWide,
  isIcon,
  className,
  ...rest
}: LinkProps<To> & Appearance) {
  return <Link {...rest} className={buttonClass({ variant, isWide, isIcon }, className)} />;
}

/** Renders the main one of several links. */
export function PrimaryLink<const To extends string>(
  props: Pick<LinkProps<To>, 'to' | 'children'>,
) {
  return <ButtonLink {...props} variant="primary" />;
}
