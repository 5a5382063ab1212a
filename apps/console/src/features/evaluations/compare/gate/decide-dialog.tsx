import type { ComparisonDto, MetricComparisonDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { hone } from '../../../../shared/data/hone.js';
import { useProject } from '../../../../shared/data/project.js';
import form from '../../../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../../../shared/dialog/form-dialog.js';
import { scaleOf } from '../../../../shared/labels/question.js';
import page from '../../../../shared/page/page.module.css';
import { Input, Select } from '../../../../shared/ui/input.js';
import { useDirection } from '../../use-direction.js';
import type { MetricJudge } from '../judges.js';
import { nameOfMetric } from '../metric.js';
import type { CompareSettings } from '../use-comparison.js';
import { type GateDraft, toGate, usualMargins } from './gate-draft.js';
import { GuardFields } from './guard-fields.js';
import { Opinion } from './opinion-fields.js';
import { PercentField } from './percent-field.js';

interface Props {
  /** The baseline's, and the candidate's. */
  readonly runs: readonly string[];
  readonly comparison: ComparisonDto;
  readonly judges: ReadonlyMap<string, MetricJudge>;
  readonly settings: CompareSettings;
  readonly close: () => void;
}

export const scoresOf = ({ comparisons }: ComparisonDto): readonly MetricComparisonDto[] =>
  comparisons[0]?.metrics.filter(({ source }) => source !== 'measure') ?? [];

/** Makes a gate of the two runs: what decides, and what must not become worse. */
export function DecideDialog({ runs, comparison, judges, settings: { choice }, close }: Props) {
  const { direction } = useDirection();
  const making = useMaking(runs);
  const scores = scoresOf(comparison);
  const [chosen, setChosen] = useState('');
  const [typedScale, setScale] = useState<GateDraft['scale'] | null>(null);
  const [rest, setRest] = useState({
    ...{ minGain: '0', margins: usualMargins(), labelShare: '25', isFact: false, acceptsUncorrected: false },
  });
  const metric = scores.find((one) => one.metric === chosen) ?? scores[0];
  if (!metric) return null;
  const isOpinion = metric.difference.judge_only || metric.difference.labels > 0;
  const truth = isOpinion && !rest.isFact ? choice.truth : null;
  const scale = typedScale ?? knownScale(judges.get(metric.metric));
  const lowerIsBetter = direction(nameOfMetric(metric.metric)) === 'less';
  const set = (change: Partial<typeof rest>) => setRest((before) => ({ ...before, ...change }));
  const draft = { ...rest, metric: metric.metric, scale, lowerIsBetter, truth };
  return (
    <FormDialog
      title="Decide whether the candidate is better"
      action="Make the gate"
      {...{ isPending: making.isPending, error: making.error, close }}
      isReady={truth === null || choice.isReady}
      submit={() => making.mutate(draft)}
    >
      <label>
        By the score
        <Select
          value={metric.metric}
          onChange={({ target }) => {
            setChosen(target.value);
            setScale(null);
          }}
        >
          {scores.map((one) => (
            <option key={one.metric} value={one.metric}>
              {nameOfMetric(one.metric)}
            </option>
          ))}
        </Select>
      </label>
      <p className={form['hint']}>
        {lowerIsBetter ? 'Less' : 'More'} of it is better; the table of scores turns that round.
      </p>
      <div className={page['form']}>
        <ScaleFields {...{ scale }} change={setScale} />
        <PercentField
          label="Least gain, % of the scale"
          value={rest.minGain}
          min={0}
          change={(minGain) => set({ minGain })}
        />
      </div>
      {isOpinion && <Opinion {...{ choice, truth, ...rest }} set={set} />}
      <GuardFields margins={rest.margins} change={(margins) => set({ margins })} />
    </FormDialog>
  );
}

/** Stores the gate, and leads to its page. */
function useMaking(runs: readonly string[]) {
  const project = useProject();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (draft: GateDraft) => hone.evaluation.createGate(toGate(project.id, runs, draft)),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['gates', project.id] });
      navigate(project.path(`gates/${id}`));
    },
  });
}

/** The scale of the judge that the score is of; else that of a share. */
function knownScale(judge: MetricJudge | undefined): GateDraft['scale'] {
  const definition = judge?.scorer.definition;
  const scale = definition ? scaleOf(definition, judge.criterion) : null;
  return [String(scale?.min ?? 0), String(scale?.max ?? 1)];
}

interface ScaleProps {
  readonly scale: GateDraft['scale'];
  readonly change: (scale: GateDraft['scale']) => void;
}

const ScaleFields = ({ scale: [least, most], change }: ScaleProps) => (
  <>
    <label>
      Least score
      <Input type="number" required step="any" value={least} onChange={({ target }) => change([target.value, most])} />
    </label>
    <label>
      Largest score
      <Input type="number" required step="any" value={most} onChange={({ target }) => change([least, target.value])} />
    </label>
  </>
);
