import { useModels } from '../data/models.js';
import { Select } from '../ui/input.js';
import { ModelOptions } from './model-options.js';

interface Props {
  readonly label: string;
  readonly model: string;
  /** What no model at all is called; absent: one is always chosen. */
  readonly unnamed?: string | undefined;
  readonly change: (model: string) => void;
}

/** The models of the project, to choose from. */
export function ModelField({ label, model, unnamed, change }: Props) {
  const models = useModels();
  return (
    <label>
      {label}
      <Select value={model} onChange={({ target }) => change(target.value)}>
        <ModelOptions ids={models.data?.data.map(({ id }) => id) ?? []} {...{ model, unnamed }} />
      </Select>
    </label>
  );
}
