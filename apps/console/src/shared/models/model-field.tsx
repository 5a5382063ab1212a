import { groupModels } from '../data/model-names.js';
import { useModels } from '../data/models.js';
import { useProject } from '../data/project.js';
import { Select } from '../ui/input.js';

interface Props {
  readonly label: string;
  /** A model that is not listed, such as an alias, stays to be chosen. */
  readonly model: string;
  readonly change: (model: string) => void;
}

/** The models that a judge can be. */
export function ModelField({ label, model, change }: Props) {
  const project = useProject();
  const models = useModels();
  const ids = models.data?.data.map(({ id }) => id) ?? [];
  return (
    <label>
      {label}
      <Select value={model} onChange={({ target }) => change(target.value)}>
        {groupModels([...new Set([model, ...ids])], project.id).map(({ name, models: some }) => (
          <optgroup key={name} label={name}>
            {some.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
    </label>
  );
}
