-- Loops that train, compare and promote by themselves, and their runs.
CREATE TABLE "pipelines" (
  "project_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "settings" JSONB NOT NULL,
  "is_paused" BOOLEAN NOT NULL DEFAULT false,
  "run_count" INTEGER NOT NULL DEFAULT 0,
  "gate_count" INTEGER NOT NULL DEFAULT 0,
  "alpha_spent" DOUBLE PRECISION NOT NULL DEFAULT 0,
  "key_id" UUID NOT NULL,
  "created_by" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "pipelines_pkey" PRIMARY KEY ("project_id", "id")
);
CREATE UNIQUE INDEX "pipelines_id_key" ON "pipelines"("id");
CREATE UNIQUE INDEX "pipelines_project_id_name_key" ON "pipelines"("project_id", "name");

CREATE TABLE "pipeline_runs" (
  "project_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "pipeline_id" UUID NOT NULL,
  "number" INTEGER NOT NULL,
  "status" TEXT NOT NULL,
  "reason" TEXT,
  "started_by" TEXT NOT NULL,
  "current_step" INTEGER,
  "alpha" DOUBLE PRECISION,
  "steps" JSONB NOT NULL DEFAULT '[]',
  "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" TIMESTAMPTZ(3),
  "look_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "claim" UUID,

  CONSTRAINT "pipeline_runs_pkey" PRIMARY KEY ("project_id", "id")
);
CREATE UNIQUE INDEX "pipeline_runs_id_key" ON "pipeline_runs"("id");
CREATE UNIQUE INDEX "pipeline_runs_number_key" ON "pipeline_runs"("project_id", "pipeline_id", "number");
-- No two runs of a pipeline at a time.
CREATE UNIQUE INDEX "pipeline_runs_open_key" ON "pipeline_runs"("project_id", "pipeline_id") WHERE "ended_at" IS NULL;
CREATE INDEX "pipeline_runs_due_idx" ON "pipeline_runs"("look_at") WHERE "ended_at" IS NULL;
