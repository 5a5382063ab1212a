import { isJsonObject, parseJson } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useProject } from '../../../shared/data/project.js';
import { DatasetField } from '../../../shared/datasets/dataset-field.js';
import { appendToDataset, type Row } from '../../../shared/datasets/write-dataset.js';
import { FormDialog } from '../../../shared/dialog/form-dialog.js';
import { prettyJson } from '../../../shared/format/preview.js';
import { TextArea } from '../../../shared/ui/input.js';
import { type Answer, toRow } from './saved.js';
import { SavedNote } from './saved-note.js';

interface Props {
  readonly answer: Answer;
  readonly close: () => void;
}

/** Adds an answer to a dataset, corrected where it should have been another. */
export function SaveRow({ answer, close }: Props) {
  const project = useProject();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [text, setText] = useState(() => prettyJson(toRow(answer)));
  const saving = useMutation({
    mutationFn: async () => appendToDataset(project, name.trim(), [readRow(text)]),
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => String(key).includes('dataset') }),
  });
  if (saving.data !== undefined) {
    const path = project.path(`datasets/${encodeURIComponent(saving.data)}`);
    return <SavedNote what={`The row of ${saving.data}`} {...{ path, close }} />;
  }
  return (
    <FormDialog
      title="Save as a row of a dataset"
      action="Save"
      {...{ isPending: saving.isPending, error: saving.error, close }}
      isReady={name.trim() !== '' && text.trim() !== ''}
      submit={() => saving.mutate()}
    >
      <DatasetField {...{ name, setName }} />
      <label>
        Row, as JSON
        <TextArea rows={10} spellCheck={false} value={text} onChange={({ target }) => setText(target.value)} />
      </label>
    </FormDialog>
  );
}

/** @throws Error a sentence */
function readRow(text: string): Row {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new Error(`The row is no JSON: ${(error as Error).message}.`, { cause: error });
  }
  if (!isJsonObject(value)) throw new Error('A row is a JSON object, such as {"inputs": {}, "output": ""}.');
  return value;
}
