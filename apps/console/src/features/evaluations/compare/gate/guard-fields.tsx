import form from '../../../../shared/dialog/dialog.module.css';
import { DEFAULT_GUARDS, isRatio, nameOfGuard } from '../../../../shared/gates/guards.js';
import { Input } from '../../../../shared/ui/input.js';
import styles from './gate.module.css';
import { usualMargins } from './gate-draft.js';

interface Props {
  /** Of those that are kept, in percent. */
  readonly margins: Readonly<Record<string, string>>;
  readonly change: (margins: Readonly<Record<string, string>>) => void;
}

/** What must not become worse, each with the loss that is accepted. */
export const GuardFields = ({ margins, change }: Props) => (
  <fieldset>
    <legend>What must not become worse</legend>
    {Object.keys(DEFAULT_GUARDS).map((name) => {
      const { [name]: margin, ...others } = margins;
      return (
        <div key={name} className={styles['guard']}>
          <label className={form['inline']}>
            <input
              type="checkbox"
              checked={margin !== undefined}
              onChange={({ target }) =>
                change(target.checked ? { ...others, [name]: usualMargins()[name] ?? '' } : others)
              }
            />
            {nameOfGuard(name)}
          </label>
          {margin !== undefined && (
            <span className={styles['margin']}>
              <Input
                type="number"
                required
                min={0}
                step="any"
                aria-label={`Accepted loss of ${nameOfGuard(name)}, %`}
                value={margin}
                onChange={({ target }) => change({ ...margins, [name]: target.value })}
              />
              {isRatio(name) ? '% more' : '% of the answers'}
            </span>
          )}
        </div>
      );
    })}
    <p className={form['hint']}>
      Of these it is enough that nothing speaks against them. A margin that you change has to be proven, which takes
      more pairs.
    </p>
  </fieldset>
);
