import { useState } from 'react';

import type { Row } from '../../shared/datasets/write-dataset.js';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import { FileFields } from './file-fields.js';

interface Props {
  readonly close: () => void;
  readonly add: (rows: readonly Row[]) => void;
}

/** Adds the rows of a file to the edits of a dataset. */
export function ImportRows({ close, add }: Props) {
  const [found, setFound] = useState<{ readonly rows: readonly Row[] } | { readonly error: Error } | null>(null);
  const rows = found && 'rows' in found ? found.rows : [];
  return (
    <FormDialog
      title="Import rows"
      action="Add the rows"
      isPending={false}
      error={found && 'error' in found ? found.error : null}
      isReady={rows.length > 0}
      submit={() => {
        add(rows);
        close();
      }}
      close={close}
    >
      <FileFields found={found} set={setFound} />
    </FormDialog>
  );
}
