import { NotFoundError } from '@hone/client';
import type { ReactNode } from 'react';

import { EmptyNote, ErrorNote, Loading, sentenceOf } from '../ui/notes.js';
import { Page } from './page.js';

interface Props {
  readonly title: ReactNode;
  /** As that of {@link Page}. */
  readonly back?: ReactNode;
  /** What is loading. */
  readonly what: string;
  /** Why it cannot be read; null: it may still come. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** A page whose content is not there yet, is there no longer, or cannot be read: it has its heading all the same. */
export const PendingPage = ({ title, back, what, error, retry }: Props) => (
  <Page {...{ title, back }}>
    {error instanceof NotFoundError ? (
      <EmptyNote title="It is not here">
        <p>{sentenceOf(error)} It was deleted, or its address is another.</p>
      </EmptyNote>
    ) : error ? (
      <ErrorNote {...{ error, retry }} />
    ) : (
      <Loading what={what} />
    )}
  </Page>
);
