-- Jobs that judge calls with one version of a scorer.
CREATE TABLE "scorings" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "scorer_id" TEXT COLLATE "C" NOT NULL,
    "scorer_digest" TEXT NOT NULL,
    "selection" JSONB NOT NULL,
    "call_limit" INTEGER NOT NULL,
    "max_cost_nano_usd" BIGINT,
    "cost_nano_usd" BIGINT NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL,
    "is_planned" BOOLEAN NOT NULL DEFAULT false,
    "judged_before" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "key_id" UUID NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "scorings_pkey" PRIMARY KEY ("project_id","id"),
    CONSTRAINT "scorings_status_check" CHECK ("status" IN ('queued', 'running', 'done', 'failed', 'cancelled', 'budget_spent'))
);
CREATE UNIQUE INDEX "scorings_id_key" ON "scorings"("id");
CREATE INDEX "scorings_open_idx" ON "scorings"("created_at") WHERE "finished_at" IS NULL;

-- One verdict of a version of a scorer about a call, and the work that finds it. The key lets nothing be judged twice.
CREATE TABLE "verdicts" (
    "project_id" UUID NOT NULL,
    "call_id" TEXT COLLATE "C" NOT NULL,
    "scorer_id" TEXT COLLATE "C" NOT NULL,
    "scorer_digest" TEXT NOT NULL,
    "trial" INTEGER NOT NULL DEFAULT 0,
    "uid" UUID NOT NULL DEFAULT gen_random_uuid(),
    "scoring_id" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "available_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_expires_at" TIMESTAMPTZ(3),
    "cost_nano_usd" BIGINT NOT NULL DEFAULT 0,
    "is_cost_open" BOOLEAN NOT NULL DEFAULT false,
    "code" TEXT,
    "feedback_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "verdicts_pkey" PRIMARY KEY ("project_id","call_id","scorer_id","scorer_digest","trial"),
    CONSTRAINT "verdicts_state_check" CHECK ("state" IN ('pending', 'running', 'done', 'skipped', 'failed'))
);
CREATE INDEX "verdicts_due_idx" ON "verdicts"("scoring_id", "available_at") WHERE "state" IN ('pending', 'running');
CREATE INDEX "verdicts_scoring_id_state_code_idx" ON "verdicts"("scoring_id", "state", "code");
CREATE INDEX "verdicts_cost_open_idx" ON "verdicts"("settled_at") WHERE "is_cost_open" AND "settled_at" IS NOT NULL;

-- What was found about a call goes with its content, by whichever way it is erased.
CREATE FUNCTION "hone_delete_verdicts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM verdicts v USING gone g WHERE v.project_id = g.project_id AND v.call_id = g.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "call_values_deleted_verdicts" AFTER DELETE ON "call_values" REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION "hone_delete_verdicts"();
