-- Budgets of models, and the route that each request is charged to. Constant defaults change no row.
ALTER TABLE "usage_limits" ADD COLUMN "model_budgets" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "usage_records" ADD COLUMN "route" TEXT;

-- CreateTable
CREATE TABLE "usage_models" (
    "scope" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "period" TEXT NOT NULL,
    "since" DATE NOT NULL,
    "model" TEXT COLLATE "C" NOT NULL,
    "cost_nano_usd" BIGINT NOT NULL,

    CONSTRAINT "usage_models_pkey" PRIMARY KEY ("scope","subject_id","period","since","model")
) WITH (fillfactor = 70); -- updated in place

-- What this month has cost so far: a budget that is set this month counts what was spent before. Of the records that there
-- are, none has a route: they count for the model that was asked for.
INSERT INTO "usage_models" ("scope", "subject_id", "period", "since", "model", "cost_nano_usd")
SELECT subject.scope, subject.id, period.name, period.since, model_asked COLLATE "C" AS model, sum(cost_nano_usd)
FROM "usage_records", LATERAL (VALUES ('key', key_id), ('project', project_id)) AS subject (scope, id),
  LATERAL (VALUES ('day', day), ('month', date_trunc('month', day)::date)) AS period (name, since)
WHERE day >= date_trunc('month', now() AT TIME ZONE 'UTC')::date AND cost_nano_usd > 0
GROUP BY subject.scope, subject.id, period.name, period.since, model;
