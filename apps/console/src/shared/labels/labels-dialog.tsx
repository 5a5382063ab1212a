import type { LabelPlanDto, LabelQueueDto, ScorerDefinitionDto } from '@hone/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import { objectRef } from '../data/refs.js';
import { Dialog } from '../dialog/dialog.js';
import form from '../dialog/dialog.module.css';
import { FormDialog } from '../dialog/form-dialog.js';
import { formatCount } from '../format/format.js';
import type { Scorer } from '../scorers/scorer.js';
import { Button } from '../ui/button.js';
import { ButtonLink } from '../ui/button-link.js';
import { Input } from '../ui/input.js';
import { ErrorNote, Loading } from '../ui/notes.js';
import { scaleOf, toQuestion, usualWidth } from './question.js';
import { QuestionField } from './question-field.js';
import { useQuestion } from './use-question.js';

interface Props {
  readonly scorer: Scorer;
  readonly definition: ScorerDefinitionDto;
  readonly criterion: string;
  readonly close: () => void;
}

/** How many labels of people make a judge's mean known, and a queue that asks for them. */
export function LabelsDialog({ scorer, definition, criterion, close }: Props) {
  const project = useProject();
  const queries = useQueryClient();
  const question = toQuestion(definition, scorer.name, criterion);
  const asked = useQuestion(question);
  const [typed, setTyped] = useState(String(usualWidth(scaleOf(definition, criterion))));
  const width = Number(typed);
  const judged = { project_id: project.id, scorer: objectRef(project.id, scorer.id, scorer.digest), criterion };
  const planned = { ...judged, truth: asked.truth, width };
  const plan = useQuery({
    queryKey: ['label plan', planned],
    queryFn: ({ signal }) => hone.evaluation.planLabels(planned, { signal }),
    enabled: width > 0 && asked.truth !== null,
    placeholderData: keepPreviousData,
  });
  const making = useMutation({
    mutationFn: async () => {
      const { truth } = await asked.ensure();
      return { truth, queue: await hone.evaluation.createLabelQueue({ ...judged, truth, width }) };
    },
    onSuccess: async ({ truth }) => {
      asked.choice.choose(truth.feedback_type);
      await queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => String(name).includes('queue') });
    },
  });
  if (making.data) return <MadeQueue {...making.data} close={close} />;
  return (
    <FormDialog
      title={`Have people label what ${scorer.name} judged`}
      action="Make a label queue"
      {...{ isPending: making.isPending, error: making.error, close }}
      isReady={plan.data !== undefined && plan.data.with_judge !== null && asked.truth !== null}
      submit={() => making.mutate()}
    >
      <label>
        Know the mean of {criterion} within ±
        <Input
          type="number"
          required
          min={0.000001}
          step="any"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <QuestionField {...{ question, asked }} />
      {plan.error ? (
        <ErrorNote error={plan.error} retry={() => void plan.refetch()} />
      ) : asked.truth === null ? (
        <p className={form['hint']}>Say on the page which number the answers count as.</p>
      ) : plan.data ? (
        <Plan plan={plan.data} />
      ) : (
        width > 0 && <Loading what="the plan" />
      )}
    </FormDialog>
  );
}

/** What a width costs. */
const Plan = ({
  plan: { width, without_judge, with_judge, basis, labels, calls },
}: {
  readonly plan: LabelPlanDto;
}) => (
  <div role="status">
    <p>
      {with_judge === null ? (
        `Not even labels of all ${formatCount(calls)} judged calls reach ±${width}: choose a wider one.`
      ) : (
        <>
          ±{width} needs{' '}
          {without_judge === null ? 'more labels than there are calls' : `${formatCount(without_judge)} labels`}; with
          the judge <b>{formatCount(with_judge)}</b>.
        </>
      )}
    </p>
    <p className={form['hint']}>
      {labels === 0 ? 'No label is there' : `${formatCount(labels)} labels are there`}, of {formatCount(calls)} judged
      calls.{' '}
      {basis === 'worst_case' &&
        'With fewer than 20 it is the worst case: the judge may be of no use. Label a few, then ask again.'}
    </p>
  </div>
);

interface MadeProps {
  readonly queue: Pick<LabelQueueDto, 'queue_id' | 'items'>;
  readonly close: () => void;
}

/** Leads to the queue that was made. */
export function MadeQueue({ queue: { queue_id, items }, close }: MadeProps) {
  const project = useProject();
  const path = project.path(`annotation/${encodeURIComponent(queue_id)}`);
  return (
    <Dialog title="The queue is there" close={close}>
      <div className={form['form']}>
        <p role="status">
          {formatCount(items)} calls wait for people. Label all of them, or as many as you can: the queue has them in
          random order.
        </p>
        <div className={form['actions']}>
          <Button onClick={close}>Later</Button>
          <ButtonLink to={path}>Open the queue</ButtonLink>
          <ButtonLink kind="primary" to={`${path}/work`}>
            Annotate
          </ButtonLink>
        </div>
      </div>
    </Dialog>
  );
}
