import type { UsageLimitsDto } from '@hone/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useKeyNames } from '../../shared/data/key-names.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatCost } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { Input, Select } from '../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import { AddModelBudget, ModelBudgets, toDrafts, toModelBudgets } from './model-budgets.js';
import styles from './usage.module.css';

const LIMITS = {
  requests_per_minute: 'Requests per minute',
  tokens_per_minute: 'Tokens per minute',
  concurrent_requests: 'Concurrent requests',
  daily_budget_usd: 'Daily budget, USD',
  monthly_budget_usd: 'Monthly budget, USD',
} as const;
type Limit = keyof typeof LIMITS;

/** What the project, or one key, may use. Administrators change it here. */
export function Limits() {
  const project = useProject();
  const names = useKeyNames();
  const [key, setKey] = useSearchState('limits_of');
  const of = key === '' ? { project: project.id } : { key };
  const limits = useQuery({
    queryKey: ['limits', of],
    queryFn: ({ signal }) => hone.inference.getUsageLimits(of, { signal }),
  });
  return (
    <section className={page['section']} aria-label="Limits">
      <div className={page['row']}>
        <h2>Limits</h2>
        <Select aria-label="Limits of" value={key} onChange={({ target }) => setKey(target.value)}>
          <option value="">of the project</option>
          {[...names].map(([id, name]) => (
            <option key={id} value={id}>
              of the key {name}
            </option>
          ))}
        </Select>
      </div>
      {limits.error && <ErrorNote error={limits.error} retry={() => void limits.refetch()} />}
      {limits.isPending && <Loading what="limits" />}
      {limits.data && <LimitsForm key={JSON.stringify([of, limits.data])} of={of} limits={limits.data} />}
    </section>
  );
}

interface FormProps {
  readonly of: { readonly project?: string; readonly key?: string };
  readonly limits: UsageLimitsDto;
}

function LimitsForm({ of, limits }: FormProps) {
  const { mayAdminister } = useRights();
  const queries = useQueryClient();
  const [texts, setTexts] = useState(() => textsOf(limits));
  const [budgets, setBudgets] = useState(() => toDrafts(limits));
  const saving = useMutation({
    mutationFn: () =>
      hone.inference.putUsageLimits(of, { ...numbersOf(texts), model_budgets: toModelBudgets(budgets) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['limits'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const budget = limits.monthly_budget_usd;
  return (
    <>
      <p>
        {formatCost(Number(limits.spent_usd))} spent this month
        {budget !== null && (
          <>
            {' '}
            of {formatCost(budget)}{' '}
            <progress className={styles['budget']} aria-label="Budget" value={Number(limits.spent_usd)} max={budget} />
          </>
        )}
      </p>
      <form className={page['section']} onSubmit={submit}>
        <div className={page['form']}>
          {(Object.keys(LIMITS) as Limit[]).map((name) => (
            <label key={name}>
              {LIMITS[name]}
              <Input
                type="number"
                min={0}
                step={name.endsWith('_usd') ? 'any' : 1}
                placeholder="not limited"
                readOnly={!mayAdminister}
                value={texts[name]}
                onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
              />
            </label>
          ))}
        </div>
        <ModelBudgets drafts={budgets} onChange={mayAdminister ? setBudgets : null} />
        {mayAdminister && (
          <div className={page['row']}>
            <Button type="submit" disabled={saving.isPending}>
              Save limits
            </Button>
            <AddModelBudget drafts={budgets} onChange={setBudgets} />
          </div>
        )}
      </form>
      {saving.error && <ErrorNote error={saving.error} />}
    </>
  );
}

const textsOf = (limits: UsageLimitsDto) =>
  Object.fromEntries((Object.keys(LIMITS) as Limit[]).map((name) => [name, String(limits[name] ?? '')])) as Record<
    Limit,
    string
  >;

const numbersOf = (texts: Readonly<Record<Limit, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim() === '' ? null : Number(text)]));
