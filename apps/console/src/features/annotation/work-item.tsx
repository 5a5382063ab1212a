import type { QueueDto, QueueItemDto } from '@hone/client';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';

import { answerOfDigit, type Criterion, nextAnswer } from '../../shared/annotation/rubric.js';
import { useShortcuts } from '../../shared/keyboard/shortcuts.js';
import { usePageKeys } from '../../shared/keyboard/use-page-keys.js';
import { useCall } from '../../shared/payload/use-call.js';
import { Button } from '../../shared/ui/button.js';
import { TextArea } from '../../shared/ui/input.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import styles from './annotation.module.css';
import { CriterionControl } from './criterion-control.js';
import { DIGITS, EarlyKeysNote, notingKeys } from './early-keys.js';
import type { Finish, Judgement } from './finish.js';
import { ItemView } from './item-view.js';
import type { DoneItem } from './use-work.js';

const KEYS = {
  title: 'Judging an item',
  shortcuts: [
    ['0–9', 'score: the point of a scale, or the option of that position'],
    ['← →', 'move the answer'],
    ['↑ ↓', 'move between criteria'],
    ['Enter', 'complete, and take the next item'],
    ['S', 'skip'],
    ['B F', 'back to the item before, and forward again'],
    ['N', 'write a note; Esc leaves it'],
    ['C', 'show the conversation around the call'],
  ],
} as const;

interface Props {
  readonly queue: QueueDto;
  readonly rubric: readonly Criterion[];
  readonly item: QueueItemDto;
  /** How the item was finished before; null: it is claimed now. */
  readonly shown: DoneItem | null;
  readonly judgement: Judgement;
  readonly judge: (judgement: Judgement) => void;
  readonly finish: (finish: Finish) => void;
  /** The reservation of the claimed item. */
  readonly held: ReactNode;
  readonly release: ReactNode;
  /** To the items before and after this one; null: there is none. */
  readonly navigation: { readonly back: (() => void) | null; readonly forward: (() => void) | null };
  /** Keys that came before the item was shown: until `begin` no key counts, and further ones are noted. */
  readonly early: readonly string[];
  readonly noteKey: (key: string) => void;
  readonly begin: () => void;
}

/** One item: its call, and beside it what the annotator says of it. */
export function WorkItem(props: Props) {
  const { queue, rubric, item, shown, judgement, judge, finish, early, noteKey, begin } = props;
  const { back, forward } = props.navigation;
  const { answers, note } = judgement;
  const [active, setActive] = useState(0);
  const [missing, setMissing] = useState('');
  const noteField = useRef<HTMLTextAreaElement>(null);
  const isSeen = !useCall(item.call_id).isPending;
  const criterion = rubric[active];
  // The state of an annotator is final.
  const isSkipped = shown?.state === 'skipped' && shown.error === null;

  const answer = ({ name }: Criterion, value: unknown) => {
    const after = new Map(answers);
    if (value === undefined) after.delete(name);
    else after.set(name, value);
    judge({ answers: after, note });
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
    if (open < 0) return finish({ item, state: 'completed', judgement });
    activate(open);
    setMissing(`Answer “${rubric[open]?.title}” first, or skip the item.`);
  };
  const skip = () => {
    begin();
    finish({ item, state: 'skipped', judgement });
  };
  const move = (to: (() => void) | null) => {
    begin();
    to?.();
  };
  const isNoting = early.length > 0 || !isSeen;
  usePageKeys({
    ...(!isSkipped && {
      ...Object.fromEntries(DIGITS.map((digit) => [digit, () => onDigit(Number(digit))])),
      ArrowRight: () => onArrow(1),
      ArrowLeft: () => onArrow(-1),
      ArrowDown: () => activate(active + 1),
      ArrowUp: () => activate(active - 1),
      ...(!shown?.isStored && { s: skip }),
      n: () => noteField.current?.focus(),
      ...(isNoting && notingKeys(noteKey)),
      Enter: isNoting ? () => isSeen && begin() : complete,
    }),
    b: () => move(back),
    f: () => move(forward),
  });
  useShortcuts(KEYS);
  return (
    <div className={styles['work']}>
      <div className={styles['shown']}>
        <ItemView item={item} />
      </div>
      <section className={styles['rubric']} aria-label="Judgement">
        {shown?.error && <ErrorNote error={shown.error} />}
        {early.length > 0 && <EarlyKeysNote keys={early} />}
        {props.held}
        {queue.description !== '' && (
          <p className={styles['text']} dir="auto">
            {queue.description}
          </p>
        )}
        {isSkipped && <p>You have skipped this item. Who may write to the project can reopen it for you.</p>}
        {shown?.isStored && !isSkipped && (
          <p role="status">You have completed this item. What you change is stored beside what you said before.</p>
        )}
        {!isSkipped && (
          <>
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
                onChange={({ target }) => judge({ answers, note: target.value })}
                onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
              />
            </label>
          </>
        )}
        <p role="alert" className={styles['missing']}>
          {missing}
        </p>
        <div className={styles['row']}>
          {!isSkipped && (
            <Button kind="primary" onClick={complete}>
              {shown?.isStored ? 'Save' : 'Complete'} <kbd>Enter</kbd>
            </Button>
          )}
          {!shown?.isStored && (
            <Button onClick={skip}>
              Skip <kbd>S</kbd>
            </Button>
          )}
          {props.release}
          <Button disabled={back === null} title="The item before" onClick={() => move(back)}>
            <ChevronLeft size={15} aria-hidden /> Back <kbd>B</kbd>
          </Button>
          {forward && (
            <Button title="The item after" onClick={() => move(forward)}>
              Forward <kbd>F</kbd> <ChevronRight size={15} aria-hidden />
            </Button>
          )}
        </div>
      </section>
    </div>
  );
}
