-- Attempts of an item that failed, or whose worker was killed, and whose cost is not known yet. They count against the budget of its
-- job like what is in flight, also while the next attempt is: until the usage records have them, or have had the time to.
-- `awaited_at` is when the last one was added.
ALTER TABLE "open_costs" ADD COLUMN "awaited_attempts" INTEGER[] NOT NULL DEFAULT '{}', ADD COLUMN "awaited_at" TIMESTAMPTZ(3);
CREATE INDEX "open_costs_awaited_idx" ON "open_costs"("job_id") WHERE "awaited_attempts" <> '{}';

CREATE OR REPLACE FUNCTION "hone_open_cost"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  item jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
  -- Whether the attempt before this change ended, and may have cost what is not known.
  is_awaited boolean := OLD.state = 'running' AND (TG_OP = 'DELETE' OR item ->> 'state' IN ('running', 'pending', 'failed')
    OR NOT OLD.is_cost_open);
BEGIN
  INSERT INTO open_costs (project_id, uid, kind, job_id, item_id, booked_nano_usd, created_at, attempts_before, cost_before_nano_usd,
    opened_at, look_at, awaited_attempts, awaited_at)
  VALUES ((item ->> 'project_id')::uuid, item ->> 'uid', TG_TABLE_NAME, (item ->> TG_ARGV[0])::uuid, item ->> TG_ARGV[1],
    CASE TG_OP WHEN 'DELETE' THEN (item ->> 'cost_nano_usd')::bigint END,
    coalesce(item ->> 'retried_at', item ->> 'created_at')::timestamptz, (item ->> 'attempts_before')::int,
    (item ->> 'cost_before_nano_usd')::bigint, now(), now() + interval '2 seconds',
    CASE WHEN is_awaited THEN ARRAY[OLD.attempt] ELSE '{}'::int[] END, CASE WHEN is_awaited THEN now() END)
  ON CONFLICT (project_id, uid) DO UPDATE SET booked_nano_usd = EXCLUDED.booked_nano_usd, opened_at = EXCLUDED.opened_at,
    look_at = EXCLUDED.look_at, awaited_attempts = open_costs.awaited_attempts || EXCLUDED.awaited_attempts,
    awaited_at = coalesce(EXCLUDED.awaited_at, open_costs.awaited_at);
  RETURN NULL;
END $$;
