import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { readPlanLine } from '../plan/plan-lines.js';
import type { PlanRow } from '../plan/plan.js';
import { SpecMismatchError } from './job.errors.js';
import type { TrainingSpec } from './training-spec.js';

/**
 * The rows of a stored plan.
 *
 * @throws SpecMismatchError its bytes or its number of rows are not those of the specification
 */
export async function readPlan({ uri, sha256, num_sequences }: TrainingSpec['plan']): Promise<PlanRow[]> {
  const bytes = await readFile(fileURLToPath(uri));
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new SpecMismatchError('The plan');
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  if (lines.length !== num_sequences) throw new SpecMismatchError("The plan's number of rows");
  return lines.map(readPlanLine);
}
