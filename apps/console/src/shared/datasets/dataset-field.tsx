import { useQuery } from '@tanstack/react-query';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import form from '../dialog/dialog.module.css';
import { Input } from '../ui/input.js';

interface Props {
  readonly name: string;
  readonly setName: (name: string) => void;
}

/** The name of a dataset that rows go to: one that is there, or a new one. */
export function DatasetField({ name, setName }: Props) {
  const project = useProject();
  const datasets = useQuery({
    queryKey: ['dataset names', project.id],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, base_object_classes: ['Dataset'] };
      const { objs } = await hone.trace.queryObjects(
        { project_id: project.id, filter, metadata_only: true },
        { signal },
      );
      return objs.map(({ object_id }) => object_id).sort();
    },
  });
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
