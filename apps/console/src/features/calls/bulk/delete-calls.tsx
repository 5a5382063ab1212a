import { useMutation, useQueryClient } from '@tanstack/react-query';

import { chunksOf } from '../../../shared/data/chunks.js';
import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { FormDialog } from '../../../shared/dialog/form-dialog.js';
import { formatCount } from '../../../shared/format/format.js';
import { type BulkDialogProps, CALLS_PER_REQUEST } from './bulk-dialog.js';

/** Deletes calls for good, once one has said that it is meant. */
export function DeleteCalls({ callIds, close, clear }: BulkDialogProps) {
  const project = useProject();
  const queries = useQueryClient();
  const deleting = useMutation({
    mutationFn: async () => {
      for (const call_ids of chunksOf(callIds, CALLS_PER_REQUEST))
        await hone.trace.deleteCalls({ project_id: project.id, call_ids });
    },
    onSuccess: async () => {
      clear();
      close();
      await queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => String(name).includes('call') });
    },
  });
  const what = callIds.length === 1 ? 'this call' : `${formatCount(callIds.length)} calls`;
  return (
    <FormDialog
      title={`Delete ${what}?`}
      action={`Delete ${what}`}
      {...{ isPending: deleting.isPending, error: deleting.error, close }}
      submit={() => deleting.mutate()}
    >
      <p>The calls that they made are deleted, too. This cannot be undone.</p>
    </FormDialog>
  );
}
