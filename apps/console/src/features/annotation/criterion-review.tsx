import type { AgreementDto, QueueItemDto } from '@hone/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import type { Criterion } from '../../shared/annotation/rubric.js';
import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import { FEEDBACK_FIELDS, toFeedback } from '../../shared/feedback/feedback.js';
import { formatCount } from '../../shared/format/format.js';
import { preview } from '../../shared/format/preview.js';
import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import { AgreementBadge } from './agreement-badge.js';
import styles from './annotation.module.css';
import { type Rating, toRatings } from './ratings.js';
import { useAgreement } from './use-agreement.js';

/** Disagreements shown at first, and how many more each time. */
const STEP = 10;

interface Props {
  readonly queueId: string;
  readonly criterion: Criterion;
}

/** How well annotators agree on one criterion, and the items on which they do not. */
export function CriterionReview({ queueId, criterion }: Props) {
  const [agreement] = useAgreement(queueId, [criterion]);
  if (!agreement) return null;
  return (
    <section className={page['card']} aria-label={criterion.title}>
      <h2 dir="auto">{criterion.title}</h2>
      {agreement.error ? (
        <ErrorNote error={agreement.error} retry={() => void agreement.refetch()} />
      ) : agreement.data ? (
        <Agreement {...{ queueId, criterion }} agreement={agreement.data} />
      ) : (
        <Loading what="agreement" />
      )}
    </section>
  );
}

function Agreement({ queueId, criterion, agreement }: Props & { readonly agreement: AgreementDto }) {
  const nameOf = useUsernames();
  const { items, annotators, pairs, krippendorff_alpha, fleiss_kappa, disagreements } = agreement;
  return (
    <>
      <p className={page['row']}>
        <AgreementBadge alpha={krippendorff_alpha} />
        <span>
          {formatCount(items)} rated by {formatCount(annotators)} {annotators === 1 ? 'annotator' : 'annotators'}
        </span>
        {fleiss_kappa !== null && <span className={page['muted']}>Fleiss’ κ {fleiss_kappa.toFixed(2)}</span>}
        {pairs.map(({ a, b, n, cohen_kappa }) => (
          <span key={`${a} ${b}`} className={page['muted']}>
            {nameOf(a)} and {nameOf(b)}: κ {cohen_kappa?.toFixed(2) ?? '–'} over {n}
          </span>
        ))}
      </p>
      <h2>
        {disagreements.length === 0 ? 'No disagreement' : `${formatCount(disagreements.length)} with different ratings`}
      </h2>
      {disagreements.length > 0 && <Disagreements {...{ queueId, criterion }} itemIds={disagreements} />}
    </>
  );
}

function Disagreements({ queueId, criterion, itemIds }: Props & { readonly itemIds: readonly string[] }) {
  const project = useProject();
  const [shown, setShown] = useState(STEP);
  const ids = itemIds.slice(0, shown);
  const found = useQuery({
    queryKey: ['disagreements', project.id, queueId, criterion.name, ids],
    queryFn: async ({ signal }) => {
      const read = ids.map(async (id) => {
        const body = { project_id: project.id, filter: { id } };
        return (await hone.trace.queryAnnotationQueueItems({ queue_id: queueId }, body, { signal })).items;
      });
      const conditions = [
        { $eq: [{ $getField: 'queue_id' }, { $literal: queueId }] },
        { $eq: [{ $getField: 'feedback_type' }, { $literal: `hone.annotation.${criterion.name}` }] },
      ];
      const body = { project_id: project.id, query: { $expr: { $and: conditions } }, fields: FEEDBACK_FIELDS };
      const [items, { result }] = await Promise.all([
        Promise.all(read),
        hone.trace.queryFeedback(body as never, { signal }),
      ]);
      return { items: items.flat(), ratings: toRatings(result.map(toFeedback)) };
    },
    placeholderData: (before) => before,
  });
  if (found.error) return <ErrorNote error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Loading what="disagreements" />;
  const { items, ratings } = found.data;
  return (
    <>
      {items.map((item) => (
        <Disagreement key={item.id} item={item} ratings={ratings.get(item.call_id) ?? []} />
      ))}
      {itemIds.length > shown && <Button onClick={() => setShown(shown + STEP)}>Show more</Button>}
    </>
  );
}

interface DisagreementProps {
  readonly item: QueueItemDto;
  readonly ratings: readonly Rating[];
}

function Disagreement({ item, ratings }: DisagreementProps) {
  const project = useProject();
  const nameOf = useUsernames();
  const { mayWrite } = useRights();
  const [reopened, setReopened] = useState<string | null>(null);
  return (
    <div className={styles['disagreement']}>
      <Link to={project.path(`calls/${encodeURIComponent(item.call_id)}`)}>{item.call_id}</Link>
      <ul className={styles['ratings']}>
        {ratings.map(({ userId, value }) => (
          <li key={userId}>
            {nameOf(userId)}: <b dir="auto">{preview(value)}</b>{' '}
            {mayWrite && <Button onClick={() => setReopened(userId)}>Ask again</Button>}
          </li>
        ))}
      </ul>
      {reopened !== null && <Reopen item={item} userId={reopened} close={() => setReopened(null)} />}
    </div>
  );
}

interface ReopenProps {
  readonly item: QueueItemDto;
  readonly userId: string;
  readonly close: () => void;
}

/** Lets an annotator judge an item again, for a reason that the audit keeps. */
function Reopen({ item, userId, close }: ReopenProps) {
  const project = useProject();
  const queries = useQueryClient();
  const nameOf = useUsernames();
  const [reason, setReason] = useState('');
  const reopening = useMutation({
    mutationFn: () =>
      hone.trace.reopenAnnotation(
        { queue_id: item.queue_id, item_id: item.id },
        { project_id: project.id, user_id: userId, reason },
      ),
    onSuccess: () => {
      close();
      return queries.invalidateQueries({ queryKey: ['queue items', project.id, item.queue_id] });
    },
  });
  return (
    <FormDialog
      title={`Ask ${nameOf(userId)} again?`}
      action="Reopen the item"
      {...{ isPending: reopening.isPending, error: reopening.error, close }}
      isReady={reason.trim() !== ''}
      submit={() => reopening.mutate()}
    >
      <p>The item becomes free for them again. What they said stays; what they say next counts.</p>
      <label>
        Why
        <Input required autoFocus maxLength={1_024} value={reason} onChange={({ target }) => setReason(target.value)} />
      </label>
    </FormDialog>
  );
}
