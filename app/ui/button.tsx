import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { Link, type LinkProps } from './link.tsx';

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger';

interface Look {
  look?: ButtonLook;
  isWide?: boolean;
  isIcon?: boolean;
}

const looks: Record<ButtonLook, string | undefined> = {
  primary: styles.primary,
  secondary: styles.secondary,
  quiet: styles.quiet,
  danger: styles.danger,
};

export function buttonClass(
  { look = 'secondary', isWide, isIcon }: Look = {},
  extra?: string,
): string {
  return [styles.button, looks[look], isWide && styles.wide, isIcon && styles.icon, extra]
    .filter(Boolean)
    .join(' ');
}

/**
 * Renders a button with an action. `isBusy` shows work in progress: a second press is ignored
 * without leaving the tab order. `isHeld` is announced as disabled, but looks as usual and a press
 * reaches its form, which keeps it until it may be sent.
 */
export function Button({
  look,
  isWide,
  isIcon,
  isBusy,
  isHeld,
  className,
  onClick,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & Look & { isBusy?: boolean; isHeld?: boolean }) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ look, isWide, isIcon }, className)}
      aria-busy={isBusy || undefined}
      aria-disabled={isHeld || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  );
}

/** Renders a link within the site that looks like a button. */
export function ButtonLink<const To extends string>({
  look,
  isWide,
  isIcon,
  className,
  ...rest
}: LinkProps<To> & Look) {
  return <Link {...rest} className={buttonClass({ look, isWide, isIcon }, className)} />;
}

/** Renders the main link of several. */
export function PrimaryLink<const To extends string>(
  props: Pick<LinkProps<To>, 'to' | 'children'>,
) {
  return <ButtonLink {...props} look="primary" />;
}
