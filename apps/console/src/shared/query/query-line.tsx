import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';

import { Input } from '../ui/input.js';
import { completionAt, fieldToLookUp } from './complete.js';
import { queryErrorOf } from './parse.js';
import styles from './query-line.module.css';
import { useAfterPress } from './use-after-press.js';
import { useKnownValues } from './use-known-values.js';

interface Props {
  readonly text: string;
  /** Takes the text for the query, which may have an error. */
  readonly apply: (text: string) => void;
  /** Whether leaving the field applies it, too, as in a form. */
  readonly appliesOnBlur?: boolean;
}

/**
 * One line that says which calls are meant. What is typed is completed by the arrows and Tab or Enter; Enter applies it
 * where nothing is chosen. An error is underlined where it is.
 */
export function QueryLine({ text, apply, appliesOnBlur = false }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [applied, setApplied] = useState(text);
  const [typed, setTyped] = useState(text);
  const [caret, setCaret] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  /** What stays listed while a press leaves the field; null: it is not left. */
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const [scrolled, setScrolled] = useState(0);
  const caretToCome = useRef<number | null>(null);
  // With the new text, before the next key: a fast one would land elsewhere.
  useLayoutEffect(() => {
    const to = caretToCome.current;
    if (to !== null) field.current?.setSelectionRange(to, to);
    caretToCome.current = null;
  }, [typed]);
  if (applied !== text) {
    // Something else has changed the query.
    setApplied(text);
    setTyped(text);
  }
  const known = useKnownValues(isOpen ? fieldToLookUp(typed, caret) : null);
  const completion = isOpen ? completionAt(typed, caret, known) : null;
  const suggestions = held ?? completion?.suggestions ?? [];
  // While one types, all that comes last may still become right.
  const error = typed === text && !isOpen ? queryErrorOf(text) : null;
  const isListed = suggestions.length > 0;
  const follow = () => {
    setCaret(field.current?.selectionStart ?? 0);
    setScrolled(field.current?.scrollLeft ?? 0);
  };
  const close = () => {
    setIsOpen(false);
    setChosen(-1);
    setHeld(null);
  };
  const take = (suggestion: string | undefined) => {
    if (completion === null || suggestion === undefined) return;
    const before = typed.slice(0, completion.from) + suggestion;
    const after = before + typed.slice(completion.to).trimStart();
    setTyped(after);
    setCaret(before.length);
    setChosen(-1);
    caretToCome.current = before.length;
  };
  const applyTyped = () => {
    apply(typed.trim());
    setTyped(typed.trim());
  };
  const closeAfterPress = useAfterPress(close);
  const leave = () => {
    // What a press elsewhere is on stays where it is until its click.
    setHeld(suggestions);
    closeAfterPress();
    if (appliesOnBlur) applyTyped();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && isListed) setChosen(turned(chosen, step, suggestions.length));
    else if (step !== undefined) setIsOpen(true);
    else if ((event.key === 'Enter' || event.key === 'Tab') && isListed && chosen >= 0) take(suggestions[chosen]);
    else if (event.key === 'Enter') {
      close();
      applyTyped();
    } else if (event.key === 'Escape' && isListed) close();
    else return;
    event.preventDefault();
  };
  return (
    <div>
      <div className={styles['field']}>
        <Input
          ref={field}
          className={styles['input'] ?? ''}
          role="combobox"
          aria-label="Query"
          aria-autocomplete="list"
          aria-expanded={isListed}
          aria-controls={`${id}-list`}
          aria-activedescendant={isListed && chosen >= 0 ? `${id}-${chosen}` : undefined}
          aria-invalid={error !== null}
          aria-describedby={error ? `${id}-error` : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={
            'end_user = "ada" and not status = error and trace has (op_name = "search" and latency_ms > 500)'
          }
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setIsOpen(true);
            setChosen(-1);
            follow();
          }}
          onSelect={follow}
          onScroll={follow}
          onBlur={leave}
          onKeyDown={onKeyDown}
        />
        {error && (
          <div className={styles['marks']} aria-hidden>
            <span style={{ transform: `translateX(${-scrolled}px)` }}>
              {typed.slice(0, error.start)}
              <mark>{typed.slice(error.start, error.end) || ' '}</mark>
            </span>
          </div>
        )}
      </div>
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label="Completions"
        aria-orientation="horizontal"
        className={styles['list']}
        hidden={!isListed}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
      >
        {suggestions.map((suggestion, at) => (
          <li
            key={suggestion}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === chosen}
            onClick={() => take(suggestion)}
          >
            {suggestion.trim()}
          </li>
        ))}
      </ul>
      {error && (
        <p id={`${id}-error`} role="status" className={styles['error']}>
          At {error.start + 1}: {error.message}
        </p>
      )}
    </div>
  );
}

/** The next of so many, between the last and the first of which none is chosen. */
const turned = (chosen: number, step: number, count: number): number => ((chosen + step + count + 2) % (count + 1)) - 1;
