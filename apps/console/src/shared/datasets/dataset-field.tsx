import form from '../dialog/dialog.module.css';
import { Input } from '../ui/input.js';
import { useDatasetNames } from './use-dataset-names.js';

interface Props {
  readonly name: string;
  readonly setName: (name: string) => void;
}

/** The name of a dataset that rows go to: one that is there, or a new one. */
export function DatasetField({ name, setName }: Props) {
  const datasets = useDatasetNames();
  return (
    <>
      <label>
        Dataset
        <Input
          required
          autoFocus
          list="datasets-of-project"
          maxLength={128}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <span className={form['hint']}>
          {datasets.data?.includes(name.trim())
            ? 'A new version of it is made.'
            : 'A dataset of this name is made if there is none.'}
        </span>
      </label>
      <datalist id="datasets-of-project">
        {datasets.data?.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
