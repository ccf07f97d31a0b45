import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import type { ChannelSummary } from '#app/features/channels/channel-queries.server.ts';

/** The status of a channel in one word. */
export function ChannelState({
  channel: { is_active, switched_off_at, failures },
}: {
  channel: Pick<ChannelSummary, 'is_active' | 'switched_off_at' | 'failures'>;
}) {
  if (switched_off_at) return <StatusPill variant="bad">Turned off</StatusPill>;
  if (!is_active) return <StatusPill variant="plain">Off</StatusPill>;
  if (failures > 0) return <StatusPill variant="warn">Failing</StatusPill>;
  return <StatusPill variant="good">On</StatusPill>;
}
