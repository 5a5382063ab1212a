import type { PlanCounts, PlanLoc, PreferenceConfig, RlConfig, SettingWarning, SftConfig } from '@hone/engine';

import type { InputFile } from '../data/training-data.js';

interface PlanningTask {
  readonly input: InputFile;
  /** Folder of the base model. */
  readonly baseDirectory: string;
  /** Null: a server has the weights of the base model. */
  readonly maxParams: number | null;
  /** Tokens of the longest sequence that the engine takes. */
  readonly maxContext: number;
  /** Path of the file that the plan is written to. */
  readonly output: string;
}

interface LinesTask extends PlanningTask {
  readonly maxLines: number;
  /** Null: the job has no file of it. */
  readonly validation: InputFile | null;
}

/** The work of a planning process: it receives one task and exits. */
export type PlanTask =
  | (PlanningTask & {
      readonly type: 'rl';
      readonly config: RlConfig;
      readonly parentStep: number;
      /** The input has a group in each line; false: it is the body of a job. */
      readonly hasLines: boolean;
      readonly maxLines: number;
    })
  | (LinesTask & { readonly type: 'sft'; readonly config: SftConfig })
  | (LinesTask & { readonly type: 'preference'; readonly config: PreferenceConfig });

export interface PlanResult {
  /** SHA-256, hex, of the plan's bytes. */
  readonly digest: string;
  /** Tokens of each row, context included. */
  readonly rowTokens: readonly number[];
  readonly counts: PlanCounts;
  readonly warnings: readonly SettingWarning[];
}

export type FromPlanning = { readonly type: 'progress' } | LastOfPlanning;

export type LastOfPlanning =
  | { readonly type: 'planned'; readonly result: PlanResult }
  | {
      readonly type: 'failed';
      readonly code: string;
      readonly message: string;
      readonly hint: string | null;
      readonly locs: readonly PlanLoc[] | null;
    };
