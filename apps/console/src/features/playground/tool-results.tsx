import { type FormEvent, useState } from 'react';

import { Button } from '../../shared/ui/button.js';
import { TextArea } from '../../shared/ui/input.js';
import type { ToolCall } from './conversation.js';
import styles from './playground.module.css';

interface Props {
  readonly calls: readonly ToolCall[];
  readonly disabled: boolean;
  /** @param results of each call, in order */
  readonly send: (results: readonly string[]) => void;
}

/** Takes what the tools would have answered that a model calls, and goes on with it. */
export function ToolResults({ calls, disabled, send }: Props) {
  const [results, setResults] = useState<readonly string[]>(() => calls.map(() => ''));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(results);
  };
  return (
    <form className={styles['prompt']} onSubmit={submit}>
      {calls.map((call, at) => (
        <label key={at} className={styles['others']}>
          Result of {call.name}
          <TextArea
            rows={2}
            placeholder={`What ${call.name} answers to ${call.arguments.slice(0, 80) || 'nothing'}`}
            value={results[at] ?? ''}
            onChange={({ target }) => setResults(results.with(at, target.value))}
          />
        </label>
      ))}
      <div className={styles['actions']}>
        <Button type="submit" kind="primary" disabled={disabled}>
          {calls.length === 1 ? 'Send the result' : 'Send the results'}
        </Button>
      </div>
    </form>
  );
}
