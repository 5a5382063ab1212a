import { setTimeout as sleep } from 'node:timers/promises';

import type { CallFilterDto, Hone } from '@hone/client';

const POLL_MS = 200;
const WAIT_MS = 60_000;

/** Waits until chats are calls: answers do not wait for their calls, which follow within a moment. */
export async function untilStored(hone: Hone, projectId: string, filter: CallFilterDto, count: number): Promise<void> {
  for (const endMs = Date.now() + WAIT_MS; Date.now() < endMs; await sleep(POLL_MS)) {
    const stored = await hone.trace.countCalls({ project_id: projectId, filter });
    if (stored.count >= count) return;
  }
  throw new Error(`${count} chats did not become calls within ${WAIT_MS / 1_000} s.`);
}
