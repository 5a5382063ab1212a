import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { chunksOf } from '../../../shared/data/chunks.js';
import { exactHone } from '../../../shared/data/hone.js';
import { type Project, useProject } from '../../../shared/data/project.js';
import { callRef } from '../../../shared/data/refs.js';
import { DatasetField } from '../../../shared/datasets/dataset-field.js';
import { appendToDataset } from '../../../shared/datasets/write-dataset.js';
import form from '../../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../../shared/dialog/form-dialog.js';
import { formatCount } from '../../../shared/format/format.js';
import { type BulkDialogProps, CALLS_PER_REQUEST } from './bulk-dialog.js';

/** Makes calls rows of a dataset: what went in, what came out, and which call it was. */
export function AddToDataset({ callIds, close, clear }: BulkDialogProps) {
  const project = useProject();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const adding = useMutation({
    mutationFn: async () => appendToDataset(project, name.trim(), await readRows(project, callIds)),
    onSuccess: async (objectId) => {
      clear();
      close();
      navigate(project.path(`datasets/${encodeURIComponent(objectId)}`));
      await queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => String(key).includes('dataset') });
    },
  });
  return (
    <FormDialog
      title="Add to a dataset"
      action={`Add ${formatCount(callIds.length)} rows`}
      {...{ isPending: adding.isPending, error: adding.error, close }}
      isReady={name.trim() !== ''}
      submit={() => adding.mutate()}
    >
      <DatasetField {...{ name, setName }} />
      <p className={form['hint']}>
        Each row has <code>inputs</code>, <code>output</code> and <code>call</code>, the ref of the call.
      </p>
    </FormDialog>
  );
}

/** In the order in which the calls were selected; a call that is gone has no row. */
async function readRows(project: Project, callIds: readonly string[]): Promise<Record<string, unknown>[]> {
  const rows = new Map<string, Record<string, unknown>>();
  for (const call_ids of chunksOf(callIds, CALLS_PER_REQUEST)) {
    const query = { project_id: project.id, filter: { call_ids }, columns: ['id', 'inputs', 'output'] };
    for await (const { id, inputs, output } of exactHone.trace.queryCalls(query))
      rows.set(id, { inputs, output: output ?? null, call: callRef(project.id, id) });
  }
  return callIds.map((id) => rows.get(id)).filter((row) => row !== undefined);
}
