import { Check, Copy, TriangleAlert } from 'lucide-react';
import { useState } from 'react';

import { Button } from './button.js';

const SHOWN_MS = 1_500;
const ICONS = { idle: Copy, copied: Check, failed: TriangleAlert };

interface Props {
  readonly label: string;
  /** What is copied; made when it is asked for. */
  readonly text: () => string | Promise<string>;
  /** Whether the label is seen. */
  readonly isNamed?: boolean;
}

export function CopyButton({ label, text, isNamed = false }: Props) {
  const [state, setState] = useState<keyof typeof ICONS>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      setState('copied');
    } catch {
      // The browser may forbid it, and a value may have gone.
      setState('failed');
    }
    setTimeout(() => setState('idle'), SHOWN_MS);
  };
  const Icon = ICONS[state];
  const name = state === 'failed' ? `${label}: not possible` : label;
  return (
    <Button kind="plain" title={name} aria-label={name} onClick={() => void copy()}>
      <Icon size={15} aria-hidden /> {isNamed && label}
    </Button>
  );
}
