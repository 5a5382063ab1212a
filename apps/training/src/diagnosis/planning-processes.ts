import { builtUrl } from '@hone/threads';
import { Inject, Injectable } from '@nestjs/common';

import { ChildProcesses } from '../child-processes/child-processes.js';
import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import type { LinesCase } from './diagnose-lines.js';
import type { RlCase } from './diagnose-rl.js';
import { DiagnosisTooLargeError } from './diagnosis.errors.js';
import type { Diagnosis } from './diagnosis-report.js';

/** The work of a planning process: it receives one case and exits. */
export type PlanningCase = ({ readonly kind: 'rl' } & RlCase) | LinesCase;

const LIMIT_MS = 60_000;

/** Plans in processes of their own, a few at once. */
@Injectable()
export class PlanningProcesses {
  private readonly processes: ChildProcesses<PlanningCase, Diagnosis>;

  constructor(@Inject(TRAINING_CONFIG) { largeBodyWaitMs: waitMs }: TrainingConfig) {
    const script = builtUrl(import.meta.url, 'planning.child');
    this.processes = new ChildProcesses('planning', { script, limitMs: LIMIT_MS, waitMs });
  }

  /** @throws BodiesBusyError no process could be started in time. @throws DiagnosisTooLargeError */
  async run(planned: PlanningCase): Promise<Diagnosis> {
    const diagnosis = await this.processes.run(planned);
    if (!diagnosis) throw new DiagnosisTooLargeError();
    return diagnosis;
  }
}
