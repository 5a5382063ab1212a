import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Plan, PlannedSequence, PlanRow } from '../plan/plan.js';
import { readPlanLine, readValidationLine } from '../plan/plan-lines.js';
import { splitLines } from '../plan/split-lines.js';
import { SpecMismatchError } from './job.errors.js';
import type { TrainingSpec } from './training-spec.js';

/**
 * The rows and validation sequences of a stored plan, which may be larger than one string can be.
 *
 * @throws SpecMismatchError its bytes or its number of rows are not those of the specification
 */
export async function readPlan({
  uri,
  sha256,
  num_sequences,
}: TrainingSpec['plan']): Promise<Pick<Plan, 'rows' | 'validation'>> {
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(fileURLToPath(uri)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const rows: PlanRow[] = [];
  const validation: PlannedSequence[] = [];
  try {
    for await (const line of splitLines(hashed())) {
      const sequence = readValidationLine(line ?? '');
      if (sequence) validation.push(sequence);
      else rows.push(readPlanLine(line ?? '', rows));
    }
  } catch (error) {
    // Only whole plans are JSON throughout.
    if (error instanceof SyntaxError || error instanceof TypeError) throw new SpecMismatchError('The plan');
    throw error;
  }
  if (hash.digest('hex') !== sha256) throw new SpecMismatchError('The plan');
  if (rows.length !== num_sequences) throw new SpecMismatchError("The plan's number of rows");
  return { rows, validation };
}
