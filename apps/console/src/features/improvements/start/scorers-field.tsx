import form from '../../../shared/dialog/dialog.module.css';
import { type Scorer, summaryOf } from '../../../shared/scorers/scorer.js';

interface Props {
  /** Those that the server runs. */
  readonly usable: readonly Scorer[];
  readonly isLoaded: boolean;
  readonly chosen: readonly string[];
  readonly change: (chosen: readonly string[]) => void;
}

/** Who judges the answers. The first score of the first one decides. */
export const ScorersField = ({ usable, isLoaded, chosen, change }: Props) => (
  <fieldset>
    <legend>Scorers</legend>
    {usable.map(({ id, name, definition }) => (
      <label key={id} className={form['inline']}>
        <input
          type="checkbox"
          checked={chosen.includes(id)}
          onChange={({ target }) => change(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
        <span>
          {name} <span className={form['hint']}>{summaryOf(definition)}</span>
        </span>
      </label>
    ))}
    {chosen.length > 1 && (
      <p className={form['hint']}>
        {usable.find(({ id }) => id === chosen[0])?.name}, which was chosen first, decides; the others are shown beside
        it.
      </p>
    )}
    {isLoaded && usable.length === 0 && (
      <p className={form['hint']}>The project has no scorer that runs on the server: make one under Scorers.</p>
    )}
  </fieldset>
);
