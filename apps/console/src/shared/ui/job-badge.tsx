import { Badge, type Tone } from './badge.js';

const TONES: Readonly<Record<string, Tone>> = {
  ...{ done: 'good', live: 'good', failed: 'bad', budget_spent: 'bad', cancelled: 'muted', paused: 'muted' },
};

/** How a scoring or a monitor stands. */
export const JobBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={TONES[status] ?? 'warn'}>{status.replaceAll('_', ' ')}</Badge>
);
