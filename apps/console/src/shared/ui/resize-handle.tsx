import type { KeyboardEvent, PointerEvent } from 'react';

import styles from './ui.module.css';

/** Per press of an arrow. */
const STEP = 2;

interface Props {
  readonly label: string;
  /** Id of the element that it makes wider or narrower, which stands before it. */
  readonly controls: string;
  /** Width of this element in percent of its parent. */
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** Double click goes back to it. */
  readonly standard: number;
  readonly change: (value: number) => void;
}

/** The line between two panes, which one drags, or moves by the arrows, Home and End. */
export function ResizeHandle({ label, controls, value, min, max, standard, change }: Props) {
  const set = (to: number) => change(Math.round(10 * Math.min(max, Math.max(min, to))) / 10);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: value - STEP, ArrowRight: value + STEP, Home: min, End: max }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    set(to);
  };
  const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
    const parent = currentTarget.parentElement?.getBoundingClientRect();
    if (!parent || !currentTarget.hasPointerCapture(pointerId)) return;
    set((100 * (clientX - parent.left)) / parent.width);
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      className={styles['handle']}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => set(standard)}
    />
  );
}
