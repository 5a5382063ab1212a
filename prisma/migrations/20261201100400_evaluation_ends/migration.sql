-- A process ends an evaluation candidate by candidate: `ended_candidates` of their runs have a summary. `ending_by` is the claim of
-- the process that writes summaries, which has the evaluation until `ending_until`.
ALTER TABLE "evaluation_jobs" ADD COLUMN "ended_candidates" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "ending_by" UUID,
  ADD COLUMN "ending_until" TIMESTAMPTZ(3);
