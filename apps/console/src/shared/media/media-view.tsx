import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { formatBytes } from '../format/format.js';
import { Button } from '../ui/button.js';
import { addressOf, bytesOf, type Media } from './media.js';
import styles from './media.module.css';

interface Props {
  readonly media: Media;
  /** Characters of the text that it is. */
  readonly length: number;
  /** All of the text. */
  readonly text: () => string | Promise<string>;
}

/** An image or a sound that is part of a value: shown when it is asked for, never by itself. */
export function MediaView({ media, length, text }: Props) {
  const [isShown, setIsShown] = useState(false);
  const id = useId();
  const address = useQuery({
    queryKey: ['media', id],
    queryFn: async () => addressOf(media, await text()),
    enabled: isShown,
    // It may be as large as the value itself.
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const what = `${media.kind} (${media.type}, ${formatBytes(bytesOf(length))})`;
  return (
    <span className={styles['media']}>
      <Button aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'} {what}
      </Button>
      {isShown && address.error && <span role="alert">{address.error.message}</span>}
      {isShown && address.data !== undefined && <Shown kind={media.kind} address={address.data} />}
    </span>
  );
}

/** @param address of the page's own server, or `data:` */
export function Shown({ kind, address }: { readonly kind: Media['kind']; readonly address: string }) {
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken)
    return <span role="alert">The browser cannot show it: it is cut, or of another type than it says.</span>;
  if (kind === 'image') return <img src={address} alt="Part of the value" onError={() => setIsBroken(true)} />;
  return <audio src={address} controls aria-label="Part of the value" onError={() => setIsBroken(true)} />;
}
