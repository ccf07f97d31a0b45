import { Link } from 'react-router';
import { Icon } from './icon.tsx';
import styles from './section-heading.module.css';

/** A section's title with the one link that leads to all of it. */
export function SectionHeading({
  id,
  title,
  link,
}: {
  id: string;
  title: string;
  link?: { to: string; label: string };
}) {
  return (
    <div className={styles.heading}>
      <h2 id={id}>{title}</h2>
      {link ? (
        <Link to={link.to} className={styles.link}>
          {link.label}
          <Icon name="arrow-right" size={18} />
        </Link>
      ) : null}
    </div>
  );
}
