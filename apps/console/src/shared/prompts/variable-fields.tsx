import page from '../page/page.module.css';
import { TextArea } from '../ui/input.js';
import type { Variables } from './prompt.js';
import styles from './prompts.module.css';

interface Props {
  readonly names: readonly string[];
  readonly variables: Variables;
  readonly set: (name: string, value: string) => void;
}

/** A field for the value of each variable; nothing where there is none. */
export const VariableFields = ({ names, variables, set }: Props) =>
  names.length > 0 && (
    <section className={page['section']} aria-label="Variables">
      <h2>{names.length === 1 ? 'One variable' : `${names.length} variables`}</h2>
      <div className={styles['variables']}>
        {names.map((name) => (
          <label key={name}>
            {name}
            <TextArea
              rows={1}
              value={Object.hasOwn(variables, name) ? variables[name] : ''}
              onChange={({ target }) => set(name, target.value)}
            />
          </label>
        ))}
      </div>
    </section>
  );
