import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { createDataset, type Row, storeRows } from '../../shared/datasets/write-dataset.js';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import { formatCount } from '../../shared/format/format.js';
import { Input } from '../../shared/ui/input.js';
import { FileFields } from './file-fields.js';

/** Makes a dataset of a file; one of the same name gets a version. */
export function ImportDataset({ close }: { readonly close: () => void }) {
  const project = useProject();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [found, setFound] = useState<{ readonly rows: readonly Row[] } | { readonly error: Error } | null>(null);
  const [name, setName] = useState('');
  const [stored, setStored] = useState(0);
  const rows = found && 'rows' in found ? found.rows : [];
  const importing = useMutation({
    mutationFn: async () => createDataset(project, name, await storeRows(project, rows, setStored)),
    onSuccess: async (objectId) => {
      close();
      navigate(project.path(`datasets/${encodeURIComponent(objectId)}`));
      await queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => String(key).includes('dataset') });
    },
  });
  return (
    <FormDialog
      title="Import a file"
      action="Import"
      isPending={importing.isPending}
      error={importing.error ?? (found && 'error' in found ? found.error : null)}
      isReady={rows.length > 0 && name.trim() !== ''}
      submit={() => importing.mutate()}
      close={close}
    >
      <FileFields
        found={found}
        set={(read, filename) => {
          setFound(read);
          if (name === '') setName(filename.replace(/\.[^.]*$/, ''));
        }}
      />
      <label>
        Name
        <Input required maxLength={128} value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      {importing.isPending && (
        <p role="status">
          {formatCount(stored)} of {formatCount(rows.length)} rows are stored
        </p>
      )}
    </FormDialog>
  );
}
