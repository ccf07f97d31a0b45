import { type AnswerKind, load, type Running, statOf } from '#bench/measured-site.ts';
import { timingOf } from '#bench/measure.ts';

const rounds = 5;
const secondsEach = 2;
export const cores = { server: 0, load: 1 };

/** The median speed of one server over all rounds. */
export interface Speed {
  perSecond: number;
  /**
   * CPU microseconds per request, if the system reports CPU time. Other load hardly affects this
   * number.
   */
  processorUs: number | undefined;
}

/** The speeds by target name. */
export interface Speeds {
  speeds: Partial<Record<string, Speed>>;
  failures: number;
}

export function at(name: string, { origin, pid }: Running, address: string) {
  return { name, url: origin + address, pid };
}

/**
 * Returns the total CPU time of this process so far, in hundredths of a second, or null without
 * /proc.
 */
async function processorTicks(pid: number): Promise<number | null> {
  const fields = await statOf(pid);
  return fields && Number(fields[11]) + Number(fields[12]);
}

/**
 * Measures each target in each round, so that other load affects all of them. Round 0 is a warm-up.
 */
export async function takeTurns(
  targets: ReturnType<typeof at>[],
  connections: number,
  kind: AnswerKind,
  report: (line: string) => void,
  inTurn: () => Promise<void> = async () => {},
): Promise<Speeds> {
  const found = targets.map((target) => {
    const measured: Record<'perSecond' | 'processorUs', number[]> = {
      perSecond: [],
      processorUs: [],
    };
    return { ...target, ...measured };
  });
  let failures = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const { url, pid, perSecond, processorUs } of found) {
      const before = await processorTicks(pid);
      const seconds = round === 0 ? 1 : secondsEach;
      const result = await load(url, connections, seconds, kind, cores.load);
      const after = await processorTicks(pid);
      failures += result.failures;
      if (round === 0) continue;
      perSecond.push(result.requests / result.seconds);
      if (before === null || after === null) continue;
      processorUs.push(((after - before) * 10_000) / result.requests);
    }
    await inTurn();
    report(`${kind} pages, round ${round} of ${rounds}`);
  }
  const speeds: Speeds['speeds'] = {};
  for (const { name, perSecond, processorUs } of found) {
    speeds[name] = {
      perSecond: timingOf(perSecond).median,
      processorUs: processorUs.length > 0 ? timingOf(processorUs).median : undefined,
    };
  }
  return { speeds, failures };
}
