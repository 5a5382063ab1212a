import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { type FormEvent, useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { REACTION } from '../../shared/judgement/reaction.js';
import { Thumbs } from '../../shared/judgement/thumbs.js';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import styles from './calls.module.css';

const NOTE = 'hone.note.1';
const FIELDS = ['id', 'feedback_type', 'payload', 'creator', 'created_at', 'scorer_ratings', 'scorer_tags'];

interface Feedback {
  readonly id: string;
  readonly feedback_type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly creator: string | null;
  readonly created_at: string;
}

/** What people and judges said of a call, and a way to say more. */
export function CallFeedback({ callId }: { readonly callId: string }) {
  const project = useProject();
  const queries = useQueryClient();
  const now = useNow();
  const key = ['feedback', project.id, callId];
  const ref = `hone:///${project.id}/call/${callId}`;
  const list = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const query = { $expr: { $eq: [{ $getField: 'trace_ref' }, { $literal: ref }] } };
      const body = { project_id: project.id, query, fields: FIELDS, limit: 100 };
      return (await hone.trace.queryFeedback(body as never, { signal })).result as unknown as Feedback[];
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
      {giving.error && <ErrorNote error={giving.error} />}
      {list.error && <ErrorNote error={list.error} retry={() => void list.refetch()} />}
      <ul className={styles['feedback']}>
        {list.data?.map(({ id, feedback_type, payload, creator, created_at }) => (
          <li key={id}>
            <Said feedback_type={feedback_type} payload={payload} />{' '}
            <span className={styles['muted']}>
              {creator ?? ''} {formatAge(created_at, now)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const THUMBS = { '👍': { Icon: ThumbsUp, label: 'Good answer' }, '👎': { Icon: ThumbsDown, label: 'Bad answer' } };

/** Thumbs are drawn, for not every machine has a font with them; a note is its text; other types have their name. */
function Said({ feedback_type, payload }: Pick<Feedback, 'feedback_type' | 'payload'>) {
  const { emoji, note } = payload;
  if (feedback_type === REACTION && typeof emoji === 'string') {
    // Without the colour of the skin.
    const thumb = THUMBS[emoji.replace(/[\u{1f3fb}-\u{1f3ff}]/u, '') as keyof typeof THUMBS];
    return thumb ? <thumb.Icon size={15} role="img" aria-label={thumb.label} /> : emoji;
  }
  if (feedback_type === NOTE && typeof note === 'string') return note;
  return `${feedback_type} ${JSON.stringify(payload)}`;
}
