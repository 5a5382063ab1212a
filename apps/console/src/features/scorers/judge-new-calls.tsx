import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { objectRef } from '../../shared/data/refs.js';
import form from '../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import { asksModel, type Scorer } from '../../shared/scorers/scorer.js';
import { BudgetField, toBudget } from '../../shared/ui/budget-field.js';
import { Input } from '../../shared/ui/input.js';
import { CallsFields } from './calls-fields.js';
import { type CallsMeant, toCondition } from './condition.js';

interface Props {
  readonly scorer: Scorer;
  readonly close: () => void;
}

/** Has new calls judged as they come: a monitor. */
export function JudgeNewCalls({ scorer, close }: Props) {
  const project = useProject();
  const queries = useQueryClient();
  const [name, setName] = useState(scorer.name);
  const [meant, setMeant] = useState<CallsMeant>({ query: '', isRootsOnly: true });
  const [percent, setPercent] = useState(asksModel(scorer.definition) ? '10' : '100');
  const [budget, setBudget] = useState('');
  const making = useMutation({
    mutationFn: async () =>
      hone.evaluation.createMonitor({
        ...{ project_id: project.id, scorer: objectRef(project.id, scorer.id, scorer.digest), ...toCondition(meant) },
        ...{ name: name.trim(), sample_rate: Number(percent) / 100 },
        max_cost_usd_per_day: toBudget(budget),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['monitors', project.id] });
      close();
    },
  });
  return (
    <FormDialog
      title={`Judge new calls with ${scorer.name}, v${scorer.version}`}
      action="Start"
      isPending={making.isPending}
      error={making.error}
      isReady={name.trim() !== ''}
      submit={() => making.mutate()}
      close={close}
    >
      <label>
        Name
        <Input required maxLength={128} value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      <CallsFields meant={meant} change={setMeant} />
      <label>
        Percent of them
        <Input
          type="number"
          required
          min={0.0001}
          max={100}
          step="any"
          value={percent}
          onChange={({ target }) => setPercent(target.value)}
        />
      </label>
      {asksModel(scorer.definition) && (
        <BudgetField label="Spend at most on a day, in US dollars" value={budget} change={setBudget} />
      )}
      <p className={form['hint']}>
        Which calls are drawn follows from their ids, so that a call is judged once, however many services run.
      </p>
    </FormDialog>
  );
}
