import { shortRef } from '../../../shared/data/refs.js';
import { formatAge } from '../../../shared/format/format.js';
import { useNow } from '../../../shared/format/use-now.js';
import { Select } from '../../../shared/ui/input.js';
import { datasetNames } from '../runs.js';
import { useRuns } from '../use-runs.js';
import { candidateChoice } from './baseline.js';
import type { CandidateDraft } from './candidates.js';

/** Earlier runs to choose from, the newest ones. */
const MAX_RUNS = 50;

interface Props {
  readonly choice: string;
  /** Whether a scorer does not say what it compares with. */
  readonly isNeeded: boolean;
  readonly dataset: string;
  readonly candidates: readonly CandidateDraft[];
  readonly change: (choice: string) => void;
}

/** What scorers of two answers compare the candidates' with: one of them, or an earlier run of the dataset. */
export function BaselineField({ choice, isNeeded, dataset, candidates, change }: Props) {
  const now = useNow();
  const found = useRuns();
  const datasetOf = datasetNames(found.data?.evaluations ?? []);
  const runs = (found.data?.runs ?? []).filter((run) => datasetOf(run) === dataset).slice(0, MAX_RUNS);
  return (
    <label>
      Compare answers with
      <Select value={choice} required={isNeeded} onChange={({ target }) => change(target.value)}>
        <option value="">{isNeeded ? 'choose a baseline' : 'what each scorer names'}</option>
        {candidates.length > 1 &&
          candidates.map(({ model, prompt }, at) => (
            <option key={at} value={candidateChoice(at)}>
              Candidate {at + 1}: {[prompt, model].filter(Boolean).join(', ')}
            </option>
          ))}
        {runs.map(({ id, model, startedAt }) => (
          <option key={id} value={id}>
            Run of {shortRef(model) || id}, {formatAge(startedAt, now)}
          </option>
        ))}
      </Select>
    </label>
  );
}
