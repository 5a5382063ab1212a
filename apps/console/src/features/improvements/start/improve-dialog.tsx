import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { useSearchState } from '../../../shared/data/search-state.js';
import form from '../../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../../shared/dialog/form-dialog.js';
import { QueryLine } from '../../../shared/query/query-line.js';
import { useScorers } from '../../../shared/scorers/use-scorers.js';
import { Select } from '../../../shared/ui/input.js';
import { ErrorNote } from '../../../shared/ui/notes.js';
import { useTrainableModels } from '../use-improvements.js';
import { EMPTY_DRAFT, type ImproveDraft, missingOf, toImprovement, toProposal } from './improve-draft.js';
import { Proposal } from './proposal.js';
import { ScorersField } from './scorers-field.js';
import { SettingsFields } from './settings-fields.js';

/** All calls of the project are looked through each time. */
const STALE_MS = 60_000;

/** Says which ways to learn the calls of a model allow, and starts them. */
export function ImproveDialog({ close }: { readonly close: () => void }) {
  const project = useProject();
  const [linkedModel] = useSearchState('model');
  const models = useTrainableModels();
  const scorers = useScorers();
  const usable = scorers.data?.filter(({ definition }) => definition !== null) ?? [];
  const [chosenModel, setModel] = useState('');
  const [chosenScorers, setScorers] = useState<readonly string[] | null>(null);
  const [rest, setRest] = useState(EMPTY_DRAFT);
  const only = usable.length === 1 ? usable.map(({ id }) => id) : [];
  const draft: ImproveDraft = {
    ...rest,
    modelId: chosenModel || linkedModel || (models.data?.data[0]?.id ?? ''),
    scorers: chosenScorers ?? only,
  };
  const proposal = useProposal(draft);
  const starting = useStarting(project.id);
  const isPossible = proposal.data?.candidates.some(({ state }) => state === 'possible') ?? false;
  const failed = models.error ?? scorers.error;
  return (
    <FormDialog
      title="Improve a model"
      action="Start"
      {...{ isPending: starting.isPending, error: starting.error, close }}
      isReady={isPossible}
      submit={() => starting.mutate(draft)}
    >
      {failed && <ErrorNote error={failed} retry={() => void Promise.all([models.refetch(), scorers.refetch()])} />}
      <label>
        Model
        <Select value={draft.modelId} onChange={({ target }) => setModel(target.value)}>
          {models.data?.data.map(({ id, name, base_model }) => (
            <option key={id} value={id}>
              {name}, on {base_model}
            </option>
          ))}
        </Select>
      </label>
      {models.data?.data.length === 0 && (
        <p className={form['hint']}>The project has no model that can be trained: create one under Training.</p>
      )}
      <ScorersField {...{ usable, chosen: draft.scorers }} isLoaded={scorers.data !== undefined} change={setScorers} />
      <div>
        <span>Learn from calls with</span>
        <QueryLine text={rest.calls} apply={(calls) => setRest((before) => ({ ...before, calls }))} appliesOnBlur />
      </div>
      <Proposal query={proposal} missing={missingOf(draft)} />
      <SettingsFields draft={rest} set={(change) => setRest((before) => ({ ...before, ...change }))} />
    </FormDialog>
  );
}

/** What would be tried, asked again for each other choice. */
function useProposal(draft: ImproveDraft) {
  const { id } = useProject();
  const body = missingOf(draft) === null ? toProposal(id, draft) : null;
  return useQuery({
    queryKey: ['improvement proposal', body],
    queryFn: body ? ({ signal }) => hone.evaluation.improveModel(body, { signal }) : skipToken,
    staleTime: STALE_MS,
    // A refusal says what is missing; to ask again changes nothing.
    retry: false,
  });
}

/** Starts the improvement, and leads to its page. */
function useStarting(projectId: string) {
  const project = useProject();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (draft: ImproveDraft) => hone.evaluation.improveModel(toImprovement(projectId, draft)),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['improvements', projectId] });
      navigate(project.path(`improvements/${id}`));
    },
  });
}
