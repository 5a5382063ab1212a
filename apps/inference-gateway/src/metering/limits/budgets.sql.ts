import { Prisma } from '@hone/database';

/** Of Unicode: a text that begins with another one is at most that one and this character, in the order of bytes. */
const LAST_CHARACTER = Prisma.sql`chr(1114111)`;

/**
 * What a subject has spent on the models that a name stands for, as `standsFor` reads it, in nano-USD. It reads as many rows as
 * there are such models in the period.
 *
 * @param columns SQL, with the names of their tables: scope and id of the subject, the name, `day` or `month`, and a timestamp in
 * the period
 */
export function spentOnModels(columns: Record<'scope' | 'id' | 'model' | 'period' | 'now', string>): Prisma.Sql {
  const [scope, id, model, period, now] = [
    Prisma.raw(columns.scope),
    Prisma.raw(columns.id),
    Prisma.raw(columns.model),
    Prisma.raw(columns.period),
    Prisma.raw(columns.now),
  ];
  return Prisma.sql`(SELECT coalesce(sum(u.cost_nano_usd), 0) FROM usage_models u
    WHERE u.scope = ${scope} AND u.subject_id = ${id} AND u.period = ${period}
      AND u.since = date_trunc(${period}, ${now} AT TIME ZONE 'UTC')::date
      AND u.model >= CASE WHEN right(${model}, 1) = '*' THEN left(${model}, -1) ELSE ${model} END
      AND u.model <= CASE WHEN right(${model}, 1) = '*' THEN left(${model}, -1) || ${LAST_CHARACTER} ELSE ${model} END)`;
}

/**
 * The budgets that `budgetsOf` names, of each row of `timed`; what was spent of each, from the sums that are updated with the
 * usage records; and their leases. Those of the month have a column of their own, which earlier versions share. Budgets that
 * are removed are there, without an amount, as long as something of them is leased: they may be set again.
 */
export const BUDGETS = Prisma.sql`
  SELECT 'month' AS name, now, monthly_budget_nano_usd AS nano_usd, budget_leases AS leases,
    coalesce((SELECT m.cost_nano_usd FROM usage_months m WHERE m.scope = timed.scope
      AND m.subject_id = timed.subject_id AND m.month = date_trunc('month', now AT TIME ZONE 'UTC')::date), 0)::float8 AS spent
  FROM timed
  UNION ALL
  SELECT 'day', now, daily_budget_nano_usd, coalesce(further_leases->'day', '{}'),
    coalesce((SELECT d.cost_nano_usd FROM usage_days d WHERE d.scope = timed.scope
      AND d.subject_id = timed.subject_id AND d.day = (now AT TIME ZONE 'UTC')::date), 0)::float8
  FROM timed
  UNION ALL
  SELECT name, now, nano_usd, coalesce(further_leases->name, '{}'),
    ${spentOnModels({ scope: 'timed.scope', id: 'timed.subject_id', model: 'budget.model', period: 'budget.period', now: 'timed.now' })}::float8
  FROM timed, LATERAL (${budgetsOfModels()}) AS budget
  UNION ALL
  SELECT lease.key, now, NULL, lease.value, 0
  FROM timed, LATERAL jsonb_each(further_leases) AS lease
  WHERE lease.key <> 'day' AND lease.value <> '{}'
    AND NOT EXISTS (SELECT FROM (${budgetsOfModels()}) AS budget WHERE budget.name = lease.key)`;

function budgetsOfModels(): Prisma.Sql {
  return Prisma.sql`
    SELECT period.name || ':' || entry.model AS name, entry.model, period.name AS period, period.nano_usd
    FROM jsonb_to_recordset(model_budgets) AS entry (
        model text, "dailyBudgetNanoUsd" bigint, "monthlyBudgetNanoUsd" bigint),
      LATERAL (VALUES ('day', entry."dailyBudgetNanoUsd"), ('month', entry."monthlyBudgetNanoUsd")) AS period (name, nano_usd)
    WHERE period.nano_usd IS NOT NULL`;
}
