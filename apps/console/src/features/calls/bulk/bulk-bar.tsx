import { useMutation } from '@tanstack/react-query';
import { Database, Download, ListPlus, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { useProject } from '../../../shared/data/project.js';
import { useRights } from '../../../shared/data/role.js';
import { formatCount } from '../../../shared/format/format.js';
import { Button } from '../../../shared/ui/button.js';
import { ErrorNote } from '../../../shared/ui/notes.js';
import { AddToDataset } from './add-to-dataset.js';
import { AddToQueue } from './add-to-queue.js';
import styles from './bulk.module.css';
import { DeleteCalls } from './delete-calls.js';
import { exportCalls } from './export-calls.js';
import type { Selection } from './selection.js';

const DIALOGS = { queue: AddToQueue, dataset: AddToDataset, delete: DeleteCalls };

interface Props {
  readonly selection: Selection;
  /** Ids of all calls that the list has loaded. */
  readonly loaded: readonly string[];
}

/** What can be done with all selected calls at once. */
export function BulkBar({ selection, loaded }: Props) {
  const project = useProject();
  const { mayWrite } = useRights();
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  const exporting = useMutation({ mutationFn: () => exportCalls(project, [...selection.ids]) });
  const count = selection.ids.size;
  const OpenDialog = open === null ? null : DIALOGS[open];
  return (
    <div className={styles['bar']} role="toolbar" aria-label="Selected calls">
      <span role="status">{formatCount(count)} selected</span>
      {mayWrite && (
        <>
          <Button onClick={() => setOpen('queue')}>
            <ListPlus size={15} aria-hidden /> Add to a queue
          </Button>
          <Button onClick={() => setOpen('dataset')}>
            <Database size={15} aria-hidden /> Add to a dataset
          </Button>
        </>
      )}
      <Button disabled={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download size={15} aria-hidden /> Export JSONL
      </Button>
      {mayWrite && (
        <Button onClick={() => setOpen('delete')}>
          <Trash2 size={15} aria-hidden /> Delete
        </Button>
      )}
      <span className={styles['spacer']} />
      {loaded.some((id) => !selection.ids.has(id)) && (
        <Button onClick={() => selection.add(loaded)}>Select all {formatCount(loaded.length)} loaded</Button>
      )}
      <Button onClick={selection.clear}>Clear</Button>
      {exporting.error && <ErrorNote error={exporting.error} retry={() => exporting.mutate()} />}
      {OpenDialog && <OpenDialog callIds={[...selection.ids]} close={() => setOpen(null)} clear={selection.clear} />}
    </div>
  );
}
