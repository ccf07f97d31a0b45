export type Theme = 'light' | 'dark';

/** The specification's storage key. */
export const themeKey = 'theme';

/**
 * Applies the stored theme, or the system's, in the head before the first paint. The class `js`
 * shows controls that need JavaScript.
 */
export const themeScript = `(function(d){var t;try{t=localStorage.getItem('${themeKey}')}catch(e){}if(t!=='dark'&&t!=='light')t=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';d.classList.toggle('dark',t==='dark');d.classList.add('js')})(document.documentElement)`;

export function presentTheme(): Theme {
  return document.documentElement.classList.contains('dark') ? 'dark' : 'light';
}

export function showTheme(theme: Theme): void {
  document.documentElement.classList.toggle('dark', theme === 'dark');
}
