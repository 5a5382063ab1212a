import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import { callRef } from '../data/refs.js';
import { useRights } from '../data/role.js';
import { Button } from '../ui/button.js';
import { Input } from '../ui/input.js';
import { ErrorNote } from '../ui/notes.js';
import { FEEDBACK_FIELDS, NOTE, REACTION, toFeedback } from './feedback.js';
import styles from './feedback.module.css';
import { FeedbackItem } from './feedback-item.js';
import type { Judgement } from './judgement.js';
import { RateDialog } from './rate-dialog.js';
import { Thumbs } from './thumbs.js';

/** What people and judges said of a call, and a way to say more. */
export function CallFeedback({ callId }: { readonly callId: string }) {
  const project = useProject();
  const queries = useQueryClient();
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
    mutationFn: (given: Judgement) =>
      hone.trace.createFeedback({ project_id: project.id, trace_ref: ref, ...given } as never),
    // Lists show it, too.
    onSuccess: () => queries.invalidateQueries({ queryKey: ['feedback', project.id] }),
  });
  const [note, setNote] = useState('');
  const [isRating, setIsRating] = useState(false);
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
          <Button onClick={() => setIsRating(true)}>Rate</Button>
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
      {giving.error && !isRating && <ErrorNote error={giving.error} />}
      {isRating && (
        <RateDialog
          {...{ isPending: giving.isPending, error: giving.error }}
          give={(judgement) => giving.mutate(judgement, { onSuccess: () => setIsRating(false) })}
          close={() => setIsRating(false)}
        />
      )}
      {list.error && <ErrorNote error={list.error} retry={() => void list.refetch()} />}
      <ul className={styles['feedback']}>
        {list.data?.map((feedback) => (
          <FeedbackItem key={feedback.id} feedback={feedback} />
        ))}
      </ul>
    </section>
  );
}
