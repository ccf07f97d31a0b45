import type { ReactNode } from 'react';
import prose from '#app/features/blog/prose.module.css';
import styles from './document-frame.module.css';

export interface DocumentSection {
  /** The anchor of its heading. */
  id: string;
  title: string;
  /** Made of our own Markdown. */
  html: string;
}

/** A long text to be read: its title, what it is about, a table of contents beside it, and its sections. */
export function DocumentFrame({
  title,
  lead,
  dated,
  sections,
  parts,
}: {
  title: string;
  lead: ReactNode;
  /** Since when it holds, in words. */
  dated?: string;
  sections: DocumentSection[];
  /** What comes after the text of a section, by the section's id. */
  parts?: Record<string, ReactNode>;
}) {
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {dated ? <p className={styles.dated}>Last updated: {dated}</p> : null}
        <p className={styles.lead}>{lead}</p>
      </header>
      <nav className={styles.contents} aria-labelledby="on-this-page">
        <h2 id="on-this-page">On this page</h2>
        <ol>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className={styles.body}>
        {sections.map((section) => (
          <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
            <h2 id={`${section.id}-title`}>{section.title}</h2>
            <div className={prose.prose} dangerouslySetInnerHTML={{ __html: section.html }} />
            {parts?.[section.id]}
          </section>
        ))}
      </div>
    </article>
  );
}
