-- Budgets of a UTC day, and what each gateway reserves of them. A constant default changes no row.
ALTER TABLE "usage_limits" ADD COLUMN "daily_budget_nano_usd" BIGINT,
ADD COLUMN "further_leases" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "usage_days" (
    "scope" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "cost_nano_usd" BIGINT NOT NULL,

    CONSTRAINT "usage_days_pkey" PRIMARY KEY ("scope","subject_id","day")
) WITH (fillfactor = 70); -- updated in place

-- What this day has cost so far: a budget that is set today counts what was spent before.
INSERT INTO "usage_days" ("scope", "subject_id", "day", "cost_nano_usd")
SELECT subject.scope, subject.id, (hour AT TIME ZONE 'UTC')::date AS day, sum(cost_nano_usd)
FROM "usage_hours", LATERAL (VALUES ('key', key_id), ('project', project_id)) AS subject (scope, id)
WHERE hour >= date_trunc('day', now(), 'UTC') AND cost_nano_usd > 0
GROUP BY subject.scope, subject.id, day;
