import { type ReactNode, useMemo } from 'react';

import { EmptyNote, Loading } from '../ui/notes.js';
import styles from './diff.module.css';
import { useDiffLibrary } from './use-diff-library.js';
import { wordDiff, type WordPart } from './words.js';

interface Props {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** What was added to a text and removed from it, word by word. */
export function WordDiff({ label, before, after }: Props) {
  const diff = useDiffLibrary();
  const parts = useMemo(() => diff.data && wordDiff(diff.data, before, after), [diff.data, before, after]);
  if (!parts)
    return diff.error ? (
      <EmptyNote title="The comparison did not load">Reload the page to try again.</EmptyNote>
    ) : (
      <Loading what="the comparison" />
    );
  return (
    <section aria-label={label}>
      <p className={styles['words']} dir="auto">
        {parts.map((part, at) => (
          <Part key={at} {...part} />
        ))}
      </p>
    </section>
  );
}

function Part({ kind, text, lines }: WordPart): ReactNode {
  switch (kind) {
    case 'added':
      return <ins>{text}</ins>;
    case 'removed':
      return <del>{text}</del>;
    case 'same':
      return text;
    case 'gap':
      return <span className={styles['gap']}>{lines} equal lines</span>;
  }
}
