import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useFetcher, useNavigate } from 'react-router';
import { AdminIcon } from '../frame/admin-icon.tsx';
import type { FoundGroup } from './find-anything.server.ts';
import styles from './find.module.css';

const pauseBeforeSearch = 120; // milliseconds
const optionId = (index: number) => `find-option-${index}`;

const dialogId = 'find';

function openDialog() {
  const dialog = document.getElementById(dialogId);
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
}

/** The link in the sidebar. Without JavaScript it opens the page of results. */
export function FindLink({
  className,
  onOpen,
}: {
  className?: string | undefined;
  onOpen: () => void;
}) {
  return (
    <a
      href="/admin/find"
      className={className}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onOpen();
        openDialog();
      }}
    >
      <AdminIcon name="search" size={18} />
      Find
      <kbd className={styles.key} aria-hidden="true">
        Ctrl K
      </kbd>
    </a>
  );
}

/** Finds anything in the admin, opened by `FindLink`, Ctrl+K or ⌘K. */
export function FindDialog() {
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const open = (event: globalThis.KeyboardEvent) => {
      const isAsked = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isAsked || event.altKey || event.shiftKey || event.defaultPrevented) return;
      if (document.querySelector('dialog:modal')) return;
      event.preventDefault();
      openDialog();
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);

  return (
    <dialog ref={dialog} id={dialogId} className={styles.dialog} aria-label="Find" closedby="any">
      <FindBox onDone={() => dialog.current?.close()} />
    </dialog>
  );
}

/** The field and its results, as a combobox with a list of links. */
function FindBox({ onDone }: { onDone: () => void }) {
  const { load, data } = useFetcher<{ text: string; groups: FoundGroup[] }>();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  // Requests nothing until the dialog is opened, which focuses the field.
  const [isUsed, setUsed] = useState(false);
  const [at, setAt] = useState(0);
  const groups = data?.groups ?? [];
  const options = groups.flatMap(({ found }) => found);

  useEffect(() => {
    if (!isUsed) return undefined;
    const timer = setTimeout(
      () => void load(`/admin/find?q=${encodeURIComponent(text)}`),
      text === '' ? 0 : pauseBeforeSearch,
    );
    return () => clearTimeout(timer);
  }, [load, text, isUsed]);

  const pressKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      const next = (at + step + options.length) % options.length;
      setAt(next);
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
    }
    const chosen = options[at];
    if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      onDone();
      void navigate(chosen.href);
    }
  };

  return (
    <>
      <input
        type="text"
        role="combobox"
        className={styles.field}
        aria-label="Find deals, merchants, posts, users, settings and actions"
        placeholder="Find a deal, merchant, post, user, setting or action"
        aria-expanded={options.length > 0}
        aria-controls={options.length > 0 ? 'find-options' : undefined}
        aria-activedescendant={options.length > 0 ? optionId(at) : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        maxLength={100}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onFocus={(event) => {
          setUsed(true);
          event.target.select();
        }}
        onKeyDown={pressKey}
      />
      {options.length > 0 ? (
        <div id="find-options" role="listbox" aria-label="Results" className={styles.options}>
          {groups.map(({ title, found }) => (
            <div key={title} role="group" aria-label={title}>
              <h2 aria-hidden="true">{title}</h2>
              {found.map((option) => {
                const { name, detail, href } = option;
                const index = options.indexOf(option);
                return (
                  <a
                    key={`${href} ${name}`}
                    id={optionId(index)}
                    href={href}
                    role="option"
                    tabIndex={-1}
                    aria-selected={index === at}
                    className={styles.found}
                    onClick={onDone}
                  >
                    <span>{name}</span>
                    <small>{detail}</small>
                  </a>
                );
              })}
            </div>
          ))}
        </div>
      ) : null}
      <p role="status" className={styles.none}>
        {data && options.length === 0 ? `Nothing matches “${data.text}”.` : ''}
      </p>
    </>
  );
}
