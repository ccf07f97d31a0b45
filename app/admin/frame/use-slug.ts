import { useEffect, useState } from 'react';
import { hasOtherLetters, latinSlug } from '#database/latin-slug.ts';

/** Returns a text's slug. Loads the transliteration module only for texts that need it. */
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
      // If the module is missing, there is no preview, and the server derives the URL.
    });
    return () => {
      isGone = true;
    };
  }, [isIncomplete]);
  return rule.slugify(text);
}
