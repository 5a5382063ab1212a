import { useSearchValues } from '../../shared/data/search-state.js';
import { Input, TextArea } from '../../shared/ui/input.js';
import { toSettings } from '../../shared/settings/settings.js';
import styles from './playground.module.css';

/** Numbers that have a field; the meaning is shown where one points at it. */
const NUMBERS = [
  { name: 'temperature', label: 'Temperature', meaning: 'How freely it draws, 0 to 2; 0: always the likeliest token' },
  { name: 'top_p', label: 'Top p', meaning: 'Draw from the likeliest tokens that together have this probability' },
  { name: 'max_tokens', label: 'Most tokens', meaning: 'Most tokens of the answer' },
  { name: 'seed', label: 'Seed', meaning: 'Equal seeds give equal answers' },
  { name: 'presence_penalty', label: 'Presence penalty', meaning: 'Against tokens that were used, -2 to 2' },
  { name: 'frequency_penalty', label: 'Frequency penalty', meaning: 'Against tokens that were used often, -2 to 2' },
] as const;

const LIKELIEST = 5;

/** Parameters of the request, as the address of the page keeps them. */
export interface Parameters {
  readonly numbers: Readonly<Record<string, string>>;
  readonly setNumber: (name: string, text: string) => void;
  readonly others: string;
  readonly setOthers: (text: string) => void;
  readonly isProbable: boolean;
  readonly setProbable: (on: boolean) => void;
}

export function useParameters(): Parameters {
  const [value, set] = useSearchValues();
  return {
    numbers: Object.fromEntries(NUMBERS.map(({ name }) => [name, value(name)])),
    setNumber: set,
    others: value('parameters'),
    setOthers: (text) => set('parameters', text),
    isProbable: value('logprobs') !== '',
    setProbable: (on) => set('logprobs', on ? '1' : ''),
  };
}

/** @throws Error a sentence: a field is no number, or the others are no JSON object */
export const toRequest = ({ numbers, others, isProbable }: Parameters): Readonly<Record<string, unknown>> => ({
  ...toSettings(numbers, others),
  ...(isProbable && { logprobs: true, top_logprobs: LIKELIEST }),
});

export const ParameterFields = ({ parameters }: { readonly parameters: Parameters }) => (
  <details className={styles['parameters']}>
    <summary>Parameters</summary>
    <div className={styles['settings']}>
      {NUMBERS.map(({ name, label, meaning }) => (
        <label key={name} title={meaning}>
          {label}
          <Input
            inputMode="decimal"
            placeholder="default"
            value={parameters.numbers[name] ?? ''}
            onChange={({ target }) => parameters.setNumber(name, target.value)}
          />
        </label>
      ))}
      <label className={styles['check']} title="Tokens are coloured by how unlikely they were; point at one for others">
        <input
          type="checkbox"
          checked={parameters.isProbable}
          onChange={({ target }) => parameters.setProbable(target.checked)}
        />
        Show probabilities
      </label>
    </div>
    <label className={styles['others']}>
      Other parameters of a chat completion, as JSON: tools, response_format, stop …
      <TextArea
        rows={2}
        placeholder="{}"
        value={parameters.others}
        onChange={({ target }) => parameters.setOthers(target.value)}
      />
    </label>
  </details>
);
