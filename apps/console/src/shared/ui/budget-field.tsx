import { Input } from './input.js';

interface Props {
  /** What is limited, such as `Spend at most, in US dollars`. */
  readonly label: string;
  /** US dollars, as typed; '': no limit. */
  readonly value: string;
  readonly change: (value: string) => void;
}

/** How much a job may spend. */
export const BudgetField = ({ label, value, change }: Props) => (
  <label>
    {label}
    <Input
      type="number"
      min={0.000001}
      step="any"
      placeholder="no limit of its own"
      value={value}
      onChange={({ target }) => change(target.value)}
    />
  </label>
);

/** What the interface takes. */
export const toBudget = (value: string): number | null => (value === '' ? null : Number(value));
