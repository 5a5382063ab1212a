import { useDatasetNames } from '../../../shared/datasets/use-dataset-names.js';
import { ModelField } from '../../../shared/models/model-field.js';
import { usePromptNames } from '../../../shared/prompts/use-prompt-names.js';
import { BudgetField } from '../../../shared/ui/budget-field.js';
import { Input, Select } from '../../../shared/ui/input.js';
import styles from '../improvements.module.css';
import type { ImproveDraft } from './improve-draft.js';

type Settings = Omit<ImproveDraft, 'modelId' | 'scorers'>;

interface Props {
  readonly draft: Settings;
  readonly set: (change: Partial<Settings>) => void;
}

/** What is compared on, and how much may be spent: all of it has a default. */
export function SettingsFields({ draft, set }: Props) {
  const datasets = useDatasetNames();
  const prompts = usePromptNames();
  return (
    <>
      <label>
        Rows that the models are asked
        <Select value={draft.dataset} onChange={({ target }) => set({ dataset: target.value })}>
          <option value="">a third of the prompts, held out of the training</option>
          {datasets.data?.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </label>
      <label>
        Prompt that the model is asked with, which is edited, too
        <Select value={draft.prompt} onChange={({ target }) => set({ prompt: target.value })}>
          <option value="">none</option>
          {prompts.data?.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </label>
      <ModelField
        label="A stronger model, whose calls are learnt from"
        model={draft.teacher}
        unnamed="none"
        change={(teacher) => set({ teacher })}
      />
      <div className={styles['fields']}>
        <NumberField
          label="Times each row is asked"
          placeholder="1"
          value={draft.trials}
          min={1}
          max={20}
          step={1}
          change={(trials) => set({ trials })}
        />
        <NumberField
          label="Tokens of an answer"
          placeholder="the model’s"
          value={draft.maxTokens}
          min={1}
          step={1}
          change={(maxTokens) => set({ maxTokens })}
        />
        <NumberField
          label="Temperature"
          placeholder="the model’s"
          value={draft.temperature}
          min={0}
          max={2}
          step="any"
          change={(temperature) => set({ temperature })}
        />
        <NumberField
          label="Minutes to train"
          placeholder="120"
          value={draft.minutes}
          min={1}
          max={10_080}
          step={1}
          change={(minutes) => set({ minutes })}
        />
        <BudgetField label="Spend at most, US dollars" value={draft.budget} change={(budget) => set({ budget })} />
        <label>
          Alias of the best one
          <Input
            placeholder="production"
            maxLength={64}
            value={draft.alias}
            onChange={({ target }) => set({ alias: target.value })}
          />
        </label>
      </div>
    </>
  );
}

interface NumberProps {
  readonly label: string;
  /** What it is where nothing is typed. */
  readonly placeholder: string;
  readonly value: string;
  readonly min: number;
  readonly max?: number;
  readonly step: number | 'any';
  readonly change: (value: string) => void;
}

const NumberField = ({ label, change, ...input }: NumberProps) => (
  <label>
    {label}
    <Input type="number" {...input} onChange={({ target }) => change(target.value)} />
  </label>
);
