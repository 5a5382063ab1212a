import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';

import styles from './ui.module.css';

/** Characters that are shown at first. */
export const HEAD_CHARACTERS = 2_000;
/** Characters that are added at a time: the browser lays them out at once. */
const STEP = 20_000;
const COUNT = new Intl.NumberFormat('en');

interface Props {
  /** The text, or its beginning. */
  readonly text: string;
  /** Gives all of it. Absent: `text` is all. */
  readonly whole?: ((signal: AbortSignal) => Promise<string>) | undefined;
  /** Characters of all of it. */
  readonly length?: number;
}

/** A text of any length, as it was sent: its beginning, and more of it by steps. */
export function LongText({ text, whole, length = text.length }: Props): ReactNode {
  const [shown, setShown] = useState(HEAD_CHARACTERS);
  if (length <= HEAD_CHARACTERS) return text;
  const props = { shown, length, setShown };
  return whole ? <Fetched text={text} whole={whole} {...props} /> : <Cut text={text} {...props} />;
}

interface CutProps {
  readonly text: string;
  readonly shown: number;
  readonly length: number;
  readonly setShown: (count: number) => void;
}

function Fetched({ text, whole, ...rest }: CutProps & { readonly whole: NonNullable<Props['whole']> }) {
  const id = useId();
  const all = useQuery({
    queryKey: ['whole text', id],
    queryFn: ({ signal }) => whole(signal),
    enabled: rest.shown > text.length,
    // It is as large as it is.
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  return (
    <>
      <Cut text={all.data ?? text} {...rest} />
      {all.error && <span role="alert">{all.error.message}</span>}
    </>
  );
}

function Cut({ text, shown, length, setShown }: CutProps) {
  const end = Math.min(shown, text.length);
  // Not between the halves of a character.
  const cut = text.slice(0, end).replace(/[\ud800-\udbff]$/, '');
  return (
    <>
      {end < length ? `${cut}…` : text}
      {end < length && (
        <button type="button" className={styles['more']} onClick={() => setShown(end + STEP)}>
          {COUNT.format(Math.min(STEP, length - end))} more of {COUNT.format(length - end)} characters
        </button>
      )}
      {shown > HEAD_CHARACTERS && (
        <button type="button" className={styles['more']} onClick={() => setShown(HEAD_CHARACTERS)}>
          Less
        </button>
      )}
    </>
  );
}
