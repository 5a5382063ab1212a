import { ThumbsDown, ThumbsUp } from 'lucide-react';

import { Button } from '../ui/button.js';

interface Props {
  /** What has been said here already. */
  readonly given?: string | undefined;
  readonly disabled?: boolean;
  readonly onJudge: (emoji: '👍' | '👎') => void;
}

/** Good or bad, by one click. */
export const Thumbs = ({ given, disabled = false, onJudge }: Props) => (
  <>
    <Button
      aria-label="Good answer"
      title="Good answer"
      aria-pressed={given === '👍'}
      disabled={disabled}
      onClick={() => onJudge('👍')}
    >
      <ThumbsUp size={16} aria-hidden />
    </Button>
    <Button
      aria-label="Bad answer"
      title="Bad answer"
      aria-pressed={given === '👎'}
      disabled={disabled}
      onClick={() => onJudge('👎')}
    >
      <ThumbsDown size={16} aria-hidden />
    </Button>
  </>
);
