import { planSft, resolveSftConfig, type SftConfigInput } from '@hone/engine';

import { type Diagnosis, reportFailure, reportPlan } from './diagnosis-report.js';
import { type BaseFolder, openPlanningBase } from './planning-base.js';

export interface SftCase {
  /** JSON Lines. */
  readonly lines: Uint8Array;
  readonly config: SftConfigInput | null;
  readonly base: BaseFolder;
}

/** Dry run of a fine-tuning job: plans it without training. */
export async function diagnoseSft({ lines, config, base }: SftCase): Promise<Diagnosis> {
  const text = new TextDecoder().decode(lines);
  try {
    const planning = await openPlanningBase(base);
    return reportPlan(await planSft(text.split(/\r?\n/), resolveSftConfig(config), planning), []);
  } catch (error) {
    return reportFailure(error, 0);
  }
}
