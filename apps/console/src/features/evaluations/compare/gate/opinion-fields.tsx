import type { JudgeTruthDto } from '@hone/client';

import form from '../../../../shared/dialog/dialog.module.css';
import { AnswerMap, TruthField } from '../../../../shared/labels/truth-fields.js';
import type { TruthChoice } from '../../../../shared/labels/use-truth.js';
import type { GateDraft } from './gate-draft.js';
import { PercentField } from './percent-field.js';

type Chosen = Pick<GateDraft, 'isFact' | 'labelShare' | 'acceptsUncorrected'>;

interface Props extends Chosen {
  readonly choice: TruthChoice;
  /** null: nobody labels the same. */
  readonly truth: JudgeTruthDto | null;
  readonly set: (change: Partial<Chosen>) => void;
}

/** What stands behind a score that may be somebody's opinion. */
export const Opinion = ({ choice, truth, isFact, labelShare, acceptsUncorrected, set }: Props) => (
  <fieldset>
    <legend>Whose opinion it is</legend>
    <label className={form['inline']}>
      <input type="checkbox" checked={isFact} onChange={({ target }) => set({ isFact: target.checked })} />
      Nobody’s: the score is a fact
    </label>
    {!isFact && (
      <>
        <TruthField choice={choice} />
        <AnswerMap choice={choice} />
        {truth ? (
          <PercentField
            label="Pairs that people judge, %: with 100 they alone decide"
            value={labelShare}
            min={10}
            change={(to) => set({ labelShare: to })}
          />
        ) : (
          <p className={form['hint']}>Without labels of people the gate says how many it needs, and decides nothing.</p>
        )}
        <label className={form['inline']}>
          <input
            type="checkbox"
            checked={acceptsUncorrected}
            onChange={({ target }) => set({ acceptsUncorrected: target.checked })}
          />
          Let the judge decide alone
        </label>
        {acceptsUncorrected && (
          <p className={form['hint']}>
            The interval then leaves out the judge’s errors: what it likes wins, whether people like it or not. The gate
            says so for ever.
          </p>
        )}
      </>
    )}
  </fieldset>
);
