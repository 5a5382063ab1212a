-- Jobs that sample and grade their own rollouts, round by round.
-- AlterTable
ALTER TABLE "training_jobs" ADD COLUMN     "key_id" UUID,
ADD COLUMN     "rollouts" JSONB,
ADD COLUMN     "round_base" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "rounds_done" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "training_job_groups" (
    "project_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "round" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "uri" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "answers" INTEGER NOT NULL,
    "graded" INTEGER NOT NULL,
    "reward_sum" DOUBLE PRECISION NOT NULL,
    "failures" JSONB NOT NULL DEFAULT '{}',
    "cost_nano_usd" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "training_job_groups_pkey" PRIMARY KEY ("project_id","job_id","round","position")
);

