import type { RefObject } from 'react';
import { cutText } from '#app/platform/cut-text.ts';
import { Button } from '#app/ui/button.tsx';
import styles from './edit-form.module.css';
import { putValue } from './put-value.ts';

const mostShown = 600;

/**
 * Shows both versions after a conflicting save. The form keeps the user's version. Saving again
 * overwrites the other one, except for fields that the user adopts from it.
 */
export function ConflictPanel({
  yours,
  theirs,
  labels,
  form,
}: {
  yours: Record<string, string>;
  theirs: Record<string, string>;
  labels: Record<string, string>;
  form: RefObject<HTMLFormElement | null>;
}) {
  const names = Object.keys(labels).filter(
    (name) => name in theirs && (yours[name] ?? '') !== (theirs[name] ?? ''),
  );
  if (names.length === 0) {
    return <p>Both versions are the same. Save again to keep it.</p>;
  }
  return (
    <div className={styles.conflict}>
      <table>
        <caption>The form below has your version. Saving again overwrites theirs.</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Theirs</th>
            <th scope="col">Yours</th>
            <th scope="col" data-needs-js>
              <span className="visually-hidden">Take theirs</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{labels[name]}</th>
              <td>{excerptOf(theirs[name], yours[name])}</td>
              <td>{excerptOf(yours[name], theirs[name])}</td>
              <td data-needs-js>
                <Button
                  aria-label={`Use theirs: ${labels[name] ?? name}`}
                  onClick={() => putValue(form.current, name, theirs[name] ?? '')}
                >
                  Use theirs
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the part of a long text around its first difference from the other version. */
function excerptOf(text = '', other = ''): string {
  if (text.length <= mostShown) return text || '(empty)';
  let same = 0;
  while (same < text.length && text[same] === other[same]) same++;
  const start = Math.max(0, same - 40);
  const cut = cutText(text.slice(start), mostShown);
  return `${start > 0 ? '…' : ''}${cut}${start + cut.length < text.length ? '…' : ''}`;
}
