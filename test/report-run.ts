import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');
/** What each file took when it ran last, for `npm run quick`. */
const times = path.join(root, 'build/test-times.json');

/**
 * Writes what became of each file, and what it took, where the bootstrap reads it: `{ name, seconds, hasFailed }`. Its
 * last line says in plain words how many tests there were.
 */
export default class ReportRun implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => {
      const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic();
      return {
        name: path.relative(root, module.moduleId),
        seconds: (collectDuration + duration + prepareDuration + setupDuration) / 1000,
        hasFailed: !module.ok(),
      };
    });
    mkdirSync(path.join(root, 'build'), { recursive: true });
    writeFileSync(path.join(root, 'build/test-run.json'), JSON.stringify(files));
    const known = existsSync(times) ? JSON.parse(readFileSync(times, 'utf8')) : {};
    for (const { name, seconds } of files) known[name] = seconds;
    writeFileSync(times, JSON.stringify(known));
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    process.stdout.write(`\n${count('passed')} passed, ${count('failed')} failed\n`);
  }
}
