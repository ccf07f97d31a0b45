import type { Log } from '#app/platform/log.server.ts';

/** A field's name in the log, its label on a terminal, and its value. */
export type Fact = readonly [name: string, label: string, value: string];

const title = 'Deal Hub is running';

interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Prints a box on a terminal, and one line of JSON elsewhere, whatever LOG_LEVEL is. */
export function announceSite(
  facts: readonly Fact[],
  log: Log,
  terminal: Terminal = process.stdout,
): void {
  if (terminal.isTTY === true) {
    terminal.write(boxOf(facts));
  } else {
    const fields = Object.fromEntries(facts.map(([name, , value]) => [name, value]));
    log.child({}, { level: 'info' }).info(fields, title);
  }
}

function boxOf(facts: readonly Fact[]): string {
  const width = Math.max(...facts.map(([, label]) => label.length)) + 2;
  const rows = [title, '', ...facts.map(([, label, value]) => label.padEnd(width) + value)];
  const inner = Math.max(...rows.map((row) => row.length)) + 2;
  const edge = '─'.repeat(inner);
  const body = rows.map((row) => `│ ${row.padEnd(inner - 2)} │`).join('\n');
  return `┌${edge}┐\n${body}\n└${edge}┘\n`;
}
