import type { UsageLimitsDto, UsageLimitsPutDto } from '@hone/client';

import { formatCost } from '../../shared/format/format.js';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';

/** Most that the API takes. */
const MOST = 20;
const COLUMNS = [
  { name: 'Models', kind: 'wide' },
  { name: 'Daily budget, USD' },
  { name: 'Monthly budget, USD' },
  { name: 'Spent today', kind: 'number' },
  { name: 'Spent this month', kind: 'number' },
  { name: 'Do', isHidden: true },
] as const;

/** Budgets of some models, as they are typed. */
export interface BudgetDraft {
  /** Distinct, and the same while it is edited. */
  readonly key: number;
  readonly model: string;
  readonly daily: string;
  readonly monthly: string;
  /** USD; null: it is new. */
  readonly spent: { readonly today: number; readonly inMonth: number } | null;
}

export const toDrafts = ({ model_budgets: budgets }: UsageLimitsDto): readonly BudgetDraft[] =>
  budgets.map((budget, key) => ({
    key,
    model: budget.model,
    daily: String(budget.daily_budget_usd ?? ''),
    monthly: String(budget.monthly_budget_usd ?? ''),
    spent: { today: Number(budget.spent_today_usd), inMonth: Number(budget.spent_usd) },
  }));

export const toModelBudgets = (drafts: readonly BudgetDraft[]): NonNullable<UsageLimitsPutDto['model_budgets']> =>
  drafts.map(({ model, daily, monthly }) => ({
    model: model.trim(),
    daily_budget_usd: daily === '' ? null : Number(daily),
    monthly_budget_usd: monthly === '' ? null : Number(monthly),
  }));

interface Props {
  readonly drafts: readonly BudgetDraft[];
  /** Null: they are only shown. */
  readonly onChange: ((drafts: readonly BudgetDraft[]) => void) | null;
}

/** Budgets of models, beside those of all models. */
export function ModelBudgets({ drafts, onChange }: Props) {
  if (drafts.length === 0) return null;
  return (
    <Table label="Budgets of models" columns={COLUMNS}>
      {drafts.map((draft, at) => (
        <Row
          key={draft.key}
          draft={draft}
          number={at + 1}
          onChange={onChange && ((changed) => onChange(drafts.map((one) => (one === draft ? changed : one))))}
          onRemove={onChange && (() => onChange(drafts.filter((one) => one !== draft)))}
        />
      ))}
    </Table>
  );
}

/** Adds one more. */
export function AddModelBudget({ drafts, onChange }: Props) {
  const add = () => {
    const key = Math.max(-1, ...drafts.map((draft) => draft.key)) + 1;
    onChange?.([...drafts, { key, model: '', daily: '', monthly: '', spent: null }]);
  };
  return (
    <Button disabled={drafts.length >= MOST} onClick={add}>
      Add a budget of models
    </Button>
  );
}

interface RowProps {
  readonly draft: BudgetDraft;
  /** In the table, from 1. */
  readonly number: number;
  readonly onChange: ((draft: BudgetDraft) => void) | null;
  readonly onRemove: (() => void) | null;
}

function Row({ draft, number, onChange, onRemove }: RowProps) {
  const field = (name: 'model' | 'daily' | 'monthly', label: string) => ({
    'aria-label': `${label}, ${number}`,
    readOnly: onChange === null,
    value: draft[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange?.({ ...draft, [name]: target.value }),
  });
  const amount = { type: 'number', min: 0, step: 'any', placeholder: 'not limited' } as const;
  return (
    <tr>
      <td>
        <Input required maxLength={512} placeholder="such as gpt-*" {...field('model', 'Models')} />
      </td>
      <td>
        <Input {...amount} {...field('daily', 'Daily budget')} />
      </td>
      <td>
        <Input {...amount} {...field('monthly', 'Monthly budget')} />
      </td>
      <td data-kind="number">{draft.spent ? formatCost(draft.spent.today) : '–'}</td>
      <td data-kind="number">{draft.spent ? formatCost(draft.spent.inMonth) : '–'}</td>
      <td>
        {onRemove && (
          <Button aria-label={`Remove the budget of ${draft.model || 'no model'}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}
