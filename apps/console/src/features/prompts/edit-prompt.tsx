import type { ObjectVersionDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';

import { exactHone } from '../../shared/data/hone.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { WordDiff } from '../../shared/diff/word-diff.js';
import { type DraftMessage, toComparedText, toDraft, toMessage } from '../../shared/messages/draft.js';
import { MessageFields } from '../../shared/messages/message-fields.js';
import page from '../../shared/page/page.module.css';
import { RefusedNote } from '../../shared/page/refused-note.js';
import { type Prompt, withMessages } from '../../shared/prompts/prompt.js';
import { Button } from '../../shared/ui/button.js';

interface Props {
  /** The version that the change begins from. */
  readonly shown: ObjectVersionDto;
  readonly prompt: Prompt;
  readonly value: unknown;
  readonly close: () => void;
}

/** The messages of a prompt to change, with what differs from the version that the change began from. */
export function EditPrompt({ shown, prompt, value, close }: Props) {
  const { project_id, object_id, version_index } = shown;
  const [, setVersion] = useSearchState('version');
  const queries = useQueryClient();
  const [drafts, setDrafts] = useState<readonly DraftMessage[]>(() => prompt.messages.map(toDraft));
  const before = useMemo(() => toComparedText(prompt.messages), [prompt]);
  const { after, problem } = useDeferredValue(useMemo(() => compared(drafts), [drafts]));
  const saving = useMutation({
    mutationFn: () => {
      const val = withMessages(value, drafts.map(toMessage));
      return exactHone.trace.createObject({ obj: { project_id, object_id, val } });
    },
    onSuccess: async ({ digest }) => {
      await queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => /object|prompt/.test(String(key)) });
      setVersion(digest);
      close();
    },
  });
  const isSame = after === before;
  return (
    <>
      <MessageFields drafts={drafts} change={setDrafts} />
      <section className={page['section']} aria-label="What changes">
        <h2>What changes since v{version_index}</h2>
        {problem !== null ? (
          <p role="status" className={page['problem']}>
            {problem}
          </p>
        ) : isSame ? (
          <p className={page['muted']}>Nothing yet.</p>
        ) : (
          <WordDiff label={`Changes since v${version_index}`} before={before} after={after} />
        )}
      </section>
      {saving.error && <RefusedNote error={saving.error} what="Saving a version" />}
      <div className={page['row']}>
        <Button
          kind="primary"
          disabled={isSame || problem !== null || saving.isPending}
          onClick={() => saving.mutate()}
        >
          Save as a new version
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </>
  );
}

/** The drafts as a text to compare, or why they are no prompt. */
function compared(drafts: readonly DraftMessage[]): { readonly after: string; readonly problem: string | null } {
  if (drafts.length === 0) return { after: '', problem: 'A prompt has at least one message.' };
  try {
    return { after: toComparedText(drafts.map(toMessage)), problem: null };
  } catch (error) {
    return { after: '', problem: (error as Error).message };
  }
}
