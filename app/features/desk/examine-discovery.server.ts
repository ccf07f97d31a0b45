import { discoveryLabels } from '#app/features/discovery/discovery-services.ts';
import { readDiscovery } from '#app/features/discovery/discovery-state.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { CheckResult } from '#app/platform/check-result.ts';

/** Checks whether search engines and feed readers are notified. */
export async function examineDiscovery(services: AppServices): Promise<Omit<CheckResult, 'name'>> {
  const { unlisted, services: all } = await readDiscovery(services);
  const on = all.filter(({ isOn }) => isOn);
  if (on.length === 0) return { state: 'ok', detail: 'IndexNow and WebSub are off' };
  const stopped = on.find(({ stoppedAt }) => stoppedAt !== null);
  if (stopped) {
    const detail = `${discoveryLabels[stopped.name]} stopped: ${stopped.lastError}`;
    return { state: 'problem', detail, fix: 'Fix the cause, then save Settings, Discovery.' };
  }
  const names = on.map(({ name }) => discoveryLabels[name]).join(' and ');
  if (unlisted !== null) return { state: 'ok', detail: `${names} wait. ${unlisted}` };
  const failing = on.find(({ lastError }) => lastError !== null);
  if (failing) {
    const detail = `${discoveryLabels[failing.name]} will be tried again: ${failing.lastError}`;
    return { state: 'warning', detail, fix: 'See Settings, Discovery.' };
  }
  return { state: 'ok', detail: `${names} on` };
}
