-- What an attempt that failed may have cost counts against the budget of its job like what is in flight, until the usage records
-- tell it, or have had the time to.
ALTER TABLE "open_costs" ADD COLUMN "attempt" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "is_awaited" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "open_costs_awaited_idx" ON "open_costs"("job_id") WHERE "is_awaited";

CREATE OR REPLACE FUNCTION "hone_open_cost"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  item jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
  INSERT INTO open_costs (project_id, uid, kind, job_id, item_id, booked_nano_usd, created_at, attempts_before, cost_before_nano_usd,
    opened_at, look_at, attempt, is_awaited)
  VALUES ((item ->> 'project_id')::uuid, item ->> 'uid', TG_TABLE_NAME, (item ->> TG_ARGV[0])::uuid, item ->> TG_ARGV[1],
    CASE TG_OP WHEN 'DELETE' THEN (item ->> 'cost_nano_usd')::bigint END,
    coalesce(item ->> 'retried_at', item ->> 'created_at')::timestamptz, (item ->> 'attempts_before')::int,
    (item ->> 'cost_before_nano_usd')::bigint, now(), now() + interval '2 seconds', (item ->> 'attempt')::int, TG_OP = 'DELETE' OR item ->> 'state' IN ('pending', 'failed'))
  ON CONFLICT (project_id, uid) DO UPDATE SET booked_nano_usd = EXCLUDED.booked_nano_usd, opened_at = EXCLUDED.opened_at,
    look_at = EXCLUDED.look_at, attempt = EXCLUDED.attempt, is_awaited = EXCLUDED.is_awaited;
  RETURN NULL;
END $$;
