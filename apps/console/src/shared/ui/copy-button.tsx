import { Check, Copy } from 'lucide-react';
import { useState } from 'react';

import { Button } from './button.js';

const SHOWN_MS = 1_500;

/** @param text what is copied; made when it is asked for */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  return (
    <Button kind="plain" title={label} aria-label={label} onClick={() => void copy()}>
      {isCopied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
    </Button>
  );
}
