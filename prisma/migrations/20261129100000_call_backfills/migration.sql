-- What is computed of calls that were stored before it was known how: one row for each kind of work and project. A
-- process walks the project's calls by id, a batch in a transaction, and keeps its place here.
CREATE TABLE "call_backfills" (
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "place" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "done_calls" BIGINT NOT NULL DEFAULT 0,
    "total_calls" BIGINT,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "call_backfills_pkey" PRIMARY KEY ("project_id", "name")
);
CREATE INDEX "call_backfills_open_idx" ON "call_backfills" ("name", "project_id") WHERE "finished_at" IS NULL;
