import { useState } from 'react';

import { useSearchValues } from '../../../shared/data/search-state.js';
import { Input, TextArea } from '../../../shared/ui/input.js';
import styles from '../playground.module.css';
import { AllParameters } from './all-parameters.js';
import { type FilledIn, withParameter } from './request.js';

/** Numbers that have a field of their own. */
const NUMBERS = [
  { name: 'temperature', label: 'Temperature', meaning: '0: always the likeliest token; to 2: freely' },
  { name: 'top_p', label: 'Top p', meaning: 'Only the likeliest that together have this probability' },
  { name: 'max_tokens', label: 'Max tokens', meaning: 'Of the answer' },
  { name: 'seed', label: 'Seed', meaning: 'Equal seeds give equal answers' },
  { name: 'presence_penalty', label: 'Presence penalty', meaning: 'Against tokens that were used, -2 to 2' },
  { name: 'frequency_penalty', label: 'Frequency penalty', meaning: 'Against those used often, -2 to 2' },
] as const;

/** Parameters of the request, as the address of the page keeps them. */
export interface Parameters extends FilledIn {
  /** @param name as in the address */
  readonly set: (name: string, text: string) => void;
}

/** @param defaults of the fields, by their names in the address */
export function useParameters(defaults: Readonly<Record<string, string>>): Parameters {
  const [value, set] = useSearchValues(defaults);
  return {
    numbers: Object.fromEntries(NUMBERS.map(({ name }) => [name, value(name)])),
    ...{ tools: value('tools'), schema: value('schema'), others: value('parameters') },
    isProbable: value('logprobs') !== '',
    set,
  };
}

interface Props {
  readonly parameters: Parameters;
  /** Of the bodies that they belong to, in the OpenAPI document. */
  readonly schema: string;
  /** Whether they are shown at first. */
  readonly isOpen: boolean;
}

export function ParameterFields({ parameters, schema: ofBody, isOpen }: Props) {
  const { numbers, tools, schema, others, isProbable, set } = parameters;
  const [isListed, setIsListed] = useState(false);
  return (
    <details className={styles['parameters']} open={isOpen}>
      <summary>Parameters</summary>
      <div className={styles['numbers']}>
        {NUMBERS.map(({ name, label, meaning }) => (
          <label key={name}>
            {label}
            <Input
              inputMode="decimal"
              placeholder="default"
              aria-describedby={`meaning-${name}`}
              value={numbers[name] ?? ''}
              onChange={({ target }) => set(name, target.value)}
            />
            <span id={`meaning-${name}`}>{meaning}</span>
          </label>
        ))}
        <label className={styles['check']}>
          <input
            type="checkbox"
            checked={isProbable}
            onChange={({ target }) => set('logprobs', target.checked ? '1' : '')}
          />
          Show probabilities: tokens are coloured by how unlikely they were, and say so when one points at them
        </label>
      </div>
      <div className={styles['columns']}>
        <Json
          label="Tools that the model may call, as JSON"
          placeholder={'[{"name": "add", "description": "…", "parameters": {"type": "object", "properties": {}}}]'}
          text={tools}
          set={(text) => set('tools', text)}
        />
        <Json
          label="Schema that the answer obeys, as JSON"
          placeholder={'{"type": "object", "properties": {"answer": {"type": "string"}}}'}
          text={schema}
          set={(text) => set('schema', text)}
        />
        <Json
          label="Other parameters, as JSON: stop, n, top_k …"
          placeholder="{}"
          text={others}
          set={(text) => set('parameters', text)}
        />
      </div>
      <details onToggle={({ currentTarget }) => setIsListed(currentTarget.open)}>
        <summary>All parameters and what they mean</summary>
        {isListed && (
          <AllParameters schema={ofBody} add={(name, value) => set('parameters', withParameter(others, name, value))} />
        )}
      </details>
    </details>
  );
}

interface JsonProps {
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly set: (text: string) => void;
}

const Json = ({ label, placeholder, text, set }: JsonProps) => (
  <label className={styles['others']}>
    {label}
    <TextArea
      rows={3}
      spellCheck={false}
      placeholder={placeholder}
      value={text}
      onChange={({ target }) => set(target.value)}
    />
  </label>
);
