import { AnswerError } from '@hone/client';
import type { ReactNode } from 'react';

import { Button } from './button.js';
import styles from './ui.module.css';

/** What would be here, and the line to paste that puts it here. */
export const EmptyNote = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className={styles['note']}>
    <h2>{title}</h2>
    {children}
  </div>
);

interface ErrorProps {
  readonly error: unknown;
  readonly retry?: () => void;
}

/** The server's own sentence, its code, and a way to try again. */
export function ErrorNote({ error, retry }: ErrorProps) {
  const code = error instanceof AnswerError ? error.code : (error as Error).name;
  return (
    <div role="alert" className={`${styles['note']} ${styles['error']}`}>
      <h2>That did not work</h2>
      <p>{sentenceOf(error)}</p>
      <p>
        <code>{code}</code>
        {error instanceof AnswerError && error.requestId !== null && <code> · request {error.requestId}</code>}
      </p>
      {retry && (
        <p>
          <Button onClick={retry}>Retry</Button>
        </p>
      )}
    </div>
  );
}

/** What the server says of it, or the error itself. */
export const sentenceOf = (error: unknown): string =>
  error instanceof AnswerError && typeof error.detail === 'string' ? error.detail : (error as Error).message;

/** Bars where content will be; what is loading is said to those who do not see them. */
export const Loading = ({ what }: { readonly what: string }) => (
  <div role="status" className={styles['skeleton']}>
    <span className="visually-hidden">Loading {what} …</span>
    {BARS.map((width) => (
      <span key={width} className={styles['bar']} style={{ width: `${width}%` }} aria-hidden />
    ))}
  </div>
);

/** Percent of the page. */
const BARS = [34, 86, 78, 82, 61];
