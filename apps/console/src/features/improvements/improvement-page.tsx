import type { ImprovementDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { parseRef } from '../../shared/data/refs.js';
import { useRights } from '../../shared/data/role.js';
import { formatDuration, formatTime } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import { Spent } from '../../shared/ui/spent.js';
import { ImprovementCandidates } from './improvement-candidates.js';
import { saidOf, stepsOf, type StepState } from './improvement-words.js';
import styles from './improvements.module.css';
import { isRunning, useCancelling, useImprovement, useModelName } from './use-improvements.js';

const MARKS: Readonly<Record<StepState, string>> = { done: '✓', now: '●', waits: '○', 'left out': '–' };
const PRODUCTION = 'production';

/** An attempt to make a model better: how far it is, what each method made, and what came of it. */
export default function ImprovementPage({ id }: { readonly id: string }) {
  const project = useProject();
  const nameOf = useModelName();
  const improvement = useImprovement(id);
  const back = <Link to={project.path('improvements')}>Improvements</Link>;
  if (!improvement.data)
    return (
      <PendingPage
        title="Improvement"
        what="the improvement"
        {...{ back, error: improvement.error }}
        retry={() => void improvement.refetch()}
      />
    );
  const name = nameOf(improvement.data.settings.model_id);
  return (
    <Page title={`Improve ${name}`} back={back} actions={<Actions improvement={improvement.data} />}>
      <div className={page['body']}>
        {improvement.error && <ErrorNote error={improvement.error} retry={() => void improvement.refetch()} />}
        <Summary improvement={improvement.data} name={name} />
        <ImprovementCandidates improvement={improvement.data} />
      </div>
    </Page>
  );
}

function Actions({ improvement }: { readonly improvement: ImprovementDto }) {
  const { mayOwn } = useRights();
  const cancelling = useCancelling(improvement.id as string);
  const { text, tone } = saidOf(improvement);
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {mayOwn && isRunning(improvement) && (
        <Button disabled={cancelling.isPending} onClick={() => cancelling.mutate()}>
          Cancel
        </Button>
      )}
      {cancelling.error && <span role="alert">{cancelling.error.message}</span>}
    </>
  );
}

interface SummaryProps {
  readonly improvement: ImprovementDto;
  /** Of the model. */
  readonly name: string;
}

/** What it says in a sentence, the step it is at, and what it is about. */
function Summary({ improvement, name }: SummaryProps) {
  const project = useProject();
  const { settings, sentence, dataset, current_step } = improvement;
  const rows = parseRef(dataset)?.name ?? dataset;
  return (
    <section className={page['card']} aria-label="What came of it">
      <p role="status" dir="auto">
        <b>{sentence}</b>
      </p>
      <Steps improvement={improvement} />
      <p className={page['muted']}>
        <Link to={project.path(`training/models/${settings.model_id}`)}>{name}</Link>
        {current_step !== null && `, from ${current_step === 0 ? 'its base model' : `step ${current_step}`}`}, is
        compared
        {rows !== null && (
          <>
            {' '}
            on <Link to={project.path(`datasets/${encodeURIComponent(rows)}`)}>held-out rows</Link>
          </>
        )}{' '}
        by {settings.evaluate.scorers.map((one) => parseRef(one)?.name ?? one).join(', ')}; the best one becomes “
        {settings.alias ?? PRODUCTION}”.
      </p>
      <Times improvement={improvement} />
    </section>
  );
}

const Steps = ({ improvement }: { readonly improvement: ImprovementDto }) => (
  <ol className={styles['steps']} aria-label="Steps">
    {stepsOf(improvement).map(({ step, state }) => (
      <li key={step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
        <span aria-hidden>{MARKS[state]}</span> {step}
        <span className="visually-hidden">: {state}</span>
      </li>
    ))}
  </ol>
);

function Times({ improvement }: { readonly improvement: ImprovementDto }) {
  const now = useNow();
  const { created_at, ended_at, cost_usd, settings } = improvement;
  const ms = (ended_at === null ? now : Date.parse(ended_at)) - Date.parse(created_at);
  return (
    <p className={page['muted']}>
      Began {formatTime(created_at)}; {ended_at === null ? 'it has run for' : 'it took'}{' '}
      {formatDuration(Math.max(0, ms))}. Its answers cost <Spent cost={cost_usd} most={settings.max_cost_usd ?? null} />
      .
    </p>
  );
}
