import { TableRecords } from '#app/features/feeds/formats/table-records.ts';
import { parseJson } from '#app/platform/parse-json.ts';

/** A row of an uploaded redirect file. */
export interface RedirectCells {
  line: number;
  from: string;
  to: string;
  status: string;
  /** Whether a plugin exported the row. Redirects from plugins may form chains. */
  isOfPlugin: boolean;
  /** The reason why the row is skipped. */
  problem?: string;
}

/** A rule of a WordPress plugin. */
interface PluginRule {
  line: number;
  source: string;
  target: string;
  code: string;
  isRegex: boolean;
  /** The reason why the rule has no counterpart. */
  problem: string | null;
}

const columnNames = {
  from: 'from from_path old source path url old_url source_url request request_url',
  to: 'to target new destination new_url target_url destination_url redirect',
  status: 'status code status_code type kind http_code',
};

/**
 * Reads the redirects in this site's own CSV, in any CSV of old and new URLs, and in exports of
 * WordPress plugins: Redirection (also JSON), Yoast SEO Premium and Pretty Links. Targets on
 * `oldHosts` become paths. Plugin rules without a counterpart here get a `problem`.
 */
export function readRedirectRows(
  content: string,
  oldHosts: ReadonlySet<string> = new Set(),
): RedirectCells[] {
  const rules = content.trimStart().startsWith('{') ? jsonRules(content) : null;
  if (rules) return rules.map((rule) => cellsOf(rule, oldHosts));
  const head = content.split('\n', 1)[0] ?? '';
  const delimiter = [';', '\t'].find((one) => head.includes(one)) ?? ',';
  const table = new TableRecords({ delimiter, isQuoted: true });
  const records = [...table.write(content), ...table.end()];
  const names = records[0]?.cells.map((cell) => cell.trim().toLowerCase().replace(/\s+/g, '_'));
  const at = (wanted: string) => names?.findIndex((name) => wanted.split(' ').includes(name)) ?? -1;
  const plugin = pluginOf(names ?? []);
  if (plugin) {
    return records.slice(1).map(({ line, cells }) => {
      const cell = (name: string) => cells[at(name)]?.trim() ?? '';
      return cellsOf({ line, ...plugin(cell) }, oldHosts);
    });
  }
  const [from, to, status] = [at(columnNames.from), at(columnNames.to), at(columnNames.status)];
  const isNamed = from !== -1 && to !== -1;
  const cellOf = (cells: string[], named: number, position: number) =>
    cells[isNamed ? named : position]?.trim() ?? '';
  return records.slice(isNamed ? 1 : 0).map(({ line, cells }) => ({
    line,
    from: cellOf(cells, from, 0),
    to: pathAtHosts(cellOf(cells, to, 1), oldHosts),
    status: cellOf(cells, status, 2) || '301',
    isOfPlugin: false,
  }));
}

type ReadRule = (cell: (name: string) => string) => Omit<PluginRule, 'line'>;

/** Recognizes a plugin's file by its columns. */
function pluginOf(names: readonly string[]): ReadRule | null {
  const has = (...wanted: string[]) => wanted.every((name) => names.includes(name));
  if (has('source', 'target', 'regex', 'code')) {
    return (cell) => ({
      source: cell('source'),
      target: cell('target'),
      code: cell('code') || '301',
      isRegex: cell('regex') === '1',
      problem: problemOf({
        isDisabled: cell('status') === 'disabled',
        act: cell('type'),
        // The plugin exports conditional rules with this target.
        match: cell('target') === '/unknown' ? 'a condition' : 'url',
      }),
    });
  }
  if (has('origin', 'target', 'type', 'format')) {
    return (cell) => ({
      source: cell('origin'),
      target: cell('target'),
      code: cell('type') || '301',
      isRegex: cell('format') === 'regex',
      problem: null,
    });
  }
  // Pretty Links calls the short path `slug`, and may also redirect with scripts, which have no
  // status code.
  if (has('url', 'slug')) {
    return (cell) => ({
      source: cell('slug'),
      target: cell('url'),
      code: /^30[127]$/.test(cell('redirect_type')) ? cell('redirect_type') : '302',
      isRegex: false,
      problem: null,
    });
  }
  return null;
}

/** Reads Redirection's JSON, or returns null for any other file. */
function jsonRules(content: string): PluginRule[] | null {
  const file = parseJson(content) as { redirects?: unknown } | null;
  if (!Array.isArray(file?.redirects)) return null;
  return (file.redirects as unknown[]).map((given, index) => {
    const rule = (typeof given === 'object' ? given : null) as Record<string, unknown> | null;
    const text = (name: string) => textOf(rule?.[name]);
    const action = rule?.['action_data'];
    const target =
      typeof action === 'object' && action !== null
        ? textOf((action as Record<string, unknown>)['url'])
        : textOf(action);
    return {
      line: index + 1,
      source: text('url').trim(),
      target: target.trim(),
      code: text('action_code') || '301',
      isRegex: rule?.['regex'] === true || text('regex') === '1',
      problem: problemOf({
        isDisabled: rule?.['enabled'] === false || text('status') === 'disabled',
        act: text('action_type'),
        match: text('match_type'),
      }),
    };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function problemOf({
  isDisabled,
  act,
  match,
}: {
  isDisabled: boolean;
  act: string;
  match: string;
}): string | null {
  if (isDisabled) return 'Disabled in the plugin';
  if (match !== '' && match !== 'url')
    return `Depends on ${match.slice(0, 40)}, not only on the address`;
  if (act === 'random') return 'Redirects to a random post';
  if (act === 'pass' || act === 'nothing') return 'Redirects nowhere';
  return null;
}

const statuses: Readonly<Record<string, string>> = {
  301: '301',
  308: '301',
  302: '302',
  303: '302',
  307: '302',
  410: '410',
};

function cellsOf(rule: PluginRule, oldHosts: ReadonlySet<string>): RedirectCells {
  const { line, source, code } = rule;
  const status = statuses[code];
  const to = status === '410' ? '' : withSlash(pathAtHosts(rule.target, oldHosts));
  const asWritten = { line, from: source, to, status: status ?? code, isOfPlugin: true };
  const refuse = (problem: string) => ({ ...asWritten, problem });
  if (rule.problem !== null) return refuse(rule.problem);
  if (status === undefined)
    return refuse(`This site does not support the status ${code.slice(0, 10)}`);
  if (rule.isRegex) {
    const translated = translateRegex(source, to);
    return translated
      ? { ...asWritten, ...translated }
      : refuse('Its pattern can’t be expressed here');
  }
  if (source.includes('?')) return refuse('Depends on the query, which redirects ignore here');
  if (source.includes('*')) return refuse('Its address contains *');
  return { ...asWritten, from: withSlash(source) };
}

/** Yoast writes paths without the leading slash. */
function withSlash(address: string): string {
  return address === '' || /^(?:\/|[a-z][a-z\d+.-]*:)/i.test(address) ? address : `/${address}`;
}

/** Converts a URL on one of these hosts to its path, and returns any other text unchanged. */
function pathAtHosts(target: string, hosts: ReadonlySet<string>): string {
  const url = /^https?:/i.test(target) ? URL.parse(target) : null;
  if (!url || !hosts.has(url.host.replace(/^www\./, ''))) return target;
  // The parser encodes other alphabets but leaves `$1` and `*` unchanged.
  return url.pathname + url.search + url.hash;
}

const wildcards = ['(.*)', '(.+)', '(.*?)', '.*', '.+'];

/**
 * Translates a regular expression that matches one path, or a path and everything below it. The
 * expression is never executed. Returns null for any other expression.
 */
function translateRegex(source: string, target: string): { from: string; to: string } | null {
  let rest = source.replace(/^\^/, '').replace(/^\/\?/, '');
  const isEnd = rest.endsWith('$') && !rest.endsWith('\\$');
  if (isEnd) rest = rest.slice(0, -1);
  const wildcard = wildcards.find((one) => rest.endsWith(one));
  if (wildcard !== undefined) rest = rest.slice(0, -wildcard.length);
  else if (isEnd) rest = rest.replace(/\/\?$/, '');
  const path = literalOf(rest);
  if (path === null) return null;
  const isBelow = wildcard !== undefined || !isEnd;
  const from = withSlash(path) || '/';
  if (isBelow && !from.endsWith('/')) return null;
  const hasGroup = wildcard?.startsWith('(') ?? false;
  const parts = target.split('$1');
  if (/\$(?!1(?!\d))/.test(target) || target.includes('*') || parts.length > 2) return null;
  if (parts.length === 2 && !hasGroup) return null;
  return { from: isBelow ? `${from}*` : from, to: parts.join('*') };
}

/** Returns the text that an expression without operators matches, or null. */
function literalOf(expression: string): string | null {
  const bare = expression.replace(/\\([^\dA-Za-z])/g, (_whole, letter: string) =>
    /[*?\\]/.test(letter) ? '\0' : letter,
  );
  const operators = expression.replace(/\\[^\dA-Za-z]/g, '');
  return bare.includes('\0') || /[\\^$.|?*+()[\]{}]/.test(operators.replaceAll('.', ''))
    ? null
    : bare;
}
