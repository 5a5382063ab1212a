import { groupModels } from '../data/model-names.js';
import { useProject } from '../data/project.js';

interface Props {
  /** Ids of the models that the project can name. */
  readonly ids: readonly string[];
  /** The chosen one stays to be chosen where it is not listed, such as an alias; '': none is chosen. */
  readonly model: string;
  /** What no model at all is called; absent: one is always chosen. */
  readonly unnamed?: string | undefined;
}

/** The options of a choice among models, by their origin. */
export function ModelOptions({ ids, model, unnamed }: Props) {
  const project = useProject();
  return (
    <>
      {unnamed !== undefined && <option value="">{unnamed}</option>}
      {groupModels([...new Set([model, ...ids])], project.id).map(({ name, models }) => (
        <optgroup key={name} label={name}>
          {models.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  );
}
