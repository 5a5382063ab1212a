import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { type SentMessage, toTurn } from '../../../shared/chat/chat.js';
import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { toObjectId } from '../../../shared/datasets/write-dataset.js';
import form from '../../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../../shared/dialog/form-dialog.js';
import { newPrompt } from '../../../shared/prompts/prompt.js';
import { Input } from '../../../shared/ui/input.js';
import { SavedNote } from './saved-note.js';

interface Props {
  readonly messages: readonly SentMessage[];
  /** Of the prompt that they came from; '': of none. */
  readonly from: string;
  readonly close: () => void;
}

/** Saves messages as a prompt: a new one, or a new version of the one that has the name. */
export function SavePrompt({ messages, from, close }: Props) {
  const project = useProject();
  const queries = useQueryClient();
  const [name, setName] = useState(from);
  const prompts = useQuery({
    queryKey: ['prompt names', project.id],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, base_object_classes: ['Prompt'] };
      const body = { project_id: project.id, filter, metadata_only: true };
      return (await hone.trace.queryObjects(body, { signal })).objs.map(({ object_id }) => object_id).sort();
    },
  });
  const saving = useMutation({
    mutationFn: () => {
      const obj = { project_id: project.id, object_id: toObjectId(name), val: newPrompt(name, messages) };
      return hone.trace.createObject({ obj });
    },
    onSuccess: () =>
      queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => /object|prompt/.test(String(key)) }),
  });
  if (saving.data) {
    const path = project.path(`prompts/${encodeURIComponent(saving.data.object_id)}`);
    return <SavedNote what={`The prompt ${saving.data.object_id}`} {...{ path, close }} />;
  }
  return (
    <FormDialog
      title="Save as a prompt"
      action="Save"
      {...{ isPending: saving.isPending, error: saving.error, close }}
      isReady={name.trim() !== ''}
      submit={() => saving.mutate()}
    >
      <label>
        Prompt
        <Input
          required
          list="prompts-of-project"
          maxLength={128}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <span className={form['hint']}>
          {prompts.data?.includes(toObjectId(name))
            ? 'A new version of it is made.'
            : 'A prompt of this name is made if there is none.'}
        </span>
      </label>
      <datalist id="prompts-of-project">
        {prompts.data?.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <ol className={form['hint']} aria-label="Messages of the prompt">
        {messages.map(toTurn).map(({ role, text, tools, media = [] }, at) => (
          <li key={at} className={form['preview']}>
            {role}: {[text, ...tools, ...media.map(({ kind }) => `[${kind}]`)].filter(Boolean).join(' ')}
          </li>
        ))}
      </ol>
    </FormDialog>
  );
}
