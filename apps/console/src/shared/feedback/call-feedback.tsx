import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import { callRef } from '../data/refs.js';
import { useRights } from '../data/role.js';
import { formatAge } from '../format/format.js';
import { useNow } from '../format/use-now.js';
import { Button } from '../ui/button.js';
import { Input } from '../ui/input.js';
import { ErrorNote } from '../ui/notes.js';
import { FEEDBACK_FIELDS, NOTE, REACTION, toFeedback } from './feedback.js';
import styles from './feedback.module.css';
import { Said } from './said.js';
import { Thumbs } from './thumbs.js';

/** What people and judges said of a call, and a way to say more. */
export function CallFeedback({ callId }: { readonly callId: string }) {
  const project = useProject();
  const queries = useQueryClient();
  const now = useNow();
  const key = ['feedback', project.id, callId];
  const ref = callRef(project.id, callId);
  const { mayAnnotate } = useRights();
  const list = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const query = { $expr: { $eq: [{ $getField: 'trace_ref' }, { $literal: ref }] } };
      const body = { project_id: project.id, query, fields: FEEDBACK_FIELDS, limit: 100 };
      return (await hone.trace.queryFeedback(body as never, { signal })).result.map(toFeedback);
    },
  });
  const giving = useMutation({
    mutationFn: (given: { readonly feedback_type: string; readonly payload: object }) =>
      hone.trace.createFeedback({ project_id: project.id, trace_ref: ref, ...given } as never),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  });
  const [note, setNote] = useState('');
  const sendNote = (event: FormEvent) => {
    event.preventDefault();
    giving.mutate({ feedback_type: NOTE, payload: { note } }, { onSuccess: () => setNote('') });
  };
  const react = (emoji: string) => giving.mutate({ feedback_type: REACTION, payload: { emoji } });
  return (
    <section aria-label="Feedback">
      {mayAnnotate && (
        <div className={styles['judge']}>
          <Thumbs disabled={giving.isPending} onJudge={react} />
          <form onSubmit={sendNote}>
            <Input
              aria-label="Note"
              placeholder="Note"
              value={note}
              maxLength={1_000}
              onChange={({ target }) => setNote(target.value)}
            />
            <Button type="submit" disabled={giving.isPending || note.trim() === ''}>
              Add
            </Button>
          </form>
        </div>
      )}
      {giving.error && <ErrorNote error={giving.error} />}
      {list.error && <ErrorNote error={list.error} retry={() => void list.refetch()} />}
      <ul className={styles['feedback']}>
        {list.data?.map(({ id, creator, created_at, ...said }) => (
          <li key={id}>
            <Said {...said} />{' '}
            <span className={styles['muted']}>
              {creator ?? ''} {formatAge(created_at, now)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
