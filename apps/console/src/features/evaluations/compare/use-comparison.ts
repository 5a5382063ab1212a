import type { CompareQueryDto } from '@hone/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { useSearchValues } from '../../../shared/data/search-state.js';
import { type TruthChoice, useTruth } from '../../../shared/labels/use-truth.js';
import { LATENCY, metricNames, type ResultRow } from '../results.js';
import { useDirection } from '../use-direction.js';
import { readMargins } from './margins.js';
import { scoreMetric } from './metric.js';
import { sliceFields, slicesBy } from './slices.js';

/** As many metrics as the interface is told of. */
const MAX_NAMED = 50;
const POLL_MS = 5_000;

/** What is asked of a comparison beside its runs, as the address of the page keeps it. */
export interface CompareSettings {
  readonly margins: Readonly<Record<string, number>>;
  /** Fields of the rows that slices can be made of -> their values. */
  readonly fields: ReadonlyMap<string, readonly (string | number | boolean)[]>;
  /** Field whose values are slices; '': there are none. */
  readonly sliceBy: string;
  /** The metric that people labelled, too; '': none. */
  readonly labelled: string;
  readonly choice: TruthChoice;
  readonly set: (name: string, value: string) => void;
}

export function useCompareSettings(rows: readonly ResultRow[]): CompareSettings {
  const [value, set] = useSearchValues();
  const choice = useTruth();
  const fields = useMemo(() => sliceFields(rows), [rows]);
  const sliceBy = fields.has(value('slices')) ? value('slices') : '';
  return { ...{ fields, sliceBy, choice, set }, margins: readMargins(value('margins')), labelled: value('labelled') };
}

/** The statistics of the runs, paired row by row; the first run is the baseline. @param isRunning whether more is found meanwhile */
export function useComparison(
  runs: readonly string[],
  rows: readonly ResultRow[],
  settings: CompareSettings,
  isRunning: boolean,
) {
  const project = useProject();
  const { direction } = useDirection();
  const { margins, fields, sliceBy, labelled, choice } = settings;
  const names = useMemo(() => metricNames(rows), [rows]);
  const less = names.filter((name) => name !== LATENCY && direction(name) === 'less');
  const truth = choice.truth && choice.isReady && labelled !== '' ? [{ ...choice.truth, metric: labelled }] : null;
  const body: CompareQueryDto = {
    ...{ project_id: project.id, runs: [...runs], margins, truth },
    lower_is_better: less.slice(0, MAX_NAMED).map(scoreMetric),
    slices: slicesBy(sliceBy, fields.get(sliceBy) ?? []),
  };
  return useQuery({
    queryKey: ['comparison', body, isRunning],
    queryFn: ({ signal }) => hone.evaluation.compareRuns(body, { signal }),
    enabled: runs.length > 1,
    refetchInterval: isRunning ? POLL_MS : false,
    // A setting changes a few figures: the others stay.
    placeholderData: keepPreviousData,
  });
}
