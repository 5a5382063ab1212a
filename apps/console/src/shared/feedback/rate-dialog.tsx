import { type ReactNode, useState } from 'react';

import form from '../dialog/dialog.module.css';
import { FormDialog } from '../dialog/form-dialog.js';
import { Input } from '../ui/input.js';
import { type Judgement, toJudgement } from './judgement.js';

interface Props {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly give: (judgement: Judgement) => void;
  readonly close: () => void;
}

/** Rates a call by a number, by tags, or by both, under a name. */
export function RateDialog({ isPending, error, give, close }: Props) {
  const [name, setName] = useState('review');
  const [rating, setRating] = useState('');
  const [tags, setTags] = useState('');
  const judgement = toJudgement(name, rating, tags);
  return (
    <FormDialog
      title="Rate the call"
      action="Rate"
      {...{ isPending, error, close }}
      isReady={judgement !== null}
      submit={() => judgement && give(judgement)}
    >
      <Field label="What is rated" hint="The type of the feedback, such as helpful or accuracy">
        <Input required maxLength={256} value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field label="Rating" hint="0, the worst, to 1, the best">
        <Input
          type="number"
          min={0}
          max={1}
          step="any"
          value={rating}
          onChange={({ target }) => setRating(target.value)}
        />
      </Field>
      <Field label="Tags" hint="Separated by commas">
        <Input value={tags} onChange={({ target }) => setTags(target.value)} />
      </Field>
    </FormDialog>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint: string;
  readonly children: ReactNode;
}

const Field = ({ label, hint, children }: FieldProps) => (
  <label>
    {label}
    {children}
    <span className={form['hint']}>{hint}</span>
  </label>
);
