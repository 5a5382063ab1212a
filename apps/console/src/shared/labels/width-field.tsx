import { Input } from '../ui/input.js';

interface WidthFieldProps {
  /** What is to be known, such as `the mean of helpful`. */
  readonly what: string;
  readonly typed: string;
  readonly type: (text: string) => void;
}

/** How exactly labels are to tell something. */
export const WidthField = ({ what, typed, type }: WidthFieldProps) => (
  <label>
    Know {what} within ±
    <Input
      type="number"
      required
      min={0.000001}
      step="any"
      value={typed}
      onChange={({ target }) => type(target.value)}
    />
  </label>
);
