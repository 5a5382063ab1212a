import { resolveRlConfig, resolveSftConfig, type RlConfig, type SftConfig } from '@hone/engine';
import type { ClaimedJob } from '@hone/training-jobs';

/** The settings of a job, complete. */
export type JobSettings =
  { readonly kind: 'rl'; readonly config: RlConfig } | { readonly kind: 'sft'; readonly config: SftConfig };

export interface ResolvedJob extends ClaimedJob {
  readonly settings: JobSettings;
}

/** A job that an earlier version created lacks the settings that are newer: these get their defaults. */
export const resolveJob = (claimed: ClaimedJob): ResolvedJob => ({ ...claimed, settings: settingsOf(claimed) });

const settingsOf = ({ job: { kind, config } }: ClaimedJob): JobSettings =>
  kind === 'rl' ? { kind, config: resolveRlConfig(config) } : { kind, config: resolveSftConfig(config) };
