import { ThumbsDown, ThumbsUp } from 'lucide-react';

import { formatCount } from '../format/format.js';
import { preview } from '../format/preview.js';
import { type Feedback, NOTE, REACTION } from './feedback.js';

const THUMBS = { '👍': { Icon: ThumbsUp, label: 'Good answer' }, '👎': { Icon: ThumbsDown, label: 'Bad answer' } };

type Props = Pick<Feedback, 'feedback_type' | 'payload'> & Partial<Pick<Feedback, 'scorer_ratings' | 'scorer_tags'>>;

/** Thumbs are drawn, for not every machine has a font with them; a note is its text; other types have their name. */
export function Said({ feedback_type, payload, scorer_ratings = {}, scorer_tags = [] }: Props) {
  const { emoji, note, value } = payload;
  if (feedback_type === REACTION && typeof emoji === 'string') {
    // Without the colour of the skin.
    const base = emoji.replace(/[\u{1f3fb}-\u{1f3ff}]/u, '');
    const thumb = Object.hasOwn(THUMBS, base) ? THUMBS[base as keyof typeof THUMBS] : undefined;
    return thumb ? <thumb.Icon size={15} role="img" aria-label={thumb.label} /> : emoji;
  }
  if (feedback_type === NOTE && typeof note === 'string') return <span dir="auto">{note}</span>;
  const name = feedback_type.replace(/^hone\.(?:annotation|runnable)\./, '');
  const ratings = Object.entries(scorer_ratings).map(([rating, given]) => `${rating} ${formatCount(given)}`);
  const parts = [...ratings, ...scorer_tags];
  const said = parts.length > 0 ? parts.join(', ') : preview('value' in payload ? value : payload);
  return (
    <span dir="auto">
      {name}: {said}
    </span>
  );
}
