import type { PropsWithChildren } from 'react';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';
import styles from './titled-section.module.css';

/** Renders a section under its title, with one link to the full list. */
export function TitledSection({
  id,
  title,
  link,
  children,
}: PropsWithChildren<{ id: string; title: string; link?: { to: string; label: string } }>) {
  return (
    <section aria-labelledby={id}>
      <div className={styles.heading}>
        <h2 id={id}>{title}</h2>
        {link ? (
          <Link to={link.to} className={styles.link}>
            {link.label}
            <Icon name="arrow-right" size={18} />
          </Link>
        ) : null}
      </div>
      {children}
    </section>
  );
}
