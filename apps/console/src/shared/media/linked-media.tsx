import { useState } from 'react';

import { Button } from '../ui/button.js';
import { type Media, mediaOf } from './media.js';
import styles from './media.module.css';
import { MediaView, Shown } from './media-view.js';

interface Props {
  readonly kind: Media['kind'];
  readonly address: string;
}

/**
 * An image or a sound at an address. What is in the address itself, or on this server, is shown when it is asked for.
 * What is elsewhere is never loaded: a link leads there, beside the name of the host that would learn of it.
 */
export function LinkedMedia({ kind, address }: Props) {
  const [isShown, setIsShown] = useState(false);
  const media = mediaOf(address);
  if (media?.isAddress) return <MediaView media={media} length={address.length} text={() => address} />;
  const url = webAddress(address);
  if (url === null) return <span className={styles['media']}>[{kind}]</span>;
  const isOwn = url.origin === location.origin;
  return (
    <span className={styles['media']}>
      <Button aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'} {kind} of {isOwn ? 'this server' : url.host}
      </Button>
      {isShown && isOwn && <Shown kind={kind} address={url.href} />}
      {isShown && !isOwn && (
        <span>
          The {kind} is on <strong>{url.host}</strong>, which learns that you look at it.{' '}
          <a href={url.href} target="_blank" rel="noopener noreferrer">
            Open it in a new tab
          </a>
        </span>
      )}
    </span>
  );
}

/** null: no address that a browser may open. */
function webAddress(address: string): URL | null {
  const url = URL.canParse(address, location.origin) ? new URL(address, location.origin) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}
