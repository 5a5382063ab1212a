import type { LeaseDto, QueueDto, QueueItemDto } from '@hone/client';
import { useMutation } from '@tanstack/react-query';
import { CircleQuestionMark } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { usePageKeys } from '../../shared/keyboard/use-page-keys.js';
import { Page } from '../../shared/page/page.js';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Button } from '../../shared/ui/button.js';
import { TextArea } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote } from '../../shared/ui/notes.js';
import styles from './annotation.module.css';
import { CriterionControl } from './criterion-control.js';
import { DIGITS, EarlyKeysNote, LoadingItem, notingKeys } from './early-keys.js';
import { ItemView } from './item-view.js';
import { KeysDialog } from './keys-dialog.js';
import { answerOfDigit, type Criterion, nextAnswer } from './rubric.js';
import { useQueue } from './use-queue.js';
import { useRubric } from './use-rubric.js';
import { type Answers, type Finish, useLease, useWork } from './use-work.js';

/** Where an annotator works through a queue, item by item. */
export default function WorkPage({ id }: { readonly id: string }) {
  const project = useProject();
  const { mayAnnotate } = useRights();
  const queue = useQueue(id);
  const rubric = useRubric(queue.data?.scorer_refs);
  const error = queue.error ?? rubric.error;
  const back = <Link to={project.path(`annotation/${id}`)}>Queue</Link>;
  if (error || !queue.data || !rubric.data) {
    const retry = () => void (queue.error ? queue : rubric).refetch();
    return <PendingPage title="Annotate" what="the queue" {...{ back, error, retry }} />;
  }
  if (!mayAnnotate)
    return (
      <Page title={queue.data.name} back={back}>
        <EmptyNote title="Your role lets you look, not judge">
          <p>Ask an owner of {project.entity} for the role annotator.</p>
        </EmptyNote>
      </Page>
    );
  return <Work key={id} queue={queue.data} rubric={rubric.data} />;
}

function Work({ queue, rubric }: { readonly queue: QueueDto; readonly rubric: readonly Criterion[] }) {
  const project = useProject();
  const { claim, next, finishing, done } = useWork(queue, rubric);
  const { item, lease } = claim.data ?? {};
  const [early, setEarly] = useState<readonly string[]>([]);
  const noteKey = (key: string) => setEarly((before) => [...before, key]);
  const home = project.path(`annotation/${queue.id}`);
  return (
    <Page
      title={queue.name}
      back={<Link to={home}>Queue</Link>}
      actions={
        <span className={styles['muted']} role="status">
          {done} done now
        </span>
      }
    >
      {claim.error ? (
        <ErrorNote error={claim.error} retry={() => void claim.refetch()} />
      ) : claim.isPending || finishing.isPending ? (
        <LoadingItem note={noteKey} />
      ) : item && lease ? (
        <WorkItem
          key={item.id}
          {...{ queue, rubric, item, lease, early, noteKey }}
          begin={() => setEarly([])}
          failed={finishing.error ? { error: finishing.error, finish: finishing.variables } : null}
          finish={finishing.mutate}
          claimAgain={next}
        />
      ) : (
        <NothingLeft home={home} again={next} />
      )}
    </Page>
  );
}

const NothingLeft = ({ home, again }: { readonly home: string; readonly again: () => void }) => (
  <EmptyNote title="Nothing is left for you">
    <p>You have judged or skipped every item that is free. Others may hold the rest.</p>
    <p className={styles['row']}>
      <Button onClick={again}>Look again</Button> <Link to={home}>See how the queue stands</Link>
    </p>
  </EmptyNote>
);

interface ItemProps {
  readonly queue: QueueDto;
  readonly rubric: readonly Criterion[];
  readonly item: QueueItemDto;
  readonly lease: LeaseDto;
  /** What could not be stored of this item; it is put back. */
  readonly failed: { readonly error: Error; readonly finish: Finish } | null;
  readonly finish: (finish: Finish) => void;
  readonly claimAgain: () => void;
  /** Keys that came before the item was shown: until `begin` no key counts, and further ones are noted. */
  readonly early: readonly string[];
  readonly noteKey: (key: string) => void;
  readonly begin: () => void;
}

function WorkItem(props: ItemProps) {
  const { queue, rubric, item, lease, failed, finish, claimAgain, early, noteKey, begin } = props;
  const back = failed?.finish.item.id === item.id ? failed.finish : null;
  const [answers, setAnswers] = useState<Answers>(back?.answers ?? new Map());
  const [note, setNote] = useState(back?.note ?? '');
  const [active, setActive] = useState(0);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [missing, setMissing] = useState('');
  const noteField = useRef<HTMLTextAreaElement>(null);
  const criterion = rubric[active];

  const answer = ({ name }: Criterion, value: unknown) => {
    const after = new Map(answers);
    if (value === undefined) after.delete(name);
    else after.set(name, value);
    setAnswers(after);
    setMissing('');
    begin();
  };
  const onDigit = (digit: number) => {
    const value = criterion && answerOfDigit(criterion.control, digit);
    if (!criterion || value === undefined) return;
    answer(criterion, value);
    if (active < rubric.length - 1) setActive(active + 1);
  };
  const onArrow = (by: number) =>
    criterion && answer(criterion, nextAnswer(criterion.control, answers.get(criterion.name), by));
  const activate = (index: number) => setActive(Math.min(rubric.length - 1, Math.max(0, index)));
  const complete = () => {
    begin();
    const open = rubric.findIndex(({ name }) => !answers.has(name));
    if (open < 0) return finish({ item, state: 'completed', answers, note });
    activate(open);
    setMissing(`Answer “${rubric[open]?.title}” first, or skip the item.`);
  };
  const skip = () => {
    begin();
    finish({ item, state: 'skipped', answers, note });
  };
  usePageKeys({
    ...Object.fromEntries(DIGITS.map((digit) => [digit, () => onDigit(Number(digit))])),
    ArrowRight: () => onArrow(1),
    ArrowLeft: () => onArrow(-1),
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active - 1),
    s: skip,
    ...(early.length > 0 && notingKeys(noteKey)),
    Enter: early.length > 0 ? begin : complete,
    n: () => noteField.current?.focus(),
    '?': () => setIsHelpOpen(true),
  });
  return (
    <div className={styles['work']}>
      <div className={styles['shown']}>
        <ItemView item={item} />
      </div>
      <section className={styles['rubric']} aria-label="Judgement">
        {back && failed && <ErrorNote error={failed.error} />}
        {early.length > 0 && <EarlyKeysNote keys={early} />}
        <Lease {...{ queue, item, lease, claimAgain }} />
        {queue.description !== '' && (
          <p className={styles['text']} dir="auto">
            {queue.description}
          </p>
        )}
        {rubric.map((one, index) => (
          <CriterionControl
            key={one.ref}
            criterion={one}
            answer={answers.get(one.name)}
            isActive={index === active && rubric.length > 1}
            set={(value) => answer(one, value)}
            activate={() => setActive(index)}
          />
        ))}
        {rubric.length === 0 && <p className={styles['muted']}>The queue has no criteria: look, note, complete.</p>}
        <label className={styles['note']}>
          Note
          <TextArea
            ref={noteField}
            rows={2}
            maxLength={1_000}
            value={note}
            onChange={({ target }) => setNote(target.value)}
            onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
          />
        </label>
        <p role="alert" className={styles['missing']}>
          {missing}
        </p>
        <div className={styles['row']}>
          <Button kind="primary" onClick={complete}>
            Complete <kbd>Enter</kbd>
          </Button>
          <Button onClick={skip}>
            Skip <kbd>S</kbd>
          </Button>
          <ReleaseLease queue={queue} item={item} lease={lease} />
          <Button kind="plain" aria-label="Keys" title="Keys (?)" onClick={() => setIsHelpOpen(true)}>
            <CircleQuestionMark size={17} aria-hidden />
          </Button>
        </div>
      </section>
      {isHelpOpen && <KeysDialog close={() => setIsHelpOpen(false)} />}
    </div>
  );
}

type LeaseProps = Pick<ItemProps, 'queue' | 'item' | 'lease' | 'claimAgain'>;

function Lease({ queue, item, lease, claimAgain }: LeaseProps) {
  const kept = useLease(queue, item.id, lease);
  if (kept.error)
    return (
      <>
        <ErrorNote error={kept.error} retry={() => void kept.refetch()} />
        <p>
          <Button onClick={claimAgain}>Claim again</Button>
        </p>
      </>
    );
  const until = new Date(kept.data.expires_at).toLocaleTimeString('sv-SE');
  return <p className={styles['muted']}>Reserved for you until {until}; renewed while this page is open.</p>;
}

/** Ends the reservation, so that somebody else may take the item at once. */
function ReleaseLease({ queue, item, lease }: Omit<LeaseProps, 'claimAgain'>) {
  const project = useProject();
  const [, navigate] = useLocation();
  const releasing = useMutation({
    mutationFn: () =>
      hone.trace.releaseAnnotationLease(
        { queue_id: queue.id, item_id: item.id },
        { project_id: project.id, lease_id: lease.id },
      ),
    // A reservation that cannot be released ends by itself.
    onSettled: () => navigate(project.path(`annotation/${queue.id}`)),
  });
  return (
    <Button disabled={releasing.isPending} onClick={() => releasing.mutate()}>
      Release
    </Button>
  );
}
