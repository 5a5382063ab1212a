import { createHash } from 'node:crypto';

import { type PlanRow, readPlanLine, readValidationLine, splitLines } from '@hone/engine';

import { StoredDataDamagedError } from '../data/data.errors.js';

/** Tokens of a row, context included. */
export const tokensOf = ({ sequences }: PlanRow): number => sequences.reduce((sum, { ids }) => sum + ids.length, 0);

/**
 * Tokens of each row of a stored plan. Row by row, so that heartbeats go on in between.
 *
 * @param sha256 hex
 * @throws StoredDataDamagedError
 * @throws the reason of `signal`
 */
export async function measurePlan(
  bytes: AsyncIterable<Buffer>,
  sha256: string,
  signal: AbortSignal,
): Promise<number[]> {
  const hash = createHash('sha256');
  async function* hashed() {
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      hash.update(chunk);
      yield chunk;
    }
  }
  const lines: number[] = [];
  const rows: PlanRow[] = [];
  try {
    for await (const line of splitLines(hashed())) {
      if (readValidationLine(line ?? '')) continue;
      const row = readPlanLine(line ?? '', rows);
      lines.push(row.repeats === undefined ? tokensOf(row) : (lines[row.repeats] as number));
      // The sequences are dropped: of a row that others repeat only the number of tokens is needed.
      rows.push({ ...row, sequences: [] });
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) throw new StoredDataDamagedError();
    throw error;
  }
  if (hash.digest('hex') !== sha256) throw new StoredDataDamagedError();
  return lines;
}
