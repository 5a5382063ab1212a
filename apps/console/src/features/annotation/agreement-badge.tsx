import { Badge, type Tone } from '../../shared/ui/badge.js';

/** Bounds that Krippendorff gives for alpha: from 0.8 on reliable, from 0.667 on for tentative conclusions. */
const RELIABLE = 0.8;
const TENTATIVE = 0.667;

/** Krippendorff's alpha in words. */
export function AgreementBadge({ alpha }: { readonly alpha: number | null }) {
  if (alpha === null) return <Badge tone="muted">not measured yet</Badge>;
  const tone: Tone = alpha >= RELIABLE ? 'good' : alpha >= TENTATIVE ? 'warn' : 'bad';
  return <Badge tone={tone}>α {alpha.toFixed(2)}</Badge>;
}
