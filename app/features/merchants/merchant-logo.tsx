import { useState } from 'react';
import styles from './merchant-logo.module.css';

/** A store's logo on a light tile, or its initials where it has none or the picture fails. */
export function MerchantLogo({
  merchant,
  size = 'small',
}: {
  merchant: { name: string; logo_url: string | null };
  size?: 'small' | 'large';
}) {
  const [hasFailed, setHasFailed] = useState(false);
  return (
    <span className={styles.tile} data-size={size} aria-hidden="true">
      {merchant.logo_url && !hasFailed ? (
        <img
          src={merchant.logo_url}
          alt=""
          width={96}
          height={96}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setHasFailed(true)}
          ref={(image) => {
            // A picture that failed before the page came alive never tells: ask it. A drawing may have no width.
            if (image?.complete && image.currentSrc) image.decode().catch(() => setHasFailed(true));
          }}
        />
      ) : (
        initials(merchant.name)
      )}
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
