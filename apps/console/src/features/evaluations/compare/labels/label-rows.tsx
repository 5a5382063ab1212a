import type { ScorerDefinitionDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';

import { chunksOf } from '../../../../shared/data/chunks.js';
import { hone } from '../../../../shared/data/hone.js';
import { useProject } from '../../../../shared/data/project.js';
import { objectRef } from '../../../../shared/data/refs.js';
import { useSettled } from '../../../../shared/data/settled.js';
import form from '../../../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../../../shared/dialog/form-dialog.js';
import { formatCount } from '../../../../shared/format/format.js';
import { LabelPlan, useLabelPlan } from '../../../../shared/labels/label-plan.js';
import { MadeQueue } from '../../../../shared/labels/labels-dialog.js';
import { scaleOf, toQuestion, usualWidth } from '../../../../shared/labels/question.js';
import { QuestionField } from '../../../../shared/labels/question-field.js';
import { useQuestion } from '../../../../shared/labels/use-question.js';
import { WidthField } from '../../../../shared/labels/width-field.js';
import { ErrorNote } from '../../../../shared/ui/notes.js';
import type { ComparedRun, ResultRow } from '../../results.js';
import type { MetricJudge } from '../judges.js';
import { drawn, pairedRows } from './drawn-rows.js';
import type { RowPlan } from './row-plan.js';
import { useRowPlan } from './use-row-plan.js';

/** As many as the interface takes at a time. */
const ITEMS_PER_REQUEST = 1_000;
const WORDS = 2 ** 32;

interface Props {
  readonly judge: MetricJudge;
  readonly definition: ScorerDefinitionDto;
  readonly runs: readonly ComparedRun[];
  readonly rows: readonly ResultRow[];
  readonly close: () => void;
}

/** A random number of the machine's own, 0 included to 1 excluded. */
const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / WORDS;

/** Has people label both answers of rows that are drawn, so that their labels correct the difference of the runs. */
export function LabelRows({ judge: { metric, scorer, criterion }, definition, runs, rows, close }: Props) {
  const project = useProject();
  const queries = useQueryClient();
  const question = toQuestion(definition, scorer.name, criterion);
  const asked = useQuestion(question);
  const [typed, setTyped] = useState(String(2 * usualWidth(scaleOf(definition, criterion))));
  const settled = useSettled(typed);
  const [width, isSettled] = [Number(settled), settled === typed];
  const ids = runs.map(({ id }) => id).join();
  const paired = useMemo(() => pairedRows(rows, ids.split(',')), [rows, ids]);
  const rowPlan = useRowPlan(ids.split(','), metric, asked.truth, width);
  const needed = width > 0 ? rowPlan.data : undefined;
  const count = needed ? Math.min(needed.rows ?? paired.length, paired.length) : 0;
  const judged = { project_id: project.id, scorer: objectRef(project.id, scorer.id, scorer.digest), criterion };
  const plan = useLabelPlan({ ...judged, truth: asked.truth, width }, asked.truth !== null);
  const making = useMutation({
    mutationFn: async () => {
      const { truth, ref } = await asked.ensure();
      const found = drawn(paired, count, random).flatMap(({ predictions }) => predictions);
      const queue = await hone.trace.createAnnotationQueue({
        ...{ project_id: project.id, scorer_refs: [ref] },
        name: `Labels of ${scorer.name}: ${criterion}, ${runs.length} runs`,
        description: 'Answers to the same rows, drawn at random. Label all of them, each by itself.',
      });
      // One does not see which run answered.
      for (const call_ids of chunksOf(drawn(found, found.length, random), ITEMS_PER_REQUEST))
        await hone.trace.addAnnotationQueueItems({ queue_id: queue.id }, { project_id: project.id, call_ids });
      return { truth, queue: { queue_id: queue.id, items: found.length } };
    },
    onSuccess: async ({ truth }) => {
      asked.choice.set('labelled', metric);
      asked.choice.choose(truth.feedback_type);
      await queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => String(name).includes('queue') });
    },
  });
  if (making.data) return <MadeQueue queue={making.data.queue} close={close} />;
  return (
    <FormDialog
      title={`Have people label rows of ${runs.length} runs`}
      action="Make a label queue"
      {...{ isPending: making.isPending, error: making.error, close }}
      // Not by the plan of another width, which is shown until that of this one is there.
      isReady={isSettled && !rowPlan.isPlaceholderData && count > 0 && asked.truth !== null}
      submit={() => making.mutate()}
    >
      <WidthField what={`the difference of ${criterion}`} {...{ typed }} type={setTyped} />
      <QuestionField {...{ question, asked }} />
      {rowPlan.error && <ErrorNote error={rowPlan.error} retry={() => void rowPlan.refetch()} />}
      {needed && <NeededRows {...needed} {...{ width, most: paired.length, runs: runs.length }} />}
      {plan.data && plan.data.calls > 1 && (
        <>
          <p>
            The mean over all calls that{' '}
            <Link
              to={project.path(`scorers/${encodeURIComponent(scorer.id)}?criterion=${encodeURIComponent(criterion)}`)}
            >
              {scorer.name}
            </Link>{' '}
            judged is another matter, with a queue of its own:
          </p>
          <LabelPlan plan={plan.data} />
        </>
      )}
    </FormDialog>
  );
}

interface NeededProps extends RowPlan {
  readonly width: number;
  /** Rows that all runs answered. */
  readonly most: number;
  /** How many runs are labelled, the baseline among them. */
  readonly runs: number;
}

/** What a width costs in rows, and by what one knows. */
const NeededRows = ({ rows, alone, labels, width, most, runs }: NeededProps) => (
  <div role="status">
    <p>
      {rows === null || rows > most ? (
        `±${width} needs more than the ${formatCount(most)} rows that all runs answered, which are taken.`
      ) : (
        <>
          ±{width} needs about <b>{formatCount(rows)} rows</b>, {formatCount(rows * runs)} labels, one for each answer
          {labels > 0 && `; without the judge ${alone === null ? 'more than there are' : formatCount(alone)}`}.
        </>
      )}
    </p>
    <p className={form['hint']}>
      {labels > 0
        ? `By the ${formatCount(labels)} rows that people labelled by now, which count.`
        : 'If labels differ from row to row as much as the judge’s verdicts do. With a good judge fewer do.'}
    </p>
  </div>
);
