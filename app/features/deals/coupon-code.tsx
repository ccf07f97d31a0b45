import { CopyButton } from '#app/ui/copy-button.tsx';
import styles from './coupon-code.module.css';

interface CouponCodeProps {
  code: string;
  /** Whether the code has a visible label before it. */
  isLabelled?: boolean;
}

/** A coupon's code as text, with a button to copy it. */
export function CouponCode({ code, isLabelled = false }: CouponCodeProps) {
  return (
    <p className={styles.code}>
      {isLabelled ? null : <span className="visually-hidden">Coupon code </span>}
      <code>{code}</code>
      <CopyButton text={code} label={`Copy coupon code ${code}`} />
    </p>
  );
}
