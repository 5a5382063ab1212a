import { Badge, type Tone } from './badge.js';

const TONES: Readonly<Record<string, Tone>> = { succeeded: 'good', failed: 'bad', cancelled: 'muted' };

export const JobStatus = ({ status }: { readonly status: string }) => (
  <Badge tone={TONES[status] ?? 'warn'}>{status}</Badge>
);
