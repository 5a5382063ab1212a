import { Badge } from '../ui/badge.js';

/** Beside a figure of a judge that no labels of people correct. */
export const Uncorrected = () => (
  <span title="A judge may have found it, and no labels of people correct it: the interval leaves out the judge’s errors.">
    <Badge tone="warn">uncorrected</Badge>
  </span>
);
