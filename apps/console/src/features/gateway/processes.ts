import type { GatewayStateDto } from '@hone/client';

/** A process that has not answered for this long has ended, or gets no requests. */
const FORGOTTEN_MS = 60_000;

/**
 * The processes of the gateway as far as answers have come from them, the oldest first. A load balancer chooses which one
 * answers, so that each is seen now and then.
 *
 * @param known of earlier answers
 * @param latest replaces what its process said before
 */
export function mergeProcesses(known: readonly GatewayStateDto[], latest: GatewayStateDto): readonly GatewayStateDto[] {
  const nowMs = Date.parse(latest.read_at);
  const others = known.filter(
    ({ instance, read_at }) => instance.id !== latest.instance.id && nowMs - Date.parse(read_at) < FORGOTTEN_MS,
  );
  return [...others, latest].sort((a, b) => Date.parse(a.instance.started_at) - Date.parse(b.instance.started_at));
}
