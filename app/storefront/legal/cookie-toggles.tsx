import { useState, useSyncExternalStore } from 'react';
import {
  type CookiePreferences,
  defaultCookiePreferences,
  type OptionalUse,
  readCookiePreferences,
} from '#app/platform/cookie-preferences.ts';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { saveCookiePreferences } from './save-cookie-preferences.ts';
import styles from './cookie-toggles.module.css';

const uses: { name: keyof CookiePreferences; title: string; text: string }[] = [
  {
    name: 'essential',
    title: 'Essential',
    text: 'Keeps you signed in, protects forms from bots, and remembers the choice you make here. Always on: without it the site does not work.',
  },
  {
    name: 'preferences',
    title: 'Preferences',
    text: 'Remembers the light or dark theme you chose. If off, the theme follows your system, and a choice lasts until you leave.',
  },
  {
    name: 'analytics',
    title: 'Analytics',
    text: 'Would let us measure how pages are used. There is currently no such measurement, and none starts while this is off.',
  },
  {
    name: 'marketing',
    title: 'Marketing',
    text: 'Would let us remember which offers you saw. We currently store nothing of the kind, and none starts while this is off.',
  },
];

/**
 * Toggles that save each change at once. Without JavaScript there is no choice, and nothing
 * optional is stored.
 */
export function CookieToggles() {
  const isHydrated = useIsHydrated();
  const [chosen, setChosen] = useState<CookiePreferences | null>(null);
  const [note, setNote] = useState('');
  const stored = useStoredPreferences();
  const shown = chosen ?? (isHydrated ? stored : defaultCookiePreferences);

  function choose(use: OptionalUse, isOn: boolean) {
    const next = { ...shown, [use]: isOn };
    setChosen(next);
    setNote(
      saveCookiePreferences(next)
        ? 'Your choice is saved.'
        : 'This browser does not allow saving your choice. Nothing optional is stored.',
    );
  }

  return (
    <fieldset className={styles.toggles} data-loaded={isHydrated || undefined}>
      <legend className="visually-hidden">Cookie preferences</legend>
      {uses.map(({ name, title, text }) => (
        <div key={name} className={styles.toggle}>
          <label htmlFor={`allow-${name}`}>
            <strong>{title}</strong>
            <span className={styles.text}>{text}</span>
          </label>
          <input
            id={`allow-${name}`}
            type="checkbox"
            name={name}
            checked={shown[name]}
            disabled={name === 'essential' || !isHydrated}
            onChange={(event) => {
              if (name !== 'essential') choose(name, event.target.checked);
            }}
          />
        </div>
      ))}
      <p role="status" className={styles.note}>
        {note}
      </p>
      <p data-without-js className={styles.note}>
        These switches need JavaScript. Without it, this site stores nothing optional in your
        browser.
      </p>
    </fieldset>
  );
}

/**
 * Returns the stored preferences, read once per mount: React needs the same snapshot object until
 * the preferences change.
 */
function useStoredPreferences(): CookiePreferences {
  const [read] = useState(() => {
    let kept: CookiePreferences | null = null;
    return () => (kept ??= readCookiePreferences());
  });
  return useSyncExternalStore(neverChanges, read, () => defaultCookiePreferences);
}

function neverChanges(): () => void {
  return () => {};
}
