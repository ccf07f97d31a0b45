import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');
/** The last duration of each file, for `npm run quick`. */
const times = path.join(root, 'build/test-times.json');

/**
 * Writes the result of each file for the bootstrap script: `{ name, seconds, hasFailed, passed,
 * failed }`. A file that could not start is one failure. Errors outside files have an empty name.
 * The last line contains the totals.
 */
export default class ReportRun implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[] = []): void {
    const files = modules.map((module) => {
      const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic();
      const states = [...module.children.allTests()].map((test) => test.result().state);
      const failed = states.filter((state) => state === 'failed').length;
      return {
        name: path.relative(root, module.moduleId),
        seconds: (collectDuration + duration + prepareDuration + setupDuration) / 1000,
        hasFailed: !module.ok(),
        passed: states.filter((state) => state === 'passed').length,
        failed: failed === 0 && !module.ok() ? 1 : failed,
      };
    });
    if (errors.length > 0) {
      files.push({
        name: '',
        seconds: 0,
        hasFailed: true,
        passed: 0,
        failed: errors.length,
      });
    }
    mkdirSync(path.join(root, 'build'), { recursive: true });
    writeFileSync(path.join(root, 'build/test-run.json'), JSON.stringify(files));
    const known = existsSync(times) ? JSON.parse(readFileSync(times, 'utf8')) : {};
    for (const { name, seconds } of files) known[name] = seconds;
    writeFileSync(times, JSON.stringify(known));
    const sum = (part: 'passed' | 'failed') => files.reduce((total, file) => total + file[part], 0);
    process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
  }
}
