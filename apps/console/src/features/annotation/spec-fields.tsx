import form from '../../shared/dialog/dialog.module.css';
import { Button } from '../../shared/ui/button.js';
import { Input, Select } from '../../shared/ui/input.js';
import styles from './annotation.module.css';
import { SPEC_KINDS, type SpecDraft, type SpecKind } from './spec-draft.js';

interface Props {
  readonly draft: SpecDraft;
  readonly change: (draft: SpecDraft) => void;
  readonly remove: () => void;
}

/** Fields of a new criterion. */
export function SpecFields({ draft, change, remove }: Props) {
  const set = (part: Partial<SpecDraft>) => change({ ...draft, ...part });
  return (
    <fieldset>
      <legend>New criterion</legend>
      <label>
        Name
        <Input required maxLength={128} value={draft.name} onChange={({ target }) => set({ name: target.value })} />
      </label>
      <label>
        What it asks
        <Input value={draft.description} onChange={({ target }) => set({ description: target.value })} />
      </label>
      <label>
        Answer
        <Select value={draft.kind} onChange={({ target }) => set({ kind: target.value as SpecKind })}>
          {Object.entries(SPEC_KINDS).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </Select>
      </label>
      {draft.kind === 'scale' && (
        <div className={styles['row']}>
          <label>
            From
            <Input
              type="number"
              required
              value={draft.min}
              onChange={({ target }) => set({ min: target.valueAsNumber })}
            />
          </label>
          <label>
            To
            <Input
              type="number"
              required
              value={draft.max}
              onChange={({ target }) => set({ max: target.valueAsNumber })}
            />
          </label>
        </div>
      )}
      {draft.kind === 'choices' && (
        <label>
          Choices, separated by commas
          <Input required value={draft.choices} onChange={({ target }) => set({ choices: target.value })} />
        </label>
      )}
      <div className={form['actions']}>
        <Button onClick={remove}>Remove this criterion</Button>
      </div>
    </fieldset>
  );
}
