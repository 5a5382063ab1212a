import type { PipelineCreateDto, PipelineRunDto } from '@hone/client';

import type { Tone } from '../../shared/ui/badge.js';

const ENDS: Readonly<Record<PipelineRunDto['status'], { readonly text: string; readonly tone: Tone }>> = {
  running: { text: 'running', tone: 'warn' },
  promoted: { text: 'promoted', tone: 'good' },
  rejected: { text: 'rejected', tone: 'bad' },
  undecided: { text: 'undecided', tone: 'muted' },
  needs_labels: { text: 'needs labels', tone: 'warn' },
  no_data: { text: 'nothing to learn from', tone: 'muted' },
  refused: { text: 'refused', tone: 'bad' },
  alias_moved: { text: 'alias moved', tone: 'warn' },
  failed: { text: 'failed', tone: 'bad' },
  cancelled: { text: 'cancelled', tone: 'muted' },
};

/** How a run stands, in words. */
export const saidOf = ({ status }: Pick<PipelineRunDto, 'status'>) => ENDS[status];

const STARTED: Readonly<Record<string, string>> = {
  schedule: 'by schedule',
  judged_calls: 'by judged calls',
  request: 'on request',
};

export const startedBy = (run: Pick<PipelineRunDto, 'started_by'>): string => STARTED[run.started_by] ?? run.started_by;

/** What starts it by itself, in words. */
export function triggerOf({ every_hours, new_judged_calls }: PipelineCreateDto): string {
  const ways = [
    ...(typeof every_hours === 'number' ? [every_hours === 24 ? 'every day' : `every ${every_hours} hours`] : []),
    ...(typeof new_judged_calls === 'number' ? [`after ${new_judged_calls} newly judged calls`] : []),
  ];
  return ways.length === 0 ? 'on request' : ways.join(', or ');
}
