import { Picture } from '#app/ui/picture.tsx';
import styles from './merchant-logo.module.css';

/** Renders a store's logo on a light tile, or its initials if it has none or the picture fails. */
export function MerchantLogo({
  merchant,
  size = 'small',
}: {
  merchant: { name: string; logo_url: string | null };
  size?: 'small' | 'large';
}) {
  return (
    <span className={styles.tile} data-size={size} aria-hidden="true">
      <Picture
        src={merchant.logo_url}
        alt=""
        width={96}
        height={96}
        instead={initials(merchant.name)}
      />
    </span>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => Array.from(word)[0]?.toUpperCase())
    .join('');
}
