-- Decisions between a baseline and a candidate, and the pairs of answers by which they are made.
CREATE TABLE "gates" (
  "project_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "settings" JSONB NOT NULL,
  "status" TEXT NOT NULL,
  "verdict" TEXT,
  "reason" TEXT,
  "reason_guards" TEXT[] NOT NULL DEFAULT '{}',
  "basis" TEXT,
  "error" TEXT,
  "looks" JSONB NOT NULL DEFAULT '[]',
  "left_out" JSONB NOT NULL DEFAULT '{}',
  "label_plan" JSONB,
  "acts" JSONB NOT NULL DEFAULT '[]',
  "queue_id" TEXT,
  "key_id" UUID NOT NULL,
  "created_by" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" TIMESTAMPTZ(3),
  "look_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "claim" UUID,

  CONSTRAINT "gates_pkey" PRIMARY KEY ("project_id", "id")
);
CREATE UNIQUE INDEX "gates_id_key" ON "gates"("id");
CREATE INDEX "gates_open_idx" ON "gates"("look_at") WHERE "status" = 'open';

CREATE TABLE "gate_pairs" (
  "project_id" UUID NOT NULL,
  "gate_id" UUID NOT NULL,
  "number" INTEGER NOT NULL,
  "row_digest" TEXT NOT NULL,
  "pair" JSONB NOT NULL,
  "labels" JSONB,

  CONSTRAINT "gate_pairs_pkey" PRIMARY KEY ("project_id", "gate_id", "number")
);
CREATE UNIQUE INDEX "gate_pairs_row_key" ON "gate_pairs"("project_id", "gate_id", "row_digest");
