import type { LabelQueueDto, ScorerDefinitionDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import { objectRef } from '../data/refs.js';
import { useSettled } from '../data/settled.js';
import { Dialog } from '../dialog/dialog.js';
import form from '../dialog/dialog.module.css';
import { FormDialog } from '../dialog/form-dialog.js';
import { formatCount } from '../format/format.js';
import type { Scorer } from '../scorers/scorer.js';
import { Button } from '../ui/button.js';
import { ButtonLink } from '../ui/button-link.js';
import { ErrorNote, Loading } from '../ui/notes.js';
import { LabelPlan, useLabelPlan } from './label-plan.js';
import { scaleOf, toQuestion, usualWidth } from './question.js';
import { QuestionField } from './question-field.js';
import { useQuestion } from './use-question.js';
import { WidthField } from './width-field.js';

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
  const settled = useSettled(typed);
  const [width, isSettled] = [Number(settled), settled === typed];
  const judged = { project_id: project.id, scorer: objectRef(project.id, scorer.id, scorer.digest), criterion };
  const plan = useLabelPlan({ ...judged, truth: asked.truth, width }, asked.truth !== null);
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
      // Not by the plan of another width, which is shown until that of this one is there.
      isReady={
        isSettled && !plan.isPlaceholderData && typeof plan.data?.with_judge === 'number' && asked.truth !== null
      }
      submit={() => making.mutate()}
    >
      <WidthField what={`the mean of ${criterion}`} {...{ typed }} type={setTyped} />
      <QuestionField {...{ question, asked }} />
      {plan.error ? (
        <ErrorNote error={plan.error} retry={() => void plan.refetch()} />
      ) : asked.truth === null ? (
        <p className={form['hint']}>Say on the page which number the answers count as.</p>
      ) : plan.data ? (
        <LabelPlan plan={plan.data} />
      ) : (
        width > 0 && <Loading what="the plan" />
      )}
    </FormDialog>
  );
}

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
