import { execFileSync } from 'node:child_process';
import path from 'node:path';

export interface RootPlan {
  /** The path of the folder that is the site's entire file system. */
  root: string;
  /** The command that starts `deals` in this folder. */
  command: string[];
  env: Record<string, string>;
  cwd: string;
  /** The process's user and group ids. */
  account: string;
}

export interface RootVisit {
  /** The number of seconds from the start to the first page. */
  toFirstPage: number;
  page: string;
  /** The process's four user ids. */
  user: string;
  /** The output of `deals admin list` while the site is running. */
  commandOutput: string;
  /** The site's exit code after SIGTERM. */
  code: number | null;
  /** The process's standard output. */
  told: string;
}

/**
 * Starts the site in the plan's root folder, without any network, and visits it there. Throws if no
 * page was served.
 */
export function enterRoot(plan: RootPlan): RootVisit {
  const alone = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--'];
  const start = path.join(import.meta.dirname, 'start-in-root.ts');
  const words = [...alone, process.execPath, start, JSON.stringify(plan)];
  const most = 100 * 2 ** 20;
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  return JSON.parse(execFileSync('unshare', words, { encoding: 'utf8', maxBuffer: most, stdio }));
}
