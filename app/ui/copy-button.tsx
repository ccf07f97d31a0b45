import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';
import styles from './copy-button.module.css';

/** Copies a text and says so, to screen readers too. Shown only where script runs. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');

  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2_500);
    return () => clearTimeout(timer);
  }, [state]);

  return (
    <>
      <button
        type="button"
        data-needs-js
        className={styles.button}
        aria-label={label}
        onClick={() => void copy(text).then(setState)}
      >
        {state === 'copied' ? <Icon name="check" size={16} /> : <Icon name="copy" size={16} />}
        <span aria-hidden="true">{state === 'copied' ? 'Copied' : 'Copy'}</span>
      </button>
      <span className="visually-hidden" role="status">
        {state === 'copied'
          ? `${text} copied`
          : state === 'failed'
            ? `Could not copy. The text is ${text}`
            : ''}
      </span>
    </>
  );
}

/** Browsers offer no clipboard to pages without https. */
async function copy(text: string): Promise<'copied' | 'failed'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}
