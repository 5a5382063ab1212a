import { useQuery } from '@tanstack/react-query';

import { LongText } from '../ui/long-text.js';
import { type Block, isMarkdown } from './block.js';
import { Blocks } from './blocks.js';
import styles from './markdown.module.css';
import { parseMarkdown } from './markdown-parser.js';

interface Props {
  readonly text: string;
  /** Whether Markdown in it is shown as what it means. */
  readonly isFormatted: boolean;
}

/** A text of any length, as it was sent, or with its Markdown formatted once that is parsed. */
export function FormattedText({ text, isFormatted }: Props) {
  const isParsed = isFormatted && isMarkdown(text);
  const parsed = useQuery({
    queryKey: ['markdown', text],
    queryFn: (): Promise<readonly Block[] | null> => parseMarkdown(text),
    enabled: isParsed,
    staleTime: Infinity,
    retry: false,
    // A tree is replaced as a whole.
    structuralSharing: false,
  });
  return (
    <div className={styles['text']} dir="auto" data-formatted={isParsed && !!parsed.data}>
      {isParsed && parsed.data ? <Blocks blocks={parsed.data} /> : <LongText text={text} />}
    </div>
  );
}
