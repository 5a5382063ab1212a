import { setTimeout as sleep } from 'node:timers/promises';

import { ConnectionError, type Hone, type ImprovementDto, RateLimitError, ServerError } from '@hone/client';

import { Progress } from '../terminal/progress.js';
import { changes, elapsed } from './words.js';

const POLL_MS = 1_000;
/** Hone may be restarted meanwhile: the improvement goes on. */
const MAX_OUTAGE_MS = 300_000;

/** Reads an improvement until it has ended, and shows what changes. @throws HoneError nobody answers for long */
export async function follow(
  hone: Hone,
  first: ImprovementDto,
  show: (text: string) => void,
  progress = new Progress(),
): Promise<ImprovementDto> {
  const startMs = Date.now();
  let before: ImprovementDto | null = null;
  for (let now = first; ; now = await read(hone, now)) {
    const lines = changes(before, now);
    if (lines.length > 0) progress.end();
    for (const line of lines) show(`${elapsed(Date.now() - startMs).padStart(6)}  ${line}`);
    if (now.ended_at !== null) {
      progress.end();
      return now;
    }
    before = now;
    progress.tick(`${elapsed(Date.now() - startMs).padStart(6)}  …`);
    await sleep(POLL_MS);
  }
}

async function read(hone: Hone, { id }: ImprovementDto): Promise<ImprovementDto> {
  for (const endMs = Date.now() + MAX_OUTAGE_MS; ; await sleep(POLL_MS)) {
    try {
      return await hone.evaluation.getImprovement({ improvement_id: id as string });
    } catch (error) {
      if (!isPassing(error) || Date.now() > endMs) throw error;
    }
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof ServerError || error instanceof RateLimitError;
