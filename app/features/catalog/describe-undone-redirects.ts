import { countNoun } from '#app/platform/count-noun.ts';
import type { UndoneRedirects } from './redirect-imports.server.ts';

/**
 * Returns a text such as `Import undone: 3 redirects deleted, 1 restored. 2 changed since were
 * kept.`
 */
export function describeUndoneRedirects({
  removed,
  restored,
  kept,
}: UndoneRedirects & { ok: true }): string {
  const done = `Import undone: ${countNoun(removed, 'redirect')} deleted, ${restored} restored.`;
  return kept > 0 ? `${done} ${kept} changed since ${kept === 1 ? 'was' : 'were'} kept.` : done;
}
