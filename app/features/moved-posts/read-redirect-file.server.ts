import { checkRedirects } from '#app/features/catalog/check-redirects.server.ts';
import { mostRedirects, readRedirects } from '#app/features/catalog/find-redirect.server.ts';
import { findLivePaths } from '#app/features/catalog/live-paths.server.ts';
import { type RedirectInput, redirectInput } from '#app/features/catalog/redirect-input.ts';
import { matchRule, ownTargetOf, type RedirectRule } from '#app/features/catalog/redirect-rules.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { plainHost } from './clean-content.server.ts';
import { readRedirectRows, type RedirectCells } from './plugin-redirects.ts';

/** A row of the file. */
export interface RedirectLine {
  line: number;
  from: string;
  to: string;
  status: string;
  /** The effect of importing the row, or the reason why it is rejected. */
  effect: 'new' | 'changed' | 'same' | { problem: string };
}

type RedirectFile =
  | { ok: false; message: string }
  /** `accepted` are the redirects to import. */
  | { ok: true; lines: RedirectLine[]; accepted: RedirectInput[] };

const mostHops = 10;

/**
 * Reads a redirect file and compares it with the stored redirects. `oldSite` is a URL of the old
 * site; the sites of imported posts are already known.
 */
export async function readRedirectFile(
  db: Db,
  bytes: Uint8Array,
  { origin, oldSite }: { origin: string; oldSite: string },
): Promise<RedirectFile> {
  const sites = await ask(db).column<string>`
    select distinct site_url from post_moves where site_url is not null limit 100`;
  const typed = oldSite === '' || /^https?:/i.test(oldSite) ? oldSite : `https://${oldSite}`;
  const hosts = new Set([origin, typed, ...sites].map(plainHost).filter(Boolean));
  const rows = readRedirectRows(decode(bytes), hosts);
  if (rows.length === 0) return { ok: false, message: 'The file contains no redirects.' };
  if (rows.length > mostRedirects)
    return { ok: false, message: `A file has at most ${mostRedirects} redirects.` };
  const stored = await readRedirects(db);
  const parsed = parseRows(rows, stored);
  await endChains(db, origin, stored, parsed);
  const accepted = parsed.flatMap(({ input }) => input ?? []);
  const problems = await checkRedirects(db, origin, accepted);
  const problemOf = new Map(accepted.map((input, index) => [input, problems[index]]));
  const lines = parsed.map(({ line, input }): RedirectLine => {
    const problem = input && problemOf.get(input);
    if (!input) return line;
    return {
      ...line,
      to: input.target ?? '',
      effect: problem ? { problem: problem.message } : effectOf(input, stored.get(input.from_path)),
    };
  });
  return { ok: true, lines, accepted: accepted.filter((input) => !problemOf.get(input)) };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

interface Parsed {
  line: RedirectLine;
  input?: RedirectInput;
  isOfPlugin?: boolean;
}

function parseRows(
  rows: readonly RedirectCells[],
  stored: ReadonlyMap<string, RedirectRule>,
): Parsed[] {
  const seen = new Map<string, number>();
  return rows.map(({ problem, isOfPlugin, ...row }): Parsed => {
    if (problem !== undefined) return { line: { ...row, effect: { problem } } };
    const parsed = redirectInput.safeParse({
      from_path: row.from,
      target: row.to,
      status: row.status,
    });
    if (!parsed.success) {
      const words = Object.values(fieldErrors(parsed.error)).join('. ');
      return { line: { ...row, effect: { problem: words } } };
    }
    const { from_path: from } = parsed.data;
    const earlier = seen.get(from);
    if (earlier !== undefined)
      return { line: { ...row, effect: { problem: `Line ${earlier} has the same old address` } } };
    seen.set(from, row.line);
    return {
      line: { ...row, effect: effectOf(parsed.data, stored.get(from)) },
      input: parsed.data,
      isOfPlugin,
    };
  });
}

function effectOf(input: RedirectInput, stored: RedirectRule | undefined) {
  if (!stored) return 'new' as const;
  const isSame = stored.target === input.target && stored.status === input.status;
  return isSame ? ('same' as const) : ('changed' as const);
}

/**
 * Replaces the target of each plugin's redirect with the end of its chain. Plugins allow chains,
 * but this site does not.
 */
async function endChains(
  db: Db,
  origin: string,
  stored: ReadonlyMap<string, RedirectRule>,
  parsed: Parsed[],
): Promise<void> {
  const rules = new Map<string, RedirectRule>(stored);
  for (const { input } of parsed) if (input) rules.set(input.from_path, input);
  const targets = [...rules.values()].flatMap((rule) => ownTargetOf(rule, origin) ?? []);
  const live = await findLivePaths(db, targets);
  for (const row of parsed) {
    if (!row.input || !row.isOfPlugin) continue;
    const target = endOf(row.input, rules, live, origin);
    if (target !== null) row.input = { ...row.input, target };
  }
}

/** Returns the target at the end of a chain, or null if there is no chain or no end. */
function endOf(
  rule: RedirectRule,
  rules: ReadonlyMap<string, RedirectRule>,
  live: ReadonlySet<string>,
  origin: string,
): string | null {
  let target: string | null = null;
  let last = rule;
  for (let hops = 0; hops < mostHops; hops++) {
    const path = ownTargetOf(last, origin);
    const next = path === null || live.has(path) ? null : (matchRule(rules, path)?.rule ?? null);
    if (!next) return target;
    // A pattern's target is incomplete, and a page that is gone has no target.
    if (next === rule || next.target === null || next.from_path.endsWith('*')) return null;
    target = next.target;
    last = next;
  }
  return null;
}
