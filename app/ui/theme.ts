/** Classes of the document for the visitor's choices: dark theme and compact lists. */
export type Appearance = 'dark' | 'compact';

/** The specification's storage key. */
export const themeKey = 'theme';
export const densityKey = 'density';

/**
 * Applies the stored theme or the system's, and the density of lists. Runs in the head, before the
 * first paint. The class `js` shows controls that need JavaScript.
 */
export const themeScript = `(function(d){var t,c;try{t=localStorage.getItem('${themeKey}');c=localStorage.getItem('${densityKey}')}catch(e){}if(t!=='dark'&&t!=='light')t=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';d.classList.toggle('dark',t==='dark');d.classList.toggle('compact',c==='compact');d.classList.add('js')})(document.documentElement)`;
