-- Attempts to make models better by their judged calls.
CREATE TABLE "improvements" (
  "project_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "settings" JSONB NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'running',
  "reason" TEXT,
  "step" TEXT NOT NULL DEFAULT 'data',
  "current_step" INTEGER,
  "dataset" TEXT,
  "candidates" JSONB NOT NULL DEFAULT '[]',
  "evaluation_ids" UUID[] NOT NULL DEFAULT '{}',
  "current_run_id" TEXT,
  "key_id" UUID NOT NULL,
  "created_by" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" TIMESTAMPTZ(3),
  "look_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "claim" UUID,

  CONSTRAINT "improvements_pkey" PRIMARY KEY ("project_id", "id")
);
CREATE UNIQUE INDEX "improvements_id_key" ON "improvements"("id");
CREATE INDEX "improvements_due_idx" ON "improvements"("look_at") WHERE "ended_at" IS NULL;
