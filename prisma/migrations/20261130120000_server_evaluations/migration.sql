-- Jobs that ask models every row of a dataset, and have scorers judge what they answer.
CREATE TABLE "evaluation_jobs" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "plan" JSONB NOT NULL,
    "trials" INTEGER NOT NULL,
    "concurrency" INTEGER NOT NULL,
    "seed" INTEGER NOT NULL,
    "max_cost_nano_usd" BIGINT,
    "cost_nano_usd" BIGINT NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL,
    "row_count" INTEGER,
    "error" TEXT,
    "key_id" UUID NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "evaluation_jobs_pkey" PRIMARY KEY ("project_id","id"),
    CONSTRAINT "evaluation_jobs_status_check" CHECK ("status" IN ('queued', 'running', 'done', 'failed', 'cancelled', 'budget_spent'))
);
CREATE UNIQUE INDEX "evaluation_jobs_id_key" ON "evaluation_jobs"("id");
CREATE INDEX "evaluation_jobs_open_idx" ON "evaluation_jobs"("created_at") WHERE "finished_at" IS NULL;

-- An answer of a candidate, or what a scorer finds about one, and the work that leads there. The unique index lets nothing be done twice.
CREATE TABLE "evaluation_cells" (
    "project_id" UUID NOT NULL,
    "uid" TEXT COLLATE "C" NOT NULL DEFAULT (gen_random_uuid())::text,
    "job_id" UUID NOT NULL,
    "candidate" INTEGER NOT NULL,
    "row_digest" TEXT COLLATE "C" NOT NULL,
    "row_number" INTEGER NOT NULL,
    "trial" INTEGER NOT NULL,
    "scorer" INTEGER NOT NULL DEFAULT 0,
    "answer_uid" TEXT,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "available_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_expires_at" TIMESTAMPTZ(3),
    "cost_nano_usd" BIGINT NOT NULL DEFAULT 0,
    "is_cost_open" BOOLEAN NOT NULL DEFAULT false,
    "code" TEXT,
    "result" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "evaluation_cells_pkey" PRIMARY KEY ("project_id","uid"),
    CONSTRAINT "evaluation_cells_state_check" CHECK ("state" IN ('pending', 'running', 'done', 'skipped', 'failed'))
);
CREATE UNIQUE INDEX "evaluation_cells_cell_key" ON "evaluation_cells"("job_id", "candidate", "row_digest", "trial", "scorer");
CREATE INDEX "evaluation_cells_due_idx" ON "evaluation_cells"("job_id", "available_at") WHERE "state" IN ('pending', 'running');
CREATE INDEX "evaluation_cells_running_idx" ON "evaluation_cells"("job_id") WHERE "state" = 'running';
CREATE INDEX "evaluation_cells_job_id_state_code_idx" ON "evaluation_cells"("job_id", "state", "code");
CREATE INDEX "evaluation_cells_cost_open_idx" ON "evaluation_cells"("settled_at") WHERE "is_cost_open" AND "settled_at" IS NOT NULL;

-- What was found goes with the content of its call, by whichever way that is erased.
CREATE FUNCTION "hone_forget_cells"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE evaluation_cells c SET result = NULL FROM gone g WHERE c.project_id = g.project_id AND c.uid = g.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "call_values_deleted_cells" AFTER DELETE ON "call_values" REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION "hone_forget_cells"();
