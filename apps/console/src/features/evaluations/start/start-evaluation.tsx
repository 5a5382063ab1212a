import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { hone } from '../../../shared/data/hone.js';
import { useModels } from '../../../shared/data/models.js';
import { useProject } from '../../../shared/data/project.js';
import { useSearchState } from '../../../shared/data/search-state.js';
import { useDatasetNames } from '../../../shared/datasets/use-dataset-names.js';
import form from '../../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../../shared/dialog/form-dialog.js';
import page from '../../../shared/page/page.module.css';
import { usePromptNames } from '../../../shared/prompts/use-prompt-names.js';
import { summaryOf } from '../../../shared/scorers/scorer.js';
import { useScorers } from '../../../shared/scorers/use-scorers.js';
import { BudgetField, toBudget } from '../../../shared/ui/budget-field.js';
import { Button } from '../../../shared/ui/button.js';
import { Input, Select } from '../../../shared/ui/input.js';
import { baselineNeed, chosenCandidate, toBaseline } from './baseline.js';
import { BaselineField } from './baseline-field.js';
import { CandidateFields } from './candidate-fields.js';
import { type CandidateDraft, MAX_CANDIDATES, toCandidates } from './candidates.js';

/** Asks models, or prompts, each row of a dataset, and has scorers judge the answers. */
export function StartEvaluation({ close }: { readonly close: () => void }) {
  const project = useProject();
  const queries = useQueryClient();
  const [linkedDataset] = useSearchState('dataset');
  const [linkedPrompt] = useSearchState('prompt');
  const [linkedModel] = useSearchState('model');
  const datasets = useDatasetNames();
  const prompts = usePromptNames();
  const scorers = useScorers();
  const models = useModels();
  const [chosenDataset, setDataset] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [drafts, setDrafts] = useState<readonly CandidateDraft[]>([
    { model: linkedModel, prompt: linkedPrompt, temperature: '0' },
  ]);
  const [chosenBaseline, setBaseline] = useState('');
  const [trials, setTrials] = useState('1');
  const [budget, setBudget] = useState('');
  const dataset = chosenDataset || linkedDataset || (datasets.data?.[0] ?? '');
  const first = models.data?.data[0]?.id ?? '';
  // A prompt may name its model; a row alone needs one.
  const candidates = drafts.map((draft) => ({ ...draft, model: draft.model || (draft.prompt === '' ? first : '') }));
  const usable = scorers.data?.filter(({ definition }) => definition !== null) ?? [];
  const need = baselineNeed(usable.filter(({ id }) => chosen.has(id)).map(({ definition }) => definition));
  const baseline = need === 'no' ? '' : chosenBaseline;
  const starting = useMutation({
    mutationFn: async () => {
      const sent = toCandidates(candidates, chosenCandidate(baseline));
      return hone.evaluation.createEvaluationJob({
        ...{ project_id: project.id, dataset, scorers: [...chosen], candidates: sent },
        ...{ baseline: toBaseline(baseline, sent), trials: Number(trials), max_cost_usd: toBudget(budget) },
      });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['evaluation jobs', project.id] });
      close();
    },
  });
  const chooseDataset = (name: string) => {
    setDataset(name);
    // Earlier runs to compare with are of the dataset.
    if (chosenCandidate(chosenBaseline) === null) setBaseline('');
  };
  const remove = (at: number) => {
    setDrafts(drafts.toSpliced(at, 1));
    // Another candidate may stand where the baseline was.
    if (chosenCandidate(chosenBaseline) !== null) setBaseline('');
  };
  return (
    <FormDialog
      title="Run an evaluation"
      action="Run"
      isPending={starting.isPending}
      error={starting.error}
      isReady={dataset !== '' && chosen.size > 0 && (need !== 'must' || baseline !== '')}
      submit={() => starting.mutate()}
      close={close}
    >
      <label>
        Dataset
        <Select value={dataset} onChange={({ target }) => chooseDataset(target.value)}>
          {(datasets.data ?? []).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </label>
      {datasets.data?.length === 0 && <p className={form['hint']}>The project has no dataset yet.</p>}
      <fieldset>
        <legend>Scorers</legend>
        {usable.map((scorer) => (
          <label key={scorer.id} className={form['inline']}>
            <input
              type="checkbox"
              checked={chosen.has(scorer.id)}
              onChange={({ target }) => setChosen(toggled(chosen, scorer.id, target.checked))}
            />
            <span>
              {scorer.name} <span className={form['hint']}>{summaryOf(scorer.definition)}</span>
            </span>
          </label>
        ))}
        {scorers.data && usable.length === 0 && (
          <p className={form['hint']}>The project has no scorer that runs on the server: make one under Scorers.</p>
        )}
      </fieldset>
      {candidates.map((draft, at) => (
        <CandidateFields
          key={at}
          {...{ draft, at }}
          prompts={prompts.data ?? []}
          change={(to) => setDrafts(drafts.with(at, to))}
          remove={drafts.length > 1 ? () => remove(at) : null}
        />
      ))}
      {drafts.length < MAX_CANDIDATES && (
        <div>
          <Button onClick={() => setDrafts([...drafts, { model: '', prompt: '', temperature: '0' }])}>
            Add a candidate
          </Button>
        </div>
      )}
      {need !== 'no' && (
        <BaselineField {...{ dataset, candidates }} choice={baseline} isNeeded={need === 'must'} change={setBaseline} />
      )}
      <div className={page['form']}>
        <label>
          Times that each row is asked
          <Input
            type="number"
            required
            min={1}
            max={20}
            value={trials}
            onChange={({ target }) => setTrials(target.value)}
          />
        </label>
        <BudgetField label="Spend at most, in US dollars" value={budget} change={setBudget} />
      </div>
    </FormDialog>
  );
}

function toggled(chosen: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}
