-- An evaluation ends run by run, by one process at a time: which one comes next, and until when that process has it.
ALTER TABLE "evaluation_jobs" ADD COLUMN "ended_candidates" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "ending_until" TIMESTAMPTZ(3);
