import form from '../../shared/dialog/dialog.module.css';
import { QueryLine } from '../../shared/query/query-line.js';
import type { CallsMeant } from './condition.js';

interface Props {
  readonly meant: CallsMeant;
  readonly change: (meant: CallsMeant) => void;
}

/** Which calls are judged. */
export const CallsFields = ({ meant, change }: Props) => (
  <>
    <div>
      <span>Only calls with</span>
      <QueryLine text={meant.query} apply={(query) => change({ ...meant, query })} appliesOnBlur />
    </div>
    <label className={form['inline']}>
      <input
        type="checkbox"
        checked={meant.isRootsOnly}
        onChange={({ target }) => change({ ...meant, isRootsOnly: target.checked })}
      />
      Leave out calls within other calls
    </label>
  </>
);
