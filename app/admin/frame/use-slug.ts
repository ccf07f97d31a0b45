import { useEffect, useState } from 'react';
import { hasOtherLetters, latinSlug } from '#database/latin-slug.ts';

/** Returns a text's slug. Loads the letters of other scripts when the text needs them. */
export function useSlug(text: string): string {
  const [rule, setRule] = useState({ slugify: latinSlug });
  const isIncomplete = rule.slugify === latinSlug && hasOtherLetters(text);
  useEffect(() => {
    if (!isIncomplete) return;
    let isGone = false;
    async function load() {
      const { slugify } = await import('#database/slug.ts');
      if (!isGone) setRule({ slugify });
    }
    load().catch(() => {
      // Without the module the address is not previewed. The server derives it.
    });
    return () => {
      isGone = true;
    };
  }, [isIncomplete]);
  return rule.slugify(text);
}
