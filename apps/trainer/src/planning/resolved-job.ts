import {
  type PreferenceConfig,
  resolvePreferenceConfig,
  resolveRlConfig,
  resolveSftConfig,
  type RlConfig,
  type SftConfig,
} from '@hone/engine';
import type { ClaimedJob } from '@hone/training-jobs';

/** The settings of a job, complete. */
export type JobSettings =
  | { readonly kind: 'rl'; readonly config: RlConfig }
  | { readonly kind: 'sft'; readonly config: SftConfig }
  | { readonly kind: 'preference'; readonly config: PreferenceConfig };

export interface ResolvedJob extends ClaimedJob {
  readonly settings: JobSettings;
}

/** A job that an earlier version created lacks the settings that are newer: these get their defaults. */
export const resolveJob = (claimed: ClaimedJob): ResolvedJob => ({ ...claimed, settings: settingsOf(claimed) });

function settingsOf({ job: { kind, config } }: ClaimedJob): JobSettings {
  switch (kind) {
    case 'rl':
      return { kind, config: resolveRlConfig(config) };
    case 'sft':
      return { kind, config: resolveSftConfig(config) };
    case 'preference':
      return { kind, config: resolvePreferenceConfig(config) };
  }
}
