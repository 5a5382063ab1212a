import form from '../../../shared/dialog/dialog.module.css';
import { ModelField } from '../../../shared/models/model-field.js';
import { Button } from '../../../shared/ui/button.js';
import { Input, Select } from '../../../shared/ui/input.js';
import type { CandidateDraft } from './candidates.js';

interface Props {
  readonly draft: CandidateDraft;
  readonly at: number;
  /** Ids of the prompts to choose from. */
  readonly prompts: readonly string[];
  readonly change: (draft: CandidateDraft) => void;
  /** null: it is the only one. */
  readonly remove: (() => void) | null;
}

/** What answers the rows, to fill in. */
export function CandidateFields({ draft, at, prompts, change, remove }: Props) {
  const { model, prompt, temperature } = draft;
  return (
    <fieldset>
      <legend>Candidate {at + 1}</legend>
      <ModelField
        label="Model"
        model={model}
        unnamed={prompt === '' ? undefined : 'the one that the prompt names'}
        change={(to) => change({ ...draft, model: to })}
      />
      <label>
        Prompt, whose variables are the members of a row
        <Select value={prompt} onChange={({ target }) => change({ ...draft, prompt: target.value })}>
          <option value="">none: the messages of the row</option>
          {[...new Set([...prompts, prompt])].filter(Boolean).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </label>
      <label>
        Temperature
        <Input
          type="number"
          min={0}
          max={2}
          step="any"
          value={temperature}
          onChange={({ target }) => change({ ...draft, temperature: target.value })}
        />
      </label>
      {remove && (
        <div className={form['actions']}>
          <Button onClick={remove}>Remove</Button>
        </div>
      )}
    </fieldset>
  );
}
