import type { UseQueryResult } from '@tanstack/react-query';

import { Select } from '../../../shared/ui/input.js';
import { ErrorNote } from '../../../shared/ui/notes.js';
import type { ChosenDataset } from './job-order.js';

interface Props {
  readonly datasets: UseQueryResult<readonly ChosenDataset[]>;
  /** Id of the object of the dataset; '': none. */
  readonly chosen: string;
  readonly choose: (objectId: string) => void;
}

export const DatasetSelect = ({ datasets, chosen, choose }: Props) =>
  datasets.error ? (
    <ErrorNote error={datasets.error} retry={() => void datasets.refetch()} />
  ) : (
    <label>
      Dataset
      <Select value={chosen} onChange={({ target }) => choose(target.value)}>
        <option value="">{datasets.data?.length === 0 ? 'there is none yet' : 'choose …'}</option>
        {datasets.data?.map(({ objectId, version }) => (
          <option key={objectId} value={objectId}>
            {objectId} v{version}
          </option>
        ))}
      </Select>
    </label>
  );
