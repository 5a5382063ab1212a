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

const DEFAULT_LIMIT = 1_000;
const MAX_CALLS = 100_000;

interface Props {
  readonly scorer: Scorer;
  readonly close: () => void;
}

/** Has calls of the past judged by a version of a scorer. */
export function JudgeCalls({ scorer, close }: Props) {
  const project = useProject();
  const queries = useQueryClient();
  const [meant, setMeant] = useState<CallsMeant>({ query: '', isRootsOnly: true });
  const [limit, setLimit] = useState(String(DEFAULT_LIMIT));
  const [budget, setBudget] = useState('');
  const judging = useMutation({
    mutationFn: async () =>
      hone.evaluation.createScoring({
        ...{ project_id: project.id, scorer: objectRef(project.id, scorer.id, scorer.digest), ...toCondition(meant) },
        ...{ limit: Number(limit), max_cost_usd: toBudget(budget) },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['scorings', project.id] });
      close();
    },
  });
  return (
    <FormDialog
      title={`Judge calls with ${scorer.name}, v${scorer.version}`}
      action="Judge them"
      isPending={judging.isPending}
      error={judging.error}
      submit={() => judging.mutate()}
      close={close}
    >
      <CallsFields meant={meant} change={setMeant} />
      <label>
        The newest, at most
        <Input
          type="number"
          required
          min={1}
          max={MAX_CALLS}
          value={limit}
          onChange={({ target }) => setLimit(target.value)}
        />
      </label>
      {asksModel(scorer.definition) && (
        <BudgetField label="Spend at most, in US dollars" value={budget} change={setBudget} />
      )}
      <p className={form['hint']}>A call that has a verdict of this version is not judged again.</p>
    </FormDialog>
  );
}
