import { JsonNumber } from '@hone/client';
import { useState } from 'react';

import { ValueCard } from '../json-view/value-card.js';
import { FormattedText } from '../markdown/formatted-text.js';
import { Button } from '../ui/button.js';
import { CopyButton } from '../ui/copy-button.js';
import styles from './readable.module.css';
import { textsOf } from './texts.js';

interface Props {
  readonly title: string;
  /** Path of the value, as queries and columns name it. */
  readonly path: string;
  readonly value: unknown;
}

/** A value as a person reads it: texts with their Markdown formatted. What is no text, nor made of them, is a tree. */
export function ReadableCard({ title, path, value }: Props) {
  const [isFormatted, setIsFormatted] = useState(true);
  const texts = textsOf(value);
  if (texts === null) return <ValueCard {...{ title, path, value }} />;
  return (
    <section className={styles['card']}>
      <header className={styles['head']}>
        <h3>{title}</h3>
        <Button kind="plain" aria-pressed={!isFormatted} onClick={() => setIsFormatted(!isFormatted)}>
          As it was sent
        </Button>
        <CopyButton
          label={`Copy ${title.toLowerCase()}`}
          text={() => (typeof value === 'string' ? value : JSON.stringify(value))}
        />
      </header>
      <div className={styles['body']}>
        <Readable value={value} isFormatted={isFormatted} />
      </div>
    </section>
  );
}

/** A value made of texts, without a frame; what is not is shown as JSON. */
export function Readable({ value, isFormatted = true }: { readonly value: unknown; readonly isFormatted?: boolean }) {
  const texts = textsOf(value);
  if (texts === null) return <code>{JSON.stringify(value instanceof JsonNumber ? Number(value.text) : value)}</code>;
  if (texts.length === 1 && texts[0]?.key === '')
    return <FormattedText text={texts[0].text} isFormatted={isFormatted} />;
  return (
    <dl className={styles['texts']}>
      {texts.map(({ key, text }) => (
        <div key={key}>
          <dt dir="auto">{key}</dt>
          <dd>
            <FormattedText text={text} isFormatted={isFormatted} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
