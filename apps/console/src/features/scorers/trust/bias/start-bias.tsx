import type { ScorerDefinitionDto } from '@hone/client';
import { useState } from 'react';

import form from '../../../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../../../shared/dialog/form-dialog.js';
import { BudgetField, toBudget } from '../../../../shared/ui/budget-field.js';
import { Input } from '../../../../shared/ui/input.js';
import { PROBES } from './bias-words.js';
import type { BiasOrder, Judged } from './judged.js';

type Probe = keyof typeof PROBES;
const NAMES = Object.keys(PROBES) as Probe[];
const USUAL_CALLS = '50';

interface Props {
  readonly definition: ScorerDefinitionDto;
  readonly judged: Judged;
  readonly isPending: boolean;
  /** null: none. */
  readonly error: Error | null;
  readonly start: (body: BiasOrder) => void;
  readonly close: () => void;
}

/** Which probes ask the judge again, about how many calls, and for how much. */
export function StartBias({ definition, judged, isPending, error, start, close }: Props) {
  const [probes, setProbes] = useState<readonly Probe[]>(definition.kind === 'llm' ? NAMES : []);
  const [calls, setCalls] = useState(USUAL_CALLS);
  const [budget, setBudget] = useState('');
  const body = { probes: [...probes], probe_calls: Number(calls), max_cost_usd: toBudget(budget) };
  return (
    <FormDialog title="Look for bias" action="Start" {...{ isPending, error, close }} submit={() => start(body)}>
      {!judged.truth && (
        <p className={form['hint']}>
          No labels of people are chosen: length and own family stay unknown, and probes are all that is found.
        </p>
      )}
      <fieldset>
        <legend>Ask the judge again about answers</legend>
        {NAMES.map((name) => (
          <label key={name} className={form['inline']}>
            <input
              type="checkbox"
              checked={probes.includes(name)}
              onChange={({ target }) =>
                setProbes(NAMES.filter((one) => (one === name ? target.checked : probes.includes(one))))
              }
            />
            <span>
              {name}: <span className={form['hint']}>{PROBES[name]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {probes.length > 0 && (
        <>
          <label>
            Calls that are drawn for them
            <Input
              type="number"
              required
              min={2}
              max={500}
              value={calls}
              onChange={({ target }) => setCalls(target.value)}
            />
          </label>
          <BudgetField label="Spend at most, in US dollars" value={budget} change={setBudget} />
        </>
      )}
    </FormDialog>
  );
}
