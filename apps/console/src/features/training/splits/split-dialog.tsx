import type { AliasSplitDto, AliasSplitPutDto } from '@hone/client';
import { useState } from 'react';

import form from '../../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../../shared/dialog/form-dialog.js';
import { ModelField } from '../../../shared/models/model-field.js';
import { BudgetField } from '../../../shared/ui/budget-field.js';
import { Button } from '../../../shared/ui/button.js';
import { Input } from '../../../shared/ui/input.js';
import { type ArmText, restOf, toBody, toForm } from './split-form.js';
import styles from './splits.module.css';

/** Arms that a split has at most. */
const MAX_ARMS = 5;

interface Props {
  readonly alias: string;
  readonly split: AliasSplitDto | null;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly save: (body: AliasSplitPutDto) => void;
  readonly close: () => void;
}

/** Gives other models a share of the requests with an alias, or has one answer them a second time. */
export function SplitDialog({ alias, split, isPending, error, save, close }: Props) {
  // What was read when the dialog opened, which the split must still be.
  const [before] = useState(split);
  const [{ arms, shadow }, setForm] = useState(() => toForm(split));
  const body = toBody({ arms, shadow }, before);
  const setArms = (changed: readonly ArmText[]) => setForm({ arms: changed, shadow });
  const setShadow = (change: Partial<typeof shadow>) => setForm({ arms, shadow: { ...shadow, ...change } });
  const rest = restOf(arms);
  return (
    <FormDialog
      title={`Split ${alias}`}
      action="Set the split"
      isReady={body !== null}
      submit={() => body && save(body)}
      {...{ isPending, error, close }}
    >
      {arms.map((arm, at) => (
        <Arm
          key={at}
          number={at + 1}
          arm={arm}
          change={(changed) => setArms(arms.map((one, index) => (index === at ? { ...one, ...changed } : one)))}
        />
      ))}
      {arms.length < MAX_ARMS && (
        <Button onClick={() => setArms([...arms, { name: `arm-${arms.length + 1}`, model: '', percent: '5' }])}>
          Another arm
        </Button>
      )}
      <p className={form['hint']}>
        {rest === null
          ? 'The arms have more than all.'
          : `The checkpoint of ${alias} keeps ${rest} of the threads. An arm without a model is taken out.`}
      </p>
      <fieldset>
        <legend>Shadow</legend>
        <ModelField
          label="Answers a second time, for comparison alone"
          model={shadow.model}
          unnamed="None"
          change={(model) => setShadow({ model })}
        />
        {shadow.model !== '' && (
          <>
            <label>
              Percent of the requests
              <Input
                inputMode="decimal"
                value={shadow.percent}
                onChange={({ target }) => setShadow({ percent: target.value })}
              />
            </label>
            <BudgetField
              label="Spend at most on a day, in US dollars"
              value={shadow.budget}
              change={(budget) => setShadow({ budget })}
            />
          </>
        )}
      </fieldset>
    </FormDialog>
  );
}

interface ArmProps {
  readonly number: number;
  readonly arm: ArmText;
  readonly change: (change: Partial<ArmText>) => void;
}

const Arm = ({ number, arm: { name, model, percent }, change }: ArmProps) => (
  <div className={styles['arm']} role="group" aria-label={`Arm ${number}`}>
    <label>
      Name
      <Input value={name} maxLength={64} onChange={({ target }) => change({ name: target.value })} />
    </label>
    <ModelField label="Model" unnamed="None" model={model} change={(chosen) => change({ model: chosen })} />
    <label>
      Percent
      <Input inputMode="decimal" value={percent} onChange={({ target }) => change({ percent: target.value })} />
    </label>
  </div>
);
