import { Input } from '../../../../shared/ui/input.js';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly min: number;
  readonly change: (value: string) => void;
}

/** A share, in percent. */
export const PercentField = ({ label, value, min, change }: Props) => (
  <label>
    {label}
    <Input
      type="number"
      required
      step="any"
      {...{ min, value }}
      max={100}
      onChange={({ target }) => change(target.value)}
    />
  </label>
);
