import { parseJson } from '@hone/client';
import { useState } from 'react';

import type { Criterion } from '../../shared/annotation/rubric.js';
import { prettyJson } from '../../shared/format/preview.js';
import { Input, TextArea } from '../../shared/ui/input.js';
import styles from './annotation.module.css';

interface Props {
  readonly criterion: Criterion;
  /** undefined: none yet. */
  readonly answer: unknown;
  readonly isActive: boolean;
  readonly set: (answer: unknown) => void;
  readonly activate: () => void;
}

/** One criterion of the rubric with the control that its schema asks for. */
export const CriterionControl = ({ criterion, answer, isActive, set, activate }: Props) => (
  <fieldset className={styles['criterion']} data-active={isActive} onFocus={activate}>
    <legend dir="auto">{criterion.title}</legend>
    {criterion.description !== '' && (
      <p className={styles['muted']} dir="auto">
        {criterion.description}
      </p>
    )}
    <Answer criterion={criterion} answer={answer} set={set} />
  </fieldset>
);

function Answer({ criterion: { name, title, control }, answer, set }: Pick<Props, 'criterion' | 'answer' | 'set'>) {
  if (control.kind === 'choice')
    return (
      <div className={styles['options']}>
        {control.options.map(({ label, value }) => (
          <label key={label} className={styles['option']}>
            <input type="radio" name={`criterion-${name}`} checked={answer === value} onChange={() => set(value)} />
            <span dir="auto">{label}</span>
          </label>
        ))}
      </div>
    );
  if (control.kind === 'number')
    return (
      <Input
        type="number"
        aria-label={title}
        min={control.min}
        max={control.max}
        step={control.isInteger ? 1 : 'any'}
        value={typeof answer === 'number' ? answer : ''}
        onChange={({ target }) => set(target.value === '' ? undefined : target.valueAsNumber)}
      />
    );
  if (control.kind === 'text')
    return (
      <TextArea
        aria-label={title}
        rows={2}
        value={typeof answer === 'string' ? answer : ''}
        onChange={({ target }) => set(target.value === '' ? undefined : target.value)}
      />
    );
  return <JsonAnswer title={title} answer={answer} set={set} />;
}

/** For schemas that no other control is made for. A text that is no JSON is no answer yet. */
function JsonAnswer({ title, answer, set }: { readonly title: string } & Pick<Props, 'answer' | 'set'>) {
  const [text, setText] = useState(answer === undefined ? '' : prettyJson(answer));
  const change = (typed: string) => {
    setText(typed);
    try {
      set(parseJson(typed));
    } catch {
      set(undefined);
    }
  };
  const isWrong = text.trim() !== '' && answer === undefined;
  return (
    <>
      <TextArea
        aria-label={title}
        aria-invalid={isWrong}
        rows={3}
        placeholder="JSON"
        value={text}
        onChange={({ target }) => change(target.value)}
      />
      {isWrong && <p role="status">This is not JSON yet.</p>}
    </>
  );
}
