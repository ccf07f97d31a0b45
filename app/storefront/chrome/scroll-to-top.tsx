import { useEffect, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import styles from './scroll-to-top.module.css';

const shownBeyond = 300;

/** Floats at the corner once the page is scrolled past 300 px. */
export function ScrollToTop() {
  const [isShown, setIsShown] = useState(false);

  useEffect(() => {
    const update = () => setIsShown(window.scrollY > shownBeyond);
    update();
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, []);

  if (!isShown) return null;
  return (
    <Button
      isIcon
      className={styles.button}
      aria-label="Scroll to top"
      onClick={() => {
        const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
        window.scrollTo({ top: 0, behavior: isCalm ? 'instant' : 'smooth' });
        document.getElementById('main')?.focus({ preventScroll: true });
      }}
    >
      <Icon name="arrow-up" />
    </Button>
  );
}
