-- Jobs in which a model edits a prompt after reading where it failed, and the requests that they consist of.
CREATE TABLE "prompt_edits" (
  "project_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "plan" JSONB NOT NULL,
  "seed" INTEGER NOT NULL,
  "max_evaluations" INTEGER NOT NULL,
  "max_cost_nano_usd" BIGINT,
  "cost_nano_usd" BIGINT NOT NULL DEFAULT 0,
  "status" TEXT NOT NULL,
  "best" JSONB,
  "error" TEXT,
  "key_id" UUID NOT NULL,
  "created_by" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "finished_at" TIMESTAMPTZ(3),

  CONSTRAINT "prompt_edits_pkey" PRIMARY KEY ("project_id", "id"),
  CONSTRAINT "prompt_edits_status_check" CHECK ("status" IN ('running', 'done', 'failed', 'cancelled'))
);
CREATE UNIQUE INDEX "prompt_edits_id_key" ON "prompt_edits"("id");
CREATE INDEX "prompt_edits_open_idx" ON "prompt_edits"("created_at") WHERE "finished_at" IS NULL;

-- What a job asks: for an edit (no row), for the answer of a prompt to a row (scorer 0), or for what a scorer finds about one. The
-- unique index lets nothing be asked twice.
CREATE TABLE "prompt_edit_items" (
  "project_id" UUID NOT NULL,
  "uid" TEXT COLLATE "C" NOT NULL DEFAULT (gen_random_uuid())::text,
  "job_id" UUID NOT NULL,
  "candidate" INTEGER NOT NULL,
  "row_digest" TEXT COLLATE "C" NOT NULL DEFAULT '',
  "scorer" INTEGER NOT NULL DEFAULT 0,
  "parent" INTEGER,
  "state" TEXT NOT NULL DEFAULT 'pending',
  "attempt" INTEGER NOT NULL DEFAULT 0,
  "failures" INTEGER NOT NULL DEFAULT 0,
  "available_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "lease_expires_at" TIMESTAMPTZ(3),
  "cost_nano_usd" BIGINT NOT NULL DEFAULT 0,
  "is_cost_open" BOOLEAN NOT NULL DEFAULT false,
  "retried_at" TIMESTAMPTZ(3),
  "attempts_before" INTEGER NOT NULL DEFAULT 0,
  "cost_before_nano_usd" BIGINT NOT NULL DEFAULT 0,
  "code" TEXT,
  "score" DOUBLE PRECISION,
  "result" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "settled_at" TIMESTAMPTZ(3),

  CONSTRAINT "prompt_edit_items_pkey" PRIMARY KEY ("project_id", "uid"),
  CONSTRAINT "prompt_edit_items_state_check" CHECK ("state" IN ('pending', 'running', 'done', 'skipped', 'failed'))
);
CREATE UNIQUE INDEX "prompt_edit_items_item_key" ON "prompt_edit_items"("job_id", "candidate", "row_digest", "scorer");
CREATE INDEX "prompt_edit_items_due_idx" ON "prompt_edit_items"("job_id", "available_at") WHERE "state" IN ('pending', 'running');

-- Costs of requests without an answer are looked for, as of verdicts and cells.
CREATE TRIGGER "prompt_edit_items_cost_opened" AFTER UPDATE ON "prompt_edit_items" FOR EACH ROW
WHEN (NEW.is_cost_open AND (NOT OLD.is_cost_open OR NEW.state <> OLD.state OR NEW.attempt <> OLD.attempt))
EXECUTE FUNCTION "hone_open_cost"('job_id', 'uid');
CREATE TRIGGER "prompt_edit_items_deleted_cost" AFTER DELETE ON "prompt_edit_items" FOR EACH ROW
WHEN (OLD.is_cost_open OR OLD.state = 'running') EXECUTE FUNCTION "hone_open_cost"('job_id', 'uid');
