import { execFileSync } from 'node:child_process';
import path from 'node:path';

export interface RootPlan {
  /** The path of the folder that is the site's whole file system. */
  root: string;
  /** The command that starts `deals` in this folder. */
  command: string[];
  env: Record<string, string>;
  cwd: string;
  /** The user and group ids of the process. */
  account: string;
}

export interface RootVisit {
  /** Seconds from the start to the first page. */
  toFirstPage: number;
  page: string;
  /** The four user ids of the process. */
  user: string;
  /** The output of `deals admin list` while the site is running. */
  commandOutput: string;
  /** The site's exit code after SIGTERM. */
  code: number | null;
  /** The standard output of the process. */
  told: string;
}

/**
 * Starts the site in the root of a plan, without any network, and visits the site there. Throws if
 * no page was served.
 */
export function enterRoot(plan: RootPlan): RootVisit {
  const alone = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--'];
  const start = path.join(import.meta.dirname, 'start-in-root.ts');
  const words = [...alone, process.execPath, start, JSON.stringify(plan)];
  const most = 100 * 2 ** 20;
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  return JSON.parse(execFileSync('unshare', words, { encoding: 'utf8', maxBuffer: most, stdio }));
}
